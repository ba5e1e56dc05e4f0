#!/usr/bin/env bash
# Does all that wants a GPU, from prebuilt programs, in a bounded time, and loses nothing that was done. See --help.
set -uo pipefail

total=500            # seconds for everything
readonly grace=8     # seconds that a step has to end once it is told to
readonly hung=30     # seconds after which a convolution plan that is tried for the first time counts as one that never ends
readonly reserve=15  # of the total, for that and for packing the results

# What there is to try, below the build's folder.
readonly parts=(bin/{iosx,gpu_suite,gpu_cuda_runtime_test,gpu_launch_bench,gpu_describe} lib/libios_gpu.so)

# ---- Steps -----------------------------------------------------------------------------------------------------------

steps=()  # in the order in which they run
declare -A limit_of about
# has NAME LIMIT ABOUT: a step that may take LIMIT seconds. Limits are for what hangs, and add up to more than the total.
has() {
  steps+=("$1")
  limit_of[$1]=$2
  about[$1]=$3
}
# What matters most first: what cannot be known without this GPU, then what a search is worth there, then the rest.
has facts 60 "versions, permission to profile, clocks and power; made in every call"
has devices 60 "the programs start, and list the GPU"
has runtime 90 "streams, events, graphs, cuDNN's plans: tests against plain loops"
has describe 30 "cuDNN's description of the GPU, to device.json"
has launch 30 "what launches, events and graphs cost"
has squeezenet 60 "one small network run and verified"
has inception 300 "Inception V3: schedules searched, compared, verified"
has profile 150 "launches and active warps: the paper's sample network, Inception V3"
has benchmark 400 "our schedules beside PyTorch and the predictions; goes on with --resume"
has half 60 "SqueezeNet in float16: schedules searched, compared, verified"
has behaviour 150 "suite: traces, repeated measurements, cancelling, memory"
has memcheck 60 "compute-sanitizer: memory accesses of our kernels and cuDNN's"
has racecheck 60 "compute-sanitizer: races within our kernels"
has operators 60 "suite: every operator, every precision"
has schedules 90 "suite: every schedule, every precision"
has tuned 150 "suite: schedules tuned by measurement"
has networks 300 "suite: the zoo"

# Those that make sense without a GPU.
needs_gpu() { [[ $1 != facts && $1 != devices ]]; }

# command_of STEP: sets `command`, or `why` where there is none. `limit` is how long it may take.
command_of() {
  command=()
  why=
  local ours=(env "LD_LIBRARY_PATH=$libraries")
  case $1 in
    facts) command=(bash -c facts) ;;
    devices) command=("${ours[@]}" bash -c devices) ;;
    runtime) command=("${ours[@]}" "$bin/gpu_cuda_runtime_test") ;;
    describe) command=("${ours[@]}" "$bin/gpu_describe" "$out/device.json") ;;
    launch) command=("${ours[@]}" "$bin/gpu_launch_bench") ;;
    squeezenet) command=("${ours[@]}" "$bin/iosx" run squeezenet --schedule greedy --device gpu --verify) ;;
    # A smaller space of stages than the program searches by itself, which still holds merged and concurrent ones.
    inception)
      command=("${ours[@]}" "$bin/iosx" compare inception_v3 --device gpu --verify
        --schedules "sequential,greedy,ios-both" -r 2 -s 3 --min-time 0 -o "$out/inception_v3")
      ;;
    profile) command=("${ours[@]}" bash -c profiles) ;;
    benchmark)
      command=(python3 "$benchmark/benchmark.py" --iosx "$bin/iosx" --libraries "$libraries" --seconds "$((limit > 20 ? limit - 10 : limit))"
        --out "$out/benchmark")
      if ! command -v python3 >/dev/null; then why="there is no Python"; fi
      ;;
    half) command=("${ours[@]}" "$bin/iosx" compare squeezenet --device gpu-f16 --verify) ;;
    behaviour) command=("${ours[@]}" "$bin/gpu_suite" '--gtest_filter=GpuSuiteDevice.*') ;;
    operators) command=("${ours[@]}" "$bin/gpu_suite" '--gtest_filter=*EveryOperatorAgrees*') ;;
    schedules) command=("${ours[@]}" "$bin/gpu_suite" '--gtest_filter=*/GpuSuite.*-*EveryOperatorAgrees*') ;;
    tuned) command=("${ours[@]}" "$bin/gpu_suite" '--gtest_filter=GpuSuiteTuned.*') ;;
    networks) command=("${ours[@]}" "$bin/gpu_suite" '--gtest_filter=Zoo/*') ;;
    memcheck | racecheck)
      local sanitizer options=()
      sanitizer=$(find_sanitizer)
      if [[ -z $sanitizer ]]; then
        why="there is no compute-sanitizer"
        return
      fi
      if [[ $1 == racecheck ]]; then mapfile -t options < <(only_our_kernels "$sanitizer"); fi
      command=("${ours[@]}" IOS_GPU_UNTUNED=1 "$sanitizer" --tool "$1" "${options[@]}" --error-exitcode 9
        "$bin/iosx" run sample --schedule greedy --device gpu --repeat 1 --warmup 0 --min-time 0)
      ;;
  esac
}

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
  help=$(timeout 10 "$1" --help 2>&1)
  for option in --kernel-name --kernel-regex --filter; do
    if grep -q -e "$option\b" <<<"$help"; then
      printf '%s\n%s\n' "$option" kns=iosx
      return
    fi
  done
}

