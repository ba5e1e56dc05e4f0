#!/usr/bin/env bash
# Installs what is missing, builds and tests, every day:
#   1. everything, with the window, under the address and undefined behaviour sanitizers; the fuzzers replay their corpus
#   2. the release build's command line and Python package, and the tests of what an optimiser can change
#   3. what has threads under the thread sanitizer, if a source that uses threads changed in the last two days of history
# ./test.sh --full runs all of these, everything in the release build too, benchmarks included, lets the fuzzers search,
# compiles every header by itself, and tests the Python wheel. The end of its output says where the time went. The first
# run with a failure ends the script.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck source=setup.sh
source setup.sh

full=false
case ${1:-} in
  "") ;;
  --full) full=true ;;
  *)
    sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2
    exit 2
    ;;
esac

# The thread sanitizer cannot place its memory where the kernel randomises addresses over 32 bits; without
# randomisation it can. Containers may forbid to switch that off; then it is tried as it is.
without_randomisation=()
if setarch "$(uname -m)" -R true 2>/dev/null; then
  without_randomisation=(setarch "$(uname -m)" -R)
fi

# Says whether a source that uses threads, or a test of them, differs from what it was two days before the last commit. A
# history without that commit, such as a shallow clone's, counts as changed.
threads_changed() {
  local uses='std::(jthread|thread|mutex|shared_mutex|atomic|condition_variable|async|stop_token|call_once)|QThread'
  local before changed
  before=$(git rev-list -1 --before="$(($(git log -1 --format=%ct 2>/dev/null || echo 0) - 172800))" HEAD 2>/dev/null) || return 0
  [[ -n $before ]] || return 0
  changed=$(git diff --name-only --diff-filter=d "$before" -- app core gpu models views tests/threads |
    xargs --no-run-if-empty grep --files-with-matches --extended-regexp "$uses" || true)
  [[ -n $changed ]]
}

# step TITLE PRESET TARGET CTEST_ARGUMENT...: builds the target and runs the tests.
presets=()
step() {
  local title=$1 preset=$2 target=$3
  shift 3
  echo "== $title"
  presets+=("$preset")
  timed "build $preset" build "$preset" "$target"
  local run=()
  if [[ $preset == tsan ]]; then run=("${without_randomisation[@]}"); fi
  timed "tests $preset" "${run[@]}" ctest --preset "$preset" --parallel "$(nproc)" "$@"
}

trap 'print_timings "${presets[@]}"' EXIT
timed "packages" install_missing_packages
if $full; then
  step "1 of 6: everything under the address and undefined behaviour sanitizers" asan all
  step "2 of 6: what has threads under the thread sanitizer" tsan threads_test
  step "3 of 6: everything, release build" release all
  step "4 of 6: the fuzzers search" fuzz fuzzers -L fuzz
  echo "== 5 of 6: every header by itself, debug build"
  timed "build dev" build dev header_check
  echo "== 6 of 6: the Python package's wheel in a new environment"
  timed "wheel" tests/packaging/wheel_check.sh || [[ $? == 77 ]]
else
  step "1 of 3: everything under the address and undefined behaviour sanitizers" asan all
  step "2 of 3: what optimisation can change, release build" release optimised_tests -LE "asan|full"
  if threads_changed; then
    step "3 of 3: what has threads under the thread sanitizer" tsan threads_test
  else
    echo "== 3 of 3: left out: no source that uses threads changed in two days (./test.sh --full runs it)"
  fi
fi
