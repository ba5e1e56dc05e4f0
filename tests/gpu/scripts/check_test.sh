#!/usr/bin/env bash
# What gpu/check.sh does with steps that pass, fail, hang and skip, on programs made up for it.
# shellcheck source-path=SCRIPTDIR source=support.sh
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"

# A build of made-up programs. Each notes in the file calls how it was called and does what on/PROGRAM says, for iosx
# on/iosx-COMMAND; without that it passes.
make_build() {
  local name
  mkdir -p build/bin build/lib on
  for name in iosx gpu_suite gpu_cuda_runtime_test gpu_launch_bench gpu_describe; do
    {
      printf '#!/usr/bin/env bash\nhere=%q name=%q\n' "$PWD" "$name"
      cat <<'PROGRAM'
if [[ $name == iosx ]]; then name=iosx-$1; fi
if [[ $* != *--gtest_list_tests* && $1 != --version ]]; then echo "${name} $*" >>"$here/calls"; fi
if [[ $name == iosx-devices ]]; then echo "gpu   Made-up GPU   measured   80 SMs"; fi
if [[ -f $here/on/$name ]]; then source "$here/on/$name"; fi
PROGRAM
    } >"build/bin/$name"
    chmod +x "build/bin/$name"
  done
  touch build/lib/libios_gpu.so
  instead ldd ''
  instead python3 "if [[ \$1 != */benchmark.py ]]; then exit 1; fi
echo benchmark \"\$@\" >>$PWD/calls; if [[ -f $PWD/on/benchmark ]]; then source $PWD/on/benchmark; fi"
  instead nvidia-smi 'if [[ $* == *query-gpu=name* ]]; then echo "Made-up GPU"; fi'
}

# on PROGRAM TEXT: what it does.
on() { printf '%s\n' "$2" >"on/$1"; }

check() { "$scripts/check.sh" --build build --gpu yes "$@"; }

# cell FOLDER STEP COLUMN: of steps.tsv.
cell() {
  awk -F '\t' -v step="$2" -v column="$3" \
    'NR == 1 {for (i = 1; i <= NF; ++i) at[$i] = i} $1 == step {print $at[column]}' "$1/steps.tsv"
}

calls() {
  if [[ -f calls ]]; then cut -d ' ' -f 1 calls | paste -sd' '; fi
  rm -f calls
}

test_help() {
  run 0 "$scripts/check.sh" --help
  says "usage: check.sh"
  says "Exit code:"
  run 0 "$scripts/check.sh" --list
  same "facts devices runtime describe launch squeezenet inception profile benchmark half behaviour memcheck racecheck operators \
schedules tuned networks" "$(awk '{print $1}' output | paste -sd' ')"
}

test_the_benchmark_goes_on_where_it_was() {
  make_build
  on benchmark 'echo "summary: time was up"; exit 3'
  run 3 check --out first --seconds 60 benchmark
  same unfinished "$(cell first benchmark result)"
  [[ $(cell first benchmark reason) == "time was up" ]] || fail "another reason"
  grep -q -F -e "--seconds 35 --out $PWD/first/benchmark" calls || fail "another limit: $(cat calls)"
  rm calls
  on benchmark 'true'
  run 0 check --out second --resume first benchmark
  same passed "$(cell second benchmark result)"
  on benchmark 'exit 1'
  run 1 check --out third benchmark
  same failed "$(cell third benchmark result)"
}

test_wrong_command_lines() {
  make_build
  run 2 check nonsense
  says "no step nonsense"
  run 2 check launch launch
  says "named twice"
  run 2 check launch=soon
  run 2 check --fast
  run 2 check --seconds many
  run 2 check --seconds
  run 2 check --gpu perhaps
  run 2 check --cudnn .
  says "no libcudnn.so.9"
  run 2 check --resume nowhere
  run 2 "$scripts/check.sh" --build nowhere
  run 2 "$scripts/check.sh"
  says "--build is wanted"
  same "" "$(calls)"
}

