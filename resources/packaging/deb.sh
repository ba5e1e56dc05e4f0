#!/usr/bin/env bash
# deb.sh BUILD_DIR [FOLDER]: builds the installed files and makes Debian packages in FOLDER (default: BUILD_DIR):
# ios-explorer and, if the Python package is built, python3-iosx. Prints their paths. Needs dpkg-dev in addition to the
# packages of the build.
set -euo pipefail
if (($# < 1 || $# > 2)) || [[ ! -f $1/CMakeCache.txt ]]; then
  echo "usage: deb.sh BUILD_DIR [FOLDER]; BUILD_DIR is configured, as by: cmake --preset release" >&2
  exit 2
fi
build=$(realpath "$1")
folder=$(realpath "${2:-$1}")
command -v dpkg-shlibdeps >/dev/null || { echo "deb.sh: dpkg-shlibdeps is missing (package dpkg-dev)" >&2; exit 1; }
cmake --build "$build" --target installation >&2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
umask 022
(cd "$build" && cpack -G DEB --config CPackConfig.cmake -B "$scratch") >&2
cp "$scratch"/*.deb "$folder"
for package in "$scratch"/*.deb; do echo "$folder/$(basename "$package")"; done
