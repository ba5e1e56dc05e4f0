# shellcheck shell=bash disable=SC2034
# What the tests of the scripts share. A test is a function in a folder of its own, $PWD; the first expectation that does
# not hold ends it.
set -euo pipefail

scripts=${GPU_SCRIPTS:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../../../gpu" && pwd)}

fail() {
  echo "line ${BASH_LINENO[1]}: $1" >&2
  if [[ -f output ]]; then sed 's/^/  | /' output >&2; fi
  exit 1
}

# run CODE COMMAND...: its exit code must be CODE; what it prints is in the file output.
run() {
  local expected=$1 code=0
  shift
  "$@" >output 2>&1 || code=$?
  [[ $code == "$expected" ]] || fail "exit code $code, not $expected: $*"
}

says() { grep -q -F -e "$1" output || fail "it does not say: $1"; }

holds() { [[ -e $1 ]] || fail "there is no $1"; }

lacks() { [[ ! -e $1 ]] || fail "there is $1"; }

same() { [[ $1 == "$2" ]] || fail "expected: $1
but there is: $2"; }

# instead NAME TEXT: a script of that name comes before every other program.
instead() {
  mkdir -p path
  printf '#!/usr/bin/env bash\n%s\n' "$2" >"path/$1"
  chmod +x "path/$1"
}

# Runs the test that the command line names, or all.
run_tests() {
  local name folder code
  if (($# == 0)); then
    for name in $(compgen -A function test_); do
      code=0
      bash "$0" "$name" || code=$?
      echo "$name: $code"
    done
    return
  fi
  folder=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$folder'" EXIT
  cd "$folder"
  export PATH=$folder/path:$PATH
  "$1"
}
