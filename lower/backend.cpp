// The only file that includes LLVM. Versions 18 to 21; what differs is behind LLVM_VERSION_MAJOR.
#include "lower/backend.h"

#include "litmus/text/error.h"
#include "lower/backend_passes.h"

#include <fmt/format.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrAnalysis.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

namespace thinair::lower {
namespace {

bool initialize_targets() {
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  llvm::InitializeAllAsmParsers();
  llvm::InitializeAllDisassemblers();
  return true;
}

llvm::CodeGenOptLevel codegen_level(Level level) {
  switch (level) {
  case Level::O0: return llvm::CodeGenOptLevel::None;
  case Level::O1: return llvm::CodeGenOptLevel::Less;
  case Level::O2: return llvm::CodeGenOptLevel::Default;
  case Level::O3: return llvm::CodeGenOptLevel::Aggressive;
  }
  return llvm::CodeGenOptLevel::Default;
}

llvm::OptimizationLevel optimization_level(Level level) {
  switch (level) {
  case Level::O0: return llvm::OptimizationLevel::O0;
  case Level::O1: return llvm::OptimizationLevel::O1;
  case Level::O2: return llvm::OptimizationLevel::O2;
  case Level::O3: return llvm::OptimizationLevel::O3;
  }
  return llvm::OptimizationLevel::O2;
}

/// An error, and the line of assembly that it is about, from 1.
struct Complaint {
  std::size_t line = 0;
  std::string message;
};

/// Keeps the first error instead of ending the process, which is what LLVM does by itself.
class ErrorKeeper : public llvm::DiagnosticHandler {
 public:
  explicit ErrorKeeper(Complaint& first) : first_(first) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error || !first_.message.empty()) return true;
    if (const auto* of_assembler = llvm::dyn_cast<llvm::DiagnosticInfoSrcMgr>(&info)) {
      first_.line = static_cast<std::size_t>(of_assembler->getSMDiag().getLineNo());
      first_.message = of_assembler->getSMDiag().getMessage().str();
      return true;
    }
    llvm::raw_string_ostream out(first_.message);
    llvm::DiagnosticPrinterRawOStream printer(out);
    info.print(printer);
    return true;
  }

 private:
  Complaint& first_;
};

std::unique_ptr<llvm::TargetMachine> make_machine(const MachineInfo& row, Level level,
                                                  std::string_view more) {
  static const bool initialized = initialize_targets();
  (void)initialized;
  const std::string_view triple = row.triple;
  const llvm::Triple parsed{llvm::StringRef(triple)};
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(parsed.str(), error);
  if (!target) throw Unsupported(fmt::format("a target for {} in this LLVM ({})", triple, error));
#if LLVM_VERSION_MAJOR >= 21
  const llvm::Triple& which = parsed;
#else
  const std::string& which = parsed.str();
#endif
  llvm::TargetOptions options;
  const std::string features =
      fmt::format("{}{}{}", row.features, row.features.empty() || more.empty() ? "" : ",", more);
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(which, "", features, options, llvm::Reloc::Static,
                                  llvm::CodeModel::Small, codegen_level(level)));
}

/// Makes LLVM take all functions through the passes before it, and only then through those behind:
/// it takes one function through all passes that stand side by side, otherwise.
class Barrier : public llvm::ModulePass {
 public:
  Barrier() : ModulePass(id) {}
  bool runOnModule(llvm::Module&) override { return false; }
  void getAnalysisUsage(llvm::AnalysisUsage& usage) const override { usage.setPreservesAll(); }

 private:
  static char id; // LLVM knows passes by the addresses of such
};
char Barrier::id = 0;

