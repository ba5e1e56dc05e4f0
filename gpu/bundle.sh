#!/usr/bin/env bash
# Packs the programs and the tests that want a GPU, with the libraries they need, for a machine that has a GPU but not this
# build: gpu/bundle.sh BUILD_DIR FOLDER, where BUILD_DIR is one of the preset "bundle". There: FOLDER/check.sh FOLDER. The
# other machine needs x86-64 Linux with a C++ library as new as this one's, the NVIDIA driver, and cuDNN 9, which is too
# large to go along (a Python package will do). The window goes along with Qt's offscreen platform if it was built.
set -euo pipefail

if [[ $# -ne 2 || ! -x $1/bin/iosx || ! -f $1/lib/libios_gpu.so ]]; then
  echo "usage: gpu/bundle.sh BUILD_DIR FOLDER; BUILD_DIR must hold bin/iosx and lib/libios_gpu.so" >&2
  exit 2
fi
# PTX would do, but the driver makes poorer code of it than nvcc for that GPU.
architectures=$(sed -n 's/^CMAKE_CUDA_ARCHITECTURES:[A-Z]*=//p' "$1/CMakeCache.txt")
if ! tr ';' '\n' <<<"$architectures" | grep -qv -e '-virtual$'; then
  echo "$1 has machine code for no GPU (CMAKE_CUDA_ARCHITECTURES=$architectures): build the preset \"bundle\"," >&2
  echo "or configure with -DCMAKE_CUDA_ARCHITECTURES=90-real for one generation" >&2
  exit 2
fi
echo "Machine code for CUDA architectures $architectures"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2/bin" "$2/lib"
folder=$(cd "$2" && pwd)

cp "$build/lib/libios_gpu.so" "$folder/lib/"
strip --strip-unneeded "$folder/lib/libios_gpu.so"
for name in iosx gpu_suite gpu_cuda_runtime_test gpu_launch_bench gpu_describe ios-explorer; do
  if [[ -f $build/bin/$name ]]; then
    cp "$build/bin/$name" "$folder/bin/"
    strip --strip-unneeded "$folder/bin/$name"
  fi
done
if [[ -f $folder/bin/ios-explorer ]]; then
  plugins=$(qtpaths6 --plugin-dir 2>/dev/null || qmake6 -query QT_INSTALL_PLUGINS)
  mkdir -p "$folder/bin/platforms"
  cp "$plugins/platforms/libqoffscreen.so" "$folder/bin/platforms/"
fi

# What every such system has, the driver's, and cuDNN stay where they are.
left_out='^(ld-linux|linux-vdso|libc\.|libm\.|libdl\.|libpthread\.|librt\.|libresolv\.|libstdc\+\+|libgcc_s|libcuda\.|libcudnn)'
find "$folder/bin" "$folder/lib/libios_gpu.so" -type f -print0 | xargs -0 ldd 2>/dev/null | awk '$2 == "=>" && $3 ~ /^\// {print $1, $3}' | sort -u |
  while read -r name path; do
    [[ $name =~ $left_out ]] || cp -L "$path" "$folder/lib/$name"
  done
cp "$here/check.sh" "$folder/"
du -sh "$folder"
