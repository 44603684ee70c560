// Finds recordings, and makes them.
#include "tests/runners/jit_recordings.h"

#include "litmus/test.h"
#include "litmus/text/file.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace thinair::runners::jit {
namespace {

constexpr std::string_view programs[] = {
    R"(Java store_buffering
{ x = 0; y = 0; X=x; Y=y; }
Thread0 { X.setVolatile(1); int a = Y.getVolatile(); }
Thread1 { Y.setVolatile(1); int b = X.getVolatile(); }
exists (0:a=0 /\ 1:b=0)
)",
    R"(Java message_passing
{ x = 0; y = 0; X=x; Y=y; }
Thread0 { X.set(1); Y.setRelease(1); }
Thread1 { int a = Y.getAcquire(); int b = X.get(); }
exists (1:a=1 /\ 1:b=0)
)",
    R"(Java branch
{ x = 0; y = 0; X=x; Y=y; }
Thread0 { int a = X.getOpaque(); int b = X.getOpaque(); if (a != b) { Y.setOpaque(a + 2); } else { b = 7; } }
Thread1 { X.setOpaque(1); }
exists (0:b=7)
)",
    R"(Java updates
{ x = 0; y = 0; X=x; Y=y; }
Thread0 { int a = X.getAndBitwiseOrAcquire(6); int b = X.compareAndSet(6, 1); VarHandle.storeStoreFence(); Y.set(1); }
Thread1 { int c = X.getAndAddRelease(3); int d = Y.weakCompareAndSetPlain(1, 2); }
exists (0:a=3)
)"};

/// MACHINE-JDK-COMPILER[-WHAT].listing
constexpr std::string_view files[] = {
    "x86-17-c2.listing",
    "x86-25-c1.listing",
    "x86-25-c2.listing",
    "x86-28-c1.listing",
    "aarch64-25-c1.listing",
    "aarch64-25-c2.listing",
    "aarch64-28-c1.listing",
    "riscv-21-c1.listing",
    "riscv-21-c2.listing",
    "riscv-25-c2.listing",
    "riscv-28-c1.listing",
    "x86-17-c1-objects.listing",
    "x86-17-c2-objects.listing",
    "x86-25-c1-objects.listing",
    "x86-25-c2-objects.listing",
    "x86-25-graal-objects.listing",
    "aarch64-25-c1-objects.listing",
    "aarch64-25-c2-objects.listing",
    "riscv-25-c1-objects.listing",
    "riscv-25-c2-objects.listing",
    "x86-17-c2-typed-objects.listing",
    "x86-25-c2-typed-objects.listing",
    "aarch64-25-c2-typed-objects.listing",
    "x86-17-c2-arrays.listing",
    "x86-25-c2-arrays.listing",
    "aarch64-25-c2-arrays.listing",
    "x86-17-c2-types.listing",
    "x86-25-c2-types.listing",
    "aarch64-25-c2-types.listing",
    "x86-17-c1-moves.listing",
    "x86-25-c1-moves.listing",
    "x86-25-graal-moves.listing",
    "aarch64-25-c1-moves.listing",
    "riscv-25-c1-moves.listing",
    "riscv-25-c2-moves.listing",
    "x86-17-c2-floats.listing",
    "x86-25-c1-floats.listing",
    "x86-25-c2-floats.listing",
    "aarch64-25-c2-floats.listing",
};

struct Name {
  std::string_view machine, jdk, compiler, what;
};

Name parts_of(std::string_view file) {
  file = file.substr(0, file.find('.'));
  const auto next = [&] {
    const auto part = file.substr(0, file.find('-'));
    file.remove_prefix(std::min(file.size(), part.size() + 1));
    return part;
  };
  Name out;
  out.machine = next();
  out.jdk = next();
  out.compiler = next();
  out.what = file;
  return out;
}

} // namespace

std::vector<Recording> recordings_of(std::string_view what) {
  std::vector<Recording> out;
  for (const auto name : files) {
    const Name parts = parts_of(name);
    if (parts.what != what) continue;
    const auto compiler = std::ranges::find(compilers(), parts.compiler, &CompilerInfo::name);
    out.push_back({name, lower::machine_of(parts.machine), compiler->compiler, parts.jdk});
  }
  return out;
}