/// Passes of the code generator that look for what the IR written here (lower/ir.h) does not have:
/// calls, exceptions, vectors, floating point, arrays of constants, a collector, instrumentation,
/// wide integers, thread-local variables. Names that a version of LLVM does not know do no harm.
constexpr auto idle_passes = std::to_array<std::string_view>({
    "A57 FP Anti-dependency breaker",
    "AArch64 Globals Tagging",
    "AArch64 Local Dynamic TLS Access Clean-up",
    "AArch64 Promote Constant",
    "AArch64 SIMD instructions optimization pass",
    "AArch64 Stack Tagging",
    "AArch64 Stack Tagging PreRA",
    "Analyze Machine Code For Garbage Collection",
    "Complex Deinterleaving Pass",
    "Contiguously Lay Out Funclets",
    "Exception handling preparation",
    "Expand large div/rem",
    "Expand large fp convert",
    "Expand memcmp() to load/stores",
    "Expand reduction intrinsics",
    "Expand vector predication intrinsics",
    "Falkor HW Prefetch Fix",
    "Falkor HW Prefetch Fix Late Phase",
    "Fixup Statepoint Caller Saved",
    "Insert KCFI indirect call checks",
    "Insert XRay ops",
    "Insert fentry calls",
    "Instrument function entry/exit with calls to e.g. mcount() (post inlining)",
    "Interleaved Access Pass",
    "Interleaved Load Combine Pass",
    "Live DEBUG_VALUE analysis",
    "Loop Data Prefetch",
    "Lower Garbage Collection Instructions",
    "Merge contiguous icmps into a memcmp",
    "Partially inline calls to library functions",
    "Prepare callbr",
    "Remove Redundant DEBUG_VALUE analysis",
    "Replace intrinsics with calls to vector library",
    "SME ABI Pass",
    "Safe Stack instrumentation pass",
    "Scalarize Masked Memory Intrinsics",
    "Shadow Stack GC Lowering",
    "Stack Frame Layout Analysis",
    "StackMap Liveness Analysis",
    "TLS Variable Hoist",
    "Workaround A53 erratum 835769 pass",
});

/// The same of the optimizer's passes: calls, allocations, vectors, counted loops, coroutines.
constexpr auto idle_optimizations = std::to_array<std::string_view>({
    "AlignmentFromAssumptionsPass",
    "AnnotationRemarksPass",
    "ArgumentPromotionPass",
    "CGProfilePass",
    "CalledValuePropagationPass",
    "ConstantMergePass",
    "CoroCleanupPass",
    "CoroEarlyPass",
    "CoroElidePass",
    "CoroSplitPass",
    "DeadArgumentEliminationPass",
    "EntryExitInstrumenterPass",
    "Float2IntPass",
    "GlobalOptPass",
    "InferAlignmentPass",
    "InjectTLIMappings",
    "InlinerPass",
    "LibCallsShrinkWrapPass",
    "LoopDistributePass",
    "LoopVectorizePass",
    "LowerConstantIntrinsicsPass",
    "LowerExpectIntrinsicPass",
    "MemCpyOptPass",
    "MoveAutoInitPass",
    "OpenMPOptCGSCCPass",
    "OpenMPOptPass",
    "PostOrderFunctionAttrsPass",
    "PromotePass",
    "ReversePostOrderFunctionAttrsPass",
    "SLPVectorizerPass",
    "SROAPass",
    "TailCallElimPass",
    "VectorCombinePass",
    "WarnMissedTransformationsPass",
});

/// Passes behind which a part ends: what they leave behind is all in the function's code, and no
/// later pass needs an analysis that it would not make again.
constexpr auto last_passes = std::to_array<std::string_view>({
    "Expand Atomic instructions",
    "Constant Hoisting",
    "CodeGen Prepare",
    "Remove dead machine instructions",
    "Stack Slot Coloring",
    "Prologue/Epilogue Insertion & Frame Finalization",
    "Machine Copy Propagation Pass",
    "PostRA Machine Instruction Scheduler",
});

bool is_one_of(std::span<const std::string_view> names, llvm::StringRef name) {
  return std::ranges::find(names, std::string_view(name)) != names.end();
}

