// A model: a .cat file, loaded with what it includes, checked, and compiled for one architecture.
#pragma once

#include "litmus/text/source.h"
#include "oracle/cat/plan.h"

#include <string>
#include <string_view>
#include <vector>

namespace thinair::cat {

/// What the stack has room for.
inline constexpr std::uint32_t largest_model_depth = 4000;

struct LoadOptions {
  std::vector<std::string> include_path = {};   // -I, searched before the embedded library
  std::vector<std::string> variants = {};       // names for which `if variant "x"` holds
  std::vector<std::string> dropped_axioms = {}; // for mutants: axioms left out by name
  bool native_orders = true;           // generate_orders, generate_cos of cross.cat: searched
                                       // natively; otherwise interpreted as written
  bool as_plain = false;               // programs may use what the model says nothing of
  std::uint64_t max_steps = 2'000'000; // of compiling, and in each execution
  std::uint32_t max_depth = 1500;      // of calls and definitions
};

/// Loads an embedded model by name ("jls04") or a file by path. Throws InputError with position,
/// caret and suggestion, or Unsupported.
Plan load_model(std::string_view name_or_path, Architecture architecture,
                const LoadOptions& options = {});

/// The same from a text in memory.
Plan load_model(const text::Source& source, Architecture architecture,
                const LoadOptions& options = {});

/// Parse, resolve and type check only, for any architecture herd knows: what `thinair models check
/// FILE` does; also of definitions that nothing uses. Returns what is wrong with parts that only
/// drawings need.
std::vector<std::string> check_model(const text::Source& source, const LoadOptions& options = {});

} // namespace thinair::cat
