#!/usr/bin/env bash
# -DTHINAIR_LLVM=OFF: nothing of LLVM is compiled or linked, schemes work, the rest says what is missing.
#
# Compiling all of it costs as much processor time as any build (minutes, where ccache has not seen the files), so a quick run
# only compiles the file that differs and looks at what else would be done. With THINAIR_ALL set (scripts/test --all) the tool
# is built and asked: in the tree, so that ccache takes its files for those of the release build.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() { echo "without_llvm_test: $*"; tail -n 30 "$work/log"; exit 1; }
for tool in cmake ninja g++; do command -v $tool >/dev/null || { echo "no $tool"; exit 77; }; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build=build/without-llvm
cmake --preset release -B $build -DTHINAIR_LLVM=OFF -DTHINAIR_TESTS=OFF -DTHINAIR_BENCH=OFF \
  -DCMAKE_DISABLE_FIND_PACKAGE_LLVM=ON >"$work/log" 2>&1 || fail "it does not configure"
grep -q "Without LLVM: only schemes can be targets" "$work/log" || fail "the user must be told"
if grep -iE 'llvm' $build/build.ninja | grep -E -- '-lLLVM|libLLVM|/llvm-[0-9]+/|backend\.cpp\.o' >"$work/log"; then
  fail "LLVM is in the build"
fi
if grep -i llvm $build/generated/install/thinair.pc >"$work/log"; then fail "LLVM is in thinair.pc"; fi

# What stands in the place of backend.cpp compiles, and has every function of it. By itself: its target would first build
# the rooms that it is linked with.
g++ -std=c++20 -Wall -Wextra -Werror -I. -c lower/without_llvm.cpp -o "$work/without.o" >"$work/log" 2>&1 ||
  fail "without_llvm.cpp does not compile"
with=build/release/lower/CMakeFiles/thinair_lower.dir/backend.cpp.o
if command -v nm >/dev/null && [ -e $with ]; then
  # those that backend.h declares: none of LLVM's types is in them
  functions() { nm --defined-only --demangle "$1" | sed -n 's/^[0-9a-f]* T \(thinair::lower::.*\)/\1/p' | grep -vE 'llvm::|Hidden' | sort -u; }
  functions $with >"$work/with"
  functions "$work/without.o" >"$work/without"
  [ -s "$work/with" ] || fail "nm finds no function in backend.cpp"
  diff "$work/with" "$work/without" >"$work/log" || fail "without_llvm.cpp lacks functions of backend.cpp"
fi
[ -n "${THINAIR_ALL:-}" ] || exit 0

cmake --build $build --target thinair >"$work/log" 2>&1 || fail "it does not build"
thinair=$build/thinair
if ldd "$thinair" | grep -i llvm >"$work/log"; then fail "the tool is linked with LLVM"; fi
for target in x86:table2 aarch64:cxx riscv:cxx; do
  "$thinair" sound corpus/ctc/CTC4.litmus --model jls04 --target $target >"$work/log" 2>&1 || fail "$target"
  grep -q "^CTC4: sound for jls04 on $target" "$work/log" || fail "$target"
done
"$thinair" fuzz --model sc --target x86:table2 --programs 200 --quiet --campaign "$work/campaign" >"$work/log" 2>&1 || [ $? = 1 ] || fail "fuzz"
for target in x86:llvm-O2 aarch64:llvm-O2 riscv:llvm-O1; do
  status=0
  "$thinair" lower corpus/ctc/CTC4.litmus --target $target >"$work/out" 2>"$work/log" || status=$?
  [ $status = 3 ] || fail "$target: exit status $status"
  grep -q "unsupported: this thinair was built without LLVM" "$work/log" || fail "$target must say what is missing"
  grep -q -- "-DTHINAIR_LLVM=ON" "$work/log" || fail "$target must say how to get it"
done