/// The code generator's passes in parts, and without those that have nothing to do. The code
/// generator is megabytes of code, most of which runs once for a function, and functions are small
/// here: parts that stay in the processor's caches take two thirds of the time. No pass looks from
/// one function into another, so that the code is the same (tests/lower/compiler_batch_test.cpp).
class InParts : public llvm::legacy::PassManagerBase {
 public:
  explicit InParts(llvm::legacy::PassManager& passes) : passes_(passes) {}
  void add(llvm::Pass* pass) override {
    std::unique_ptr<llvm::Pass> own(pass);
    const llvm::StringRef name = pass->getPassName();
    if (is_one_of(idle_passes, name)) return;
    const bool ends = name.ends_with("Instruction Selection") || is_one_of(last_passes, name);
    passes_.add(own.release());
    if (ends) passes_.add(std::make_unique<Barrier>().release());
  }

 private:
  llvm::legacy::PassManager& passes_;
};

std::string message_of(llvm::Error error) { return llvm::toString(std::move(error)); }

/// A relocation: what it refers to, and the distance from there (or, where `relative`, from there
/// minus its own place) to what the instruction computes.
struct Patch {
  std::string symbol;
  std::int64_t addend = 0;
  bool relative = false;
};

/// The relocations of the text section, by the offset of the bytes they patch.
std::map<std::uint64_t, Patch> relocations_of(const llvm::object::ObjectFile& object,
                                              const llvm::object::SectionRef& text) {
  std::map<std::uint64_t, Patch> result;
  for (const auto& section : object.sections()) {
    auto patched = section.getRelocatedSection();
    if (!patched || *patched == object.section_end() || **patched != text) continue;
    for (const auto& relocation : section.relocations()) {
      const auto symbol = relocation.getSymbol();
      if (symbol == object.symbol_end()) continue;
      auto symbol_name = symbol->getName();
      auto addend = llvm::object::ELFRelocationRef(relocation).getAddend();
      THINAIR_CHECK(symbol_name && addend, "a relocation that does not read");
      llvm::SmallString<32> type;
      relocation.getTypeName(type);
      result[relocation.getOffset()] = {
          symbol_name->str(), *addend, type.str().contains("PC32") || type.str().contains("PLT32")};
    }
  }
  return result;
}

struct Extent {
  std::string name;
  std::uint64_t begin = 0, end = 0;
};

std::vector<Extent> functions_of(const llvm::object::ObjectFile& object,
                                 const llvm::object::SectionRef& text) {
  std::vector<Extent> result;
  for (const auto& symbol : object.symbols()) {
    auto type = symbol.getType();
    auto section = symbol.getSection();
    auto address = symbol.getAddress();
    auto symbol_name = symbol.getName();
    THINAIR_CHECK(type && section && address && symbol_name, "an object whose symbols do not read");
    if (*type != llvm::object::SymbolRef::ST_Function || *section == object.section_end() ||
        **section != text)
      continue;
    const std::uint64_t size = llvm::object::ELFSymbolRef(symbol).getSize();
    result.push_back({symbol_name->str(), *address, *address + size});
  }
  std::ranges::sort(result, {}, &Extent::begin);
  return result;
}

MachineOperand plain(const llvm::MCOperand& operand, const llvm::MCRegisterInfo& registers) {
  MachineOperand out;
  if (operand.isImm()) {
    out.kind = MachineOperand::Kind::number;
    out.number = operand.getImm();
  } else if (operand.isReg() && operand.getReg() != 0) {
    out.kind = MachineOperand::Kind::reg;
    out.reg = registers.getName(operand.getReg());
  }
  return out;
}

