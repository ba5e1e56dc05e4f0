#!/usr/bin/env python3
"""Lists the steps of check.py and makes their commands.

A step is a call of one of our programs, or a function below, which check.py calls as a program of its own:
check_steps.py STEP SETUP, where SETUP is a Setup as JSON.
"""

from __future__ import annotations

import dataclasses
import glob
import importlib.util
import json
import os
import platform
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Callable, Sequence, Union

PROGRAMS = ["iosx", "gpu_suite", "gpu_cuda_runtime_test", "gpu_launch_bench", "gpu_conv_bench",
            "gpu_describe"]
PARTS = [*(f"bin/{name}" for name in PROGRAMS), "lib/libios_gpu.so"]  # what is tried, below the build's folder

# ---- What steps are --------------------------------------------------------------------------------------------------


class Unavailable(Exception):
    """Says why a step cannot be tried here."""


@dataclasses.dataclass(frozen=True)
class Setup:
    """Says where everything is."""

    build: str
    benchmark: str
    out: str
    libraries: str  # LD_LIBRARY_PATH of our programs, which is set for them alone
    cudnn: str = ""  # the folder of libcudnn.so.9, empty where it is not found
    gpus: str = ""  # their names, empty where there is none

    def call(self, program: str, *arguments: str, before: Sequence[str] = ()) -> list[str]:
        """Makes the command that calls one of our programs, below another where words stand before it."""
        if program not in PROGRAMS:
            raise KeyError(f"{program} is missing in PROGRAMS")
        return ["env", f"LD_LIBRARY_PATH={self.libraries}", *before, f"{self.build}/bin/{program}", *arguments]


@dataclasses.dataclass(frozen=True)
class Step:
    """Is one thing to try. Where `command` is text, its first word is one of our programs, and {out} the results."""

    name: str
    limit: int  # seconds; it is there for what hangs, all limits add up to more than the total
    about: str
    command: Union[str, Callable[[Setup, int], list[str]]]
    needs_gpu: bool = True
    took: int = 0  # seconds on an H100 or an H200; 0: it has not run there, or not to its end
    # What it leaves in the folder of results besides its log: names, or folders with a slash at the end, each with about
    # how many bytes of the archive it is.
    brings: tuple[tuple[str, int], ...] = ()

    def command_in(self, setup: Setup, limit: int) -> list[str]:
        """Makes the command of this step, which may take `limit` seconds."""
        if callable(self.command):
            return self.command(setup, limit)
        return setup.call(*(word.format(out=setup.out) for word in self.command.split()))


def inside(name: str) -> Callable[[Setup, int], list[str]]:
    """Makes the command that calls a function of this file."""
    return lambda setup, _: [sys.executable, "-u", __file__, name, json.dumps(dataclasses.asdict(setup))]


def benchmark(setup: Setup, limit: int) -> list[str]:
    """Leaves the benchmark time to write down what it has."""
    seconds = limit - 10 if limit > 20 else limit
    return [sys.executable, f"{setup.benchmark}/benchmark.py", "--iosx", f"{setup.build}/bin/iosx", "--libraries",
            setup.libraries, "--seconds", str(seconds), "--out", f"{setup.out}/benchmark"]


def first(setup: Setup, _: int) -> list[str]:
    """Runs a network of which nothing is measured before: the fewest things that can go wrong."""
    run = "run squeezenet --schedule greedy --device gpu --verify"
    return setup.call("iosx", *run.split(), before=["IOS_GPU_UNTUNED=1"])


# Networks whose kernels were the slowest, by a model fitted to the first measurements, and two more with attention, and
# with squeeze and excitation.
SLOWEST_KERNELS = ["hrnet_w18", "randwire", "parallel_vit_s16", "bert_base", "efficientnet_b0"]


def foretold(setup: Setup, network: str) -> str:
    """Returns what simulated devices foretold of a network before it ran."""
    lines = map(json.loads, read(f"{setup.benchmark}/predicted/kernels.jsonl").splitlines())
    return "; ".join(f"{one['device']} sequential {one['sequential_ms']:.3f} ms, List {one['list_ms']:.3f} ms"
                     for one in lines if one["network"] == network)


