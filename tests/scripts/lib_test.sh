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
grep -qx 'cli/main.cpp' <<<"$(sources)" || fail "sources must list cli/main.cpp"