/// LLVM's disassembler and printer for one machine.
class Decoder {
 public:
  /// `spelled_out`: instructions of their own, none by another's name.
  Decoder(const llvm::TargetMachine& machine, bool spelled_out)
      : machine_(machine), context_(machine.getTargetTriple(), machine.getMCAsmInfo(),
                                    machine.getMCRegisterInfo(), machine.getMCSubtargetInfo()),
        decoder_(machine.getTarget().createMCDisassembler(*machine.getMCSubtargetInfo(), context_)),
        analysis_(machine.getTarget().createMCInstrAnalysis(machine.getMCInstrInfo())),
        printer_(machine.getTarget().createMCInstPrinter(
            machine.getTargetTriple(), 0, *machine.getMCAsmInfo(), *machine.getMCInstrInfo(),
            *machine.getMCRegisterInfo())) {
    // RISC-V's aliases ("seqz") are more than herd7 knows; AArch64's ("mov", "cmp") it expects.
    // Compressed instructions have names of their own then, which no language of tests knows.
    if (machine.getTargetTriple().isRISCV() && spelled_out)
      printer_->applyTargetSpecificCLOption("no-aliases");
  }

  MachineInstruction decode(llvm::ArrayRef<std::uint8_t> bytes, std::uint64_t at,
                            bool detailed = false) const {
    llvm::MCInst inst;
    std::uint64_t size = 0;
    if (decoder_->getInstruction(inst, size, bytes.slice(at), at, llvm::nulls()) !=
        llvm::MCDisassembler::Success)
      throw Unsupported(fmt::format("bytes that do not decode, from {:02x} on", bytes[at]));
    MachineInstruction out;
    out.address = at;
    out.bytes.assign(bytes.begin() + at, bytes.begin() + at + size);
    out.opcode = machine_.getMCInstrInfo()->getName(inst.getOpcode()).str();
    for (const llvm::MCOperand& operand : inst)
      out.operands.push_back(plain(operand, *machine_.getMCRegisterInfo()));
    const llvm::MCInstrDesc& about = machine_.getMCInstrInfo()->get(inst.getOpcode());
    // RISC-V's `jal zero` is a call by its description, and a branch to the analysis.
    out.falls_through = !about.isBarrier() && !analysis_->isUnconditionalBranch(inst);
    std::uint64_t target = 0;
    if (analysis_->isBranch(inst) && analysis_->evaluateBranch(inst, at, size, target))
      out.target = target;
    llvm::raw_string_ostream text(out.text);
    printer_->printInst(&inst, at, "", *machine_.getMCSubtargetInfo(), text);
    if (detailed) add_details(inst, about, out);
    return out;
  }

 private:
  void add_details(const llvm::MCInst& inst, const llvm::MCInstrDesc& about,
                   MachineInstruction& out) const {
    const auto name = [&](auto reg) {
      return std::string(machine_.getMCRegisterInfo()->getName(reg));
    };
    for (unsigned i = 0; i < inst.getNumOperands(); ++i) {
      const llvm::MCOperand& operand = inst.getOperand(i);
      if (!operand.isReg() || operand.getReg() == 0) continue;
      (i < about.getNumDefs() ? out.writes : out.reads).push_back(name(operand.getReg()));
    }
    for (const auto reg : about.implicit_uses()) out.reads.push_back(name(reg));
    for (const auto reg : about.implicit_defs()) out.writes.push_back(name(reg));
    out.accesses_memory = about.mayLoad() || about.mayStore();
  }

  const llvm::TargetMachine& machine_;
  llvm::MCContext context_;
  std::unique_ptr<llvm::MCDisassembler> decoder_;
  std::unique_ptr<llvm::MCInstrAnalysis> analysis_;
  std::unique_ptr<llvm::MCInstPrinter> printer_;
};

} // namespace

namespace {

/// LLVM's passes as it has them, or without those that find nothing in our IR, and InParts.
enum class Passes : std::uint8_t { all, needed };

struct Generator {
  Level level;
  std::unique_ptr<llvm::TargetMachine> machine;

  std::unique_ptr<llvm::Module> parse(const std::string& ir, llvm::LLVMContext& context) const;
  void optimize(llvm::Module& module, Passes passes = Passes::needed) const;
  std::string emit(llvm::Module& module, Passes passes = Passes::needed) const;
  std::string compile(const std::string& ir, Passes passes = Passes::needed) const;
};

} // namespace

struct Backend::Hidden : Generator {
  std::unique_ptr<const Decoder> decoder = nullptr; // made when it is first asked for
};

