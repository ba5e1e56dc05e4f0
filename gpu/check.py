#!/usr/bin/env python3
"""Does all that wants a GPU, from prebuilt programs, in a bounded time, and loses nothing that was done. See --help."""

from __future__ import annotations

import argparse
import collections
import contextlib
import dataclasses
import glob
import hashlib
import io
import os
import re
import shlex
import shutil
import signal
import site
import sqlite3
import stat
import subprocess
import sys
import tarfile
import tempfile
import time
import zlib
from pathlib import Path
from typing import Callable, Iterable, NoReturn

sys.dont_write_bytecode = True  # nothing is left beside the scripts
import check_steps
from check_steps import Setup, Step, Unavailable, ask

HERE = Path(__file__).resolve().parent
BEGUN = time.monotonic()
TOTAL = 500  # seconds for everything
GRACE = 8  # seconds that a step has to end once it is told to
HUNG = 30  # seconds after which a convolution plan that is tried for the first time counts as one that never ends
RESERVE = 15  # of the total, for that and for packing the results
EVERY = 20  # seconds between two archives while a step runs
MOST = 15_000_000  # bytes of an archive; what does not fit any more is left out, the largest files first
MARGIN = 500_000  # of these, for what its sizes and names take
LOG = 5_000  # bytes of the archive that a step's log is, about
ARCHIVE = "results.tar.gz"
LEFT_OUT = "left_out.txt"  # in it
NEVER_PACKED = re.compile(rf"{re.escape(ARCHIVE)}.*|{LEFT_OUT}|.*\.db-(shm|wal|journal)|.*\.part")


def say(text: str, stream: str = "stdout") -> None:
    """Prints, where somebody still reads: a lost connection must not lose results."""
    try:
        print(text, file=getattr(sys, stream), flush=True)
    except OSError:
        setattr(sys, stream, open(os.devnull, "w"))


def complain(message: str) -> None:
    """Says what is wrong."""
    say(f"check.py: {message}", "stderr")


def wrong(message: str) -> NoReturn:
    """Ends because of the command line, or because the programs cannot start here."""
    complain(message)
    sys.exit(2)



# ---- The command line ------------------------------------------------------------------------------------------------

DESCRIPTION = f"""
Does what wants a GPU, step by step: those named, in that order, else all of --list. A step has a limit, which =SECONDS
changes; one that fails or is too slow does not keep the others from running. After every one that ran, and every
{EVERY} seconds meanwhile, everything is packed anew into {ARCHIVE} in the folder of results.
"""
EPILOG = f"""
Results: steps.tsv and table.txt (what became of each step), logs (what each printed), kept (measurements and
convolution plans), device.json, launch.csv (for iosx validate --operators), inception_v3, profile_*.iosrun (for iosx show and the window), benchmark (table.txt,
and a run file for every network and batch), and {ARCHIVE} with all of that, but for what torch.compile compiled and
what makes it larger than {MOST // 1_000_000} MB, which {LEFT_OUT} in it lists.

Exit code: 0 every step passed (or there is no GPU and nothing failed), 1 a step failed, 3 none failed, but where there
is a GPU a step was skipped or did not end in time, 2 the command line is wrong or the programs cannot start here.
"""


def seconds(text: str) -> int:
    """Reads a number of seconds."""
    if not re.fullmatch("[1-9][0-9]{0,5}", text):
        raise argparse.ArgumentTypeError(f"{text} is no number of seconds")
    return int(text)


def steps_of(texts: list[str]) -> list[Step]:
    """Reads steps, and the names of calls, each of which stands for several: what an earlier one has is not done twice."""
    words: list[str] = []
    for text in texts:
        _, called = check_steps.CALLS.get(text[1:], (0, "")) if text.startswith("@") else (0, "")
        words += [word for word in called.split() if word not in words] if called else [text]
    return [step(word) for word in words]


def step(text: str) -> Step:
    """Reads a step, and its limit where one is given."""
    name, equals, limit = text.partition("=")
    found = next((known for known in check_steps.STEPS if known.name == name), None)
    if not found:
        raise argparse.ArgumentTypeError(f"there is no step {name}; --list names them")
    return dataclasses.replace(found, limit=seconds(limit)) if equals else found