# Prints what the machine is. Only reads: no clock, power limit or mode is ever set.
# shellcheck disable=SC2317  # called by its name, as is devices
facts() {
  local driver bound capabilities profiling=()
  date -u '+date: %Y-%m-%d %H:%M:%S UTC'
  echo "system: $(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release), kernel $(uname -r), $(uname -m)"
  echo "processor: $(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores," \
    "$(awk '/^MemTotal/ {printf "%.0f GiB", $2 / 1048576}' /proc/meminfo)"
  echo "C library: $(getconf GNU_LIBC_VERSION)"
  if [[ -f $build/bundle.txt ]]; then sed 's/^/bundle: /' "$build/bundle.txt"; fi

  driver=$(sed -n 's/^NVRM version:.*  \([0-9][0-9.]*\)  .*/\1/p' /proc/driver/nvidia/version 2>/dev/null)
  if [[ -z $driver ]]; then
    driver=$(timeout 15 nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1)
  fi
  echo "driver: ${driver:-none}"
  echo "GPUs: ${gpus:-none}"

  # Counters are for root and holders of two capabilities, unless the driver lets everybody read them.
  bound=$(sed -n 's/^RmProfilingAdminOnly: //p' /proc/driver/nvidia/params 2>/dev/null)
  capabilities=$((16#$(sed -n 's/^CapEff:[[:space:]]*//p' /proc/self/status)))
  if (((capabilities >> 21) & 1)); then profiling+=(CAP_SYS_ADMIN); fi
  if (((capabilities >> 38) & 1)); then profiling+=(CAP_PERFMON); fi
  echo "profiling: RmProfilingAdminOnly ${bound:-unknown}, user $(id -u), capabilities ${profiling[*]:-none}"

  local library=$cudnn/libcudnn.so.9 cudnn_version=none torch=none
  if [[ -n $cudnn ]]; then
    cudnn_version=$(LD_LIBRARY_PATH=$libraries timeout 30 python3 - "$library" 2>/dev/null <<'PYTHON'
import ctypes, sys
cudnn = ctypes.CDLL(sys.argv[1])
cudnn.cudnnGetVersion.restype = cudnn.cudnnGetCudartVersion.restype = ctypes.c_size_t
version, cuda = cudnn.cudnnGetVersion(), cudnn.cudnnGetCudartVersion()
print(f"{version // 10000}.{version // 100 % 100}.{version % 100} for CUDA {cuda // 1000}.{cuda // 10 % 100}")
PYTHON
    ) || cudnn_version="version unknown, $(basename "$(readlink -f "$library")")"
  fi
  echo "cuDNN: $cudnn_version${cudnn:+, in $cudnn}"
  # Importing it takes up to a minute from a cold disk; its version stands in a file of its own.
  torch=$(timeout 15 python3 - 2>/dev/null <<'PYTHON'
import importlib.util, os, runpy
spec = importlib.util.find_spec("torch")
facts = runpy.run_path(os.path.join(os.path.dirname(spec.origin), "version.py"))
print(f"{facts['__version__']} for CUDA {facts['cuda']}")
PYTHON
  ) || torch=none
  echo "PyTorch: $torch"
  echo "Python: $(timeout 15 python3 --version 2>&1 || echo none)"
  local sanitizer
  sanitizer=$(find_sanitizer)
  echo "compute-sanitizer: ${sanitizer:-none}"
  if command -v nvidia-smi >/dev/null; then
    timeout 15 nvidia-smi
    timeout 15 nvidia-smi -q -d CLOCK,POWER,PERFORMANCE,TEMPERATURE,MEMORY,COMPUTE
  fi
  echo "summary: driver ${driver:-none}, $(getconf GNU_LIBC_VERSION), cuDNN $cudnn_version, PyTorch $torch," \
    "profiling for all: $(case $bound in 0) echo yes ;; 1) echo no ;; *) echo unknown ;; esac)"
}

# Fails where a program does not start, or a GPU is there that iosx does not offer.
# shellcheck disable=SC2317
devices() {
  local program list line failed=0
  "$bin/iosx" --version || failed=1
  for program in gpu_suite gpu_cuda_runtime_test; do
    if list=$("$bin/$program" --gtest_list_tests); then
      echo "$program: $(grep -c '^  ' <<<"$list") tests"
    else
      echo "$program does not start"
      failed=1
    fi
  done
  list=$("$bin/iosx" devices) || failed=1
  echo "$list"
  line=$(grep -m 1 -E '^gpu ' <<<"$list" | tr -s ' ')
  echo "summary: ${line:-iosx lists no GPU}"
  if ((failed)); then return 1; fi
  [[ -z $gpus || (-n $line && $line != *"not available: "*) ]]
}

# Fails where the GPU does not let itself be looked at, which a profile itself only notes.
# shellcheck disable=SC2317
profiles() {
  local failed=0 schedule
  schedule=$(compgen -G "$out/inception_v3/*ios-both.schedule.json" | head -n 1)
  profile sample sample || failed=1
  profile inception_v3 inception_v3 --schedule "${schedule:-greedy}" || failed=1
  return "$failed"
}

# profile NAME GRAPH OPTION...: to profile_NAME.iosrun.
# shellcheck disable=SC2317
profile() {
  local text code=0 hidden
  text=$("$bin/iosx" profile "${@:2}" --device gpu -o "$out/profile_$1.iosrun" 2>&1) || code=$?
  echo "$text"
  if ((code)); then return "$code"; fi
  if hidden=$(grep -m 1 'not shown' <<<"$text"); then
    echo "summary: ${hidden#iosx: }"
    return 1
  fi
  echo "summary: $1, last schedule: $(grep '^  active warps ' <<<"$text" | tail -n 1 | tr -s ' ' | sed 's/^ //')"
}

# ---- The command line ------------------------------------------------------------------------------------------------

usage() {
  cat <<HELP
usage: check.sh [OPTION...] [STEP[=SECONDS]...]

Does what wants a GPU, step by step: those named, in that order, else all of --list. A step has a limit, which =SECONDS
changes; one that fails or is too slow does not keep the others from running. After every one that ran everything is
packed anew into results.tar.gz in the folder of results.

  --build DIR     the build, or an unpacked bundle (without it the folder of this script, where it holds bin/iosx)
  --out FOLDER    where results go (without it gpu-check)
  --seconds N     time for everything, packing included (without it $total; $reserve of it are set aside for packing)
  --resume FROM   go on from an earlier call: FROM is its results.tar.gz or its folder. Steps that passed there, with the
                  same programs on the same kind of GPU, are done; measurements and convolution plans are taken over
  --cudnn DIR     the folder with libcudnn.so.9, or a site-packages folder. Without it LD_LIBRARY_PATH, then the packages
                  of python3 (nvidia/cudnn/lib), then the system are searched
  --gpu WHETHER   yes: there is a GPU, no: there is none, auto (without it): the driver is asked
  --list          the steps and their limits
  --help          this text

Results: steps.tsv and table.txt (what became of each step), logs (what each printed), kept (measurements and convolution
plans), device.json, inception_v3, profile_*.iosrun (for iosx show and the window), benchmark (table.txt, and a run file for
every network and batch; what torch.compile compiled is packed only where it has less than 50 MB), and results.tar.gz with all of that.

Exit code: 0 every step passed (or there is no GPU and nothing failed), 1 a step failed, 3 none failed, but where there is
a GPU a step was skipped or did not end in time, 2 the command line is wrong or the programs cannot start here.
HELP
}

wrong() {
  echo "check.sh: $1" >&2
  exit 2
}

list_steps() {
  local name
  for name in "${steps[@]}"; do printf '%-11s %4s s  %s\n' "$name" "${limit_of[$name]}" "${about[$name]}"; done
}

build=
out="gpu-check"
resume=
cudnn_given=
gpu=auto
chosen=()

choose() {
  local name=${1%%=*} already
  [[ -n ${limit_of[$name]:-} ]] || wrong "there is no step $name; --list names them"
  for already in "${chosen[@]}"; do [[ $already != "$name" ]] || wrong "step $name is named twice"; done
  if [[ $1 == *=* ]]; then
    [[ ${1#*=} =~ ^[1-9][0-9]{0,5}$ ]] || wrong "$1: a limit is a number of seconds"
    limit_of[$name]=${1#*=}
  fi
  chosen+=("$name")
}

parse() {
  local asked=
  while (($# > 0)); do
    case $1 in
      --build | --out | --seconds | --resume | --cudnn | --gpu)
        [[ -n ${2:-} ]] || wrong "$1 wants a value; --help says more"
        case $1 in
          --build) build=$2 ;;
          --out) out=$2 ;;
          --seconds)
            [[ $2 =~ ^[1-9][0-9]{0,5}$ ]] || wrong "--seconds wants a number, not $2"
            total=$2
            ;;
          --resume) resume=$2 ;;
          --cudnn) cudnn_given=$2 ;;
          --gpu)
            [[ $2 =~ ^(yes|no|auto)$ ]] || wrong "--gpu is yes, no or auto, not $2"
            gpu=$2
            ;;
        esac
        shift
        ;;
      --list) asked=list ;;
      -h | --help) asked=help ;;
      -*) wrong "there is no option $1; --help says more" ;;
      *) choose "$1" ;;
    esac
    shift
  done
  if [[ $asked == list ]]; then list_steps && exit; fi
  if [[ $asked == help ]]; then usage && exit; fi
  if ((${#chosen[@]} == 0)); then chosen=("${steps[@]}"); fi
}

# ---- Where things are ------------------------------------------------------------------------------------------------

find_build() {
  if [[ -z $build ]]; then
    build=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    [[ -x $build/bin/iosx ]] || wrong "--build is wanted: this script lies in no unpacked bundle"
  fi
  [[ -x $build/bin/iosx ]] || wrong "$build holds no bin/iosx"
  build=$(cd "$build" && pwd)
  bin=$build/bin
  benchmark=$build/benchmark
  if [[ ! -d $benchmark ]]; then benchmark=$(dirname "${BASH_SOURCE[0]}")/bench; fi
}

# Folders of libraries that came as Python packages.
python_libraries() {
  timeout 20 python3 - 2>/dev/null <<'PYTHON'
import glob, site, sys
folders = {path for path in sys.path + site.getsitepackages() + [site.getusersitepackages()] if path}
for folder in sorted(folders):
    for library in sorted(glob.glob(folder + "/nvidia/*/lib")):
        print(library)
PYTHON
}

# Sets `cudnn`, the folder of cuDNN, and `libraries`, where our programs look. What cuDNN itself loads (cuBLASLt, NVRTC)
# lies beside it, in another Python package, or in the toolkit. LD_LIBRARY_PATH is set for our programs alone.
find_libraries() {
  local folder python=() candidates=() all=()
  mapfile -t python < <(python_libraries)
  if [[ -n $cudnn_given ]]; then
    candidates=("$cudnn_given" "$cudnn_given"/{lib,lib64,nvidia/cudnn/lib})
  else
    IFS=: read -r -a candidates <<<"${LD_LIBRARY_PATH:-}"
    candidates+=("${python[@]}")
    mapfile -t -O "${#candidates[@]}" candidates < <(
      PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | sed -n 's,.*libcudnn\.so\.9 .*=> \(.*\)/[^/]*$,\1,p'
    )
    candidates+=(/usr/local/cuda/{lib64,lib})
  fi
  cudnn=
  for folder in "${candidates[@]}"; do
    if [[ -n $folder && -e $folder/libcudnn.so.9 ]]; then
      cudnn=$(cd "$folder" && pwd)
      break
    fi
  done
  [[ -n $cudnn || -z $cudnn_given ]] || wrong "$cudnn_given holds no libcudnn.so.9"
  all=("$build/lib" "$cudnn")
  if [[ $cudnn == */nvidia/cudnn/lib ]]; then all+=("${cudnn%/cudnn/lib}"/*/lib); fi
  all+=("${python[@]}" /usr/local/cuda/{lib64,lib})
  libraries=
  for folder in "${all[@]}"; do
    if [[ -n $folder && -d $folder && :$libraries: != *:"$folder":* ]]; then
      libraries=${libraries:+$libraries:}$folder
    fi
  done
  libraries+=${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
}

# Ends where the programs' C or C++ library is newer than this system's, or a library is missing, cuDNN and the driver's
# excepted.
check_system() {
  local lacks file
  command -v ldd >/dev/null || return
  lacks=$(
    for file in "${parts[@]/#/$build/}"; do
      if [[ -f $file ]]; then LD_LIBRARY_PATH=$libraries ldd "$file" 2>&1; fi
    done | grep 'not found' | grep -v -E 'libcudnn|libcuda\.' |
      sed -E -e "s,^.*/([^/:]+): version .([A-Za-z0-9_.]+). not found.*,\2 of \1," -e 's,^\s*(\S+) => not found.*,\1,' |
      sort -u | paste -sd, | sed 's/,/, /g'
  )
  [[ -z $lacks ]] || wrong "the programs cannot start here, this system lacks: $lacks. It has $(getconf GNU_LIBC_VERSION);
the programs need a C and a C++ library as new as where they were built (Debian 12, Ubuntu 24.04 or newer)"
  if [[ -z $cudnn ]]; then
    echo "check.sh: cuDNN 9 is not found: install it (pip install nvidia-cudnn-cu13) or name its folder with --cudnn" >&2
  fi
}

# Sets `gpus`: what they are called, empty where there is none, and why.
look_for_gpu() {
  gpus=
  no_gpu=
  if [[ $gpu == no ]]; then
    no_gpu="--gpu no"
    return
  fi
  gpus=$(timeout 20 nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | paste -sd, ) || gpus=
  if [[ -n $gpus ]]; then return; fi
  if [[ $gpu == yes ]] || compgen -G '/dev/nvidia[0-9]*' >/dev/null || compgen -G '/proc/driver/nvidia/gpus/*' >/dev/null; then
    gpus="one that nvidia-smi does not name"
  else
    no_gpu="there is no NVIDIA GPU"
  fi
}

# ---- Results ---------------------------------------------------------------------------------------------------------

# What became of each step last, as in steps.tsv: ${cell[STEP,COLUMN]}.
declare -A cell
readonly columns=(step result exit_code seconds limit call programs log reason)
call=1  # how often this was called, the calls that were resumed included

# Names the programs and the kind of GPU: what passed with others has not passed with these.
programs_id() {
  {
    cd "$build" && sha256sum "${parts[@]}" 2>/dev/null
    echo "$gpus"
  } | sha256sum | cut -c 1-12
}

open_results() {
  mkdir -p "$out" || wrong "$out cannot be made"
  out=$(cd "$out" && pwd)
  local same=0
  if [[ $resume -ef $out || $resume -ef $out/results.tar.gz ]]; then same=1; fi
  if [[ -e $out/steps.tsv && $same == 0 ]]; then
    wrong "$out holds results of an earlier call: go on with --resume $out, or name another folder with --out"
  fi
  if [[ -f $resume && $same == 0 ]]; then
    tar -C "$out" --strip-components=1 -xf "$resume" || wrong "$resume cannot be unpacked"
  elif [[ -d $resume && $same == 0 ]]; then
    cp -a "$resume/." "$out/" || wrong "$resume cannot be copied"
  elif [[ -n $resume && ! -e $resume ]]; then
    wrong "$resume does not exist"
  fi
  if [[ -n $resume ]]; then
    [[ -f $out/steps.tsv ]] || wrong "$resume holds no results of an earlier call"
    read_rows
  fi
  mkdir -p "$out/logs" "$out/kept/data" "$out/kept/cache"
}

read_rows() {
  local values i
  while IFS=$'\t' read -r -a values; do
    if [[ -z ${limit_of[${values[0]:--}]:-} ]]; then continue; fi
    for i in "${!columns[@]}"; do cell[${values[0]},${columns[i]}]=${values[i]:--}; done
    if ((values[5] >= call)); then call=$((values[5] + 1)); fi
  done < <(tail -n +2 "$out/steps.tsv")
}

print_row() { printf '%-11s | %-10s | %7s | %s\n' "$@"; }

print_table() {
  local name earlier
  print_row step result seconds reason
  for name in "${chosen[@]}"; do
    if [[ -z ${cell[$name,result]:-} ]]; then continue; fi
    earlier=
    if ((cell[$name,call] < call)); then earlier="(call ${cell[$name,call]}) "; fi
    print_row "$name" "${cell[$name,result]}" "${cell[$name,seconds]}" "$earlier${cell[$name,reason]}"
  done
  echo "call $call, $((SECONDS - started)) s of $total; GPU: ${gpus:-none}"
}

print_tsv() {
  local name column row IFS=$'\t'
  echo "${columns[*]}"
  for name in "${steps[@]}"; do
    if [[ -z ${cell[$name,result]:-} ]]; then continue; fi
    row=()
    for column in "${columns[@]}"; do row+=("${cell[$name,$column]}"); done
    echo "${row[*]}"
  done
}

# Written anew after every step that ran; whoever ends this script finds the last state.
save() {
  local entries compiled="$out/benchmark/inductor" exclude=()
  print_tsv >"$out/steps.tsv.part" && mv "$out/steps.tsv.part" "$out/steps.tsv"
  print_table >"$out/table.txt"
  mapfile -t entries < <(ls -A "$out")
  # GNU tar says 1 where a file changed meanwhile.
  if [[ -d $compiled ]] && (($(du -sm "$compiled" | cut -f 1) > 50)); then exclude=(--exclude=benchmark/inductor); fi
  tar -C "$out" --exclude='results.tar.gz*' --exclude='*.db-shm' --exclude='*.part' "${exclude[@]}" --transform='s,^,gpu-check/,' \
    -czf "$out/results.tar.gz.part" -- "${entries[@]}"
  if (($? > 1)) || ! mv "$out/results.tar.gz.part" "$out/results.tar.gz"; then
    echo "check.sh: $out/results.tar.gz cannot be written" >&2
  fi
}

# record STEP RESULT EXIT_CODE SECONDS LOG REASON
record() {
  local reason i values
  reason=$(printf '%s' "$6" | tr '\t\n\r|' '    ' | cut -c 1-200)
  values=("${@:1:4}" "${limit_of[$1]}" "$call" "$programs" "${5:--}" "${reason:--}")
  for i in "${!columns[@]}"; do cell[$1,${columns[i]}]=${values[i]}; done
  announce "$1" "$2" "$4" "$reason"
}

announce() { printf '%-11s %-10s %7s  %s\n' "$1" "$2" "$3" "$4"; }

# skip STEP REASON: a failure of an earlier call stays one, and what was done on a GPU is not lost where there is none.
skip() {
  local before=${cell[$1,result]:-}
  if [[ $before == failed || (-n $before && -n $no_gpu) ]]; then
    announce "$1" "$before" - "in call ${cell[$1,call]}, not run again: $2"
  else
    record "$1" skipped - 0 "" "$2"
  fi
}

# ---- Running ---------------------------------------------------------------------------------------------------------

ended=  # the signal that ends this script
child=

# await SECONDS: waits until the child ends, or the time is up, or a signal comes; true if it ended. Sets `code`.
await() {
  local timer first=
  sleep "$1" &
  timer=$!
  { wait -n -p first "$child" "$timer"; } 2>/dev/null
  code=$?
  { kill "$timer" && wait "$timer"; } 2>/dev/null
  [[ ${first:-} == "$child" ]]
}

# members GROUP: its processes, one a line, but for what only waits to be asked how it ended.
members() {
  local file text after
  for file in /proc/[0-9]*/stat; do
    read -r text <"$file" || continue
    read -r -a after <<<"${text##*) }"  # of "PID (NAME) STATE PARENT GROUP …": a name may hold anything
    if [[ ${after[2]} == "$1" && ${after[0]} != Z ]]; then echo "${text%% *}"; fi
  done 2>/dev/null
}

# forget_trials PROCESS...: what these tried when they were told to end did not end them, this script did. What was tried
# for long stays on record: the next call would end there again.
forget_trials() {
  local process
  for process in "$@"; do
    find "$XDG_CACHE_HOME" -name "*.trying-$process" -newermt "@$((EPOCHSECONDS - hung - grace))" -delete 2>/dev/null
  done
}

# end_step: tells all that the step started once to end, at which iosx keeps what it has, and kills what is left after the
# grace. Sets `code`.
end_step() {
  local processes until=$((SECONDS + grace))
  mapfile -t processes < <(members "$child")
  kill -TERM -- "-$child" 2>/dev/null
  if await "$grace"; then
    # A shell goes at once, what it called writes down what it has.
    while ((SECONDS < until)) && [[ -n $(members "$child") ]]; do sleep 0.1; done
  else
    kill -KILL -- "-$child" 2>/dev/null
    { wait "$child"; } 2>/dev/null
    code=$?
  fi
  kill -KILL -- "-$child" 2>/dev/null
  forget_trials "${processes[@]}"
}

# run LIMIT LOG COMMAND...: a session of its own, so that all that a step started ends with it. Sets `code`; true if it
# ended by itself.
run() {
  local limit=$1 log=$2 in_time=1
  shift 2
  setsid "$@" >"$log" 2>&1 </dev/null &
  child=$!
  if [[ -n $ended ]] || ! await "$limit"; then
    in_time=0
    end_step
  fi
  kill -KILL -- "-$child" 2>/dev/null
  child=
  ((in_time))
}

# count_tests OK|FAILED|SKIPPED: tests in $log that ended so.
count_tests() { grep -cE "^\[ +$1 +\] .* \([0-9]+ ms\)$" "$log"; }

# Why tests skipped, one a line, but for those that skip on a GPU that is as it should be: tests of what happens without
# one, and of bfloat16, which GPUs before Ampere do not compute.
skip_reasons() {
  grep -A 1 -E ': Skipped$' "$log" | grep -v -E ': Skipped$|^--$' | grep -v -E '^there is a GPU$|does not compute bfloat16'
}

list_failed_tests() { grep -E '^\[  FAILED  \] .* \([0-9]+ ms\)$' "$log" | sed 's/^/    /' | sort -u; }

last_line() { grep -v '^[[:space:]]*$' "$log" | tail -n 1; }

# The line worth showing: a summary, the best schedule, tests, whether outputs agree, or the last.
result_line() {
  local pattern line
  for pattern in '^summary: ' '^best: ' '^\[  PASSED  \] ' '^verify: '; do
    line=$(grep -E "$pattern" "$log" | tail -n 1)
    if [[ -n $line ]]; then
      line=${line#summary: }
      echo "${line/#\[  PASSED  \] /passed: }"
      return
    fi
  done
  last_line
}

# judge STEP IN_TIME LIMIT SECONDS: what became of a step that ran, from `code` and `log`. GoogleTest's programs and the
# benchmark end well where they skip everything.
judge() {
  local name=$1 in_time=$2 limit=$3 took=$4 ran failing skipped tests=
  ran=$(count_tests OK)
  failing=$(count_tests FAILED)
  skipped=$(count_tests SKIPPED)
  if ((ran + failing + skipped > 0)); then tests="; tests passed: $ran, failed: $failing, skipped: $skipped"; fi
  local result reason
  if ((!in_time)); then
    result=failed
    if [[ -n $ended ]]; then
      reason="ended by a signal after $took s$tests"
    elif ((limit < limit_of[$name])); then
      reason="ended after $took s, when the time for everything was up$tests"
    else
      reason="took longer than $limit s$tests"
    fi
    if ((failing == 0)) && { [[ -n $ended ]] || ((limit < limit_of[$name])); }; then result=unfinished; fi
  elif [[ $name == benchmark ]] && ((code == 3)); then
    result=unfinished
    reason=$(result_line)
  elif ((code != 0)); then
    result=failed
    reason="exit code $code$tests: $(if grep -q '^summary: ' "$log"; then result_line; else last_line; fi)"
    if [[ $name == *check ]] && grep -q -i 'device not supported' "$log"; then
      result=skipped
      reason="compute-sanitizer does not support this device"
    fi
  elif grep -q '^skipped: ' "$log"; then
    result=skipped
    reason=$(sed -n 's/^skipped: //p' "$log" | head -n 1)
  elif grep -q -E '^\[==========\] Running 0 tests' "$log"; then
    result=failed
    reason="there are no such tests"
  elif ((skipped > 0)) && { ((ran == 0)) || [[ -n $(skip_reasons) ]]; }; then
    result=skipped
    reason="tests skipped: $skipped of $((skipped + ran)): $(skip_reasons | head -n 1)"
  elif ((skipped > 0)); then
    result=passed
    reason="tests passed: $ran, skipped as they should be on this GPU: $skipped"
  else
    result=passed
    reason=$(result_line)
  fi
  record "$name" "$result" "$code" "$took" "${log#"$out/"}" "$reason"
  list_failed_tests
  save
}

step() {
  local name=$1 limit=${limit_of[$1]} left
  if [[ $name != facts && ${cell[$name,result]:-} == passed && ${cell[$name,programs]} == "$programs" ]]; then
    announce "$name" "done" - "passed in call ${cell[$name,call]}"
    return
  fi
  if [[ -n $no_gpu ]] && needs_gpu "$name"; then
    skip "$name" "$no_gpu"
    return
  fi
  left=$((total - reserve - (SECONDS - started)))
  if ((left < 1)); then
    skip "$name" "no time left"
    return
  fi
  if ((limit > left)); then limit=$left; fi
  command_of "$name"
  if [[ -n $why ]]; then
    skip "$name" "$why"
    return
  fi
  log=$out/logs/$call-$name.txt
  local begin=${EPOCHREALTIME/[.,]/} in_time=0 took
  if run "$limit" "$log" "${command[@]}"; then in_time=1; fi
  took=$(((${EPOCHREALTIME/[.,]/} - begin + 50000) / 100000))
  judge "$name" "$in_time" "$limit" "$((took / 10)).$((took % 10))"
}

exit_code() {
  local name result code=0
  for name in "${chosen[@]}"; do
    result=${cell[$name,result]:-skipped}
    if [[ $result == failed ]]; then
      code=1
    elif [[ $result != passed && -n $gpus && $code == 0 ]]; then
      code=3
    fi
  done
  echo "$code"
}

started=$SECONDS
parse "$@"
find_build
find_libraries
check_system
look_for_gpu
open_results
programs=$(programs_id)
# Where the programs keep their measurements and convolution plans.
export XDG_DATA_HOME=$out/kept/data XDG_CACHE_HOME=$out/kept/cache
export bin build cudnn gpus libraries out
export -f facts devices profiles profile find_sanitizer
trap 'ended=SIGTERM' TERM
trap 'ended=SIGINT' INT
trap 'ended=SIGHUP' HUP

for name in "${chosen[@]}"; do
  if [[ -n $ended ]]; then
    skip "$name" "ended by $ended"
  else
    step "$name"
  fi
done
save
code=$(exit_code)
echo
cat "$out/table.txt"
echo "details: $out/results.tar.gz"
case $code in
  0) if [[ -z $gpus ]]; then echo "There is no GPU: nothing was tried on one."; fi ;;
  1) echo "A step failed." ;;
  3) echo "Not everything was done; --resume goes on." ;;
esac
exit "$code"