test_steps_in_order() {
  make_build
  run 3 check --out all  # there may be no compute-sanitizer
  same "iosx-devices gpu_cuda_runtime_test gpu_describe gpu_launch_bench iosx-run iosx-compare iosx-profile iosx-profile benchmark" \
    "$(calls | sed 's/ iosx-run iosx-run//' | awk '{NF = 9; print}')"
  same passed "$(cell all inception result)"
  run 0 check --out some launch describe
  same "gpu_launch_bench gpu_describe" "$(calls)"
  same "describe launch" "$(tail -n +2 some/steps.tsv | cut -f 1 | paste -sd' ')"
}

# A profile whose counters may not be read ends well, the step does not.
test_profile_wants_counters() {
  make_build
  on iosx-profile 'echo "  active warps   1203 +- 12 of 8448 warps   1.58 x sequential'"'"'s"'
  run 0 check --out seen profile
  same "sample, last schedule: active warps 1203 +- 12 of 8448 warps 1.58 x sequential's" "$(cell seen profile reason | sed 's/^inception_v3/sample/')"
  same 2 "$(grep -c iosx-profile calls)"
  grep -q -e "-o $PWD/seen/profile_sample.iosrun" calls || fail "$(cat calls)"
  on iosx-profile 'echo "iosx: hardware counters are not shown: no permission" >&2'
  run 1 check --out hidden profile
  [[ $(cell hidden profile reason) == *"not shown: no permission" ]] || fail "$(cell hidden profile reason)"
}

test_tells_what_it_runs() {
  make_build
  run 0 check squeezenet inception
  same "iosx-run run squeezenet --schedule greedy --device gpu --verify" "$(head -n 1 calls)"
  [[ $(tail -n 1 calls) == "iosx-compare compare inception_v3 --device gpu --verify "* ]] || fail "$(tail -n 1 calls)"
}

test_facts() {
  make_build
  run 0 check facts
  says "driver none, glibc"
  for fact in system processor 'C library' driver GPUs profiling cuDNN PyTorch compute-sanitizer; do
    grep -q "^$fact: ..*" gpu-check/logs/1-facts.txt || fail "$fact is missing"
  done
}

test_only_reads_settings() {
  make_build
  instead nvidia-smi 'echo "$*" >>'"$PWD"'/asked; if [[ $* == *query-gpu=name* ]]; then echo "Made-up GPU"; fi'
  run 0 check facts
  same "" "$(grep -v -x -E -e '(--query-gpu=[a-z_]+ --format=csv,noheader|-q -d [A-Z,]+)?' asked)"
}

test_a_failed_step_stops_no_other() {
  make_build
  on gpu_launch_bench 'echo "it is broken"; exit 7'
  run 1 check launch describe
  same "gpu_launch_bench gpu_describe" "$(calls)"
  same failed "$(cell gpu-check launch result)"
  same 7 "$(cell gpu-check launch exit_code)"
  same "exit code 7: it is broken" "$(cell gpu-check launch reason)"
  same passed "$(cell gpu-check describe result)"
  same "it is broken" "$(cat "gpu-check/$(cell gpu-check launch log)")"
  grep -q '^launch .*failed' gpu-check/table.txt || fail "the table does not say so"
}