def parse() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(
        prog="check.py", usage="check.py [OPTION...] [STEP[=SECONDS]...]", description=DESCRIPTION, epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    option = parser.add_argument
    option("steps", nargs="*", metavar="STEP", help="what to do, one of --list; @CALL is all of a call there")
    option("--build", metavar="DIR",
           help="the build, or an unpacked bundle (without it the folder of this script, where it holds bin/iosx)")
    option("--out", default="gpu-check", metavar="FOLDER", help="where results go (without it gpu-check)")
    option("--seconds", type=seconds, default=TOTAL, metavar="N", help=f"time for everything, packing included"
           f" (without it {TOTAL}; {RESERVE} of it are set aside for packing)")
    option("--copy", metavar="FOLDER", help=f"copy {ARCHIVE} there too, whenever it is packed: for a machine that"
           " keeps one folder only")
    option("--resume", metavar="FROM", help=f"go on from an earlier call: FROM is its {ARCHIVE} or its folder."
           " Steps that passed there, with the same programs on the same kind of GPU, are done; measurements and"
           " convolution plans are taken over")
    option("--cudnn", metavar="DIR", help="the folder with libcudnn.so.9, or a site-packages folder. Without it"
           " LD_LIBRARY_PATH, then the packages of this Python (nvidia/cudnn/lib), then the system are searched")
    option("--gpu", choices=["yes", "no", "auto"], default="auto",
           help="yes: there is a GPU, no: there is none, auto (without it): the driver is asked")
    option("--list", action="store_true", help="the steps and their limits, and the calls")
    option("--dry-run", action="store_true", help="do nothing, and say what would be done, how long it"
           " may take, what would come home and whether that fits into the archive (else the exit code is 1)")
    options = parser.parse_intermixed_args()
    try:
        options.steps = steps_of(options.steps)
    except argparse.ArgumentTypeError as error:
        parser.error(str(error))
    if "" in vars(options).values():
        parser.error("an option has no value")
    for name, count in collections.Counter(chosen.name for chosen in options.steps).items():
        if count > 1:
            parser.error(f"step {name} is named twice")
    if options.list:
        for known in options.steps or check_steps.STEPS:
            print(f"{known.name:<11} {known.limit:>4} s  {known.about}")
        for name, (takes, words) in check_steps.CALLS.items() if not options.steps else ():
            print(f"@{name:<10} {takes:>4} s  {words}")
        sys.exit()
    options.steps = options.steps or check_steps.STEPS
    return options


# ---- Where things are ------------------------------------------------------------------------------------------------


def find_build(given: str | None) -> Path:
    """Returns the folder of the programs."""
    if not given and not os.access(HERE / "bin/iosx", os.X_OK):
        wrong("--build is wanted: this script lies in no unpacked bundle")
    build = Path(given or HERE).absolute()
    if not os.access(build / "bin/iosx", os.X_OK):
        wrong(f"{build} holds no bin/iosx")
    return build


def find_libraries(build: Path, given: str | None) -> tuple[str, str]:
    """Returns the folder of cuDNN, and where our programs look for libraries.

    What cuDNN itself loads (cuBLASLt, NVRTC) lies beside it, in another Python package, or in the toolkit."""
    inherited = os.environ.get("LD_LIBRARY_PATH", "")
    roots = dict.fromkeys([*filter(None, sys.path), *site.getsitepackages(), site.getusersitepackages()])  # each once
    python = [folder for root in roots for folder in sorted(glob.glob(f"{glob.escape(root)}/nvidia/*/lib"))]
    toolkit = ["/usr/local/cuda/lib64", "/usr/local/cuda/lib"]
    if given:
        candidates = [given, *(f"{given}/{folder}" for folder in ("lib", "lib64", "nvidia/cudnn/lib"))]
    else:
        known = ask(["env", f"PATH={os.environ['PATH']}:/sbin:/usr/sbin", "ldconfig", "-p"], 20)[1]
        system = re.findall(r"libcudnn\.so\.9 .*=> (.*)/[^/]*$", known, re.MULTILINE)
        candidates = [*filter(None, inherited.split(":")), *python, *system, *toolkit]
    cudnn = next((os.path.abspath(path) for path in candidates if os.path.exists(f"{path}/libcudnn.so.9")), "")
    if given and not cudnn:
        wrong(f"{given} holds no libcudnn.so.9")
    beside = []
    if cudnn.endswith("/nvidia/cudnn/lib"):
        beside = sorted(glob.glob(glob.escape(cudnn[: -len("/cudnn/lib")]) + "/*/lib"))
    folders = dict.fromkeys([f"{build}/lib", cudnn, *beside, *python, *toolkit])
    return cudnn, ":".join([*(path for path in folders if path and os.path.isdir(path)), *filter(None, [inherited])])


def check_system(build: Path, cudnn: str, libraries: str) -> None:
    """Ends where the C or C++ library is too old, or a library is missing, cuDNN and the driver's excepted."""
    lacks = set()
    for part in check_steps.PARTS if shutil.which("ldd") else []:
        words = ["env", f"LD_LIBRARY_PATH={libraries}", "ldd", str(build / part)]
        for line in ask(words, 30, subprocess.STDOUT)[1].splitlines():
            if "not found" in line and not re.search(r"libcudnn|libcuda\.", line):
                line = re.sub(r"^.*/([^/:]+): version .([A-Za-z0-9_.]+). not found.*", r"\2 of \1", line)
                lacks.add(re.sub(r"^\s*(\S+) => not found.*", r"\1", line))
    if lacks:
        wrong(f"the programs cannot start here, this system lacks: {', '.join(sorted(lacks))}. It has"
              f" {check_steps.c_library()};\nthe programs need a C and a C++ library as new as where they were built"
              " (Debian 12, Ubuntu 24.04 or newer)")
    if not cudnn:
        complain("cuDNN 9 is not found: install it (pip install nvidia-cudnn-cu13) or name its folder with --cudnn")


def look_for_gpu(given: str) -> tuple[str, str]:
    """Returns what the GPUs are called, or nothing and why there is none."""
    if given == "no":
        return "", "--gpu no"
    names = check_steps.ask_driver("name", 20)
    if names:
        return names, ""
    if given == "yes" or glob.glob("/dev/nvidia[0-9]*") or glob.glob("/proc/driver/nvidia/gpus/*"):
        return "one that nvidia-smi does not name", ""
    return "", "there is no NVIDIA GPU"


def programs_id(build: Path, gpus: str) -> str:
    """Names the programs and the kind of GPU: what passed with others has not passed with these."""
    text = ""
    for part in check_steps.PARTS:
        with contextlib.suppress(OSError):
            text += f"{hashlib.sha256((build / part).read_bytes()).hexdigest()}  {part}\n"
    return hashlib.sha256(f"{text}{gpus}\n".encode()).hexdigest()[:12]


# ---- Results ---------------------------------------------------------------------------------------------------------


# Says what became of a step last: a line of steps.tsv. All is text.
Row = collections.namedtuple("Row", "step result exit_code seconds limit call programs log reason")


class Results:
    """Is the folder of results, and what became of each step last."""

    def __init__(self, folder: str, resume: str | None, copy: str | None = None):
        """Makes the folder, and takes over what an earlier call left."""
        self.out = Path(folder).absolute()
        self.copy = Path(copy).absolute() if copy else None
        self.packed = time.monotonic()  # when it was last looked at
        self.last: list[tuple[int, str, float]] = []  # what was packed while a step ran
        self.rows: dict[str, Row] = {}
        self.call = 1  # how often this was called, the calls that were resumed included
        if resume and not os.path.exists(resume):
            wrong(f"{resume} does not exist")
        places = filter(os.path.exists, (self.out, self.out / ARCHIVE))
        in_place = resume and any(os.path.samefile(resume, place) for place in places)
        if copy and not resume and os.path.exists(Path(copy, ARCHIVE)):
            wrong(f"{copy} holds results of an earlier call: go on with --resume {copy}/{ARCHIVE}, or name another folder"
                  " with --copy")
        if not in_place and os.path.exists(self.out / "steps.tsv"):
            wrong(f"{folder} holds results of an earlier call: go on with --resume {folder}, or name another folder"
                  " with --out")
        try:
            if resume and not in_place:
                take_over(Path(resume), self.out)
            for folder_wanted in (self.out / "logs", self.out / "kept/data", self.out / "kept/cache", self.copy):
                if folder_wanted:
                    folder_wanted.mkdir(parents=True, exist_ok=True)
            if resume:
                self.read_rows()
        except shutil.Error as error:
            wrong(f"{resume} cannot be copied: {error.args[0][0][2]}")
        except (OSError, EOFError, ValueError, TypeError, tarfile.TarError, zlib.error) as error:
            wrong(f"{resume} holds no results of an earlier call: {error}" if resume else
                  f"{folder} cannot be made: {error}")

    def read_rows(self) -> None:
        """Reads steps.tsv."""
        for line in (self.out / "steps.tsv").read_text("utf-8", "replace").splitlines()[1:]:
            row = Row(*line.split("\t"))
            self.call = max(self.call, int(row.call) + 1)
            self.rows[row.step] = row

    def save(self, table: str) -> None:
        """Writes everything anew, after every step that ran: whoever ends this script finds the last state."""
        rows = [Row._fields, *(self.rows[known.name] for known in check_steps.STEPS if known.name in self.rows)]
        try:
            part = self.out / "steps.tsv.part"
            part.write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")
            part.replace(self.out / "steps.tsv")
            (self.out / "table.txt").write_text(table, "utf-8")
            self.pack()
        except OSError as error:
            complain(f"{self.out / ARCHIVE} cannot be written: {error}")

    def pack_now_and_then(self) -> None:
        """Packs while a step runs, where there is something new, so that an end from outside loses little."""
        if time.monotonic() - self.packed < EVERY:
            return
        self.packed = time.monotonic()
        found = files_below(self.out)
        if found == self.last:
            return
        self.last = found
        try:
            self.pack()
        except OSError as error:
            complain(f"{self.out / ARCHIVE} cannot be written: {error}")

    def pack(self) -> None:
        """Packs the folder, and copies that."""
        pack(self.out, self.out / ARCHIVE)
        if self.copy:
            part = self.copy / f"{ARCHIVE}.part"
            shutil.copy(self.out / ARCHIVE, part)
            part.replace(self.copy / ARCHIVE)


def files_below(folder: Path) -> list[tuple[int, str, float]]:
    """Lists sizes, names and times of the files to pack, the smallest first. What vanishes meanwhile is no file."""
    found = []
    for root, folders, names in os.walk(folder):  # which passes over folders that vanish
        if Path(root) == folder / "benchmark":
            folders[:] = [name for name in folders if name != "inductor"]  # what torch.compile compiled
        for name in names:
            path = Path(root, name)
            with contextlib.suppress(OSError):
                status = path.lstat()
                if (stat.S_ISREG(status.st_mode) or path.is_symlink()) and not NEVER_PACKED.fullmatch(name):
                    found.append((status.st_size, str(path.relative_to(folder)), status.st_mtime))
    return sorted(found)


def content_of(path: Path) -> bytes:
    """Reads a file at once, because it may be growing; a database that somebody writes to as one that nobody does."""
    if path.suffix != ".db":
        return path.read_bytes()
    try:
        with tempfile.TemporaryDirectory() as scratch:
            copy = Path(scratch, "copy")
            with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source:
                with contextlib.closing(sqlite3.connect(copy)) as target:
                    source.backup(target)
            return copy.read_bytes()
    except sqlite3.Error:  # it is none
        return path.read_bytes()


def pack(folder: Path, target: Path) -> None:
    """Packs a folder's files, small ones first; what cannot be read or does not fit is left out, with a word."""
    part = target.with_name(f"{target.name}.part")
    left_out = ""
    with open(part, "wb") as file, tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as archive:
        for size, name, _ in files_below(folder):
            path = folder / name
            try:
                entry = archive.gettarinfo(path, f"gpu-check/{name}")
                content = b"" if size > 20 * MOST or not entry.isreg() else content_of(path)
            except OSError as error:
                complain(f"{path} is not packed: {error.strerror}")
                continue
            packed = size if size > 20 * MOST else len(zlib.compress(content, 6))
            if file.tell() + packed > MOST - MARGIN:
                left_out += f"{size} bytes: {name}\n"
                continue
            if entry.isreg():
                entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
        if left_out:
            entry = tarfile.TarInfo(f"gpu-check/{LEFT_OUT}")
            entry.size = len(left_out.encode())
            archive.addfile(entry, io.BytesIO(left_out.encode()))
    part.replace(target)


def take_over(source: Path, out: Path) -> None:
    """Copies the results of an earlier call, or unpacks them: nothing of an archive that is cut off."""
    with tempfile.TemporaryDirectory() as folder:
        if source.is_file():
            shutil.unpack_archive(str(source), folder, "gztar")
            source = Path(folder, "gpu-check")
        shutil.copytree(source, out, symlinks=True, dirs_exist_ok=True, ignore=shutil.ignore_patterns(LEFT_OUT))


# ---- Running ---------------------------------------------------------------------------------------------------------


class Runner:
    """Runs one program at a time, and ends it with all that it started once its time is up or a signal comes."""

    def __init__(self) -> None:
        """Listens to the signals that are not ignored, as under nohup."""
        self.signals: list[str] = []
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, lambda number, _: self.signals.append(signal.Signals(number).name))
        # Its input ends with this script, however that ends.
        kept = 'group=0; while read -r next; do group=$next; done; [ "$group" = 0 ] || kill -9 "-$group" 2>/dev/null'
        self.keeper = subprocess.Popen(["sh", "-c", kept], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, start_new_session=True)

    def run(self, command: list[str], limit: float, log: Path, meanwhile: Callable[[], None]) -> tuple[int, bool]:
        """Returns the exit code, as a shell says it, and whether the program ended by itself.

        It has a session of its own, so that all that it starts ends with it, which the keeper sees to where this
        script is killed first."""
        with open(log, "wb") as file:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT,
                                       start_new_session=True)
        self.keep(process.pid)
        try:
            in_time = self.wait(process, limit, heard=0, meanwhile=meanwhile)
            if not in_time:
                self.end(process)
        finally:
            send(signal.SIGKILL, process.pid)
            self.keep(0)
        try:
            code = process.wait(GRACE)
        except subprocess.TimeoutExpired:  # even killing does not end what the driver holds
            code = -signal.SIGKILL
        return (code if code >= 0 else 128 - code), in_time

    def keep(self, group: int) -> None:
        """Tells the keeper which process group is to be killed should this script end; 0 is none."""
        with contextlib.suppress(OSError):
            self.keeper.stdin.write(f"{group}\n".encode())
            self.keeper.stdin.flush()

    def wait(self, process: subprocess.Popen, limit: float, heard: int,
             meanwhile: Callable[[], None] = lambda: None) -> bool:
        """Returns whether the process ended before the time was up or more than `heard` signals had come."""
        until = time.monotonic() + limit
        while process.poll() is None:
            if len(self.signals) > heard or time.monotonic() >= until:
                return False
            meanwhile()
            time.sleep(0.02)
        return True

    def end(self, process: subprocess.Popen) -> None:
        """Tells all that the program started once to end, at which iosx keeps what it has, and waits for the grace."""
        until = time.monotonic() + GRACE
        heard = len(self.signals)
        told = members(process.pid)
        send(signal.SIGTERM, process.pid)
        if self.wait(process, GRACE, heard):
            # A program that calls another goes at once, what it called writes down what it has.
            while time.monotonic() < until and len(self.signals) == heard and members(process.pid):
                time.sleep(0.05)
        send(signal.SIGKILL, process.pid)
        # What was tried just now did not end them, this script did. What was tried for long stays on record: the next
        # call would end there again.
        for path in Path(os.environ["XDG_CACHE_HOME"]).rglob("*.trying-*"):
            if path.suffix[len(".trying-"):] in told and path.stat().st_mtime > time.time() - HUNG - GRACE:
                path.unlink()


