#!/usr/bin/env python3
"""Packs what check.py needs into one file, for a machine that has a GPU but not this build. See --help."""

from __future__ import annotations

import argparse
import gzip
import lzma
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import NoReturn

sys.dont_write_bytecode = True  # nothing is left beside the scripts
from check_steps import PARTS, PROGRAMS, ask, c_library, first_match, name_of_system, read

HERE = Path(__file__).resolve().parent
FOLDER = "ios-explorer-gpu"  # what the file unpacks to
LIMIT = 45  # MB
# What every such system has, the driver's, and cuDNN stay where they are.
LEFT_OUT = re.compile(r"(ld-linux|linux-vdso|libc\.|libm\.|libdl\.|libpthread\.|librt\.|libresolv\.|libstdc\+\+"
                      r"|libgcc_s|libcuda\.|libcudnn)")
UNWANTED = re.compile("libQt|libicu")  # of the window, and too large

DESCRIPTION = f"""
Packs the command line, the GPU back end, the GPU's tests, CUPTI, check.py, the benchmark and the libraries that a
plain Debian 12 or Ubuntu 24.04 lacks into one file of at most {LIMIT} MB. BUILD_DIR is a build with machine code for
the GPU in question, and PTX should another one be there, e.g.

  cmake --preset release -B build/h200 -DIOS_BUILD_GUI=OFF -DCMAKE_CUDA_ARCHITECTURES='90-real;75-virtual'
  cmake --build build/h200 --target ios_gpu {' '.join(PROGRAMS)}

or one of the preset "bundle", with machine code for every GPU. On the other machine:

  tar xf FILE.tar.xz && {FOLDER}/check.py

Where that machine has no xz, python3 -m tarfile -e FILE.tar.xz unpacks it too, or pack a .tar.gz, which is larger.

It needs Linux on the same kind of processor with a C and a C++ library as new as here, Python 3.9 or newer, NVIDIA's
driver, and cuDNN 9, which is too large to go along: a Python package will do (see {FOLDER}/check.py --help).
"""
EPILOG = "Exit code: 0 packed, 1 a part is missing or FILE would be too large, 2 the command line is wrong."


def fail(message: str) -> NoReturn:
    """Ends because a part is missing, or all is too large."""
    print(f"bundle.py: {message}", file=sys.stderr)
    sys.exit(1)


