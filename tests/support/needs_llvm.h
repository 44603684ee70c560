// Tests of what decodes or compiles code.
#pragma once

#include "lower/backend.h"

#include <gtest/gtest.h>

namespace thinair::test {

/// Skipped where LLVM is not in the build.
class NeedsLlvm : public testing::Test {
 protected:
  void SetUp() override {
    if (lower::backend_version().empty()) GTEST_SKIP() << "built without LLVM";
  }
};

} // namespace thinair::test