def send(number: int, group: int) -> None:
    """Sends a signal to a process group, where anything of it is left."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, number)


def members(group: int) -> list[str]:
    """Lists a group's processes, but for what only waits to be asked how it ended."""
    found = []
    for path in glob.glob("/proc/[0-9]*/stat"):
        # PID (NAME) STATE PARENT GROUP …, where a name may hold anything.
        before, _, after = check_steps.read(path).rpartition(")")
        values = after.split()
        if len(values) > 2 and values[2] == str(group) and values[0] != "Z":
            found.append(before.split()[0])
    return found


# ---- Judging ---------------------------------------------------------------------------------------------------------

# Tests skip so on a GPU that is as it should be: those of what happens without one, and of bfloat16, which GPUs before
# Ampere do not compute.
EXPECTED_SKIP = re.compile("there is a GPU$|.*does not compute bfloat16")
# What is worth showing: a summary, the best schedule, tests, whether outputs agree.
WORTH_SHOWING = {"summary: ": "", "best: ": "best: ", "[  PASSED  ] ": "passed: ", "verify: ": "verify: "}


def tests_that(ended: str, text: str) -> list[str]:
    """Finds GoogleTest's lines of the tests that ended so."""
    return re.findall(rf"^\[ +{ended} +\] .* \(\d+ ms\)$", text, re.MULTILINE)


