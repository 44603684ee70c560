# What scripts that fetch jars share: jars of known checksums from Maven Central, or from a folder.
# shellcheck shell=bash
# Whoever reads this sets $name, $from (empty: the network) and has a function usage.

say() { printf '%s: %s\n' "$name" "$*" >&2; }
fail() { say "$*"; exit 1; }
wrong_use() { say "$*"; usage >&2; exit 2; }
# shellcheck source=scripts/home.sh
. "$(dirname "${BASH_SOURCE[0]}")/home.sh"

intact() { [ -f "$1" ] && [ "$(sha256sum <"$1" | cut -d' ' -f1)" = "$2" ]; }

# fetch GROUP ARTIFACT VERSION FILE
fetch() {
  if [ -n "$from" ]; then
    [ -f "$from/$2-$3.jar" ] || fail "$from has no $2-$3.jar"
    cp "$from/$2-$3.jar" "$4"
    return
  fi
  command -v mvn >/dev/null || fail "mvn is missing (package maven); or fetch $1:$2:$3 elsewhere and use --from DIR"
  local repository=${MAVEN_REPOSITORY:-}
  if [ -z "$repository" ] && is_own "${HOME:-}"; then repository=$HOME/.m2/repository; fi
  repository=${repository:-$work/repository} # and gone with it
  mvn -q -B dependency:get -Dartifact="$1:$2:$3" -Dtransitive=false -Dmaven.repo.local="$repository" >"$work/log" 2>&1 </dev/null ||
    { tail -n 5 "$work/log" >&2; fail "could not fetch $1:$2:$3; is there a network?"; }
  cp "$repository/${1//.//}/$2/$3/$2-$3.jar" "$4"
}

# fetch_all DIR: lines "GROUP ARTIFACT VERSION SHA256" on stdin; what is intact below DIR stays as it is
fetch_all() {
  local prefix=$1 group artifact version sum file
  mkdir -p "$prefix" || fail "cannot write to $prefix"
  work=$(mktemp -d "$prefix/.get.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  while read -r group artifact version sum; do
    file=$prefix/$artifact-$version.jar
    intact "$file" "$sum" && continue
    say "fetching $group:$artifact:$version"
    fetch "$group" "$artifact" "$version" "$work/jar"
    intact "$work/jar" "$sum" || fail "$artifact-$version.jar has a wrong checksum: expected sha256 $sum"
    mv "$work/jar" "$file"
  done
  printf '%s\n' "$prefix"
}
