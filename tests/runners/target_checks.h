// What tests of targets ask: what a target's code does, against what a model allows the source.
#pragma once

#include "litmus/test.h"
#include "lower/target.h"
#include "oracle/cat/plan.h"
#include "runners/soundness.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace thinair::runners {

/// A model of Java, loaded once.
const cat::Plan& model(const std::string& name);

/// By the machine's usual engine, or the one that is named.
SoundnessResult check(const litmus::Test& test, lower::Target& target,
                      const std::string& model_name = "java", std::string_view engine = {});

/// Whether the program has a weak compare-and-set, which code need not let fail for no reason.
bool fails_for_no_reason(const litmus::Test& test);

/// "x86:hotspot-c1" as the name of a test.
std::string word_of(const testing::TestParamInfo<std::string>& info);

} // namespace thinair::runners