test_a_step_that_hangs_is_ended() {
  make_build
  on gpu_launch_bench "sleep 1000 & echo \$! >$PWD/sleeper; wait"
  run 1 check launch=1 describe
  says "took longer than 1 s"
  same failed "$(cell gpu-check launch result)"
  same passed "$(cell gpu-check describe result)"
  # A zombie, where nobody waits for what was left behind, does nothing either.
  local state
  state=$(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$(cat sleeper)/status" 2>/dev/null) || true
  [[ -z $state || $state == Z ]] || fail "what the step started still runs ($state)"
}

test_a_step_is_told_once_to_end() {
  make_build
  on gpu_launch_bench "trap 'echo told >>$PWD/told; kill \$!' TERM; sleep 1000 & wait; wait"
  run 1 check launch=1
  same told "$(cat told)"
}

test_what_a_step_called_is_told_too_and_may_finish() {
  make_build
  on iosx-profile "trap 'sleep 2; echo saved >>$PWD/saved; exit' TERM; sleep 1000 & wait"
  run 1 check profile=1
  same saved "$(cat saved)"
}

# What the script's own limit cuts off did not end a program; what never ends did.
test_a_trial_that_is_cut_off_is_no_failure() {
  make_build
  # shellcheck disable=SC2016
  on gpu_suite 'mkdir -p "$XDG_CACHE_HOME/plans"; echo plan >"$XDG_CACHE_HOME/plans/a.trying-$$"
echo plan >"$XDG_CACHE_HOME/plans/a.trying-1"; sleep 1000'
  run 1 check --out cut tuned=2
  same a.trying-1 "$(ls cut/kept/cache/plans)"
  # shellcheck disable=SC2016
  on gpu_suite 'mkdir -p "$XDG_CACHE_HOME/plans"; echo plan >"$XDG_CACHE_HOME/plans/a.trying-$$"
touch -d "3 minutes ago" "$XDG_CACHE_HOME/plans/a.trying-$$"; sleep 1000'
  run 1 check --out hung tuned=2
  same 1 "$(find hung/kept/cache/plans -type f | wc -l)"
  # Nor does one that ended by itself lose its record.
  # shellcheck disable=SC2016
  on gpu_suite 'mkdir -p "$XDG_CACHE_HOME/plans"; echo plan >"$XDG_CACHE_HOME/plans/a.trying-$$"; exit 9'
  run 1 check --out ended tuned
  same 1 "$(find ended/kept/cache/plans -type f | wc -l)"
}

test_the_total_holds() {
  make_build
  run 3 check --seconds 15 launch describe
  same "" "$(calls)"
  same skipped "$(cell gpu-check launch result)"
  same "no time left" "$(cell gpu-check launch reason)"
  holds gpu-check/results.tar.gz
}

test_the_total_shortens_a_step() {
  make_build
  on gpu_launch_bench 'sleep 1000'
  run 3 check --out short --seconds 16 launch describe
  # On a busy machine the first may find no time left either.
  [[ $(cell short launch result) =~ ^(unfinished|skipped)$ ]] || fail "launch: $(cell short launch result)"
  same skipped "$(cell short describe result)"
}

test_packs_after_every_step() {
  make_build
  on gpu_describe "tar tzf $PWD/gpu-check/results.tar.gz >$PWD/packed"
  run 0 check launch describe
  grep -q -x gpu-check/logs/1-launch.txt packed || fail "the first step was not packed before the second"
  tar xzf gpu-check/results.tar.gz -C build
  run 0 diff -r -x results.tar.gz gpu-check build/gpu-check
}

test_a_signal_loses_nothing() {
  make_build
  mkfifo begun
  on gpu_describe "echo begun >$PWD/begun; sleep 1000"
  "$scripts/check.sh" --build build --gpu yes launch describe devices >output 2>&1 &
  read -r _ <begun
  kill -TERM $!
  local code=0
  wait $! || code=$?
  same 3 "$code"
  tar xzf gpu-check/results.tar.gz -C build
  same passed "$(cell build/gpu-check launch result)"
  same unfinished "$(cell build/gpu-check describe result)"
  same skipped "$(cell build/gpu-check devices result)"
}

test_resumes() {
  make_build
  on gpu_describe 'exit 1'
  # shellcheck disable=SC2016
  on iosx-run 'echo stage >>"$XDG_DATA_HOME/store"; echo plan >>"$XDG_CACHE_HOME/plans"'
  run 1 check --out first launch describe squeezenet
  rm calls
  mv first/results.tar.gz kept.tar.gz
  rm -r first

  on gpu_describe ''
  # shellcheck disable=SC2016
  on iosx-compare 'cat "$XDG_DATA_HOME/store" "$XDG_CACHE_HOME/plans"'
  run 0 check --out second --resume kept.tar.gz launch describe squeezenet half
  same "gpu_describe iosx-compare" "$(calls)"
  says "passed in call 1"
  same 1 "$(cell second launch call)"
  same 2 "$(cell second describe call)"
  same "stage plan" "$(paste -sd' ' second/logs/2-half.txt)"
  holds second/logs/1-describe.txt
  holds second/logs/2-describe.txt

  # In place, and the facts are always new.
  run 0 check --out second --resume second launch half facts
  same "" "$(calls)"
  same 3 "$(cell second facts call)"
  run 0 check --out second --resume second/results.tar.gz launch
  same "" "$(calls)"
  # Other steps keep what became of them.
  same passed "$(cell second describe result)"
}

test_resumes_with_other_programs() {
  make_build
  # shellcheck disable=SC2016
  on iosx-run 'echo stage >>"$XDG_DATA_HOME/store"; cat "$XDG_DATA_HOME/store"'
  run 0 check --out first squeezenet
  echo "# newer" >>build/bin/iosx
  run 0 check --out second --resume first squeezenet
  same "stage stage" "$(paste -sd' ' second/logs/2-squeezenet.txt)"
}

test_a_failure_stays_one_until_it_is_mended() {
  make_build
  on gpu_launch_bench 'exit 1'
  run 1 check --out first launch
  run 1 check --out second --resume first --seconds 15 launch
  says "in call 1"
  same failed "$(cell second launch result)"
}

test_what_was_done_on_a_gpu_outlives_a_call_without_one() {
  make_build
  run 0 check launch
  run 0 "$scripts/check.sh" --build build --gpu no --resume gpu-check launch
  same passed "$(cell gpu-check launch result)"
  same 1 "$(cell gpu-check launch call)"
}

test_keeps_earlier_results() {
  make_build
  run 0 check launch
  run 2 check launch
  says "--resume"
  run 2 check --resume build launch
  mkdir empty
  run 2 check --out other --resume empty launch
  says "no results of an earlier call"
}

test_skipped_is_no_success() {
  make_build
  on gpu_launch_bench 'echo "skipped: no driver"'
  run 3 check --out bench launch
  same skipped "$(cell bench launch result)"
  same "no driver" "$(cell bench launch reason)"
  says "Not everything was done"

  on gpu_suite 'printf "suite.cpp:3: Skipped\nno cuDNN\n[  SKIPPED ] A.B (0 ms)\n"'
  run 3 check --out all tuned
  same "tests skipped: 1 of 1: no cuDNN" "$(cell all tuned reason)"
  on gpu_suite 'printf "[       OK ] A.A (1 ms)\nsuite.cpp:3: Skipped\nno cuDNN\n[  SKIPPED ] A.B (0 ms)\n"'
  run 3 check --out some tuned
  same "tests skipped: 1 of 2: no cuDNN" "$(cell some tuned reason)"
}

test_skips_that_are_as_they_should_be() {
  make_build
  on gpu_suite 'printf "[       OK ] A.A (1 ms)\na.cpp:3: Skipped\nthere is a GPU\n[  SKIPPED ] A.B (0 ms)\n"
printf "a.cpp:3: Skipped\nT4 does not compute bfloat16, a GPU of the Ampere generation does\n[  SKIPPED ] A.C (0 ms)\n"'
  run 0 check tuned
  same passed "$(cell gpu-check tuned result)"
}

test_tests_that_fail_or_are_not_there() {
  make_build
  on gpu_suite 'printf "[       OK ] A.A (1 ms)\n[  FAILED  ] A.B (2 ms)\n 1 FAILED TEST\n"; exit 1'
  run 1 check --out failing tuned
  says "tests passed: 1, failed: 1, skipped: 0"
  says "[  FAILED  ] A.B (2 ms)"
  on gpu_suite 'echo "[==========] Running 0 tests from 0 test suites."'
  run 1 check --out none tuned
  says "there are no such tests"
}

test_without_a_gpu() {
  make_build
  on iosx-devices 'echo "gpu1 not available: no driver"'
  run 0 "$scripts/check.sh" --build build --gpu no
  says "nothing was tried on one"
  same iosx-devices "$(calls)"
  same passed "$(cell gpu-check devices result)"
  same skipped "$(cell gpu-check inception result)"
}

test_a_gpu_that_is_not_offered() {
  make_build
  sed -i 's/Made-up GPU   measured.*"/NVIDIA GPU   not available: no driver"/' build/bin/iosx
  run 1 check devices launch
  same failed "$(cell gpu-check devices result)"
  same passed "$(cell gpu-check launch result)"
}

test_asks_the_driver() {
  make_build
  on gpu_launch_bench 'echo "skipped: no driver"'
  run 3 "$scripts/check.sh" --build build launch
  says "GPU: Made-up GPU"
}

test_uses_the_sanitizer() {
  make_build
  # shellcheck disable=SC2016
  instead compute-sanitizer 'if [[ $1 == --help ]]; then echo "  --kernel-regex arg"; else echo "$*"; fi'
  run 0 check memcheck racecheck
  grep -q -- "--tool memcheck --error-exitcode 9 .*iosx run sample" gpu-check/logs/1-memcheck.txt || fail "memcheck"
  grep -q -- "--tool racecheck --kernel-regex kns=iosx" gpu-check/logs/1-racecheck.txt || fail "racecheck"
  instead compute-sanitizer 'echo "Error: Device not supported"; exit 1'
  run 3 check --out unsupported memcheck
  same skipped "$(cell unsupported memcheck result)"
}

test_finds_cudnn() {
  make_build
  # shellcheck disable=SC2016
  on gpu_launch_bench 'echo "$LD_LIBRARY_PATH"'
  local folder
  for folder in site/nvidia/{cudnn,cu13} given named; do
    mkdir -p "$folder/lib"
  done
  touch site/nvidia/cudnn/lib/libcudnn.so.9 given/lib/libcudnn.so.9 named/lib/libcudnn.so.9

  LD_LIBRARY_PATH=$PWD/named/lib run 0 check --out named_one launch
  same "$PWD/build/lib:$PWD/named/lib" "$(tail -n 1 named_one/logs/1-launch.txt | cut -d : -f 1-2)"
  for folder in given given/lib; do
    rm -rf given_one
    LD_LIBRARY_PATH=$PWD/named/lib run 0 check --out given_one --cudnn "$folder" launch
    same "$PWD/build/lib:$PWD/given/lib" "$(tail -n 1 given_one/logs/1-launch.txt | cut -d : -f 1-2)"
  done
  # What lies beside the package is found with it.
  run 0 check --out packages --cudnn site launch
  same "$PWD/build/lib:$PWD/site/nvidia/cudnn/lib:$PWD/site/nvidia/cu13/lib" \
    "$(tail -n 1 packages/logs/1-launch.txt | cut -d : -f 1-3)"

  rm path/python3
  if ! command -v python3 >/dev/null; then return; fi
  PYTHONPATH=$PWD/site LD_LIBRARY_PATH='' run 0 check --out python launch
  same "$PWD/build/lib:$PWD/site/nvidia/cudnn/lib:$PWD/site/nvidia/cu13/lib" \
    "$(tail -n 1 python/logs/1-launch.txt | cut -d : -f 1-3)"
}

test_a_system_that_is_too_old() {
  make_build
  instead ldd "printf './iosx: /lib/libc.so.6: version \`GLIBC_2.99'\"' not found (required by ./iosx)\n\""
  run 2 check launch
  says "this system lacks: GLIBC_2.99 of libc.so.6"
  instead ldd "printf './iosx: /lib/libstdc++.so.6: version \`GLIBCXX_3.4.99'\"' not found (required by ./iosx)\n\""
  run 2 check launch
  says "GLIBCXX_3.4.99 of libstdc++.so.6"
  instead ldd "printf '\tlibgone.so.1 => not found\n\tlibcudnn.so.9 => not found\n'"
  run 2 check launch
  says "this system lacks: libgone.so.1. "
  same "" "$(calls)"
}

# This build's own programs, as far as they go without a GPU.
test_real_programs() {
  if [[ -z ${BUILD:-} ]]; then exit 77; fi
  run 0 "$scripts/check.sh" --build "$BUILD" --gpu no facts devices describe
  says "gpu NVIDIA GPU"
  same passed "$(cell gpu-check facts result)"
  same skipped "$(cell gpu-check describe result)"
}

run_tests "$@"
