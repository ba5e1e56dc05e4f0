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

// Names and paths may hold bytes that are no UTF-8. In Python these are lone surrogates, as os.fsdecode() has them,
// which come back as the bytes that they were.
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

// What all parts of Python's module share: the program behind it, errors, options by name, arrays, and long calls.
namespace iosx::python {

namespace py = pybind11;

// Returns how Python writes a value, as far as an error can show it.
std::string shown(const py::handle& value);
// Returns a path as the system has it, of a text or an os.PathLike; a TypeError of anything else.
std::string path_of(const py::handle& path);

// Returns a message as Python shows it.
std::string python_text(const Message& message);

// Is thrown where Python sees an exception iosx.Error.
struct Failed {
  Error error;
};

// Returns what a result holds, or throws its error.
template <typename T>
T take(Result<T> result) {
  if (!result) throw Failed{std::move(result.error())};
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

// Returns the devices of this process, which are listed at the first call, and anew in a process that was forked.
DeviceRegistry& devices();
// Throws where the process that made something was another one: threads and locks do not survive a fork.
class Process {
 public:
  Process();
  void check(const char* what) const;

 private:
  int id_;
};

// Options that a function of the package was called with, by name; None stands for one that was not given. Values of
// another type are a TypeError, those out of range a ValueError.
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
// Returns the device that an id means, ours or torch's ("cuda", "cuda:1"). Throws where there is none, with the one
// that was probably meant.
const DeviceRegistry::Entry& device_named(const std::string& id);
// Returns the id in an iosx.Device, a torch.device or a text; a TypeError of anything else.
std::string device_text(const py::handle& device);
// Returns the ids of the devices that an option names.
std::vector<std::string> device_ids(const Options& options, const char* name);
// These read what several functions take. `device` may be a device or its id; without one it is the best there is, or
// the best that computes outputs.
CompareOptions compare_options(const Options& options, Uses uses = use::kAll);
StoreChoice store_choice(const Options& options);
std::string device_of(const Options& options, const Workbench& workbench, bool computes = false);
Workbench workbench_of(const Options& options);

// Says from beginning to end that a call runs, which the end of the interpreter stops by these and waits for. A thread
// of another call stays here then, for ever: what it has called for nobody hears any more.
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
// Lets other threads of Python in while this one, in a call, does without it.
class OtherThreads {
  RunningCall call_;
  py::gil_scoped_release release_;
};

// Runs `work` on a thread of its own. This one, which holds the interpreter's lock, meanwhile lets other threads of
// Python in, passes on progress and notices to the listener (methods progress(phase, done, total) and notice(text)),
// and looks for signals: Ctrl-C stops the work, which then hands over what it has, a second one ends it without.
// `interrupted` says whether that was so. An exception of the listener stops the work too, and is thrown. So does the
// end of the interpreter, which waits for the work.
struct Call {
  JobContext job;
  JobHooks hooks;
  // Has a function of Python's run where the call was made, and waits for it. It returns false where the call is being
  // stopped and the function was not run.
  std::function<bool(const std::function<void()>&)> ask;
};
struct Ended {
  bool interrupted = false;
};
Ended run_call(const Options& options, const std::function<void(const Call&)>& work);

// Runs a request of a workbench so. Where Ctrl-C stopped it, but something was found, throws iosx.Interrupted with what
// `wrap` makes of that; without anything, KeyboardInterrupt.
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

// Stops all calls that run, and waits for them: before the interpreter ends.
void end_calls();

// Returns a document as dicts, lists, texts, numbers and None.
py::object to_python(const nlohmann::ordered_json& document);
// Returns an array of float32 that shares the tensor's elements; nobody may write to it but where they are the
// caller's alone.
py::object to_array(const Tensor& tensor, std::span<const std::int64_t> dims, bool writable);
py::object to_array(std::span<const double> values);
// Returns a copy of an array's elements, which become float32. What holds no real numbers is a TypeError.
Tensor to_tensor(const py::handle& array);

// Core's messages use the command line's options, "give a larger --budget". Returns one in Python's words: "give a
// larger budget=", "shapes={'x': (1, 3, 64, 64)}" for "--shape x=1x3x64x64". Quoted text stays.
std::string in_python(std::string_view text);

}  // namespace iosx::python