std::unique_ptr<llvm::Module> parsed(const std::string& ir, llvm::LLVMContext& context) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(ir, diagnostic, context);
  if (!module)
    throw Bug(fmt::format("LLVM rejects our IR at line {}: {}", diagnostic.getLineNo(),
                          diagnostic.getMessage().str()));
  return module;
}

std::unique_ptr<llvm::Module> Generator::parse(const std::string& ir,
                                               llvm::LLVMContext& context) const {
  auto module = parsed(ir, context);
#if LLVM_VERSION_MAJOR >= 21
  module->setTargetTriple(machine->getTargetTriple());
#else
  module->setTargetTriple(machine->getTargetTriple().str());
#endif
  module->setDataLayout(machine->createDataLayout());
  return module;
}

void Generator::optimize(llvm::Module& module, Passes passes) const {
  if (level == Level::O0) return;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  if (passes == Passes::needed)
    callbacks.registerShouldRunOptionalPassCallback(
        [](llvm::StringRef name, llvm::Any) { return !is_one_of(idle_optimizations, name); });
  llvm::PassBuilder builder(machine.get(), {}, std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(optimization_level(level)).run(module, modules);
}

/// The function with each of these globals as an argument instead; the old one goes.
void pass_as_arguments(llvm::Function& old, const std::vector<llvm::GlobalVariable*>& globals) {
  llvm::LLVMContext& context = old.getContext();
  const std::vector<llvm::Type*> types(globals.size(), llvm::PointerType::getUnqual(context));
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false);
  auto* made = llvm::Function::Create(type, old.getLinkage(), "", old.getParent());
  made->copyAttributesFrom(&old);
  made->splice(made->begin(), &old);
  made->takeName(&old);
  old.eraseFromParent();
  for (std::size_t i = 0; i < globals.size(); ++i)
    globals[i]->replaceUsesWithIf(made->getArg(static_cast<unsigned>(i)), [&](llvm::Use& use) {
      auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      return user != nullptr && user->getFunction() == made;
    });
}

/// The globals that a function's code names, in the module's order.
std::vector<llvm::GlobalVariable*> globals_of(llvm::Module& module, llvm::Function& function) {
  std::set<const llvm::Value*> used;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    for (const llvm::Use& operand : instruction.operands()) used.insert(operand.get());
  std::vector<llvm::GlobalVariable*> result;
  for (llvm::GlobalVariable& global : module.globals())
    if (used.contains(&global)) result.push_back(&global);
  return result;
}

std::string Generator::emit(llvm::Module& module, Passes which) const {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::legacy::PassManager passes;
  InParts in_parts(passes);
  llvm::legacy::PassManagerBase& to =
      which == Passes::all ? static_cast<llvm::legacy::PassManagerBase&>(passes) : in_parts;
  const bool refused =
      machine->addPassesToEmitFile(to, out, nullptr, llvm::CodeGenFileType::ObjectFile,
                                   /*DisableVerify=*/true);
  THINAIR_CHECK(!refused, "LLVM emits no object code for this target");
  passes.run(module);
  return std::string(bytes.begin(), bytes.end());
}

Backend::Backend(Level level, Machine machine, std::string_view more)
    : hidden_(std::make_unique<Hidden>(Hidden{{level, make_machine(info(machine), level, more)}})) {
}
Backend::~Backend() = default;
Backend::Backend(Backend&&) noexcept = default;
Backend& Backend::operator=(Backend&&) noexcept = default;

std::string Generator::compile(const std::string& ir, Passes passes) const {
  llvm::LLVMContext context;
  Complaint first;
  context.setDiagnosticHandler(std::make_unique<ErrorKeeper>(first));
  const auto module = parse(ir, context);
  optimize(*module, passes);
  std::string object = emit(*module, passes);
  if (!first.message.empty())
    throw Bug(fmt::format("LLVM cannot compile our IR: {}", first.message));
  return object;
}

