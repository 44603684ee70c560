#!/usr/bin/env bash
# scripts/lib.sh: results are counted right, and a command that fails is seen.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib.sh"

fail() { echo "lib_test: $*"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check good true >/dev/null
check bad false >/dev/null
check skip sh -c 'exit 77' >/dev/null
[ "$passed $failed $skipped" = "1 1 1" ] || fail "check counts $passed $failed $skipped"

cat >"$work/junit.xml" <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="Linux-c++"
	tests="10"
	failures="2"
	disabled="1"
	skipped="3"
	hostname=""
	time="1">
	<testcase name="x" tests="99"/>
</testsuite>
XML
count_junit "$work/junit.xml"
[ "$passed $failed $skipped" = "5 3 5" ] || fail "count_junit counts $passed $failed $skipped"
count_junit "$work/absent.xml" >/dev/null
[ "$failed" = 4 ] || fail "no results must count as a failure"

part slow false >/dev/null && fail "part must hand on a failure"
[ ${#timings[@]} = 1 ] || fail "part must remember its time"

# ninja's progress: everything is in the log, the count is shown now and then, the status is the build's
printf '[1/3] one\nwarning: [x/y]\n[2/3] two\n[3/3] three\n' | progress_seconds=0 progress "$work/log" >"$work/shown"
[ "$(wc -l <"$work/log")" = 4 ] || fail "progress must keep every line"
grep -qx '  \[2/3\] [0-9]* s' "$work/shown" || fail "progress must show the count: $(cat "$work/shown")"
if grep -q 'x/y' "$work/shown"; then fail "progress takes a warning for a count"; fi
printf '[1/3] one\n' | progress "$work/log" >"$work/shown"
[ ! -s "$work/shown" ] || fail "progress must not show every step where there is no terminal"
if (set -o pipefail; { echo '[1/3] one'; exit 3; } | progress "$work/log"); then fail "progress must not hide a failure"; fi
if command -v script >/dev/null; then
  script -qec "bash -c '. $root/scripts/lib.sh; printf \"[1/2] a\\n[2/2] b\\n\" | progress $work/log'" /dev/null >"$work/shown" </dev/null
  [ "$(tr '\r' '\n' <"$work/shown" | grep -c '^  \[[12]/2\] ')" = 2 ] || fail "progress on a terminal: $(cat -v "$work/shown")"
  [ "$(grep -c . "$work/shown")" = 1 ] || fail "progress on a terminal takes one line"
fi

grep -qx 'cli/main.cpp' <<<"$(sources)" || fail "sources must list cli/main.cpp"