std::vector<Recording> recordings() { return recordings_of(""); }

std::vector<litmus::Program> recorded_programs() {
  std::vector<litmus::Program> out;
  for (const auto text : programs)
    out.push_back(litmus::parse({"recorded", std::string(text)}).java());
  return out;
}

std::string listing_of(const Recording& recording) {
  return litmus::read_file(std::string(THINAIR_SOURCE_DIR "/tests/runners/jit/") +
                           std::string(recording.name))
      .text;
}

std::string shortened(std::string_view listing) {
  std::string out;
  bool profiled = false; // C1's code of tier 3
  while (!listing.empty()) {
    const std::string_view line = listing.substr(0, listing.find('\n'));
    listing.remove_prefix(std::min(listing.size(), line.size() + 1));
    const bool head = line.starts_with("Compiled method ") || line.starts_with("[MachCode]") ||
                      line.starts_with("[Constant Pool]") || line.starts_with("[/MachCode]") ||
                      line.starts_with("[Verified");
    if (line.starts_with("Compiled method ")) profiled = line.find(" 3 ") != std::string_view::npos;
    if (profiled) continue;
    const bool goes_on = line.starts_with("   ") && line.find(";") != std::string_view::npos &&
                         (line.find("{poll") != std::string_view::npos ||
                          line.find("{reexecute=1") != std::string_view::npos ||
                          line.find("{metadata(") != std::string_view::npos ||
                          line.find("*new {") != std::string_view::npos ||
                          line.find("newarray {") != std::string_view::npos ||
                          line.find("new_array") != std::string_view::npos ||
                          line.find("UncommonTrapBlob") != std::string_view::npos ||
                          line.find("new_instance") != std::string_view::npos ||
                          line.find("; - ") != std::string_view::npos);
    const bool code = line.starts_with("  0x") && (line.find(": ;") == std::string_view::npos ||
                                                   line.find('{') != std::string_view::npos);
    if (head || code || goes_on || line.starts_with("  # parm")) out += std::string(line) + '\n';
  }
  return out;
}

void forget_fences(lower::jit::Method& method, lower::Machine machine) {
  const auto replace = [&](const std::vector<std::uint8_t>& from,
                           const std::vector<std::uint8_t>& to) {
    for (auto at = method.code.begin();;) {
      at = std::search(at, method.code.end(), from.begin(), from.end());
      if (at == method.code.end()) return;
      at = std::copy(to.begin(), to.end(), at);
    }
  };
  if (machine == lower::machine_of("x86")) {
    replace({0xF0, 0x83, 0x44, 0x24, 0xC0, 0x00}, {0x66, 0x0F, 0x1F, 0x44, 0x00, 0x00});
    return;
  }
  if (machine == lower::machine_of("riscv")) {
    for (std::size_t at = 0; at + 4 <= method.code.size(); at += 2) {
      auto* bytes = method.code.data() + at; // `fence`, whatever its sets: MISC-MEM, x0, x0
      const bool fence = bytes[0] == 0x0F && bytes[1] == 0 && (bytes[2] & 0x0F) == 0;
      if (fence) bytes[0] = 0x13, bytes[2] = bytes[3] = 0; // addi x0, x0, 0
    }
    return;
  }
  replace({0xBF, 0x3B, 0x03, 0xD5}, {0x1F, 0x20, 0x03, 0xD5}); // dmb ish
  replace({0xBF, 0x39, 0x03, 0xD5}, {0x1F, 0x20, 0x03, 0xD5}); // dmb ishld
  replace({0xBF, 0x3A, 0x03, 0xD5}, {0x1F, 0x20, 0x03, 0xD5}); // dmb ishst
  for (std::size_t at = 0; at + 4 <= method.code.size(); at += 4) {
    auto* word = method.code.data() + at;
    const bool release_or_acquire = word[3] == 0x88 && (word[2] == 0x9F || word[2] == 0xDF) &&
                                    (word[1] & 0xFC) == 0xFC; // stlr, ldar
    if (!release_or_acquire) continue;
    word[3] = 0xB9; // str, ldr without a displacement
    word[2] = word[2] == 0x9F ? 0x00 : 0x40;
    word[1] &= 0x03;
  }
}

} // namespace thinair::runners::jit
