// Code for AArch64 and RISC-V, judged by herd7.
#include "campaign/code_target.h"
#include "campaign/judged_target.h"
#include "campaign/pool.h"
#include "litmus/text/error.h"
#include "lower/backend.h"
#include "lower/lowered_test.h"
#include "runners/herd_hardware.h"

#include <fmt/format.h>

namespace thinair::campaign {
namespace {

class ListingTarget : public JudgedTarget {
 public:
  ListingTarget(const std::string& name, const Against& against)
      : JudgedTarget(name, against),
        targets_([name] { return lower::ListingTarget::named(name); }) {
    targets_.with_one([](const lower::ListingTarget&) {}); // is it there?
  }

  std::string content() const override {
    const auto target = lower::ListingTarget::named(name());
    const auto llvm = fmt::format("LLVM {}", lower::backend_version());
    if (target.scheme() == nullptr) return llvm;
    return lower::content(*target.scheme()) + ", " + llvm; // which does the rest
  }

  /// A process a program is slow.
  Tuning tuning() const override {
    Tuning out;
    out.candidates = 8;
    out.chunk = 4;
    out.grace_share = 0.15;
    return out;
  }

  void ready() override { runners::require_herd7(against().herd7, lower::machine_named(name())); }

  Look look(const litmus::Test& test) override {
    const auto found = in_time([&](const auto& options) { return check(test, options); });
    litmus::Proposition asked = found.witness.value_or(litmus::Proposition{});
    if (!found.witness) asked.kind = litmus::Proposition::Kind::always;
    Look out;
    out.judged = found;
    out.side_by_side = lower::side_by_side(found.lowered);
    out.restoration = found.lowered.restoration;
    out.code =
        fmt::format("{} {}\n{}", lower::info(found.lowered.program.machine).herd, test.name,
                    lower::herd_body(found.lowered.program, out.restoration.needed(), {}, asked));
    return out;
  }

 protected:
  runners::Judged judged(const litmus::Test& test,
                         const runners::SoundnessOptions& options) override {
    return check(test, options);
  }

  void show(Explanation& out, const litmus::Test& /*test*/, const Look& look,
            const litmus::Proposition& /*asked*/) override {
    out.lowered = look.code;
  }

 private:
  runners::ListingSoundness check(const litmus::Test& test,
                                  const runners::SoundnessOptions& options) {
    auto herd7 = against().herd7;
    if (const auto* watch = options.oracle.limits.watch; watch != nullptr)
      herd7.seconds = std::min(herd7.seconds, watch->deadline().left().value_or(herd7.seconds));
    return targets_.with_one([&](lower::ListingTarget& target) {
      return runners::check_listing(test, model(), target, runners::herd_hardware(herd7), options);
    });
  }

  Pool<lower::ListingTarget> targets_;
};

std::unique_ptr<Target> make(const std::string& name, const Against& against) {
  if (!against.engine.empty() && against.engine != "herd7")
    throw Unsupported(
        fmt::format("--engine {} for {}: only herd7 judges it", against.engine, name));
  return std::make_unique<ListingTarget>(name, against);
}

} // namespace

const TargetKind aarch64_kind = {
    .prefix = "aarch64:",
    .form = "aarch64:NAME",
    .help = "AArch64 code, by a scheme or by LLVM, in herd7",
    .names = [] { return code_names(lower::Machine::aarch64); },
    .make = make,
};

const TargetKind riscv_kind = {
    .prefix = "riscv:",
    .form = "riscv:NAME",
    .help = "RISC-V code, by a scheme or by LLVM, in herd7",
    .names = [] { return code_names(lower::Machine::riscv); },
    .make = make,
};

} // namespace thinair::campaign