def parse() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(
        prog="bundle.py", usage="gpu/bundle.py [--limit MB] BUILD_DIR FILE.tar.xz|FILE.tar.gz", description=DESCRIPTION,
        epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("build", metavar="BUILD_DIR", help="the build")
    parser.add_argument("file", metavar="FILE", help="what to write")
    parser.add_argument("--limit", default=str(LIMIT), metavar="MB",
                        help=f"the most that FILE may have, in millions of bytes; without it {LIMIT}")
    options = parser.parse_args()
    if not re.fullmatch("[1-9][0-9]*", options.limit):
        parser.error("--limit wants a number of MB")
    if not os.path.isdir(options.build):
        parser.error(f"{options.build} is no folder")
    if not options.file.endswith((".tar.xz", ".tar.gz")):
        parser.error(f"{options.file}: the file is a .tar.xz or a .tar.gz")
    return options


def cached(build: Path, name: str) -> str:
    """Returns what CMake knows by this name."""
    return first_match(f"^{name}:[A-Z]*=(.*)", read(build / "CMakeCache.txt"))


def architectures(build: Path) -> str:
    """Returns what there is machine code for. PTX would do, but the driver makes poorer code of it than nvcc."""
    names = cached(build, "CMAKE_CUDA_ARCHITECTURES")
    kinds = [name.rpartition("-")[2] for name in names.split(";") if name]  # real, virtual, or a number, which is both
    remedy = ("configure it with\n-DCMAKE_CUDA_ARCHITECTURES='90-real;75-virtual' for one generation and PTX for all others,"
              ' or build the preset "bundle"')
    if all(kind == "virtual" for kind in kinds):
        fail(f"{build} has machine code for no GPU (CMAKE_CUDA_ARCHITECTURES={names}): {remedy}")
    if all(kind == "real" for kind in kinds):
        fail(f"{build} has no PTX, nothing of it would run on a GPU of another generation"
             f" (CMAKE_CUDA_ARCHITECTURES={names}): {remedy}")
    return names


def copy_programs(build: Path, root: Path) -> None:
    """Copies our programs and the back end without what only debuggers read, and the scripts."""
    missing = [part for part in PARTS if not (build / part).is_file()]
    if missing:
        fail(f"{build} lacks {' '.join(missing)}")
    for part in PARTS:
        shutil.copy(build / part, root / part)
        if ask(["strip", "--strip-unneeded", str(root / part)], stderr=None)[0]:
            fail(f"{build / part} cannot be stripped")
    for script in ("check.py", "check_steps.py"):
        shutil.copy(HERE / script, root)
    (root / "benchmark/predicted").mkdir(parents=True)
    for predicted in (HERE / "bench/predicted").glob("*.jsonl"):  # those of the program as it is; older ones lie in folders
        shutil.copy(predicted, root / "benchmark/predicted")
    for name in ("benchmark.py", "operators.py", "torch_modes.py", "grid.txt"):
        shutil.copy(HERE / "bench" / name, root / "benchmark")


def copy_libraries(root: Path) -> None:
    """Copies what programs and back end name: all that they load but what the driver and cuDNN open by themselves."""
    for part in PARTS:
        code, text = ask(["ldd", str(root / part)], stderr=None)
        if code:
            fail(f"ldd cannot read {part}")
        for name, path in re.findall(r"^\s*(\S+) => (.*?)(?: \(0x[0-9a-f]+\))?$", text, re.MULTILINE):
            if LEFT_OUT.match(name):
                continue
            if UNWANTED.match(name):
                fail(f"{part} needs {name}, which is no part of a bundle: configure with -DIOS_BUILD_GUI=OFF")
            if not os.path.isfile(path):
                fail(f"{part} needs {name}, which is not found here")
            if not (root / "lib" / name).exists():
                shutil.copy(path, root / "lib" / name)


def copy_cupti(build: Path, root: Path) -> None:
    """Copies CUPTI, which the back end opens itself when something is profiled, and the neighbours that it opens."""
    library = Path(cached(build, "IOS_CUPTI_LIBRARY"))
    if not library.is_file():
        fail(f"{build} knows no libcupti.so.13 (IOS_CUPTI_LIBRARY={library}): install CUPTI and configure anew")
    for path in (library, library.with_name("libnvperf_host.so"), library.with_name("libnvperf_target.so")):
        if not path.is_file():
            fail(f"CUPTI lacks {path}")
        shutil.copy(path, root / "lib")


def describe(build: Path) -> str:
    """Says what is packed."""
    code, commit = ask(["git", "-C", str(HERE), "describe", "--always", "--dirty"])
    return (f"CUDA architectures: {architectures(build)}\n" + (f"commit: {commit}\n" if code == 0 else "")
            + f"built on: {name_of_system()}, {platform.machine()}\nC library: {c_library()}\n")


def of_nobody(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Leaves out whose file it is."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


def pack(root: Path, file: Path, limit: int) -> None:
    """Packs the folder, unless that is too large."""
    part = file.with_name(f"{file.name}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with lzma.open(part, "wb") if file.suffix == ".xz" else gzip.open(part, "wb") as packed:
            with tarfile.open(fileobj=packed, mode="w") as archive:
                archive.add(root, FOLDER, filter=of_nobody)
        files = [path for path in root.rglob("*") if path.is_file()]
        sizes = sorted(((path.stat().st_size, str(path.relative_to(root))) for path in files), reverse=True)
        size = part.stat().st_size
        if size > limit * 1_000_000:
            print(*(f"{size} {name}" for size, name in sizes[:5]), sep="\n", file=sys.stderr)
            fail(f"{file} would have {size} bytes, more than {limit} MB; the largest parts, unpacked, are above")
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
    print(f"{read(root / 'bundle.txt')}{file}: {size} bytes, {sum(size for size, _ in sizes)} unpacked")
    print(f"there: tar xf {file.name} && {FOLDER}/check.py")
    if file.suffix == ".xz":
        print(f"where xz is missing: python3 -m tarfile -e {file.name} && {FOLDER}/check.py")


def main() -> None:
    """Packs a bundle."""
    options = parse()
    build = Path(options.build).absolute()
    try:
        with tempfile.TemporaryDirectory() as scratch:
            root = Path(scratch, FOLDER)
            for folder in ("bin", "lib", "benchmark"):
                (root / folder).mkdir(parents=True)
            (root / "bundle.txt").write_text(describe(build))
            copy_programs(build, root)
            copy_libraries(root)
            copy_cupti(build, root)
            pack(root, Path(options.file), int(options.limit))
    except OSError as error:
        fail(str(error))


if __name__ == "__main__":
    main()
