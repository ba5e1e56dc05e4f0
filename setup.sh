# shellcheck shell=bash
# What run.sh and test.sh share; sourced by them from the root of the repository.

# One package a line in packages.txt; the rest of a line from # on is a comment.
listed_packages() {
  sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "${1:-packages.txt}"
}

# install_missing_packages [FILE]: installs the packages of the list that are missing. Does nothing where all are there, and
# says so plainly where it cannot help.
install_missing_packages() {
  local packages missing installed
  mapfile -t packages < <(listed_packages "$@")
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "This is not a Debian system, so nothing is installed. packages.txt lists what Debian 12 calls the packages" >&2
    echo "that you need; if the build below misses one, install what your system calls it and start again." >&2
    return
  fi
  # dpkg-query fails if it does not know one of the names, but lists the others all the same.
  installed=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null || true)
  missing=()
  local package
  for package in "${packages[@]}"; do
    grep --quiet --line-regexp --fixed-strings "installed $package" <<<"$installed" || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then return; fi

  local as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      echo "Packages are missing and sudo is not there to install them. Run this as root, then start again:" >&2
      echo "  apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "Installing ${missing[*]}" >&2
  "${as_root[@]}" apt-get update --quiet || return
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install --quiet --yes --no-install-recommends "${missing[@]}"
}

# configure PRESET: once; after that the build itself notices changed CMake files.
configure() {
  if [[ -f build/$1/build.ninja ]]; then return; fi
  cmake --preset "$1"
}

# build PRESET [TARGET...]: everything without a target. Silent if there is nothing to do.
build() {
  local preset=$1 targets=()
  shift
  if (($# > 0)); then targets=(--target "$@"); fi
  configure "$preset" || return
  cmake --build --preset "$preset" "${targets[@]}" |
    sed --unbuffered -e '/^ninja: no work to do\.$/d' -e '/Re-checking globbed directories/d'
}

# timed LABEL COMMAND...: runs the command and remembers its seconds for print_timings.
timings=()
timed() {
  local label=$1 begin=$SECONDS status=0
  shift
  "$@" || status=$?
  timings+=("$(printf '%6d s  %s' $((SECONDS - begin)) "$label")")
  return $status
}

# print_timings PRESET...: where the time of a run went, so that a regression shows: every step, and for each preset the
# folders that took longest to compile (ninja's log) and the tests that took longest (ctest's log). Then it repeats the
# failures, which stand far above in a long output. Its last line counts the cases of all test programs.
print_timings() {
  set +e +o pipefail  # it also runs where a step has failed, and so left no log
  local preset folder
  echo
  echo "== where the time went (wall clock)"
  printf '%s\n' "${timings[@]}"
  printf '%6d s  in all\n' "$SECONDS"
  for preset in "$@"; do
    folder=build/$preset
    echo "-- $preset: folders by seconds of compiling and linking, and the tests that took longest"
    # One line of ninja's log is: begin and end in ms, a time stamp, the output, a hash. The last line of an output counts.
    awk -F'\t' 'NF == 5 { took[$4] = $2 - $1 }
      END { for (file in took) { folder = file; sub(/CMakeFiles\/.*|[^\/]*$/, "", folder); sum[folder] += took[file] }
            for (folder in sum) printf "%8.1f s  %s\n", sum[folder] / 1000, folder == "" ? "." : folder }' \
      "$folder/.ninja_log" 2>/dev/null | sort -rn | head -12
    # Lines of ctest's log with a program's time: "Test time =   1.23 sec", after "N/M Test: NAME".
    awk '/ Test: / { name = $NF } /^Test time = / { printf "%8.1f s  %s\n", $4, name }' \
      "$folder/Testing/Temporary/LastTest.log" 2>/dev/null | sort -rn | head -8
  done
  local passed=0 failed=0 skipped=0 log
  for preset in "$@"; do
    log=build/$preset/Testing/Temporary/LastTest.log
    [[ -e $log ]] || continue
    passed=$((passed + $(awk '/^\[  PASSED  \] / { n += $4 } END { print n + 0 }' "$log")))
    skipped=$((skipped + $(awk '/^\[  SKIPPED \] [0-9]+ test/ { n += $4 } END { print n + 0 }' "$log")))
    failed=$((failed + $(awk '/^ *[0-9]+ FAILED TEST/ { n += $1 } END { print n + 0 }' "$log")))
    # A failure's text ends where the next line of the test framework begins.
    awk '/^\[/ { shown = 0 } /: Failure$/ { shown = 1 } /^\[  FAILED  \] .* ms\)$/ || shown { print substr($0, 1, 400) }' \
      "$log" | head -80
  done
  echo "cases: $passed passed, $failed failed, $skipped skipped"
}
