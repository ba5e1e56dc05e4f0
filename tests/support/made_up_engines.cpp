#include "tests/support/made_up_engines.h"

#include <cstdlib>
#include <fstream>
#include <utility>

namespace iosx::test {
namespace {

constexpr const char* kAdapter = R"PYTHON(
import ast, json, os, struct, sys, time

def read(path):
    with open(path, "rb") as file:
        assert file.read(6) == b"\x93NUMPY"
        file.read(2)
        header = ast.literal_eval(file.read(struct.unpack("<H", file.read(2))[0]).decode())
        assert header["descr"] == "<f4", header
        return [each[0] for each in struct.iter_unpack("<f", file.read())]

def write(path, values, shape):
    header = repr({"descr": "<f4", "fortran_order": False, "shape": tuple(shape)}).encode()
    header += b" " * ((64 - (10 + len(header) + 1) % 64) % 64) + b"\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
        file.write(struct.pack("<%df" % len(values), *values))

IDS = ["right", "slow", "wrong", "refuses", "dies", "hangs", "mumbles", "quiet"]
me = {"timed": 0}
answers = os.fdopen(os.dup(1), "w", buffering=1)
print("a library that talks", flush=True, file=sys.stderr)
for line in sys.stdin:
    request = json.loads(line)
    do = request["do"]
    if do == "hello":
        said = {"ok": True, "engines": [{"id": each, "title": each.title()} for each in IDS] +
                [{"id": "gpu-only", "title": "Gpu", "devices": ["cuda"]}],
                "versions": {"made-up": "1.2"}, "missing": [], "install": "pip install made-up", "devices": ["cpu"]}
    elif do == "load":
        me["id"] = request["engine"]
        me["shapes"] = json.load(open(os.environ["IOSX_MADE_UP_OUTPUTS"]))
        assert os.path.isdir(request["work"]) and os.path.getsize(request["model"]) > 0
        me["sum"] = sum(sum(read(each["file"])) for each in request["inputs"])
        if me["id"] == "hangs":
            time.sleep(600)
        if me["id"] == "mumbles":
            answers.write("hello there\n")
            continue
        said = {"ok": True, "settings": "threads %d on %s in %s" % (request["threads"], request["device"], request["precision"])}
        if me["id"] == "refuses":
            said = {"ok": False, "error": "cannot convert Gelu"}
    elif do == "outputs":
        said = {"ok": True, "outputs": []}
        for index, (name, shape) in enumerate(me["shapes"].items()):
            count = 1
            for size in shape:
                count *= size
            values = [me["sum"] + i + 1 for i in range(count)]
            if me["id"] == "wrong":
                values[0] += 0.5 * count
            path = os.path.join(request["folder"], "out%d.npy" % index)
            write(path, values, shape)
            said["outputs"].append({"name": name, "file": path})
    elif do == "time":
        me["timed"] += 1
        if me["id"] == "dies" and me["timed"] > 1:
            sys.exit(7)
        runs = min(max(request["runs"], 1), request["most"])
        ms = 9.0 if me["id"] == "slow" else 2.0
        said = {"ok": True, "ms": [ms + 0.001 * (i % 3) for i in range(runs)]}
    elif do == "profile":
        said = {"ok": True, "operators": [{"name": "a", "kind": "Conv", "ms": 1.5}, {"name": "b + c", "kind": "Fused", "ms": 0.5}]}
        if me["id"] == "quiet":
            said = {"ok": False, "error": "has no profile"}
    answers.write(json.dumps(said) + "\n")
)PYTHON";

constexpr const char* kAbsent = R"PYTHON(
import json, sys
for line in sys.stdin:
    print(json.dumps({"ok": True, "engines": [{"id": "absent", "title": "Absent"}], "versions": {}, "missing": ["made-up"],
                      "install": "pip install made-up", "devices": ["cpu"]}), flush=True)
)PYTHON";

}  // namespace

bool has_python() { return std::system("python3 -c '' >/dev/null 2>&1") == 0; }

void write_made_up_engines(const std::filesystem::path& folder) {
  std::ofstream(folder / "made_up.py") << kAdapter;
  std::ofstream(folder / "made_up_absent.py") << kAbsent;
}

EngineSettings made_up_engines(const std::filesystem::path& folder, std::vector<std::string> ids) {
  return {.python = "python3", .adapters = folder, .chosen = std::move(ids), .limit = Seconds(20)};
}

}  // namespace iosx::test