def count_tests(text: str) -> str:
    """Says how tests ended, where there were any."""
    ok, failed, skipped = (len(tests_that(ended, text)) for ended in ("OK", "FAILED", "SKIPPED"))
    return f"; tests passed: {ok}, failed: {failed}, skipped: {skipped}" if ok + failed + skipped else ""


def line_worth_showing(text: str, kinds: Iterable[str] = WORTH_SHOWING) -> str:
    """Returns the last line of the first kind that there is, or the last line of all."""
    for kind in kinds:
        lines = re.findall(f"^{re.escape(kind)}(.*)", text, re.MULTILINE)
        if lines:
            return WORTH_SHOWING[kind] + lines[-1]
    return text.rstrip().rpartition("\n")[2]


def judge(done: Step, text: str, code: int) -> tuple[str, str]:
    """Returns what became of a step that ended by itself, and why.

    GoogleTest's programs and the benchmark end well where they skip everything."""
    skipped, ran = len(tests_that("SKIPPED", text)), len(tests_that("OK", text))
    reasons = [reason for reason in re.findall(": Skipped\n(.*)", text) if not EXPECTED_SKIP.match(reason)]
    if done.name == "benchmark" and code == 3:
        return "unfinished", line_worth_showing(text)
    if code and done.name.endswith("check") and "device not supported" in text.lower():
        return "skipped", "compute-sanitizer does not support this device"
    if code:
        return "failed", f"exit code {code}{count_tests(text)}: {line_worth_showing(text, ['summary: '])}"
    if re.search("^skipped: ", text, re.MULTILINE):
        return "skipped", check_steps.first_match("^skipped: (.*)", text)
    if re.search(r"^\[==========\] Running 0 tests", text, re.MULTILINE):
        return "failed", "there are no such tests"
    if skipped and (reasons or not ran):
        return "skipped", f"tests skipped: {skipped} of {skipped + ran}: {''.join(reasons[:1])}"
    if skipped:
        return "passed", f"tests passed: {ran}, skipped as they should be on this GPU: {skipped}"
    return "passed", line_worth_showing(text)


