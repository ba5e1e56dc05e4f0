#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/model/graph/tensor.h"
#include "core/workbench/workbench.h"

// Names and paths may contain bytes that are not UTF-8. In Python these are lone surrogates, as os.fsdecode() makes
// them, which convert back to the same bytes.
template <>
struct pybind11::detail::type_caster<std::string> {
  PYBIND11_TYPE_CASTER(std::string, const_name("str"));
  bool load(handle from, bool /*convert*/) {
    if (PyBytes_Check(from.ptr()) != 0) return take(from);
    if (PyUnicode_Check(from.ptr()) == 0) return false;
    const auto bytes = reinterpret_steal<object>(PyUnicode_AsEncodedString(from.ptr(), "utf-8", "surrogateescape"));
    if (bytes) return take(bytes);
    PyErr_Clear();
    return false;
  }
  static handle cast(const std::string& text, return_value_policy /*policy*/, handle /*parent*/) {
    PyObject* const made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
    if (made == nullptr) throw error_already_set();
    return made;
  }

 private:
  bool take(handle bytes) {
    value.assign(PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr())));
    return true;
  }
};

// All parts of the Python module share this: the program behind it, errors, options by name, arrays, and long calls.
namespace iosx::python {

namespace py = pybind11;

// Returns how Python writes a value, as far as an error can show it.
std::string shown(const py::handle& value);
// Converts a str or an os.PathLike to a path of the system; anything else is a TypeError.
std::string path_of(const py::handle& path);

// Returns a message with options in the form of Python.
std::string python_text(const Message& message);
// Sends a message to Python's logger "iosx". `level` is "info" or "warning".
void log(const char* level, const Message& message);

// Becomes the exception iosx.Error in Python.
struct Failed {
  Error error;
};

// Returns the value of a result, or throws its error.
template <typename T>
T take(Result<T> result) {
  if (!result) throw Failed{std::move(result.error())};
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

// Returns the devices of this process. The first call lists them; so does the first call in a forked process.
DeviceRegistry& devices();
// check() throws in a process other than the one that made the object: threads and locks do not survive a fork.
class Process {
 public:
  Process();
  void check(const char* what) const;

 private:
  int id_;
};

// Holds the options of a call of the package, by name; None means not given. A value of another type is a TypeError,
// one out of range a ValueError.
class Options {
 public:
  explicit Options(py::dict values) : values_(std::move(values)) {}

  // Returns nothing where the option was not given.
  py::object find(const char* name) const;
  template <typename T>
  std::optional<T> get(const char* name, const char* type) const {
    const py::object value = find(name);
    if (value.is_none()) return std::nullopt;
    try {
      return value.cast<T>();
    } catch (const py::cast_error&) {
      refuse(name, type, value);
    }
  }
  bool flag(const char* name) const { return get<bool>(name, "True or False").value_or(false); }
  std::string text(const char* name) const { return get<std::string>(name, "a string").value_or(""); }
  std::optional<std::int64_t> whole(const char* name, Bounds<std::int64_t> bounds) const;
  std::optional<double> number(const char* name, Bounds<double> bounds) const;
  std::vector<std::string> texts(const char* name) const;  // a sequence, or one text
  std::vector<std::int64_t> wholes(const char* name, Bounds<std::int64_t> bounds) const;
  // Returns a path, of a text or an os.PathLike.
  std::string path(const char* name) const;

  [[noreturn]] static void refuse(const char* name, const char* type, const py::handle& value);

 private:
  py::dict values_;
};

// Sets the options that were given, as their rows say (core/options/option.h).
void read_options(const Options& values, const std::vector<BoundOption>& options);
// Returns the device with this id, ours or torch's ("cuda", "cuda:1"). Throws if no device has it, and suggests a
// similar id.
const DeviceRegistry::Entry& device_named(const std::string& id);
// Returns the id in an iosx.Device, a torch.device or a str; anything else is a TypeError.
std::string device_text(const py::handle& device);
// Returns the ids of the devices that an option names.
std::vector<std::string> device_ids(const Options& options, const char* name);
// These read the options that several functions take. `device` may be a device or its id. The default is the best
// device, or the best one that computes outputs.
CompareOptions compare_options(const Options& options, Uses uses = use::kAll);
StoreChoice store_choice(const Options& options);
std::string device_of(const Options& options, const Workbench& workbench, bool computes = false);
Workbench workbench_of(const Options& options);

// Registers a running call for its lifetime. At its exit the interpreter stops the call by `stops` and waits for it. A
// thread that calls later blocks here forever: it cannot return to the interpreter.
class RunningCall {
 public:
  struct All;

  explicit RunningCall(std::vector<std::stop_source> stops = {});
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;
  ~RunningCall();

 private:
  All& all_;
  std::vector<std::stop_source> stops_;
};
// Releases the interpreter's lock to other threads during a part of a call that does not need Python.
class OtherThreads {
  RunningCall call_;
  py::gil_scoped_release release_;
};

// run_call() runs `work` on a separate thread. Meanwhile the calling thread, which holds the interpreter's lock,
// releases it to other threads, passes progress and notices to the listener (methods progress(phase, done, total) and
// notice(text)), and checks signals: the first Ctrl-C stops the work, which then returns its partial result; a second
// one ends it without a result. `interrupted` tells whether this happened. An exception of the listener also stops the
// work, and is thrown. The exit of the interpreter stops the work and waits for it.
struct Call {
  JobContext job;
  JobHooks hooks;
  // Runs a Python function on the calling thread, and waits for it. Returns false if the call is being stopped and the
  // function did not run.
  std::function<bool(const std::function<void()>&)> ask;
};
struct Ended {
  bool interrupted = false;
};
Ended run_call(const Options& options, const std::function<void(const Call&)>& work);

// run_job() runs a request of a workbench in the same way. After Ctrl-C it throws iosx.Interrupted with the partial
// result, converted by `wrap`; without a partial result, KeyboardInterrupt.
[[noreturn]] void throw_interrupted(const py::object& found);
template <typename Answer, typename Wrap>
py::object run_job(const Options& options, const std::function<Result<Answer>(const Call&)>& work, const Wrap& wrap) {
  std::optional<Result<Answer>> answer;
  const Ended ended = run_call(options, [&](const Call& call) { answer = work(call); });
  if (ended.interrupted && !*answer) throw_interrupted(py::none());
  py::object wrapped = wrap(take(*std::move(answer)));
  if (ended.interrupted) throw_interrupted(wrapped);
  return wrapped;
}

// Stops all running calls and waits for them, before the interpreter exits.
void end_calls();

// Converts a document to dicts, lists, strings, numbers and None.
py::object to_python(const nlohmann::ordered_json& document);
// Returns a float32 array that shares the elements of the tensor. `writable` is only for elements that the caller alone
// uses.
py::object to_array(const Tensor& tensor, std::span<const std::int64_t> dims, bool writable);
py::object to_array(std::span<const double> values);
// Copies the elements of an array as float32. An array without real numbers is a TypeError.
Tensor to_tensor(const py::handle& array);

// Core's messages use the command line's options, "give a larger --budget". Returns one in Python's words: "give a
// larger budget=", "shapes={'x': (1, 3, 64, 64)}" for "--shape x=1x3x64x64". Quoted text stays.
std::string in_python(std::string_view text);

}  // namespace iosx::python
