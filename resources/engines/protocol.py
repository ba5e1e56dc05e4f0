"""What the adapters of inference engines share: requests are read, answered and timed here.

An adapter is a class and one call of serve(). The class loads a model in __init__(self, job), where `job` is a Job, and has

    settings      one sentence: what the engine was told
    versions      optional, by name: of what is no Python package
    run()         one inference, from inputs in the engine's memory to outputs that are complete and readable
    times()       optional, of an engine that times itself: ms of `runs` inferences at least, after `warmup` ones, for `seconds`
    outputs()     the outputs of the last run: numpy arrays by their names in the ONNX file, in any order
    profile()     optional: [{"name", "kind", "ms"}] of one inference in the order of execution, as the engine reports it

What goes wrong is an exception. A Refusal is one that an adapter words for the user. README.md has the protocol.
"""

import gc
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import time
import traceback
from pathlib import Path

LONGEST_ERROR = 500

# First of all: libraries print what they like, so standard output is kept for answers alone, and requests from children.
QUESTIONS, ANSWERS = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)

# Adapters are called as the packages that they import, and libraries look for each other: none may find an adapter. What
# else several adapters share is in a folder of its own.
FOLDER = Path(__file__).resolve().parent
sys.path[:] = [each for each in sys.path if Path(each or ".").resolve() != FOLDER] + [str(FOLDER / "shared")]
sys.dont_write_bytecode = True  # where the program is installed is not the place for it


class Refusal(Exception):
    """What is asked cannot be done, in the adapter's own words."""