def slowest(setup: Setup) -> bool:
    """Compares one stream with lanes for the networks whose kernels were the slowest, and verifies both."""
    failed = 0
    for name in SLOWEST_KERNELS:
        options = ["--device", "gpu", "--verify", "--schedules", "sequential,list", "-o", f"{setup.out}/slowest/{name}"]
        code, text = ask(setup.call("iosx", "compare", name, *options), stderr=subprocess.STDOUT)
        print(f"{text}\nforetold: {foretold(setup, name) or 'nothing'}", flush=True)
        failed |= code
    return failed == 0


def alone(setup: Setup, _: int) -> list[str]:
    """Measures operators alone that no published table has."""
    return [sys.executable, f"{setup.benchmark}/operators.py", "--iosx", f"{setup.build}/bin/iosx", "--libraries",
            setup.libraries, "--out", f"{setup.out}/operators.jsonl", "--csv", f"{setup.out}/operators.csv"]


def pairs(setup: Setup, _: int) -> list[str]:
    """Measures operators of a grid alone and side by side, into a store of their own; what a stop leaves is kept."""
    return setup.call("iosx", "profile-operators", "--grid", f"{setup.benchmark}/grid.txt", "--device", "gpu", "--side-by-side",
                      "2", "--most", "600", "--store", f"{setup.out}/pairs.db")


def sanitized(tool: str, setup: Setup, _: int) -> list[str]:
    """Runs the sample network once under one of compute-sanitizer's tools."""
    sanitizer = find_sanitizer()
    if not sanitizer:
        raise Unavailable("there is no compute-sanitizer")
    options = only_our_kernels(sanitizer) if tool == "racecheck" else []
    before = ["IOS_GPU_UNTUNED=1", sanitizer, "--tool", tool, *options, "--error-exitcode", "9"]
    run = "run sample --schedule greedy --device gpu --repeat 1 --warmup 0 --min-time 0"
    return setup.call("iosx", *run.split(), before=before)


def find_sanitizer() -> str:
    """Returns the path of compute-sanitizer, or nothing."""
    patterns = ["/usr/local/cuda*/bin", "/usr/local/cuda*/compute-sanitizer", "/opt/nvidia/*/compute-sanitizer"]
    found = [path for pattern in patterns for path in sorted(glob.glob(f"{pattern}/compute-sanitizer"))]
    return shutil.which("compute-sanitizer") or next((path for path in found if os.access(path, os.X_OK)), "")


def only_our_kernels(sanitizer: str) -> list[str]:
    """Returns the option that keeps a tool to our own kernels; its name depends on the version.

    What cuDNN's kernels do with shared memory is not ours to judge."""
    _, text = ask([sanitizer, "--help"], 10, stderr=subprocess.STDOUT)
    names = (name for name in ("--kernel-name", "--kernel-regex", "--filter") if re.search(rf"{name}\b", text))
    return next(([name, "kns=iosx"] for name in names), [])


