#!/usr/bin/env bash
# Packs what gpu/check.sh needs into one file, for a machine that has a GPU but not this build. See --help.
set -euo pipefail

# All that check.sh calls.
readonly programs=(iosx gpu_suite gpu_cuda_runtime_test gpu_launch_bench gpu_describe)
readonly folder=ios-explorer-gpu  # what the file unpacks to
limit=45                          # MB

usage() {
  cat <<HELP
usage: gpu/bundle.sh [--limit MB] BUILD_DIR FILE.tar.xz|FILE.tar.gz

Packs the command line, the GPU back end, the GPU's tests, CUPTI, check.sh, the benchmark and the libraries that a plain Debian 12 or Ubuntu
24.04 lacks into one file of at most $limit MB. BUILD_DIR is a build with machine code for the GPU in question, e.g.

  cmake --preset release -B build/h200 -DIOS_BUILD_GUI=OFF -DCMAKE_CUDA_ARCHITECTURES=90-real
  cmake --build build/h200 --target ios_gpu ${programs[*]}

or one of the preset "bundle", with machine code for every GPU. On the other machine:

  tar xf FILE.tar.xz && $folder/check.sh

Where that machine has no xz, python3 -m tarfile -e FILE.tar.xz unpacks it too, or pack a .tar.gz, which is larger.

It needs Linux on the same kind of processor with a C and a C++ library as new as here, NVIDIA's driver, and cuDNN 9,
which is too large to go along: a Python package will do (see $folder/check.sh --help).

  --limit MB  the most that FILE may have, in millions of bytes; without it $limit
  --help      this text

Exit code: 0 packed, 1 a part is missing or FILE would be too large, 2 the command line is wrong.
HELP
}

wrong() {
  echo "bundle.sh: $1; --help says more" >&2
  exit 2
}

fail() {
  echo "bundle.sh: $1" >&2
  exit 1
}

names=()
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit ;;
    --limit)
      [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || wrong "--limit wants a number of MB"
      limit=$2
      shift
      ;;
    -*) wrong "there is no option $1" ;;
    *) names+=("$1") ;;
  esac
  shift
done
((${#names[@]} == 2)) || wrong "a build folder and a file are wanted"
[[ -d ${names[0]} ]] || wrong "${names[0]} is no folder"
[[ ${names[1]} == *.tar.[xg]z ]] || wrong "${names[1]}: the file is a .tar.xz or a .tar.gz"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "${names[0]}" && pwd)
file=${names[1]}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch" "$file.part"' EXIT
root=$scratch/$folder
mkdir -p "$root/bin" "$root/lib"

# PTX would do, but the driver makes poorer code of it than nvcc for that GPU.
require_machine_code() {
  local architectures
  architectures=$(sed -n 's/^CMAKE_CUDA_ARCHITECTURES:[A-Z]*=//p' "$build/CMakeCache.txt" 2>/dev/null) || true
  if ! tr ';' '\n' <<<"$architectures" | grep -q -v -e '-virtual$' -e '^$'; then
    fail "$build has machine code for no GPU (CMAKE_CUDA_ARCHITECTURES=$architectures): configure it with
-DCMAKE_CUDA_ARCHITECTURES=90-real for one generation, or build the preset \"bundle\""
  fi
  echo "CUDA architectures: $architectures" >>"$root/bundle.txt"
}

copy_programs() {
  local path missing=()
  for path in "${programs[@]/#/bin/}" lib/libios_gpu.so; do
    if [[ ! -f $build/$path ]]; then
      missing+=("$path")
      continue
    fi
    cp -L "$build/$path" "$root/$path"
    strip --strip-unneeded "$root/$path" || fail "$build/$path cannot be stripped"
  done
  ((${#missing[@]} == 0)) || fail "$build lacks ${missing[*]}"
  cp "$here/check.sh" "$root/"
  mkdir "$root/benchmark"
  cp -r "$here"/bench/{benchmark.py,torch_modes.py,predicted} "$root/benchmark/"
}

# What every such system has, the driver's, and cuDNN stay where they are.
readonly left_out='^(ld-linux|linux-vdso|libc\.|libm\.|libdl\.|libpthread\.|librt\.|libresolv\.|libstdc\+\+|libgcc_s|libcuda\.|libcudnn)'
# Of the window, and too large.
readonly unwanted='^(libQt|libicu)'

# Programs and back end name all that they load but what the driver and cuDNN open by themselves.
copy_libraries() {
  local program lines name path
  for program in "$root"/bin/* "$root"/lib/libios_gpu.so; do
    lines=$(ldd "$program") || fail "ldd cannot read ${program#"$root/"}"
    while read -r name path; do
      if [[ $name =~ $left_out ]]; then continue; fi
      [[ ! $name =~ $unwanted ]] || fail "${program#"$root/"} needs $name, which is no part of a bundle: configure with -DIOS_BUILD_GUI=OFF"
      [[ -f $path ]] || fail "${program#"$root/"} needs $name, which is not found here"
      [[ -f $root/lib/$name ]] || cp -L "$path" "$root/lib/$name"
    done < <(awk '$2 == "=>" {print $1, $3}' <<<"$lines")
  done
}

# CUPTI is opened by the back end itself, when something is profiled, and opens its neighbours.
copy_cupti() {
  local library path
  library=$(sed -n 's/^IOS_CUPTI_LIBRARY:[A-Z]*=//p' "$build/CMakeCache.txt")
  [[ -f $library ]] || fail "$build knows no libcupti.so.13 (IOS_CUPTI_LIBRARY=$library): install CUPTI and configure anew"
  for path in "$library" "$(dirname "$library")"/libnvperf_{host,target}.so; do
    [[ -f $path ]] || fail "CUPTI lacks $path"
    cp -L "$path" "$root/lib/"
  done
}

describe() {
  local commit
  if commit=$(git -C "$here" describe --always --dirty 2>/dev/null); then echo "commit: $commit" >>"$root/bundle.txt"; fi
  {
    echo "built on: $(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release), $(uname -m)"
    echo "C library: $(getconf GNU_LIBC_VERSION)"
  } >>"$root/bundle.txt"
}

pack() {
  local compress=(xz -T0 -6)
  if [[ $file == *.gz ]]; then compress=(gzip -9n); fi
  mkdir -p "$(dirname "$file")"
  tar -C "$scratch" --sort=name --owner=0 --group=0 --numeric-owner -c "$folder" | "${compress[@]}" >"$file.part"
  local bytes
  bytes=$(stat -c %s "$file.part")
  if ((bytes > limit * 1000000)); then
    du -ab "$root" | sort -rn | awk -v root="$root/" 'index($2, root) == 1 {print $1, substr($2, length(root) + 1)}' |
      grep -v -x -E '[0-9]+ (bin|lib)' | head -n 5 >&2 || true
    fail "$file would have $bytes bytes, more than $limit MB; the largest parts, unpacked, are above"
  fi
  mv "$file.part" "$file"
  cat "$root/bundle.txt"
  echo "$file: $bytes bytes, $(du -sb "$root" | cut -f 1) unpacked"
  local name
  name=$(basename "$file")
  echo "there: tar xf $name && $folder/check.sh"
  if [[ $file == *.xz ]]; then echo "where xz is missing: python3 -m tarfile -e $name && $folder/check.sh"; fi
}

require_machine_code
copy_programs
copy_libraries
copy_cupti
describe
pack
