#!/usr/bin/env bash
# Installs what is missing, builds and runs every test: core, command line and window under the address sanitizer, core
# and command line under the thread sanitizer, then everything in the release build. The first run with a failure ends
# the script, so the last lines are always ctest's own summary.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck source=setup.sh
source setup.sh

# Qt needs no display for the tests.
export QT_QPA_PLATFORM=offscreen

# GCC 12's thread sanitizer cannot place its memory where the kernel randomises addresses over 32 bits; without
# randomisation it can. Containers may forbid to switch that off; then it is tried as it is.
without_randomisation=()
if setarch "$(uname -m)" -R true 2>/dev/null; then
  without_randomisation=(setarch "$(uname -m)" -R)
fi

install_missing_packages

echo "== 1 of 3: core, command line and window under the address and undefined behaviour sanitizers"
build asan
ctest --preset asan

echo "== 2 of 3: core and command line under the thread sanitizer"
build tsan
"${without_randomisation[@]}" ctest --preset tsan

echo "== 3 of 3: everything, release build"
build release
ctest --preset release
