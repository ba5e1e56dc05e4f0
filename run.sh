#!/usr/bin/env bash
# Installs what is missing, builds, and starts ios-explorer with the given arguments. Without a display it makes the same
# comparison headless, prints the table and writes the figures: run.sh [GRAPH] [--device ID] [--batch N] [--report DIR].
set -euo pipefail
start_folder=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck source=setup.sh
source setup.sh

install_missing_packages >&2
build release ios-explorer iosx >&2
explorer=$PWD/build/release/bin/ios-explorer
# Relative paths among the arguments are the user's, not ours.
cd "$start_folder"

if [[ -n ${DISPLAY:-} || -n ${WAYLAND_DISPLAY:-} ]]; then
  exec "$explorer" "$@"
fi

# No display. Graph and folder have defaults here; everything else is passed on as it is.
export QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen}
graph_given=false
report_given=false
skip_value=false
for argument in "$@"; do
  if $skip_value; then
    skip_value=false
    continue
  fi
  case $argument in
    -h | --help | --version) exec "$explorer" "$@" ;;
    --report) report_given=true skip_value=true ;;
    --report=*) report_given=true ;;
    --device | --batch) skip_value=true ;;
    -*) ;;
    *) graph_given=true ;;
  esac
done
defaults=()
$report_given || defaults+=(--report report)
$graph_given || defaults+=(inception_v3)
exec "$explorer" "${defaults[@]}" "$@"
