#!/usr/bin/env bash
# make.sh [--readme] [--only TEXT] [FOLDER]: pictures of the window in every mode, both palettes and three sizes, in FOLDER
# (build/screenshots where none is named). --only leaves out those whose names (explore-dark-1600x1000) do not contain TEXT.
# --readme takes README's pictures instead, into resources/screenshots, and those of the guide, into resources/help/guide. Draws on an X display of its own where Xvfb is
# installed, else on Qt's offscreen platform.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=../../setup.sh
source setup.sh

folder=build/screenshots
only=()
readme=false
while (($# > 0)); do
  case $1 in
    --readme) readme=true ;;
    --only) only=(--only "${2:?--only wants a part of a name}") && shift ;;
    -*) sed -n '2,5s/^# //p' "${BASH_SOURCE[0]}" >&2 && exit 2 ;;
    *) folder=$1 ;;
  esac
  shift
done
if $readme; then only=(--only light-1600x1000) folder=build/screenshots; fi

build release screenshots >&2
program=$(find build/release -name screenshots -type f -perm -u+x | head -n 1)
run=(env QT_QPA_PLATFORM=offscreen)
if command -v xvfb-run >/dev/null; then
  run=(env -u WAYLAND_DISPLAY QT_QPA_PLATFORM=xcb xvfb-run --auto-servernum --server-args "-screen 0 2560x1600x24")
fi
"${run[@]}" "$program" "$folder" "${only[@]}"
if $readme; then
  # Those that README shows.
  for scene in $(sed -n 's|.*(resources/screenshots/\([a-z0-9-]*\)\.png).*|\1|p' README.md); do
    picture=$folder/$scene-light-1600x1000.png
    if [[ -s $picture ]]; then cp "$picture" resources/screenshots/$scene.png; fi
  done
  "${run[@]}" "$program" "$folder" --only guide
  for picture in "$folder"/guide-*.png; do
    name=${picture##*/guide-}
    cp "$picture" "resources/help/guide/$name"
  done
fi
