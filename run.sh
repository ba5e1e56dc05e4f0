#!/usr/bin/env bash
# Installs what is missing, builds, and starts ios-explorer with the given arguments. Without a display it makes the same
# comparison headless, prints the table and writes the figures: run.sh [GRAPH] [--device ID] [--batch N] [--report DIR].
# Without a network it shows Inception V3 on the simulated V100, which takes a second, and says how to measure it here.
set -euo pipefail
start_folder=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck source=setup.sh
source setup.sh

install_missing_packages >&2
targets=(ios-explorer iosx)
# A sixth of the build. Where there is no driver, the programs say how to get it.
if [[ -e /proc/driver/nvidia/version || -e /dev/dxg ]]; then targets+=(gpu_backend); fi
build release "${targets[@]}" >&2
explorer=$PWD/build/release/bin/ios-explorer
# As short as it can be said: it is part of what the program prints.
explorer=${explorer#"$start_folder"/}
[[ $explorer == */* ]] || explorer=./$explorer
# Relative paths among the arguments are the user's, not ours.
cd "$start_folder"

if [[ -n ${DISPLAY:-} || -n ${WAYLAND_DISPLAY:-} ]]; then
  exec "$explorer" "$@"
fi

# No display. Network, device and folder have defaults here; everything else is passed on as it is.
export QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen}
graph_given=false
device_given=false
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
    --device) device_given=true skip_value=true ;;
    --device=*) device_given=true ;;
    --batch | --store) skip_value=true ;;
    -*) ;;
    *) graph_given=true ;;
  esac
done
defaults=()
$report_given || defaults+=(--report report)
$graph_given || defaults+=(inception_v3)
$graph_given || $device_given || defaults+=(--device tesla-v100)
exec "$explorer" "${defaults[@]}" "$@"
