#!/usr/bin/env bash
# What gpu/bundle.sh packs, and what it refuses to pack.
# shellcheck source-path=SCRIPTDIR source=support.sh
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"

readonly parts=(bin/iosx bin/gpu_suite bin/gpu_cuda_runtime_test bin/gpu_launch_bench bin/gpu_describe lib/libios_gpu.so)

# A build whose programs are others that every system has; xz stands for one that needs a library.
make_build() {
  local part
  mkdir -p build/bin build/lib
  for part in "${parts[@]}"; do cp -L "$(type -P true)" "build/$part"; done
  cp -L "$(type -P xz)" build/bin/gpu_launch_bench
  printf '%s\n' "CMAKE_CUDA_ARCHITECTURES:STRING=${1-90-real}" "IOS_CUPTI_LIBRARY:FILEPATH=$PWD/cupti/libcupti.so.13" \
    >build/CMakeCache.txt
  mkdir -p cupti
  touch cupti/libcupti.so.13 cupti/libnvperf_{host,target}.so
}

bundle() { "$scripts/bundle.sh" "$@"; }

test_help() {
  run 0 bundle --help
  says "usage: gpu/bundle.sh"
  says "at most 45 MB"
  run 2 bundle
  run 2 bundle --limit many . a.tar.xz
  says "--limit wants a number"
  run 2 bundle --fast . a.tar.xz
  run 2 bundle . a.zip
  says ".tar.xz"
  run 2 bundle nowhere a.tar.xz
}

test_holds_programs_libraries_and_check() {
  make_build
  run 0 bundle build there/a.tar.xz
  says "CUDA architectures: 90-real"
  says "$(stat -c %s there/a.tar.xz) bytes"
  tar xf there/a.tar.xz
  same ios-explorer-gpu "$(ls -d ios*)"
  cd ios-explorer-gpu || fail "there is no folder"
  local predicted
  predicted=$(cd "$scripts/bench" && find predicted -type f | sed 's,^,benchmark/,' | sort | paste -sd' ')
  same "benchmark/benchmark.py $predicted benchmark/torch_modes.py \
bin/gpu_cuda_runtime_test bin/gpu_describe bin/gpu_launch_bench bin/gpu_suite bin/iosx bundle.txt check.sh \
lib/libcupti.so.13 lib/libios_gpu.so $(ldd ../build/bin/gpu_launch_bench | awk '/liblzma/ {print "lib/" $1}') \
lib/libnvperf_host.so lib/libnvperf_target.so" "$(find . -type f | sed 's,^\./,,' | sort | paste -sd' ')"
  for part in "${parts[@]:0:5}" check.sh; do [[ -x $part ]] || fail "$part cannot be executed"; done
  # It is found by itself, as on the other machine.
  run 0 ./check.sh --list
  run 0 ./check.sh --gpu no --out ../results devices
}

test_unpacks_without_xz() {
  make_build
  run 0 bundle build a.tar.xz
  says "python3 -m tarfile -e a.tar.xz"
  if command -v python3 >/dev/null; then
    run 0 python3 -m tarfile -e a.tar.xz
    run 0 ios-explorer-gpu/check.sh --list
    rm -r ios-explorer-gpu
  fi
  run 0 bundle build a.tar.gz
  says "there: tar xf a.tar.gz"
  instead xz 'exit 1'
  run 0 tar xzf a.tar.gz
  run 0 ios-explorer-gpu/check.sh --list
}

test_names_each_missing_part() {
  make_build
  local part
  for part in "${parts[@]}"; do
    mv "build/$part" kept
    run 1 bundle build a.tar.xz
    says "lacks $part"
    lacks a.tar.xz
    mv kept "build/$part"
  done
}

test_names_a_library_that_is_not_there() {
  make_build
  instead ldd 'echo "	libgone.so.1 => not found"'
  run 1 bundle build a.tar.xz
  says "libgone.so.1, which is not found"
  lacks a.tar.xz
}

test_names_a_part_of_cupti_that_is_not_there() {
  make_build
  rm cupti/libnvperf_host.so
  run 1 bundle build a.tar.xz
  says "CUPTI lacks"
  rm cupti/libcupti.so.13
  run 1 bundle build a.tar.xz
  says "knows no libcupti.so.13"
  lacks a.tar.xz
}

test_leaves_cudnn_and_the_driver_out() {
  make_build
  instead ldd 'printf "\tlibcudnn.so.9 => not found\n\tlibcuda.so.1 => not found\n\tlibc.so.6 => /lib/libc.so.6 (0x1)\n"'
  run 0 bundle build a.tar.xz
  same libios_gpu.so "$(tar tf a.tar.xz | sed -n 's,.*/lib/,,p' | grep -v -e '^$' -e cupti -e nvperf)"
}

test_takes_neither_window_nor_icu() {
  make_build
  local name
  for name in libicuuc.so.72 libQt6Core.so.6; do
    instead ldd "echo '	$name => $(type -P true) (0x1)'"
    run 1 bundle build a.tar.xz
    says "$name, which is no part of a bundle"
    lacks a.tar.xz
  done
}

test_refuses_what_is_too_large() {
  make_build
  head -c 1500000 /dev/urandom >large
  instead ldd "echo '	liblarge.so.1 => $PWD/large (0x1)'"
  run 1 bundle --limit 1 build a.tar.xz
  says "more than 1 MB"
  says "1500000 lib/liblarge.so.1"
  lacks a.tar.xz
  lacks a.tar.xz.part
  run 0 bundle --limit 2 build a.tar.xz
}

test_wants_machine_code() {
  make_build 75-virtual
  run 1 bundle build a.tar.xz
  says "machine code for no GPU"
  rm build/CMakeCache.txt
  run 1 bundle build a.tar.xz
  says "machine code for no GPU"
  make_build "75-virtual;90-real"
  run 0 bundle build a.tar.xz
}

# Otherwise a program could be forgotten in one of the two.
test_packs_what_check_calls() {
  same "$(grep -o -E "[$]bin/[a-z_]+" "$scripts/check.sh" | sed 's,.*/,,' | sort -u)" \
    "$(sed -n 's/^readonly programs=(\(.*\))/\1/p' "$scripts/bundle.sh" | tr ' ' '\n' | sort)"
}

run_tests "$@"
