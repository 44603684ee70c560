#!/usr/bin/env bash
# What `cmake --install` puts into a prefix: the tool runs there, and the examples build against it, by find_package and by
# pkg-config, after it was moved elsewhere.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() { echo "install_test: $*"; tail -n 30 "$work/log"; exit 1; }
build=${THINAIR_BUILD:-build/release}
for tool in cmake pkg-config g++; do command -v $tool >/dev/null || { echo "no $tool"; exit 77; }; done
[ -x "$build/thinair" ] || { echo "no $build/thinair"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --build "$build" --target thinair_archive thinair_papers >"$work/log" 2>&1 || fail "the library does not build"
cmake --install "$build" --prefix "$work/first" --strip >"$work/log" 2>&1 || fail "it does not install"
mv "$work/first" "$work/prefix" # nothing in it may know where it was
prefix=$work/prefix
if grep -rIl "$PWD" "$prefix" >"$work/log"; then fail "installed files name the source tree"; fi

# the tool, and what it says of itself
"$prefix/bin/thinair" --version >"$work/log" || fail "the tool does not run"
cmp <("$prefix/bin/thinair" man) "$prefix/share/man/man1/thinair.1" || fail "the manual is not that of the tool"
cmp <("$prefix/bin/thinair" completion bash) "$prefix/share/bash-completion/completions/thinair" || fail "bash's completion"
cmp <("$prefix/bin/thinair" completion zsh) "$prefix/share/zsh/vendor-completions/_thinair" || fail "zsh's completion"
diff -r models "$prefix/share/thinair/models" | grep -vE '^Only in models: ' >"$work/log" && fail "the models differ"
for file in docs/library.md README.md copyright; do
  [ -s "$prefix/share/doc/thinair/$file" ] || fail "no $file"
done

# one header, which is enough, without a warning
printf '#include <thinair/thinair.h>\nint main() { return thinair::version().empty(); }\n' >"$work/use.cpp"
for compiler in g++ clang++-19; do
  command -v $compiler >/dev/null || continue
  $compiler -std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only -I"$prefix/include" "$work/use.cpp" \
    >"$work/log" 2>&1 || fail "the header with $compiler"
done

# every room is in the archive
for archive in $(find "$build" -name 'libthinair_*.a' | grep -vE 'libthinair_(cli|health|campaign|umm|gen|mutants|barriers|test_support|precompiled.*|archive)\.a'); do
  for object in $(ar t "$archive"); do ar t "$prefix"/lib*/libthinair.a; done >"$work/members"
  for object in $(ar t "$archive"); do
    grep -qxF "$object" "$work/members" || { echo "$object of $archive" >"$work/log"; fail "the archive lacks an object"; }
  done
done

# the examples, built in both ways
cmake -S examples -B "$work/cmake" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" >"$work/log" 2>&1 ||
  fail "find_package(thinair) fails"
cmake --build "$work/cmake" >"$work/log" 2>&1 || fail "the examples do not build with find_package"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
mkdir "$work/pkgconfig"
for source in examples/*.cpp; do
  # shellcheck disable=SC2046
  g++ -std=c++20 $(pkg-config --cflags thinair) "$source" -o "$work/pkgconfig/$(basename "$source" .cpp)" \
    $(pkg-config --libs thinair) >"$work/log" 2>&1 || fail "$source does not build with pkg-config"
done
version=$(sed -n 's/^project(thinair VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
[ "$(pkg-config --modversion thinair)" = "$version" ] || fail "pkg-config has another version than $version"
sed "s/find_package(thinair REQUIRED)/find_package(thinair 99 REQUIRED)/" examples/CMakeLists.txt >"$work/CMakeLists.txt"
if cmake -S "$work" -B "$work/later" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >"$work/log" 2>&1; then
  fail "a version that is not there must not be found"
fi

# says STATUS TEXT EXAMPLE ARGUMENT...: both builds of the example do, the same way
says() {
  local expected=$1 text=$2 example=$3 way status
  shift 3
  for way in cmake pkgconfig; do
    status=0
    "$work/$way/$example" "$@" >"$work/$way.log" 2>&1 || status=$?
    cp "$work/$way.log" "$work/log"
    [ $status = "$expected" ] || fail "$example $*: exit status $status, expected $expected"
    grep -qF -- "$text" "$work/log" || fail "$example $*: does not say '$text'"
  done
  cmp "$work/cmake.log" "$work/pkgconfig.log" || fail "$example $*: two builds, two answers"
}
copies=corpus/ctc/CTC4.litmus rfis=corpus/jmt/JMT-SB+rfis.litmus
says 0 "is forbidden under jls04" may_happen jls04 $copies
says 0 "0:r1=0; 1:r2=0 is allowed under jls04" may_happen jls04 $copies "0:r1=0; 1:r2=0"
says 2 "no/such.litmus" may_happen jls04 no/such.litmus
says 2 "^" may_happen jls04 $copies "0:r1="
says 0 "CTC4 by x86:table2 under jls04: sound" is_sound jls04 x86:table2 $copies
says 0 "CTC4 by lower/schemes/x86-table2.scheme under jls04: sound" is_sound jls04 lower/schemes/x86-table2.scheme $copies
says 1 "int a = X.getVolatile(); | movl x(%rip), %eax" is_sound jam21 x86:table2 $rfis
says 1 "  forbidden: " is_sound jam21 x86:table2 $rfis
says 1 "only jls04 allows " compare_models sc jls04 $rfis
says 0 "allow the same" compare_models sc sc $rfis

# what the tool says is what the library says
"$prefix/bin/thinair" explain $copies --model jls04 | tail -n +2 >"$work/tool"
"$work/cmake/may_happen" jls04 $copies | tail -n +2 | diff "$work/tool" - >"$work/log" || fail "tool and library differ"
