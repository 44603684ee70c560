#!/usr/bin/env bash
# scripts/survey: finds are told by the rows of its table, what no row fits is not triaged, nothing is lost. thinair is a fake here.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
fail() { echo "survey_test: $*"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/scripts" "$work/build/release" "$work/docs" "$work/corpus"
cp "$root/scripts/survey" "$work/scripts/"

# Two compilers; the corpus has a test that C2 gets wrong and one that is unsupported, the campaign of random programs another.
cat >"$work/corpus/a.litmus" <<'TXT'
Java a
{ x = 0; }
Thread0 {
  X.set(1);
  fullFence();
}
forbidden "1:r1=1" (1:r1=1)
TXT
cat >"$work/build/release/thinair" <<TXT
#!/usr/bin/env bash
corpus=$work/corpus
TXT
cat >>"$work/build/release/thinair" <<'TXT'
echo "$*" >>"$corpus/../calls"
case "$*" in
  jdks*) echo '{"jdk":"17","version":"17.0","vendor":"Debian","modes":["int","c1","c2"]}'
         echo '{"jdk":"riscv:21","version":"21.0","vendor":"Debian","modes":[],"machine":"riscv","emulator":false}' ;;
  "sound --json"*"--target jit:17:c2 "*)
    echo '{"test":"a","file":"'"$corpus"'/a.litmus","status":"ok","verdict":"unsound","forbidden":["1:r1=1"],'\
'"fault":{"parts":["fullFence"],"kind":"left out","sentence":"a fence is gone"}}'
    echo '{"test":"b","file":"b","status":"unsupported","reason":"unsupported: monitors"}'
    exit 1 ;;
  "sound --json"*) echo '{"test":"a","file":"a","status":"ok","verdict":"sound","forbidden":[]}' ;;
  sound*) echo 'source | code' ; exit 1 ;;
  fuzz*) if [ -e "$corpus/../slow" ] && [[ "$*" == *jit-17-c2-fences* ]]; then
      trap 'echo ended >>"$corpus/../calls"; exit 0' TERM
      touch "$corpus/../slow.begun"
      while :; do sleep 0.1; done
    fi
    while [ $# -gt 0 ]; do if [ "$1" = --campaign ]; then mkdir -p "$2"; touch "$2/campaign.db"; fi; shift; done ;;
  report*jit-17-c2-random*)
    echo '{"programs":1000,"undecided":[{"verdict":"unknown","reason":"loop","programs":3}],"mismatches":[{"id":"f00d",'\
'"accesses":2,"behaviour":"0:r=1","reason":"coherence","program":"Java m\nThread0 {\n  X.setOpaque(1);\n}\n"}],'\
'"causes":[{"side":"target","kind":"moved","parts":["setOpaque"],"sentence":"it moved","mismatches":["f00d"]}]}' ;;
  report*) echo '{"programs":10,"undecided":[],"mismatches":[]}' ;;
esac
TXT
chmod +x "$work/build/release/thinair"
cat >"$work/scripts/survey.causes" <<'TXT'
[lost-fence]
title = a fence is lost
models = java
targets = jit:17:c2
cause = ^left out: fullFence
verdict = compiler
because = It says so.
TXT

status=0
"$work/scripts/survey" --model java --time 1 || status=$?
[ "$status" = 1 ] || fail "something is not triaged: the status is $status"
page=$work/docs/survey.md
expect() { grep -qF -- "$1" "$page" || { cat "$page"; fail "the page lacks: $1"; }; }
# shellcheck disable=SC2016
{
  expect '| `jit:17:c2` | Debian 17.0 | `java` | 1,022 | 3 | 1 (1 a) | lost-fence (compiler), f00d (not triaged) |'
  expect '| `jit:17:c1` | Debian 17.0 | `java` | 31 | 0 | 0 | none |'
  expect '- a: monitors (1)'
  expect '## lost-fence: a fence is lost'
  expect "Verdict: **the compiler's fault**. 1 program, on \`jit:17:c2\`, under \`java\`."
  expect 'It says so.'
  expect "thinair's words: a fence is gone."
  expect '## f00d: not triaged'
  expect '`java` forbids 0:r=1 (coherence)'
}
grep -q 'riscv' "$page" && fail "a JDK without an emulator was asked"
grep -q 'forbidden "1:r1=1"' "$page" && fail "verdicts of papers are no part of a program"

# Killed, it lets the campaign end that runs, and writes the page of what is there; the next run begins with who had least,
# and asks about no test of the corpus again.
: >"$work/calls"
rm "$page" "$work/build/survey/spent.json"
touch "$work/slow"
"$work/scripts/survey" --model java --time 1 2>"$work/error" &
survey=$!
for _ in $(seq 100); do [ -e "$work/slow.begun" ] && break; sleep 0.1; done
kill -TERM "$survey"
status=0
wait "$survey" || status=$?
[ "$status" = 130 ] || fail "interrupted: the status is $status: $(cat "$work/error")"
grep -q 'interrupted' "$work/error" || fail "nothing is said of the interruption"
grep -qx 'ended' "$work/calls" || fail "thinair was not asked to end"
expect '| `jit:17:c1` | Debian 17.0 | `java` | 31 | 0 | 0 | none |'
grep -q '^sound --json' "$work/calls" && fail "the corpus was asked about again"
rm "$work/slow"
: >"$work/calls"
sed -i 's/"java jit:17:c2": [0-9.]*/"java jit:17:c2": 0.001/' "$work/build/survey/spent.json"
"$work/scripts/survey" --model java --time 1 || true
grep '^fuzz' "$work/calls" | head -n 1 | grep -q 'jit:17:c2' || fail "the pair that had least time is not the first"

# The page of what is there asks nothing again; a table with a mistake is refused by its row.
: >"$work/calls"
"$work/scripts/survey" --model java --page || true
grep -q '^fuzz\|^sound --json' "$work/calls" && fail "--page searched"
sed -i 's/^verdict = compiler/verdict = nobody/' "$work/scripts/survey.causes"
status=0
"$work/scripts/survey" --model java --page 2>"$work/error" || status=$?
[ "$status" = 2 ] || fail "a verdict of nobody: the status is $status"
grep -q '\[lost-fence\].*compiler, model, thinair' "$work/error" || fail "$(cat "$work/error")"
status=0
"$work/scripts/survey" --target 'jit:99:*' 2>"$work/error" || status=$?
[ "$status" = 3 ] || fail "no such target: the status is $status"
listed=$("$work/scripts/survey" --list) || fail "--list"
grep -qx 'jit:17:c1' <<<"$listed" || fail "--list"
exit 0
