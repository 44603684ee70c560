// What herd7 is given in the place of instructions that it lacks, or computes wrongly.
#include "litmus/language.h"
#include "litmus/text/error.h"

#include <gtest/gtest.h>

#include <string>

namespace thinair::machine {
namespace {

/// The rows of code that herd7 gets for one thread's, or why there are none.
std::string for_herd(const std::string& machine, const std::string& initial,
                     const std::string& code, const std::string& question) {
  const auto test = litmus::parse({"t", machine + " t\n{ x=0; " + initial + " }\n P0 ;\n" + code +
                                            "exists (" + question + ")\n"});
  try {
    const auto text = litmus::print(litmus::for_herd(test).test);
    const auto begin = text.find(" P0");
    std::string rows = text.substr(text.find('\n', begin) + 1);
    rows = rows.substr(0, rows.find("locations"));
    std::erase(rows, ' ');
    return rows;
  } catch (const Unsupported& unsupported) {
    return unsupported.what();
  }
}

std::string aarch64(const std::string& code) {
  return for_herd("AArch64", "0:X0=x;", code, "0:X1=0");
}

std::string riscv(const std::string& code, const std::string& question = "0:x5=0") {
  return for_herd("RISCV", "0:x10=x;", code, question);
}

TEST(HerdExport, Aarch64ConditionsThatHerd7TakesForAlways) {
  EXPECT_EQ(aarch64(" CSET W1,GE ;\n"), "CSINCW1,WZR,WZR,LT;\n");
  EXPECT_EQ(aarch64(" CSETM W1,GE ;\n"), "CSINVW1,WZR,WZR,LT;\n");
  EXPECT_EQ(aarch64(" CINC W1,W2,GE ;\n"), "CSINCW1,W2,W2,LT;\n");
  EXPECT_EQ(aarch64(" CSET W1,LT ;\n"), "CSETW1,LT;\n");
}

TEST(HerdExport, Aarch64ComparisonWithANegativeNumberIsAnAddition) {
  EXPECT_EQ(aarch64(" CMN W1,#5 ;\n"), "ADDSWZR,W1,#5;\n");
}

TEST(HerdExport, WhatHerd7ComputesWronglyIsUnsupported) {
  EXPECT_EQ(aarch64(" LSL W1,W2,W3 ;\n").find("unsupported: LSL W1,W2,W3 in herd7"), 0U);
  EXPECT_EQ(aarch64(" LDADD WZR,W1,[X0] ;\n").find("unsupported: LDADD"), 0U);
}

TEST(HerdExport, RiscvUnsignedComparisonsAreSignedOnes) {
  EXPECT_EQ(riscv(" sltu x5,x6,x7 ;\n"), "addix31,x0,1;\nsllix31,x31,63;\nxorx30,x6,x31;\n"
                                         "xorx31,x31,x7;\nsltx5,x30,x31;\n");
  EXPECT_EQ(riscv(" sltu x5,x0,x6 ;\n"), "subx5,x0,x6;\norx5,x5,x6;\nsltx5,x5,x0;\n");
  EXPECT_EQ(riscv(" sltiu x5,x5,1 ;\n"),
            "subx31,x0,x5;\norx31,x31,x5;\nsltx5,x31,x0;\nxorix5,x5,1;\n");
}

/// A register that a question names is nobody's to write to.
TEST(HerdExport, RiscvScratchRegistersAreNotAskedAbout) {
  const auto rows = riscv(" sltu x5,x6,x7 ;\n", "0:x31=0");
  EXPECT_EQ(rows.find("x31"), std::string::npos) << rows;
}

TEST(HerdExport, LabelsAndTargetsStay) {
  const auto rows = riscv(" L: bgeu x6,x7,L ;\n");
  EXPECT_EQ(rows.find("L:addix31,x0,1;"), 0U) << rows;
  EXPECT_NE(rows.find("bgex30,x31,L;"), std::string::npos) << rows;
}

} // namespace
} // namespace thinair::machine