# ---- Doing -----------------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Check:
    """Does the steps and writes down what became of them."""

    options: argparse.Namespace
    setup: Setup
    no_gpu: str  # why, where there is none
    programs: str
    results: Results
    runner: Runner

    def do(self, chosen: Step) -> None:
        """Does a step, unless it is done or cannot be."""
        before = self.results.rows.get(chosen.name)
        left = self.options.seconds - RESERVE - int(time.monotonic() - BEGUN)
        limit = min(chosen.limit, left)
        if self.runner.signals:
            self.skip(chosen, f"ended by {self.runner.signals[0]}")
        elif before and self.is_done(chosen):
            self.announce(chosen.name, "done", "-", f"passed in call {before.call}")
        elif self.no_gpu and chosen.needs_gpu:
            self.skip(chosen, self.no_gpu)
        elif left < 1:
            self.skip(chosen, "no time left")
        else:
            try:
                self.run(chosen, chosen.command_in(self.setup, limit), limit)
            except (Unavailable, OSError) as reason:  # as where the disk is full
                self.skip(chosen, str(reason))

    def is_done(self, chosen: Step) -> bool:
        """Says whether the step passed in an earlier call; the machine's facts are looked at in every one."""
        before = self.results.rows.get(chosen.name)
        return bool(chosen.name != "facts" and before and (before.result, before.programs) == ("passed", self.programs))

    def show(self) -> int:
        """Says what would be done, how long it may take and what would come home; 1 where that is too large, else 0."""
        left = self.options.seconds - RESERVE
        expected: dict[str, int] = collections.defaultdict(int)  # bytes of the archive, by name
        takes = 0
        for chosen in self.options.steps:
            skipped = ""
            try:
                words = chosen.command_in(self.setup, chosen.limit)
                words = words[words.index("env") + 2 if "env" in words else 0:]
                what = shlex.join(words[:-1] if words[-1].startswith("{") else words)  # without the setup
            except Unavailable as reason:
                skipped = f"skipped: {reason}"
            if self.no_gpu and chosen.needs_gpu:
                skipped = f"skipped: {self.no_gpu}"
            if self.is_done(chosen):
                skipped = f"done: passed in call {self.results.rows[chosen.name].call}"
            time_wanted = f"{chosen.took} s of" if chosen.took and not skipped else ""
            say(f"{chosen.name:<11} {time_wanted:>8} {chosen.limit:>4} s  {skipped or what}")
            if skipped:
                continue
            takes += chosen.took or chosen.limit
            expected[f"logs/{self.results.call}-{chosen.name}.txt"] += LOG
            for name, size in chosen.brings:
                expected[name] += size
        say(f"limits together {sum(chosen.limit for chosen in self.options.steps)} s, of which {left} s count; about"
            f" {takes} s are wanted, by what steps took on an H100 or an H200, or else by their limits")
        if takes > left:
            say("the last of them would not be done: --resume goes on from there")
        return self.show_archive(expected)

    def show_archive(self, expected: dict[str, int]) -> int:
        """Says what the archive has and would have with what is expected besides; 1 where that is too large, else 0."""
        with tempfile.TemporaryDirectory() as scratch:
            packed = Path(scratch, ARCHIVE)
            pack(self.results.out, packed)
            size = packed.stat().st_size
            with tarfile.open(packed) as archive:
                entries = [(entry.size, entry.name) for entry in archive]
        for entry_size, name in entries:
            say(f"{entry_size:>12} bytes  {name}")
        for name, about in expected.items():
            there = sum(found for found, path in entries if path.startswith(f"gpu-check/{name}"))
            say(f"{about:>12} bytes  gpu-check/{name}, about{', of which some is there' if there else ''}")
            size += max(about - there, 0)
        say(f"{size:>12} bytes, {MOST} at most: {(self.results.copy or self.results.out) / ARCHIVE}"
            f"{', by estimate' if expected else ''}")
        if size <= MOST:
            return 0
        say("that is too large: the largest files would be left out. Name fewer steps, or another folder with --out")
        return 1

    def run(self, chosen: Step, command: list[str], limit: int) -> None:
        """Runs a step and saves what became of it."""
        log = f"logs/{self.results.call}-{chosen.name}.txt"
        begun = time.monotonic()
        code, in_time = self.runner.run(command, limit, self.results.out / log, self.results.pack_now_and_then)
        took = f"{time.monotonic() - begun:.1f}"
        text = check_steps.read(self.results.out / log)
        failed = sorted(set(tests_that("FAILED", text)))
        if in_time:
            result, reason = judge(chosen, text, code)
        else:
            result = "unfinished" if not failed and (self.runner.signals or limit < chosen.limit) else "failed"
            reason = (f"ended by a signal after {took} s" if self.runner.signals else
                      f"ended after {took} s, when the time for everything was up" if limit < chosen.limit else
                      f"took longer than {limit} s") + count_tests(text)
        self.record(chosen, result, str(code), took, log, reason)
        for line in failed:
            say(f"    {line}")
        self.results.save(self.table())

    def skip(self, chosen: Step, reason: str) -> None:
        """Skips a step; a failure of an earlier call stays one, as does what was done on a GPU where there is none."""
        before = self.results.rows.get(chosen.name)
        if before and (before.result == "failed" or self.no_gpu):
            self.announce(chosen.name, before.result, "-", f"in call {before.call}, not run again: {reason}")
        else:
            self.record(chosen, "skipped", "-", "0", "-", reason)

    def record(self, chosen: Step, result: str, code: str, took: str, log: str, reason: str) -> None:
        """Notes what became of a step."""
        reason = re.sub(r"[\s\x00|]", " ", reason)[:200]
        self.results.rows[chosen.name] = Row(chosen.name, result, code, took, str(chosen.limit), str(self.results.call),
                                             self.programs, log, reason or "-")
        self.announce(chosen.name, result, took, reason)

    @staticmethod
    def announce(name: str, result: str, took: str, reason: str) -> None:
        """Says at once what became of a step."""
        say(f"{name:<11} {result:<10} {took:>7}  {reason}")

    def table(self) -> str:
        """Shows what became of the steps asked for."""
        lines = [("step", "result", "seconds", "reason")]
        for row in filter(None, (self.results.rows.get(chosen.name) for chosen in self.options.steps)):
            earlier = f"(call {row.call}) " if int(row.call) < self.results.call else ""
            lines.append((row.step, row.result, row.seconds, earlier + row.reason))
        return "".join("{:<11} | {:<10} | {:>7} | {}\n".format(*line) for line in lines) + (
            f"call {self.results.call}, {time.monotonic() - BEGUN:.0f} s of {self.options.seconds};"
            f" GPU: {self.setup.gpus or 'none'}\n")

    def exit_code(self) -> int:
        """Returns what the steps asked for amount to."""
        found = [self.results.rows[chosen.name].result for chosen in self.options.steps]
        if "failed" in found:
            return 1
        return 3 if self.setup.gpus and set(found) != {"passed"} else 0