# What matters most comes first: what cannot be known without this GPU, then what a search is worth there, then the
# rest. The space of Inception's stages is smaller than the program searches by itself, and still holds merged and
# concurrent ones.
STORE = ("kept/data/", 100_000)  # the measurements
# cuDNN's compiled plans, of which one is 22 KB of the archive: up to four for each of Inception's 76 convolutions, half of
# which are compiled, say; a small network has a quarter.
PLANS = 4_000_000
SOME_PLANS = ("kept/cache/", PLANS // 4)
STEPS = [
    Step("facts", 60, "versions, permission to profile, clocks and power; made in every call", inside("facts"), False, 1),
    Step("devices", 60, "the programs start, and list the GPU", inside("devices"), False, 1),
    Step("runtime", 90, "streams, events, graphs, cuDNN's plans: tests against plain loops", "gpu_cuda_runtime_test",
         took=6),
    Step("describe", 30, "cuDNN's description of the GPU, to device.json", "gpu_describe {out}/device.json", took=1,
         brings=(("device.json", 1_000),)),
    Step("first", 120, "one small network, its convolutions as cuDNN would have them, run and verified", first, took=4,
         brings=(STORE,)),
    Step("launch", 90, "what launches, events, graphs and small kernels cost, to launch.csv for iosx validate --operators",
         "gpu_launch_bench --csv {out}/launch.csv", took=24, brings=(("launch.csv", 5_000),)),
    Step("squeezenet", 120, "the same with measured convolutions",
         "iosx run squeezenet --schedule greedy --device gpu --verify", took=11,
         brings=(STORE, SOME_PLANS)),
    Step("alone", 240, "small kernels, depthwise, pools, TF32 and waits across lanes, each beside what is simulated", alone,
         brings=(("operators.jsonl", 10_000), ("operators.csv", 10_000))),
    Step("inception", 300, "Inception V3: schedules searched, compared, verified",
         "iosx compare inception_v3 --device gpu --verify --schedules sequential,greedy,ios-both -r 2 -s 3"
         " -o {out}/inception_v3", took=42, brings=(("inception_v3/", 100_000), STORE, ("kept/cache/", PLANS))),
    Step("sample", 60, "launches and active warps of the paper's sample network", inside("sample"), took=12,
         brings=(("profile_sample.iosrun", 40_000), STORE, SOME_PLANS)),
    Step("profile", 120, "launches and active warps of Inception V3", inside("profile"),
         brings=(("profile_inception_v3.iosrun", 400_000), STORE)),
    Step("benchmark", 400, "our schedules beside PyTorch and the predictions; goes on with --resume", benchmark,
         brings=(("benchmark/", 1_000_000), STORE, ("kept/cache/", PLANS))),
    Step("pairs", 400, "a grid's operators alone and two side by side, to learn from: iosx operators", pairs,
         brings=(("pairs.db", 500_000), ("kept/cache/", PLANS))),
    Step("convolutions", 300, "ways of convolutions and products without a good precompiled kernel, to convolutions.csv",
         "gpu_conv_bench --csv {out}/convolutions.csv --plans {out}/kept/cache/convolutions",
         brings=(("convolutions.csv", 20_000), ("kept/cache/", PLANS))),
    Step("slowest", 220, "five networks with new kernels on one stream and in lanes, verified, beside what was foretold",
         inside("slowest"), brings=(("slowest/", 600_000), STORE, ("kept/cache/", PLANS))),
    Step("half", 60, "SqueezeNet in float16: schedules searched, compared, verified",
         "iosx compare squeezenet --device gpu-f16 --verify", took=17, brings=(STORE, SOME_PLANS)),
    Step("behaviour", 150, "suite: traces, repeated measurements, cancelling, memory",
         "gpu_suite --gtest_filter=GpuSuiteDevice.*", brings=(SOME_PLANS,)),
    Step("memcheck", 60, "compute-sanitizer: memory accesses of our kernels and cuDNN's",
         partial(sanitized, "memcheck"), took=4, brings=(STORE,)),
    Step("racecheck", 60, "compute-sanitizer: races within our kernels", partial(sanitized, "racecheck"), brings=(STORE,)),
    Step("operators", 60, "suite: every operator, every precision", "gpu_suite --gtest_filter=*EveryOperatorAgrees*",
         took=28, brings=(SOME_PLANS,)),
    Step("schedules", 90, "suite: every schedule, every precision",
         "gpu_suite --gtest_filter=*/GpuSuite.*-*EveryOperatorAgrees*", brings=(SOME_PLANS,)),
    Step("tuned", 150, "suite: schedules tuned by measurement", "gpu_suite --gtest_filter=GpuSuiteTuned.*", took=27,
         brings=(SOME_PLANS,)),
    Step("networks", 300, "suite: the zoo", "gpu_suite --gtest_filter=Zoo/*", brings=(SOME_PLANS,)),
]

# For a GPU that is lent for minutes: what to do in one call after another there, and about how many seconds each takes, by
# what the steps took on an H100 or an H200; pairs and kernels have run on none yet. Each goes on from the one before with
# --resume.
CALLS = {
    "contact": (60, "facts devices first runtime describe launch sample"),
    "search": (230, "facts squeezenet inception profile half memcheck"),
    "suite": (160, "facts operators schedules tuned behaviour"),
    "benchmark": (300, "facts benchmark"),
    "kernels": (480, "facts convolutions slowest"),
    "pairs": (400, "facts pairs"),
}

# ---- Asking programs and files ---------------------------------------------------------------------------------------


def ask(words: list[str], seconds: float | None = None, stderr: int | None = subprocess.DEVNULL) -> tuple[int, str]:
    """Calls a program and returns its exit code, 127 where it cannot be called or is too slow, and what it prints.

    What it prints goes through a file: a pipe would have to be waited for while anything that it called lives."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as file:
        try:
            code = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=file, stderr=stderr, timeout=seconds,
                                  check=False).returncode
        except (subprocess.TimeoutExpired, OSError):
            code = 127
        file.seek(0)
        return code, file.read().rstrip("\n")


def ask_driver(property_of_gpus: str, seconds: float) -> str:
    """Asks the driver for a property of every GPU, and returns nothing where there is no answer."""
    code, text = ask(["nvidia-smi", f"--query-gpu={property_of_gpus}", "--format=csv,noheader"], seconds)
    return ",".join(text.splitlines()) if code == 0 else ""


def read(path: str | Path) -> str:
    """Returns what is in a file, and nothing where it cannot be read."""
    try:
        return Path(path).read_text("utf-8", "replace")
    except OSError:
        return ""


def first_match(pattern: str, text: str) -> str:
    """Returns the first group of the first line that the pattern matches, and nothing where there is none."""
    match = re.search(pattern, text, re.MULTILINE)
    return match.group(1) if match else ""


def name_of_system() -> str:
    """Returns what the distribution calls itself."""
    return first_match(r'^PRETTY_NAME="?([^"\n]*)', read("/etc/os-release"))


def c_library() -> str:
    """Returns the C library's name and version."""
    return os.confstr("CS_GNU_LIBC_VERSION") or "unknown"


# ---- Steps that are functions ----------------------------------------------------------------------------------------

CUDNN_VERSION = """
import ctypes, sys
cudnn = ctypes.CDLL(sys.argv[1])
cudnn.cudnnGetVersion.restype = cudnn.cudnnGetCudartVersion.restype = ctypes.c_size_t
version, cuda = cudnn.cudnnGetVersion(), cudnn.cudnnGetCudartVersion()
print(f"{version // 10000}.{version // 100 % 100}.{version % 100} for CUDA {cuda // 1000}.{cuda // 10 % 100}")
"""


def version_of_cudnn(setup: Setup) -> str:
    """Asks cuDNN itself, in another process: only there its neighbours are found."""
    if not setup.cudnn:
        return "none"
    library = Path(setup.cudnn, "libcudnn.so.9")
    words = ["env", f"LD_LIBRARY_PATH={setup.libraries}", sys.executable, "-c", CUDNN_VERSION, str(library)]
    code, text = ask(words, 30)
    return text if code == 0 else f"version unknown, {library.resolve().name}"


def version_of_torch() -> str:
    """Reads PyTorch's version where it stands in a file of its own: importing takes up to a minute from a cold disk."""
    try:
        origin = importlib.util.find_spec("torch").origin
        version = runpy.run_path(str(Path(origin).with_name("version.py")))
        return f"{version['__version__']} for CUDA {version['cuda']}"
    except Exception:  # whatever is wrong with it, there is none that could be used
        return "none"


def facts(setup: Setup) -> bool:
    """Prints what the machine is. It only reads: no clock, power limit or mode is ever set."""
    print(time.strftime("date: %Y-%m-%d %H:%M:%S UTC", time.gmtime()))
    print(f"system: {name_of_system()}, kernel {platform.release()}, {platform.machine()}")
    memory = int(first_match(r"^MemTotal:\s*(\d+)", read("/proc/meminfo")) or 0) / 1048576
    processor = first_match(r"^model name\s*: (.*)", read("/proc/cpuinfo"))
    print(f"processor: {processor}, {len(os.sched_getaffinity(0))} cores, {memory:.0f} GiB")
    print(f"C library: {c_library()}")
    for line in read(f"{setup.build}/bundle.txt").splitlines():
        print(f"bundle: {line}")

    driver = (first_match(r"^NVRM version:.*  ([0-9][0-9.]*)  ", read("/proc/driver/nvidia/version"))
              or ask_driver("driver_version", 15).partition(",")[0] or "none")
    print(f"driver: {driver}\nGPUs: {setup.gpus or 'none'}")

    # Counters are for root and holders of two capabilities, unless the driver lets everybody read them.
    bound = first_match(r"^RmProfilingAdminOnly: (.*)", read("/proc/driver/nvidia/params"))
    bits = int(first_match(r"^CapEff:\s*(\w+)", read("/proc/self/status")) or "0", 16)
    names = [name for bit, name in ((21, "CAP_SYS_ADMIN"), (38, "CAP_PERFMON")) if bits >> bit & 1]
    print(f"profiling: RmProfilingAdminOnly {bound or 'unknown'}, user {os.getuid()},"
          f" capabilities {' '.join(names) or 'none'}")

    cudnn, torch = version_of_cudnn(setup), version_of_torch()
    print(f"cuDNN: {cudnn}{setup.cudnn and ', in ' + setup.cudnn}\nPyTorch: {torch}")
    print(f"Python: {platform.python_version()}, {sys.executable}\ncompute-sanitizer: {find_sanitizer() or 'none'}")
    for question in ([], ["-q", "-d", "CLOCK,POWER,PERFORMANCE,TEMPERATURE,MEMORY,COMPUTE"]):
        print(ask(["nvidia-smi", *question], 15, stderr=subprocess.STDOUT)[1])
    print(f"summary: driver {driver}, {c_library()}, cuDNN {cudnn}, PyTorch {torch},"
          f" profiling for all: { {'0': 'yes', '1': 'no'}.get(bound, 'unknown') }")
    return True


def devices(setup: Setup) -> bool:
    """Fails where a program does not start, or a GPU is there that iosx does not offer."""
    failed, version = ask(setup.call("iosx", "--version"), stderr=None)
    print(version)
    for program in ("gpu_suite", "gpu_cuda_runtime_test"):
        code, tests = ask(setup.call(program, "--gtest_list_tests"), stderr=None)
        count = len(re.findall("^  ", tests, re.MULTILINE))
        print(f"{program} does not start" if code else f"{program}: {count} tests")
        failed |= code
    code, offered = ask(setup.call("iosx", "devices"), stderr=None)
    line = re.sub(" +", " ", first_match("^(gpu .*)", offered))
    print(f"{offered}\nsummary: {line or 'iosx lists no GPU'}")
    return not failed | code and (not setup.gpus or (line != "" and "not available: " not in line))


def sample(setup: Setup) -> bool:
    """Fails where the GPU does not let itself be looked at, which a profile itself only notes."""
    return profile_one(setup, "sample")


def profile(setup: Setup) -> bool:
    """Does the same with Inception V3 and the best of its schedules that was found here."""
    schedule = next(iter(sorted(glob.glob(f"{glob.escape(setup.out)}/inception_v3/*ios-both.schedule.json"))), "greedy")
    return profile_one(setup, "inception_v3", "--schedule", schedule)


def profile_one(setup: Setup, graph: str, *options: str) -> bool:
    """Profiles a network, to profile_GRAPH.iosrun."""
    file = f"{setup.out}/profile_{graph}.iosrun"
    words = setup.call("iosx", "profile", graph, *options, "--device", "gpu", "-o", file)
    text = ""
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                          errors="replace") as process:
        for line in process.stdout:  # printed at once: this may be ended
            print(line, end="")
            text += line
    hidden = first_match("^(?:iosx: )?(.*not shown.*)", text)
    warps = re.findall("^ +(active warps .*)", text, re.MULTILINE)
    if process.returncode == 0:
        print("summary:", hidden or f"{graph}, last schedule: {re.sub(' +', ' ', warps[-1] if warps else '')}")
    return process.returncode == 0 and not hidden


def main() -> int:
    """Runs one of these steps."""
    step = {each.__name__: each for each in (facts, devices, sample, profile, slowest)}[sys.argv[1]]
    return 0 if step(Setup(**json.loads(sys.argv[2]))) else 1


if __name__ == "__main__":
    sys.exit(main())