std::string Backend::compile(const std::string& ir) { return hidden_->compile(ir); }

std::string compiled_by_all_passes(const std::string& ir, Level level, Machine machine) {
  return Generator{level, make_machine(info(machine), level, {})}.compile(ir, Passes::all);
}

/// Of every function; says which globals, in order.
std::map<std::string, std::vector<std::string>> pass_as_arguments(llvm::Module& module) {
  std::map<std::string, std::vector<std::string>> out;
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) functions.push_back(&function);
  for (llvm::Function* function : functions) {
    const auto globals = globals_of(module, *function);
    auto& names = out[function->getName().str()];
    for (const auto* global : globals) names.push_back(global->getName().str());
    pass_as_arguments(*function, globals);
  }
  return out;
}

std::string printed(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out, nullptr);
  return text;
}

Backend::WithArguments Backend::compile_with_arguments(const std::string& ir) {
  llvm::LLVMContext context;
  Complaint first;
  context.setDiagnosticHandler(std::make_unique<ErrorKeeper>(first));
  const auto module = hidden_->parse(ir, context);
  hidden_->optimize(*module);
  WithArguments out;
  out.arguments = pass_as_arguments(*module);
  out.object = hidden_->emit(*module);
  if (!first.message.empty())
    throw Bug(fmt::format("LLVM cannot compile our IR: {}", first.message));
  return out;
}

/// Triple and layout stay what they are: those of another version differ.
Backend::IrWithArguments Backend::with_arguments(const std::string& optimized) {
  llvm::LLVMContext context;
  const auto module = parsed(optimized, context);
  auto arguments = pass_as_arguments(*module);
  return {printed(*module), std::move(arguments)};
}

std::string Backend::optimize(const std::string& ir) {
  llvm::LLVMContext context;
  const auto module = hidden_->parse(ir, context);
  hidden_->optimize(*module);
  return printed(*module);
}

std::string Backend::assemble(const std::string& assembly) {
  llvm::LLVMContext context;
  Complaint first;
  context.setDiagnosticHandler(std::make_unique<ErrorKeeper>(first));
  const auto module = hidden_->parse("", context);
  module->setModuleInlineAsm(assembly);
  std::string object = hidden_->emit(*module);
  if (!first.message.empty())
    throw InputError(fmt::format("LLVM's assembler, at line {}: {}", first.line, first.message));
  return object;
}

std::vector<MachineFunction> Backend::disassemble(const std::string& object) {
  auto file = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(object, "object"));
  if (!file) throw Bug(message_of(file.takeError()));
  const Decoder decoder(*hidden_->machine, true);
  std::vector<MachineFunction> result;
  for (const auto& section : (*file)->sections()) {
    if (!section.isText()) continue;
    auto contents = section.getContents();
    if (!contents) throw Bug(message_of(contents.takeError()));
    const auto relocations = relocations_of(**file, section);
    for (const Extent& extent : functions_of(**file, section)) {
      MachineFunction& function = result.emplace_back();
      function.name = extent.name;
      for (std::uint64_t at = extent.begin; at < extent.end;) {
        function.code.push_back(decoder.decode(llvm::arrayRefFromStringRef(*contents), at));
        MachineInstruction& last = function.code.back();
        const auto patch = relocations.lower_bound(at);
        at += last.bytes.size();
        if (patch == relocations.end() || patch->first >= at) continue;
        last.symbol = patch->second.symbol;
        last.symbol_offset = patch->second.addend;
        if (patch->second.relative)
          last.symbol_offset += static_cast<std::int64_t>(at - patch->first);
      }
    }
  }
  return result;
}

MachineInstruction Backend::decode(const std::vector<std::uint8_t>& code, std::uint64_t at) {
  if (!hidden_->decoder)
    hidden_->decoder = std::make_unique<const Decoder>(*hidden_->machine, false);
  return hidden_->decoder->decode(code, at, true);
}

std::string backend_version() { return LLVM_VERSION_STRING; }

} // namespace thinair::lower