class Job:
    """What is to be loaded. `inputs` are numpy arrays by name; `work` is the only folder to write to."""

    def __init__(self, request):
        self.engine = request["engine"]
        self.model = request["model"]
        self.threads = int(request["threads"])
        self.device = request.get("device", "cpu")
        self.precision = request.get("precision", "float32")
        self.work = Path(request["work"])
        self.inputs = {each["name"]: read_array(each["file"]) for each in request["inputs"]}
        if self.threads < 1:
            raise Refusal(f"{self.threads} threads are no threads")
        if self.precision != "float32" and (self.precision, self.device) != ("tf32", "cuda"):
            raise Refusal(f"engines are compared in float32 (tf32 on a GPU), not in {self.precision}")
        self.work.mkdir(parents=True, exist_ok=True)

    @property
    def tf32(self):
        return self.precision == "tf32"

    def fixed_model(self):
        """The path of a copy of the model in which all sizes are as those of the inputs, and that model: for converters
        and engines that want no open sizes."""
        import onnx

        model = onnx.load(self.model)
        for value in [*model.graph.input, *model.graph.output]:
            array = self.inputs.get(value.name)
            dimensions = value.type.tensor_type.shape.dim
            if array is not None:
                for dimension, size in zip(dimensions, array.shape):
                    dimension.dim_value = size
            elif any(each.dim_param for each in dimensions):
                value.type.tensor_type.ClearField("shape")  # inferred below from the inputs
        del model.graph.value_info[:]
        model = onnx.shape_inference.infer_shapes(model, data_prop=True)
        path = self.work / "fixed.onnx"
        onnx.save(model, str(path))
        return path, model

    def output_shapes(self, model):
        """Shapes by name, in the order of the ONNX file, of a model that fixed_model() made."""
        return {value.name: [each.dim_value for each in value.type.tensor_type.shape.dim] for value in model.graph.output}

    def call(self, command):
        """What a program printed that was run in the work folder, as a converter is. It is a Refusal if it fails."""
        done = subprocess.run([str(word) for word in command], cwd=self.work, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        said = done.stdout.decode(errors="replace").strip()
        print(said, file=sys.stderr)
        if done.returncode != 0:
            how = f"signal {-done.returncode}" if done.returncode < 0 else str(done.returncode)
            raise Refusal(f"{Path(str(command[0])).name} ended with {how}: {reason_in(said)}")
        return said


def reason_in(said):
    """The line in which a program that failed most likely says why: marked as an error, else about one, else the last."""
    lines = [line.strip() for line in said.splitlines() if not re.search(r"\[[IVW]\]|^&&&&", line)]
    for sign in (r"\[[EF]\]", r"(?i)error|failure"):
        told = next((line for line in lines if re.search(sign, line)), None)
        if told:
            return told
    return lines[-1] if lines else "it said no reason"


def read_array(path):
    import numpy  # here, since an adapter says hello without it

    return numpy.load(path, allow_pickle=False)


def one_line(error):
    """An exception as one printable line of at most LONGEST_ERROR characters."""
    text = str(error) if isinstance(error, Refusal) else f"{type(error).__name__}: {error}"
    text = " ".join("".join(each if each.isprintable() else " " for each in text).split()) or type(error).__name__
    return text if len(text) <= LONGEST_ERROR else text[:LONGEST_ERROR - 1] + "…"


def installed(packages):
    """Versions of the packages that are installed, and which are missing. Nothing is imported. A package is the name of a
    distribution, or several of which one is enough: "onnxruntime|onnxruntime-gpu"."""
    versions, missing = {}, []
    for package in packages:
        for name in package.split("|"):
            try:
                versions[name] = importlib.metadata.version(name)
                break
            except importlib.metadata.PackageNotFoundError:
                pass
        else:
            missing.append(package.split("|")[0])
    return versions, missing


def program(name, *folders):
    """The path of a program that is in PATH or else in these folders; None if it is nowhere."""
    found = shutil.which(name) or shutil.which(name, path=os.pathsep.join(folders))
    return found and os.path.abspath(found)


class Server:
    """Answers requests for one adapter."""

    def __init__(self, adapter, engines, packages, install, devices, programs):
        self.adapter, self.engines, self.packages, self.install, self.devices = adapter, engines, packages, install, devices
        self.programs = programs
        self.loaded = None
        self.requests = {"hello": self.hello, "load": self.load, "outputs": self.outputs, "time": self.time,
                         "profile": self.profile}

    def answer(self, line):
        """The answer to one line of input; never raises."""
        try:
            request = self.read(line)
            if not isinstance(request, dict):
                raise Refusal("a request is a JSON object on one line")
            if request.get("do") not in self.requests:
                raise Refusal(f"unknown request {request.get('do')!r}; there are {', '.join(self.requests)}")
            return {"ok": True, **self.requests[request["do"]](request)}
        except KeyError as error:
            traceback.print_exc()
            return {"ok": False, "error": one_line(Refusal(f"KeyError: {error} is missing, in the request or in the engine"))}
        except (Exception, SystemExit) as error:  # some converters call exit()
            traceback.print_exc()
            return {"ok": False, "error": one_line(error)}

    def read(self, line):
        try:
            return json.loads(line)
        except json.JSONDecodeError as error:
            raise Refusal(f"this line is not JSON: {error}") from error

    def present(self):
        """Versions of the packages that are installed, and what is missing, programs too."""
        versions, missing = installed(self.packages)
        return versions, missing + [name for name, path in self.programs.items() if path is None]

    def hello(self, _):
        versions, missing = self.present()
        devices = [device for device in ("cpu", "cuda") if any(device in each for each in self.devices.values())]
        return {"engines": [{"id": engine, "title": title, "devices": self.devices[engine]}
                            for engine, title in self.engines.items()],
                "versions": versions, "missing": missing, "install": self.install, "devices": devices}

    def load(self, request):
        self.loaded = None
        gc.collect()
        engine = request["engine"]
        if engine not in self.engines:
            raise Refusal(f"there is no engine {engine!r} here, only {', '.join(self.engines)}")
        if request.get("device", "cpu") not in self.devices[engine]:
            raise Refusal(f"{engine} runs on {' and '.join(self.devices[engine])} only, not on {request['device']}")
        versions, missing = self.present()
        if missing:
            raise Refusal(f"not installed: {', '.join(missing)}; install with: {self.install}")
        # Libraries read these when they are imported, which happens in the adapter's __init__.
        for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
            os.environ[variable] = str(request["threads"])
        self.loaded = self.adapter(Job(request))
        return {"settings": self.loaded.settings, "versions": {**versions, **getattr(self.loaded, "versions", {})}}

    def ready(self):
        if self.loaded is None:
            raise Refusal("no model is loaded")
        return self.loaded

    def outputs(self, request):
        import numpy

        folder = Path(request["folder"])
        folder.mkdir(parents=True, exist_ok=True)
        self.ready().run()
        arrays = {name: numpy.ascontiguousarray(array) for name, array in self.loaded.outputs().items()}
        names = getattr(self.loaded, "output_names", list(arrays))
        written = []
        for index, name in enumerate(names):
            path = folder / f"out{index}.npy"
            numpy.save(path, arrays[name])
            written.append({"name": name, "file": str(path)})
        return {"outputs": written}

    def time(self, request):
        run = self.ready().run
        warmup, runs = int(request["warmup"]), int(request["runs"])
        seconds, most = float(request["seconds"]), int(request["most"])
        if hasattr(self.loaded, "times"):
            return {"ms": [float(each) for each in self.loaded.times(warmup, runs, seconds)[:most]]}
        for _ in range(warmup):
            run()
        ms = []
        gc.disable()
        try:
            begin = time.perf_counter()
            while len(ms) < most and (len(ms) < runs or time.perf_counter() - begin < seconds):
                start = time.perf_counter_ns()
                run()
                ms.append((time.perf_counter_ns() - start) / 1e6)
        finally:
            gc.enable()
        return {"ms": ms}

    def profile(self, _):
        if not hasattr(self.ready(), "profile"):
            raise Refusal(getattr(self.loaded, "no_profile", "this engine has no profile of operators"))
        return {"operators": self.loaded.profile()}


def serve(adapter, engines, packages, install, devices, programs=None):
    """Answers requests from standard input until it ends.

    `engines` are titles by id, `devices` lists of "cpu" and "cuda" by id, `packages` as installed() takes them, `programs`
    what program() said by names, and `install` the line that installs them all."""
    server = Server(adapter, engines, packages, install, devices, programs or {})
    try:
        for line in QUESTIONS:
            ANSWERS.write(json.dumps(server.answer(line)).encode() + b"\n")
            ANSWERS.flush()
    except BrokenPipeError:
        pass  # nobody listens any more
    os._exit(0)  # at once: engines can take long to end, or crash over it


def mean_profile(runs):
    """One profile of several runs of the same operators: means by name, in the order of the first run."""
    order, kinds, total = [], {}, {}
    for run in runs:
        for each in run:
            if each["name"] not in total:
                order.append(each["name"])
                kinds[each["name"]], total[each["name"]] = each["kind"], 0.0
            total[each["name"]] += each["ms"]
    return [{"name": name, "kind": kinds[name], "ms": total[name] / len(runs)} for name in order]
