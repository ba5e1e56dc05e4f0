#!/usr/bin/env bash
# metadata_test.sh FUNCTION: what desktops read of ours, checked by their own tools. Exit code 77 where one is missing.
# PROGRAM: ios-explorer, or empty. RESOURCES: the folder.
set -euo pipefail

need() {
  command -v "$1" >/dev/null || { echo "skipped: $1 is not installed (package $2)"; exit 77; }
}

test_desktop_entry() {
  need desktop-file-validate desktop-file-utils
  local said
  said=$(desktop-file-validate "$RESOURCES/ios-explorer.desktop" 2>&1)
  [[ -z $said ]] || { echo "$said"; return 1; }
}

test_metainfo() {
  need appstreamcli appstream
  # The project has no domain that its id could be the reverse of.
  appstreamcli validate --no-net --override=cid-desktopapp-is-not-rdns=info "$RESOURCES/ios-explorer.metainfo.xml"
}

test_file_types() {
  need update-mime-database shared-mime-info
  local scratch type
  scratch=$(mktemp -d)
  mkdir "$scratch/packages"
  cp "$RESOURCES/ios-explorer-mime.xml" "$scratch/packages"
  update-mime-database "$scratch" 2>/dev/null
  grep -qx '50:application/vnd.ios-explorer.run+zip:\*.iosrun' "$scratch/globs2"
  grep -qx '50:application/vnd.ios-explorer.project+zip:\*.iosproj' "$scratch/globs2"
  grep -qx '40:application/x-onnx:\*.onnx' "$scratch/globs2"
  grep -qx 'application/vnd.ios-explorer.run+zip application/zip' "$scratch/subclasses"
  # Every type that the desktop entry opens is known, here or to everybody, and has an icon where it is ours.
  for type in $(sed -n 's/^MimeType=//p' "$RESOURCES/ios-explorer.desktop" | tr ';' ' '); do
    if [[ $type == application/vnd.ios-explorer.* ]]; then
      [[ -s $RESOURCES/icons/mimetypes/${type/\//-}.svg ]] || { echo "$type has no icon"; return 1; }
    fi
    [[ $type == application/json ]] || grep -q ":$type:" "$scratch/globs2" || { echo "$type is unknown"; return 1; }
    [[ $type == application/json ]] || grep -q "<mediatype>$type</mediatype>" "$RESOURCES/ios-explorer.metainfo.xml" ||
      { echo "$type is not in the metainfo"; return 1; }
  done
  rm -rf "$scratch"
}

# What a run file begins with is what file types look for.
test_magic() {
  local scratch
  scratch=$(mktemp -d)
  "$IOSX" compare sample --device tesla-v100 --save "$scratch/run.iosrun" >/dev/null
  [[ $(dd if="$scratch/run.iosrun" bs=1 skip=30 count=44 2>/dev/null) == mimetypeapplication/vnd.ios-explorer.run+zip ]]
  rm -rf "$scratch"
}

test_manual_pages() {
  need man man-db
  local page scratch program
  scratch=$(mktemp -d)
  for program in "$IOSX" ${PROGRAM:+"$PROGRAM"}; do
    page=$scratch/$(basename "$program").1
    "$RESOURCES/packaging/man_page.sh" "$program" 1.2.3 >"$page"
    [[ -z $(LC_ALL=C.UTF-8 MANROFFSEQ='' man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null) ]]
    grep -qx '.SH NAME' "$page"
    grep -q -F -- '\-\-help' "$page"
  done
  # Every command has its part.
  for command in $("$IOSX" --help | awk '/^Subcommands:$/ { on = 1; next } /^[^ ]/ { on = 0 } on && /^  [^ ]/ { print $1 }'); do
    grep -qx ".SS $command" "$scratch/iosx.1" || { echo "$command is missing"; return 1; }
  done
  rm -rf "$scratch"
}

"$1"
