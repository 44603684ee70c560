#!/usr/bin/env bash
# The Maven project of 'thinair jcstress emit': mvn builds it, its jar runs, and a test that is left out fails the build.
# usage: emitted_project.sh THINAIR; exits 77 where mvn, a JDK or the network is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

skip() { echo "$*"; exit 77; }
fail() { echo "emitted_project: $*"; tail -n 30 "$work/log"; exit 1; }
thinair=${1:-build/release/thinair}
[ -x "$thinair" ] || skip "no $thinair"
for tool in mvn java javac; do command -v $tool >/dev/null || skip "no $tool"; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! mvn -q -B dependency:get -Dartifact=org.openjdk.jcstress:jcstress-core:0.16 -Dtransitive=false >"$work/log" 2>&1; then skip "no network"; fi

# SB+rfis, a test without surprises, and one of more than eight results
cat >"$work/Wide.litmus" <<'TXT'
Java Wide
{ x = 0; 0:X=x; 1:X=x; }
Thread0 { X.set(1); int a = 1; int b = 2; int c = 3; int d = 4; int e = 5; }
Thread1 { int f = X.get(); int g = 1; int h = 2; int i = 3; int j = 4; }
exists (1:f=1)
TXT
"$thinair" jcstress emit corpus/jmt/JMT-SB+rfis.litmus corpus/jcstress/JCS-SB-volatile.litmus "$work/Wide.litmus" \
  --expect jam21 --output "$work/project" >"$work/log"
cd "$work/project"
mvn -q -B package >"$work/log" 2>&1 || fail "mvn package fails"
[ -f target/jcstress.jar ] || fail "no target/jcstress.jar"
java -jar target/jcstress.jar -l >"$work/log" 2>&1 || fail "the jar does not list its tests"
for class in JMT_mSB_prfis JCS_mSB_mvolatile Wide_t; do grep -q "litmus.$class" "$work/log" || fail "$class is not listed"; done

# one configuration each: what is forbidden and what is not come out as such
run() { java -jar target/jcstress.jar -t "$1" -m quick -time 100 -iters 1 -f 1 -sc false -jvmArgs "-XX:-TieredCompilation" >"$work/log" 2>&1; }
run Wide_t || fail "the test of nine results fails"
run JCS_mSB_mvolatile || fail "store buffering of volatiles shows what is forbidden"
status=0
run JMT_mSB_prfis || status=$?
[ $status = 1 ] || fail "SB+rfis must show what jam21 forbids: status $status"
grep -q "forbidden by jam21" "$work/log" || fail "the reason is not told"

# jcstress's processor does not take this actor, and javac is content
sed -i 's/public void thread0(/public void thread0(int odd, /' src/main/java/litmus/Wide_t.java
if mvn -q -B package >"$work/log" 2>&1; then fail "a test that is left out must fail the build"; fi
grep -q "left out litmus.Wide_t" "$work/log" || fail "the build must name the test that is left out"
