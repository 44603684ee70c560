#!/usr/bin/env bash
# The packages for Debian: contents, dependencies, version; what is unpacked runs; installed and purged, nothing is left.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() { echo "package_test: $*"; tail -n 30 "$work/log"; exit 1; }
build=${THINAIR_BUILD:-build/release}
for tool in cpack dpkg dpkg-deb dpkg-shlibdeps file; do command -v $tool >/dev/null || { echo "no $tool"; exit 77; }; done
[ -x "$build/thinair" ] || { echo "no $build/thinair"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

(umask 022; cpack --config "$build/CPackConfig.cmake" -B "$work/packages") >"$work/log" 2>&1 || fail "cpack fails"
version=$(sed -n 's/^project(thinair VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
architecture=$(dpkg --print-architecture)
tool=$work/packages/thinair_${version}_$architecture.deb
development=$work/packages/libthinair-dev_${version}_$architecture.deb
ls "$work/packages" >"$work/log"
[ -s "$tool" ] && [ -s "$development" ] || fail "the packages are called otherwise"

# depends PACKAGE NAME...: it says that it needs them
depends() {
  local package=$1 name
  shift
  dpkg-deb --field "$package" Depends | sed 's/^/, /' >"$work/log"
  for name; do grep -qF ", $name" "$work/log" || fail "$(basename "$package") does not depend on $name"; done
}
llvm=$(sed -n 's/.*-lLLVM-\([0-9]*\).*/\1/p' "$build/generated/install/thinair.pc")
depends "$tool" libc6 libstdc++6 libfmt libz3 libsqlite3 libboost-program-options ${llvm:+libllvm$llvm}
depends "$development" libfmt-dev libz3-dev ${llvm:+llvm-$llvm-dev}

# has PACKAGE PATH...: it contains them; and nothing lies outside /usr
has() {
  local package=$1 path
  shift
  dpkg-deb --contents "$package" | sed 's,.* \./,/,; s, -> .*,,' >"$work/log"
  for path; do grep -qxF "$path" "$work/log" || fail "$(basename "$package") lacks $path"; done
  if grep -vE '^/(usr/.*)?$' "$work/log"; then fail "$(basename "$package") has files outside /usr"; fi
}
has "$tool" /usr/bin/thinair /usr/share/man/man1/thinair.1 /usr/share/bash-completion/completions/thinair \
  /usr/share/thinair/models/jam21.cat /usr/share/thinair/schemes/x86-table2.scheme /usr/share/doc/thinair/copyright \
  /usr/share/thinair/corpus/ctc/CTC4.litmus /usr/share/doc/thinair/docs/library.md
has "$development" /usr/include/thinair/thinair.h /usr/lib/libthinair.a /usr/lib/pkgconfig/thinair.pc \
  /usr/lib/cmake/thinair/thinairConfig.cmake /usr/share/doc/libthinair-dev/examples/may_happen.cpp
if dpkg-deb --contents "$tool" | grep -E '/(include|cmake|pkgconfig)/|\.a$' >"$work/log"; then
  fail "the tool's package has files of the library's"
fi

# unpacked, it runs
dpkg-deb --extract "$tool" "$work/unpacked"
"$work/unpacked/usr/bin/thinair" behaviours --model "$work/unpacked/usr/share/thinair/models/sc.cat" \
  "$work/unpacked/usr/share/thinair/corpus/ctc/CTC4.litmus" >"$work/log" 2>&1 || fail "the tool does not run"
grep -q '^1 behaviour$' "$work/log" || fail "the tool answers otherwise"

# installed below a root of its own, and purged: the files are there, then nothing is
root=$work/root
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/var/log"
: >"$root/var/lib/dpkg/status"
into_root() { # dpkg, on the packages of $root alone: what they depend on is not there
  dpkg --root="$root" --log=/dev/null --force-not-root --force-depends --force-script-chrootless --force-bad-path "$@" >"$work/log" 2>&1
}
into_root --install "$tool" "$development" || fail "dpkg --install fails"
[ -x "$root/usr/bin/thinair" ] && [ -s "$root/usr/include/thinair/thinair.h" ] || fail "the files are not there"
into_root --purge thinair libthinair-dev || fail "dpkg --purge fails"
find "$root" -path "$root/var" -prune -o -mindepth 1 -print >"$work/log"
[ ! -s "$work/log" ] || fail "something is left"
