# What the scripts share: where the tree is, how many processors, timing of parts, counting of results.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cores=$(nproc 2>/dev/null || echo 2)

passed=0
failed=0
skipped=0
timings=()

say() { printf '%s\n' "$*"; }

# progress LOG: writes what it reads to LOG, and shows how far ninja is, "[12/250]": in one line on a terminal, elsewhere
# in a line every ten seconds
progress() {
  local line count='' last=$SECONDS start=$SECONDS
  while IFS= read -r line; do
    printf '%s\n' "$line" >&3
    case "$line" in '['[0-9]*/[0-9]*']'*) count=${line%%]*}] ;; *) continue ;; esac
    if [ -t 1 ]; then
      printf '\r  %s %d s ' "$count" $((SECONDS - start))
    elif [ $((SECONDS - last)) -ge "${progress_seconds:-10}" ]; then
      last=$SECONDS
      say "  $count $((SECONDS - start)) s"
    fi
  done 3>>"$1"
  if [ -t 1 ] && [ -n "$count" ]; then printf '\r\033[K'; fi
}

# part NAME COMMAND...: runs it under a heading, remembers how long it took; its status is the command's
part() {
  local name=$1 start=$SECONDS status=0
  shift
  say "== $name"
  "$@" || status=$?
  timings+=("$(printf '%4d s  %s' $((SECONDS - start)) "$name")")
  return $status
}

# check NAME COMMAND...: one counted result; output is shown only when it fails, status 77 means skipped
check() {
  local name=$1 log status=0
  shift
  log=$(mktemp)
  "$@" >"$log" 2>&1 || status=$?
  case $status in
    0) passed=$((passed + 1)); say "  passed   $name" ;;
    77) skipped=$((skipped + 1)); say "  skipped  $name: $(tail -n 1 "$log")" ;;
    *) failed=$((failed + 1)); say "  FAILED   $name (status $status)"; tail -n 60 "$log" | sed 's/^/    /' ;;
  esac
  rm -f "$log"
}

# attribute NAME FILE: a number from the first <testsuite> of a JUnit file
attribute() { sed -n "/<testsuite /,/>/s/.*[[:space:]]$1=\"\([0-9]*\)\".*/\1/p" "$2" | head -n 1; }

# count_junit FILE: adds what ctest wrote
count_junit() {
  local all failures skips disabled
  if [ ! -s "$1" ]; then
    failed=$((failed + 1))
    say "  FAILED   no results in $1"
    return
  fi
  all=$(attribute tests "$1")
  failures=$(attribute failures "$1")
  skips=$(attribute skipped "$1")
  disabled=$(attribute disabled "$1")
  failed=$((failed + failures))
  skipped=$((skipped + skips + disabled))
  passed=$((passed + all - failures - skips - disabled))
}

# sources: the C++ files of the project, a line each, relative to the root
sources() {
  if git -C "$root" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git -C "$root" ls-files -- '*.cpp' '*.h'
  else
    (cd "$root" && find . -name build -prune -o -name '.?*' -prune -o \( -name '*.cpp' -o -name '*.h' \) -print | sed 's,^\./,,' | sort)
  fi
}

show_timings() { printf '%s\n' "${timings[@]}"; }
