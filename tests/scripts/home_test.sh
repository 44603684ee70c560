#!/usr/bin/env bash
# scripts/get-*: without a home they install nothing below the root directory, and say what to do.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() { echo "home_test: $*"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/empty"
below_root() { ls -a /.local /.local/share /.m2 2>/dev/null || true; }
before=$(below_root)

# refused NAME=VALUE... COMMAND...: exit status 2, and what to do
refused() {
  local status=0
  env -u HOME -u XDG_DATA_HOME "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
  [ "$status" = 2 ] || fail "exit status $status of $*: $(cat "$work/err")"
  grep -q -- 'say where to with --prefix DIR' "$work/err" || fail "$*: $(cat "$work/err")"
}

for variables in A=b HOME= HOME=/ HOME=// XDG_DATA_HOME=/ "XDG_DATA_HOME=relative/folder"; do
  refused "$variables" scripts/get-jcstress --from "$work/empty"
  refused "$variables" scripts/get-graal 21 --from "$work/empty"
  if command -v apt-get >/dev/null; then
    refused "$variables" scripts/get-herd7 --private --no-install
    refused "$variables" scripts/get-jdk 30 --private --no-install
  fi
done
for script in "get-jcstress" "get-graal 21" "get-herd7 --private --no-install" "get-llvm --no-install" "get-jdk 30 --private --no-install"; do
  # shellcheck disable=SC2086
  if scripts/$script --prefix / >/dev/null 2>"$work/err" </dev/null; then fail "$script installs to /"; fi
  # shellcheck disable=SC2086
  if scripts/$script --prefix '' >/dev/null 2>"$work/err" </dev/null; then fail "$script installs to nowhere"; fi
done

# With --prefix Maven's repository is below it, not below the root; with a home it is there.
mkdir "$work/bin"
cat >"$work/bin/mvn" <<'SH'
#!/bin/sh
for word; do case "$word" in -Dmaven.repo.local=*) echo "${word#*=}" >>"$NOTES" ;; esac; done
exit 1
SH
chmod +x "$work/bin/mvn"
export NOTES=$work/notes
env -u HOME -u XDG_DATA_HOME -u MAVEN_REPOSITORY PATH="$work/bin:$PATH" scripts/get-jcstress --prefix "$work/p" \
  >/dev/null 2>"$work/err" && fail "a mvn that fails must be seen"
grep -q 'could not fetch' "$work/err" || fail "without HOME: $(cat "$work/err")"
env -u XDG_DATA_HOME -u MAVEN_REPOSITORY HOME="$work/home" PATH="$work/bin:$PATH" scripts/get-jcstress >/dev/null 2>&1 || true
[ -d "$work/home/.local/share/thinair/jcstress/0.16" ] || fail "with a HOME it is used"
case "$(head -n 1 "$NOTES")" in "$work"/p/.get.*/repository) ;; *) fail "a repository at $(head -n 1 "$NOTES")" ;; esac
[ "$(tail -n 1 "$NOTES")" = "$work/home/.m2/repository" ] || fail "a repository at $(tail -n 1 "$NOTES")"

[ "$(below_root)" = "$before" ] || fail "something was made below the root directory"
