#!/usr/bin/env bash
# Does all that wants a GPU, from prebuilt binaries, in under ten minutes: gpu/check.sh BUILD_DIR [OUT]. Everything that a
# step prints goes to OUT (default: gpu-check). Ends with a table of passed, failed and skipped, and the exit code 1 if
# anything failed. Where there is no GPU, steps are skipped with the reason.
set -uo pipefail

if [[ $# -lt 1 || $# -gt 2 || ! -d ${1:-} ]]; then
  echo "usage: gpu/check.sh BUILD_DIR [OUT]" >&2
  exit 2
fi
build=$(cd "$1" && pwd)
out=${2:-gpu-check}
mkdir -p "$out" || exit 2
out=$(cd "$out" && pwd)
bin=$build/bin

readonly total=585  # seconds for everything
started=$SECONDS
no_gpu=             # why there is none
rows=()
failed=0
number=0

# cuDNN and the CUDA libraries may have come as Python packages, or lie where the toolkit is.
find_libraries() {
  local folder
  while IFS= read -r folder; do
    LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder
  done < <(
    for folder in "$build/lib" /usr/local/cuda/lib64 /usr/local/cuda/lib; do
      [[ -d $folder ]] && echo "$folder"
    done
    python3 - 2>/dev/null <<'PYTHON'
import glob, site, sys
folders = {path for path in sys.path + site.getsitepackages() + [site.getusersitepackages()] if path}
for folder in sorted(folders):
    for library in sorted(glob.glob(folder + "/nvidia/*/lib")):
        print(library)
PYTHON
  )
  export LD_LIBRARY_PATH
}

# add_row STEP RESULT SECONDS REASON
add_row() {
  rows+=("$1|$2|$3|$4")
  printf '%-34s %-8s %6s  %s\n' "$1" "$2" "$3" "$4"
  if [[ $2 == failed ]]; then failed=1; fi
}

skip() { add_row "$1" skipped 0 "$2"; }

# What a step printed last, on one line.
last_line() { grep -v '^[[:space:]]*$' "$1" | tail -n 1 | tr -d '\r|' | cut -c 1-160; }

# step NAME LIMIT COMMAND...: runs the command for at most LIMIT seconds. $log is then the file with what it printed, empty
# if it did not run. Limits are for what hangs, and add up to more than the total: where the time that is left is less than
# LIMIT and does not suffice, the step is skipped, unless a test had failed by then. A step is also skipped if it is a
# GoogleTest program and all of its tests are.
log=
step() {
  local name=$1 limit=$2
  shift 2
  log=
  if [[ -n $no_gpu ]]; then
    skip "$name" "$no_gpu"
    return 1
  fi
  number=$((number + 1))
  if [[ ! -x $(command -v "$1") ]]; then
    skip "$name" "there is no $1"
    return 1
  fi
  local left=$((total - (SECONDS - started))) shortened=0
  if ((left < 5)); then
    skip "$name" "no time left"
    return 1
  fi
  if ((limit > left)); then
    limit=$left
    shortened=1
  fi
  log=$out/$(printf '%02d' "$number")-${name//[^a-z0-9_]/-}.txt
  local begin=$SECONDS
  {
    echo "+ $*"
    timeout -k 5 "$limit" "$@"
  } >"$log" 2>&1
  local code=$?
  local took=$((SECONDS - begin))
  local ran failing skipped
  ran=$(count_tests OK)
  failing=$(count_tests FAILED)
  skipped=$(count_tests SKIPPED)
  local with=
  if ((ran > 0)); then with=", tests passed: $ran"; fi
  # 137 is also what a program that was killed for its memory leaves.
  if ((code == 124 || (code == 137 && took >= limit))); then
    if ((failing > 0)); then
      add_row "$name" failed "$took" "tests failed before the time was up: $failing$with"
    elif ((shortened)); then
      add_row "$name" skipped "$took" "no time left$with"
    else
      add_row "$name" failed "$took" "took longer than $limit s$with"
    fi
  elif ((code != 0)); then
    add_row "$name" failed "$took" "exit code $code: $(last_line "$log")"
  elif ((skipped > 0 && ran == 0)); then
    add_row "$name" skipped "$took" "all $skipped tests skipped: $(first_skip_reason)"
  elif ((skipped > 0)); then
    add_row "$name" passed "$took" "tests passed: $ran, skipped: $skipped ($(first_skip_reason))"
  else
    add_row "$name" passed "$took" "$(result_of "$log")"
  fi
  list_failed_tests
  ((code == 0))
}

# count_tests OK|FAILED|SKIPPED: tests in $log that ended so.
count_tests() { grep -cE "^\[ +$1 +\] .* \([0-9]+ ms\)$" "$log"; }

first_skip_reason() { grep -m 1 -A 1 -E ': Skipped$' "$log" | tail -n 1 | tr -d '|' | cut -c 1-200; }

list_failed_tests() { grep -E '^\[  FAILED  \] .* \([0-9]+ ms\)$' "$log" | sed 's/^/    /' | sort -u; }

# The line worth showing of a step that passed: what it says on the best schedule, on tests, or last.
result_of() {
  local line
  line=$(grep -E '^best: ' "$1" | tail -n 1)
  [[ -n $line ]] || line=$(grep -E '^\[  PASSED  \]' "$1" | tail -n 1 | sed 's/\[  PASSED  \] /passed: /')
  [[ -n $line ]] || line=$(grep -m 1 -E '^gpu ' "$1" | tr -s ' ')
  [[ -n $line ]] || line=$(last_line "$1")
  tr -d '|' <<<"$line" | cut -c 1-160
}

# suite NAME LIMIT FILTER: tests of gpu_suite.
suite() { step "suite: $1" "$2" "$bin/gpu_suite" "--gtest_filter=$3"; }

find_sanitizer() {
  local path
  for path in "$(command -v compute-sanitizer)" /usr/local/cuda*/bin/compute-sanitizer \
    /usr/local/cuda*/compute-sanitizer/compute-sanitizer /opt/nvidia/*/compute-sanitizer/compute-sanitizer; do
    if [[ -x $path ]]; then
      echo "$path"
      return
    fi
  done
}

# The option that keeps a tool to our own kernels; what cuDNN's do with shared memory is not ours to judge. Its name
# depends on the version.
only_our_kernels() {
  local help option
  help=$("$1" --help 2>&1)
  for option in --kernel-name --kernel-regex --filter; do
    if grep -q -e "$option\b" <<<"$help"; then
      printf '%s\n%s\n' "$option" kns=iosx
      return
    fi
  done
}

sanitizer_step() {
  local tool=$1 sanitizer options=()
  sanitizer=$(find_sanitizer)
  if [[ -z $no_gpu && -z $sanitizer ]]; then
    skip "compute-sanitizer $tool" "there is no compute-sanitizer"
    return
  fi
  if [[ $tool == racecheck && -n $sanitizer ]]; then mapfile -t options < <(only_our_kernels "$sanitizer"); fi
  IOS_GPU_UNTUNED=1 step "compute-sanitizer $tool" 60 "$sanitizer" --tool "$tool" "${options[@]}" --error-exitcode 9 \
    "$bin/iosx" run sample --schedule greedy --device gpu --repeat 1 --warmup 0 --min-time 0
}

# What matters most first: until inception_v3 ends, limits add up to less than the total. That one searches a smaller space
# of stages than the program does by itself, which still holds merged and concurrent ones.
steps_on_gpu() {
  step "streams, events, graphs, cuDNN" 90 "$bin/gpu_cuda_runtime_test"
  step "cuDNN's description of the GPU" 15 "$bin/gpu_describe" "$out/device.json"
  step "launch overhead" 30 "$bin/gpu_launch_bench"
  step "compare squeezenet in float16" 60 "$bin/iosx" compare squeezenet --device gpu-f16 --verify
  step "compare inception_v3, verified" 300 "$bin/iosx" compare inception_v3 --device gpu --verify \
    --schedules sequential,greedy,ios-both -r 2 -s 3 --min-time 0 -o "$out/inception_v3"
  suite behaviour 75 'GpuSuiteDevice.*'
  sanitizer_step memcheck
  sanitizer_step racecheck
  suite operators 60 '*EveryOperatorAgrees*'
  suite schedules 90 '*/GpuSuite.*-*EveryOperatorAgrees*'
  QT_QPA_PLATFORM=offscreen step "report of the window's program" 60 "$bin/ios-explorer" --report "$out/report" \
    --device gpu sample
  suite tuned 150 'GpuSuiteTuned.*'
  suite networks 300 'Zoo/*'
}

print_table() {
  printf '\n%-34s | %-7s | %7s | %s\n' step result seconds reason
  local row step result seconds reason
  for row in "${rows[@]}"; do
    IFS='|' read -r step result seconds reason <<<"$row"
    printf '%-34s | %-7s | %7s | %s\n' "$step" "$result" "$seconds" "$reason"
  done
  echo "total: $((SECONDS - started)) s; details in $out"
}

find_libraries
if command -v nvidia-smi >/dev/null; then step "nvidia-smi" 15 nvidia-smi; fi
if step "devices" 30 "$bin/iosx" devices; then
  cat "$log"
  line=$(grep -m 1 -E '^gpu ' "$log")
  if [[ -z $line || $line == *"not available: "* ]]; then
    suite "starts and skips" 60 '*'
    no_gpu=${line#*not available: }
    no_gpu=${no_gpu:-iosx lists no GPU}
  fi
else
  if [[ -n $log ]]; then cat "$log"; fi
  no_gpu="iosx cannot list the devices"
fi
steps_on_gpu
print_table | tee "$out/table.txt"
exit "$failed"
