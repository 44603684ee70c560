# Where the get- scripts install to unless told: below the folder for data of this user.
# shellcheck shell=bash
# Whoever reads this has a function wrong_use.

# The root directory is nobody's home: HOME=/, as daemons and containers have it, would fill it.
is_own() { case "$1" in /*[!/]*) return 0 ;; *) return 1 ;; esac; }

# own_folder NAME: $XDG_DATA_HOME/thinair/NAME or what the XDG specification has instead; nothing where no variable
# names a folder of the user's
own_folder() {
  if is_own "${XDG_DATA_HOME:-}"; then
    printf '%s/thinair/%s\n' "$XDG_DATA_HOME" "$1"
  elif is_own "${HOME:-}"; then
    printf '%s/.local/share/thinair/%s\n' "$HOME" "$1"
  fi
}

# require_prefix PREFIX: of one's own, or exit status 2
require_prefix() {
  [ -n "$1" ] || wrong_use "neither HOME nor XDG_DATA_HOME names a folder of yours: say where to with --prefix DIR"
  is_own "$(realpath -m -- "$1")" || wrong_use "--prefix needs a directory of its own"
}
