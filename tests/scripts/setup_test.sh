#!/usr/bin/env bash
# scripts/setup: wrong use, what it prints when nothing or something is missing, and that --no-install installs nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() { echo "setup_test: $*"; exit 1; }
status_of() { "$@" >/dev/null 2>&1 && echo 0 || echo $?; }

[ "$(status_of scripts/setup --nonsense)" = 2 ] || fail "an unknown argument must exit 2"
[ "$(status_of scripts/setup --for nothing)" = 2 ] || fail "an unknown purpose must exit 2"
[ "$(status_of scripts/setup --for)" = 2 ] || fail "--for without a purpose must exit 2"
scripts/setup --help | grep -q -- --no-install || fail "--help must name --no-install"

# A PATH on which nothing is installed but the shell's own tools; apt-get there leaves a mark and fails.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for tool in bash env sed sort head dirname cat find id; do ln -s "$(command -v $tool)" "$work/$tool"; done
printf '#!/bin/sh\n: >"%s/called"\nexit 1\n' "$work" >"$work/apt-get"
printf '#!/bin/sh\nexec "$@"\n' >"$work/sudo"
chmod +x "$work/apt-get" "$work/sudo"
out=$(PATH=$work bash scripts/setup --no-install 2>&1) && fail "missing packages must exit 1"
grep -q '^  cmake: configures the build' <<<"$out" || fail "what is missing must be named with its reason: $out"
[ ! -e "$work/called" ] || fail "--no-install must not call apt-get"
out=$(PATH=$work bash scripts/setup 2>&1) && fail "an installation that fails must exit 1"
[ -e "$work/called" ] || fail "without --no-install apt-get must be called: $out"
