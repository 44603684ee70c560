#!/usr/bin/env bash
# Configuring the build: with no more than 'scripts/setup --for build' installs; with LLVM too old, too new, missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() { echo "configure_test: $*"; tail -n 30 "$work/log"; exit 1; }
for tool in cmake ninja g++; do command -v $tool >/dev/null || { echo "no $tool"; exit 77; }; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One build directory for all: what a configuration is told holds for it alone.
configure() { # OPTION...
  rm -f "$work/build/CMakeCache.txt.old"
  cmake --preset release -B "$work/build" -U 'THINAIR_*' -U 'LLVM*' -U 'GTest*' -U 'benchmark*' -U 'CMAKE_DISABLE*' \
    -DTHINAIR_CCACHE=OFF "$@" >"$work/log" 2>&1
}
# has_target NAME: whether the build has such a target; a regular expression
has_target() { grep -qE "^build $1: " "$work/build/build.ninja"; }
without_tests=(-DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON -DCMAKE_DISABLE_FIND_PACKAGE_benchmark=ON)

configure "${without_tests[@]}" || fail "without GoogleTest and Google Benchmark the preset must configure"
grep -q "The tests are not built: GTest is not installed ('scripts/setup --for test' installs it)" "$work/log" ||
  fail "the user must hear of the tests"
grep -q "The benchmarks are not built: benchmark is not installed" "$work/log" || fail "and of the benchmarks"
has_target thinair || fail "the tool is a target"
if has_target '(test|bench)_[a-z]*'; then fail "tests are targets though GoogleTest is not there"; fi
grep -q '^THINAIR_PCH:BOOL=ON' "$work/build/CMakeCache.txt" || fail "headers are precompiled where there is no ccache"

if configure "${without_tests[@]}" -DTHINAIR_TESTS=ON; then fail "tests that are asked for must be an error without GoogleTest"; fi
configure -DTHINAIR_TESTS=OFF -DTHINAIR_BENCH=OFF || fail "no tests, no benchmarks"
if has_target '(test|bench)_[a-z]*'; then fail "tests are targets though nobody wants them"; fi
if [ -e build/release/tests/CTestTestfile.cmake ]; then # GoogleTest is here
  configure || fail "the preset as it is"
  has_target test_litmus || fail "where GoogleTest is installed, tests are targets"
fi

# An LLVM of any version, as far as configuring looks.
llvm() { # VERSION
  mkdir -p "$work/llvm"
  printf 'set(PACKAGE_VERSION %s.1.0)\nset(PACKAGE_VERSION_COMPATIBLE TRUE)\n' "$1" >"$work/llvm/LLVMConfigVersion.cmake"
  cat >"$work/llvm/LLVMConfig.cmake" <<TXT
set(LLVM_VERSION_MAJOR $1)
set(LLVM_VERSION $1.1.0)
set(LLVM_INCLUDE_DIRS /usr/include)
add_library(LLVM SHARED IMPORTED)
set_target_properties(LLVM PROPERTIES IMPORTED_LOCATION /usr/lib/llvm-$1/lib/libLLVM.so.$1.1)
TXT
}
quick=(-DTHINAIR_TESTS=OFF -DTHINAIR_BENCH=OFF "-DLLVM_DIR=$work/llvm")
llvm 17
if configure "${quick[@]}"; then fail "LLVM 17 must be refused"; fi
grep -q "LLVM 18 or later is needed, found: 17.1.0" "$work/log" || fail "which LLVM is needed, and which was found"
grep -q -- "-DTHINAIR_LLVM=OFF" "$work/log" || fail "how to do without"
llvm 23
configure "${quick[@]}" || fail "an LLVM that nobody tried must be a warning only"
tr '\n' ' ' <"$work/log" | tr -s ' ' | grep -q "LLVM 23.1.0 is newer than the versions that were tried" ||
  fail "the warning must name it"
llvm 20
configure "${quick[@]}" || fail "LLVM 20"
if grep -q "Warning" "$work/log"; then fail "LLVM 20 needs no warning"; fi
