// The only file that includes LLVM. Versions 18 to 21; what differs is behind LLVM_VERSION_MAJOR.
#include "lower/backend.h"

#include "litmus/text/error.h"

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

struct Backend::Hidden {
  Level level;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<const Decoder> decoder = nullptr; // made when it is first asked for

  std::unique_ptr<llvm::Module> parse(const std::string& ir, llvm::LLVMContext& context) const;
  void optimize(llvm::Module& module) const;
  std::string emit(llvm::Module& module) const;
};

std::unique_ptr<llvm::Module> parsed(const std::string& ir, llvm::LLVMContext& context) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(ir, diagnostic, context);
  if (!module)
    throw Bug(fmt::format("LLVM rejects our IR at line {}: {}", diagnostic.getLineNo(),
                          diagnostic.getMessage().str()));
  return module;
}

std::unique_ptr<llvm::Module> Backend::Hidden::parse(const std::string& ir,
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

void Backend::Hidden::optimize(llvm::Module& module) const {
  if (level == Level::O0) return;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(machine.get());
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

std::string Backend::Hidden::emit(llvm::Module& module) const {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::legacy::PassManager passes;
  const bool refused =
      machine->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::ObjectFile,
                                   /*DisableVerify=*/true);
  THINAIR_CHECK(!refused, "LLVM emits no object code for this target");
  passes.run(module);
  return std::string(bytes.begin(), bytes.end());
}

Backend::Backend(Level level, Machine machine, std::string_view more)
    : hidden_(std::make_unique<Hidden>(Hidden{level, make_machine(info(machine), level, more)})) {}
Backend::~Backend() = default;
Backend::Backend(Backend&&) noexcept = default;
Backend& Backend::operator=(Backend&&) noexcept = default;

std::string Backend::compile(const std::string& ir) {
  llvm::LLVMContext context;
  Complaint first;
  context.setDiagnosticHandler(std::make_unique<ErrorKeeper>(first));
  const auto module = hidden_->parse(ir, context);
  hidden_->optimize(*module);
  std::string object = hidden_->emit(*module);
  if (!first.message.empty())
    throw Bug(fmt::format("LLVM cannot compile our IR: {}", first.message));
  return object;
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
