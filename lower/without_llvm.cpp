// In the place of backend.cpp where thinair is built with -DTHINAIR_LLVM=OFF: says that LLVM is not
// there.
#include "litmus/text/error.h"
#include "lower/backend.h"
#include "lower/backend_passes.h"

namespace thinair::lower {

struct Backend::Hidden {};

namespace {

[[noreturn]] void without_llvm() {
  throw Unsupported(
      "this thinair was built without LLVM\n"
      "  hint: schemes need none (x86:table2, aarch64:cxx); compilers and object files do:\n"
      "  install LLVM (scripts/setup does) and configure the build with "
      "-DTHINAIR_LLVM=ON");
}

} // namespace

Backend::Backend(Level, Machine, std::string_view) { without_llvm(); }
Backend::~Backend() = default;
Backend::Backend(Backend&&) noexcept = default;
Backend& Backend::operator=(Backend&&) noexcept = default;

std::string Backend::compile(const std::string&) { without_llvm(); }
Backend::WithArguments Backend::compile_with_arguments(const std::string&) { without_llvm(); }
Backend::IrWithArguments Backend::with_arguments(const std::string&) { without_llvm(); }
std::string Backend::optimize(const std::string&) { without_llvm(); }
std::string compiled_by_all_passes(const std::string&, Level, Machine) { without_llvm(); }
std::string Backend::assemble(const std::string&) { without_llvm(); }
std::vector<MachineFunction> Backend::disassemble(const std::string&) { without_llvm(); }

MachineInstruction Backend::decode(const std::vector<std::uint8_t>&, std::uint64_t) {
  without_llvm();
}

std::string backend_version() { return ""; }

} // namespace thinair::lower