def main() -> int:
    """Does everything."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # programs may print what this terminal cannot
    options = parse()
    runner = Runner()
    build = find_build(options.build)
    cudnn, libraries = find_libraries(build, options.cudnn)
    check_system(build, cudnn, libraries)
    gpus, no_gpu = look_for_gpu(options.gpu)
    made = [path for path in (options.out, options.copy) if path and not os.path.exists(path)]
    results = Results(options.out, options.resume, options.copy)
    benchmark = build / "benchmark" if (build / "benchmark").is_dir() else HERE / "bench"
    setup = Setup(str(build), str(benchmark), str(results.out), libraries, cudnn, gpus)
    # Where the programs keep their measurements and convolution plans.
    os.environ.update(XDG_DATA_HOME=f"{results.out}/kept/data", XDG_CACHE_HOME=f"{results.out}/kept/cache")
    check = Check(options, setup, no_gpu, programs_id(build, gpus), results, runner)
    if options.dry_run:
        code = check.show()
        for path in made:  # otherwise the call itself would find results there that nobody resumes
            shutil.rmtree(path)
        return code
    for chosen in options.steps:
        check.do(chosen)
    results.save(check.table())
    code = check.exit_code()
    say(f"\n{check.table()}details: {results.out / ARCHIVE}")
    ending = {0: "" if gpus else "There is no GPU: nothing was tried on one.", 1: "A step failed.",
              3: "Not everything was done; --resume goes on."}[code]
    if ending:
        say(ending)
    return code


if __name__ == "__main__":
    sys.exit(main())
