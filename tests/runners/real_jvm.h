// A JDK and jcstress, for tests that run code on a real JVM.
#pragma once

#include "litmus/text/error.h"
#include "runners/jcstress/jvm.h"
#include "runners/jcstress/project.h"

#include <algorithm>
#include <optional>

namespace thinair::runners::jcstress {

struct Real {
  Jvm jvm;
  Jars jars;
};

/// The newest JDK with a javac, and jcstress's jars; absent where there is none.
inline std::optional<Real> real() {
  try {
    const auto all = installed_jvms();
    const auto found = std::ranges::find_if(all, [](const Jvm& j) { return j.javac && !j.zero; });
    if (found == all.end()) return std::nullopt;
    return Real{*found, find_jcstress()};
  } catch (const InputError&) {
    return std::nullopt;
  }
}

} // namespace thinair::runners::jcstress
