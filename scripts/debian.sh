# What the get- scripts share: packages of another release of Debian or Ubuntu, without touching the system.
# shellcheck shell=bash
# $work is a directory of the caller's: lists, cache and log are kept there.

# The archives that this machine's own packages come from, one URI a line.
mirrors() {
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
    awk -v release="$1" '$2 == release && $3 == "main" && !seen[$1]++ { print $1 }'
}

# An apt of our own: its lists, cache and (empty) list of installed packages are below $work.
private_apt() {
  "$1" -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::Etc::Preferences=/dev/null \
    -o Dir::Etc::PreferencesParts=/dev/null -o Dir::State="$work/state" -o Dir::State::status="$work/status" \
    -o Dir::Cache="$work/cache" -o APT::Sandbox::User= -o APT::Install-Recommends=false -o APT::Default-Release= \
    -o APT::Update::Post-Invoke::= -o Acquire::Languages=none -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false \
    -o Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false -o Debug::NoLocking=1 -o Dpkg::Use-Pty=0 \
    ${private_architecture:+-o APT::Architecture="$private_architecture" -o APT::Architectures="$private_architecture"} "${@:2}"
}

# private_source MIRROR SUITE COMPONENTS KEYRING [ARCHITECTURE]: what private_apt takes packages from, its lists fetched
private_source() {
  private_architecture=${5:-}
  mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial"
  : >"$work/status"
  local options=""
  if [ -r "$4" ]; then options="[signed-by=$4] "; fi
  printf 'deb %s%s %s %s\n' "$options" "$1" "$2" "$3" >"$work/sources.list"
  private_apt apt-get -q -o APT::Update::Error-Mode=any update >"$work/log" 2>&1
}
