#include "app/python/binding.h"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "app/devices/all_devices.h"
#include "core/analysis/compare/compare_options.h"
#include "models/open_graph.h"

namespace iosx::python {
namespace {

constexpr auto kLookForSignals = std::chrono::milliseconds(50);

struct Listed {
  pid_t process = getpid();
  DeviceRegistry devices;
};

// What a job said and nobody has passed on yet.
struct Said {
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Progress> progress;
  std::vector<std::string> notices;
  const std::function<void()>* question = nullptr;  // to be run where the call was made
  bool answered = false;
  bool ended = false;

  bool anything() const { return ended || progress || !notices.empty() || question != nullptr; }
};

}  // namespace

// The calls that run, to be stopped where the interpreter ends.
struct RunningCall::All {
  pid_t process = getpid();
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::stop_source> stops;
  std::size_t calls = 0;
  std::optional<std::thread::id> ending = {};  // the thread that ends the interpreter
};

namespace {

// Returns those of this process: a forked one has none of its parent's, whose threads it lacks. Called, as whoever goes
// on with what it returns, where the interpreter's lock is held.
RunningCall::All& running() {
  // Threads may outlive what ends before the process does.
  static RunningCall::All* all = nullptr;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
  if (all == nullptr || all->process != getpid()) all = new RunningCall::All;
  return *all;
}

// Where the interpreter ends, a thread that comes back to it is unwound by force, which no destructor survives.
[[noreturn]] void stay_outside() {
  PyEval_SaveThread();
  while (true) pause();
}

// Finds NumPy's functions before anything asks for them. pybind11 does so under a lock of the compiler's, and importing
// NumPy lets other threads in, of which one might wait for that lock and never let this one go on.
void find_numpy() {
  static std::atomic<bool> found = false;
  if (found) return;
  static std::mutex mutex;
  std::unique_lock lock(mutex, std::defer_lock);
  {
    const OtherThreads others;
    lock.lock();
  }
  py::detail::npy_api::get();
  found = true;
}

void pass_on(const py::object& listener, const std::optional<Progress>& progress,
             const std::vector<std::string>& notices) {
  if (listener.is_none()) return;
  if (progress) listener.attr("progress")(python_text(progress->phase), progress->done, progress->total);
  for (const std::string& notice : notices) listener.attr("notice")(notice);
}

}  // namespace

RunningCall::RunningCall(std::vector<std::stop_source> stops) : all_(running()), stops_(std::move(stops)) {
  std::unique_lock lock(all_.mutex);
  if (all_.ending && *all_.ending != std::this_thread::get_id()) {
    lock.unlock();
    stay_outside();
  }
  if (all_.ending) throw Failed{{message("Python is exiting"), {}, {}}};
  all_.stops.insert(all_.stops.end(), stops_.begin(), stops_.end());
  ++all_.calls;
}

RunningCall::~RunningCall() {
  std::unique_lock lock(all_.mutex);
  for (const std::stop_source& stop : stops_) std::erase(all_.stops, stop);
  --all_.calls;
  all_.changed.notify_all();
  if (!all_.ending) return;
  lock.unlock();
  stay_outside();
}

DeviceRegistry& devices() {
  // Guarded by the interpreter's lock; that of a parent process is left alone.
  static Listed* listed = nullptr;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
  if (listed == nullptr || listed->process != getpid()) {
    auto made = std::make_unique<Listed>();
    add_all_devices(made->devices);
    for (const Message& notice : add_users_devices(made->devices)) log("warning", notice);
    listed = made.release();
  }
  return listed->devices;
}

Process::Process() : id_(getpid()) {}
void Process::check(const char* what) const {
  if (id_ == getpid()) return;
  throw Failed{
      {message("{} was created before this process was forked, and works only in the parent process", what),
       {},
       message("create it again in this process, or start processes with the method \"spawn\" of multiprocessing")}};
}

std::string python_text(const Message& message) { return in_python(message.text()); }

void log(const char* level, const Message& message) {
  py::module_::import("logging").attr("getLogger")("iosx").attr(level)("%s", python_text(message));
}

py::object Options::find(const char* name) const {
  return values_.contains(name) ? py::object(values_[name]) : py::object(py::none());
}

std::string shown(const py::handle& value) {
  constexpr int kLetters = 80;
  return py::str(py::repr(value)[py::slice(0, kLetters, 1)]);
}

std::string path_of(const py::handle& path) {
  const py::module_ os = py::module_::import("os");
  const auto bytes = py::bytes(os.attr("fsencode")(os.attr("fspath")(path)));
  auto text = bytes.cast<std::string>();
  if (text.find('\0') != std::string::npos) throw py::value_error("a path cannot contain zero bytes: " + shown(path));
  return text;
}

void Options::refuse(const char* name, const char* type, const py::handle& value) {
  const std::string kind = py::str(py::type::of(value).attr("__name__"));
  throw py::type_error(fmt::format("{} must be {}, not {} ({})", name, type, shown(value), kind));
}

std::optional<std::int64_t> Options::whole(const char* name, Bounds<std::int64_t> bounds) const {
  const py::object given = find(name);
  int overflow = 0;  // of what is larger than any bound
  if (PyLong_Check(given.ptr()) != 0) PyLong_AsLongLongAndOverflow(given.ptr(), &overflow);
  const auto value = overflow == 0 ? get<std::int64_t>(name, "a whole number") : std::nullopt;
  if (overflow != 0 || (value && !bounds.hold(*value))) {
    throw py::value_error(
        fmt::format("{} must be a whole number from {} to {}, not {}", name, bounds.least, bounds.most, shown(given)));
  }
  return value;
}

std::optional<double> Options::number(const char* name, Bounds<double> bounds) const {
  const auto value = get<double>(name, "a number");
  if (value && !bounds.hold(*value)) {
    throw py::value_error(
        fmt::format("{} must be a number from {:g} to {:g}, not {:g}", name, bounds.least, bounds.most, *value));
  }
  return value;
}

std::vector<std::string> Options::texts(const char* name) const {
  const py::object value = find(name);
  if (value.is_none()) return {};
  if (py::isinstance<py::str>(value)) return {value.cast<std::string>()};
  return *get<std::vector<std::string>>(name, "strings");
}

std::vector<std::int64_t> Options::wholes(const char* name, Bounds<std::int64_t> bounds) const {
  auto values = get<std::vector<std::int64_t>>(name, "whole numbers").value_or(std::vector<std::int64_t>());
  for (const std::int64_t value : values) {
    if (!bounds.hold(value)) {
      throw py::value_error(
          fmt::format("{} must be whole numbers from {} to {}, not {}", name, bounds.least, bounds.most, value));
    }
  }
  return values;
}

std::string Options::path(const char* name) const {
  const py::object value = find(name);
  if (value.is_none()) return {};
  std::string path = path_of(value);
  if (path.empty()) throw py::value_error(fmt::format("{} is an empty path", name));
  return path;
}

void read_options(const Options& values, const std::vector<BoundOption>& options) {
  for (const BoundOption& option : options) {
    const OptionInfo& info = *option.info;
    const std::string keyword(info.keyword());
    const char* const name = keyword.c_str();
    if (option.kind == OptionKind::kFlag) {
      if (const auto flag = values.get<bool>(name, "True or False")) option.set(*flag);
    } else if (option.kind == OptionKind::kWhole) {
      if (const auto whole = values.whole(name, info.whole_bounds())) option.set(*whole);
    } else if (option.kind == OptionKind::kNumber) {
      if (const auto number = values.number(name, info.bounds)) option.set(*number);
    } else if (const auto word = values.get<std::string>(name, "a string")) {
      const auto value = parse_option(option, *word);
      if (!value) throw py::value_error(fmt::format("{} must be {}, not '{}'", name, allowed_text(option), *word));
      option.set(*value);
    }
  }
}

CompareOptions compare_options(const Options& options, Uses uses) {
  CompareOptions compare;
  read_options(options, options_of(compare, use::kAll));
  const Uses replayed = options.flag("replay") ? uses : 0;
  if (const auto settled = settle(compare, replayed); !settled) {
    throw py::value_error(python_text(settled.error().what));
  }
  return compare;
}

StoreChoice store_choice(const Options& options) {
  const py::object store = options.find("store");
  if (store.is_none() || store.is(py::bool_(true))) return {.place = {.kept = true}};
  if (store.is(py::bool_(false))) {
    if (options.flag("replay")) throw py::value_error("replay needs a store, but store=False disables it");
    return {.place = {.kept = false}};
  }
  return {.place = {.kept = true, .file = options.path("store")}, .named = true};
}

Workbench workbench_of(const Options& options) { return {devices(), store_choice(options), IOSX_VERSION}; }

namespace {

// Returns our id of a GPU that torch calls "cuda" or "cuda:1"; every other id as it is, and what is
// a device's own id.
std::string id_of_torch(std::string_view id) {
  constexpr std::string_view kTorch = "cuda";
  if (!id.starts_with(kTorch) || devices().find(id) != nullptr) return std::string(id);
  const std::string_view number = id.substr(kTorch.size());
  if (number.empty() || number == ":0") return "gpu";
  const bool numbered = number.front() == ':' && number.size() > 1;
  return numbered ? fmt::format("gpu{}", number.substr(1)) : std::string(id);
}

// Returns the id that was probably meant: the first one that has these letters in it ("v100"), or few others.
std::string similar_id(const std::string& id, const std::vector<std::string>& ids) {
  constexpr std::size_t kPart = 3;
  const auto has_it = [&](const std::string& each) { return each.find(id) != std::string::npos; };
  const auto whole = id.size() < kPart ? ids.end() : std::ranges::find_if(ids, has_it);
  return whole != ids.end() ? *whole : nearest(id, ids);
}

}  // namespace

const DeviceRegistry::Entry& device_named(const std::string& id) {
  const DeviceRegistry::Entry* const found = devices().find(id_of_torch(id));
  if (found != nullptr) return *found;
  std::vector<std::string> ids;
  for (const DeviceRegistry::Entry* const entry : devices().entries()) ids.push_back(entry->info.id);
  const std::string similar = similar_id(id, ids);
  const std::string all = fmt::format("{}", fmt::join(ids, ", "));
  throw Failed{{message("there is no device '{}'", id),
                {},
                similar.empty() ? message("choose one of {}", all)
                                : message("did you mean {}? choose one of {}", similar, all)}};
}

std::string device_text(const py::handle& device) {
  if (py::isinstance<py::str>(device)) return device.cast<std::string>();
  if (py::hasattr(device, "id") && py::isinstance<py::str>(device.attr("id")))
    return device.attr("id").cast<std::string>();
  if (py::hasattr(device, "type") && py::hasattr(device, "index")) return py::str(device);  // a torch.device
  Options::refuse("device", "a device's id, an iosx.Device or a torch.device", device);
}

std::string device_of(const Options& options, const Workbench& workbench, bool computes) {
  const py::object device = options.find("device");
  if (device.is_none()) {
    const DeviceRegistry::Entry* const best = workbench.default_device(computes);
    return best == nullptr ? std::string() : best->info.id;
  }
  const std::string id = device_text(device);
  if (options.flag("replay")) return id_of_torch(id);  // may be a fingerprint that only the store knows
  return device_named(id).info.id;
}

std::vector<std::string> device_ids(const Options& options, const char* name) {
  std::vector<std::string> ids;
  for (const std::string& id : options.texts(name)) ids.push_back(device_named(id).info.id);
  return ids;
}

Ended run_call(const Options& options, const std::function<void(const Call&)>& work) {
  const py::object listener = options.find("listener");
  Said said;
  std::stop_source stop;
  std::stop_source abandon;
  const RunningCall while_it_runs({stop, abandon});
  std::exception_ptr thrown;
  const auto ask = [&said, token = stop.get_token()](const std::function<void()>& question) {
    std::unique_lock lock(said.mutex);
    said.answered = false;
    said.question = &question;
    said.changed.notify_all();
    while (!said.answered && !(token.stop_requested() && said.question != nullptr)) {
      said.changed.wait_for(lock, kLookForSignals);
    }
    said.question = nullptr;
    return said.answered;
  };
  std::thread worker([&] {
    const Call call{{stop.get_token(),
                     [&said](const Progress& progress) {
                       const std::lock_guard lock(said.mutex);
                       said.progress = progress;
                       said.changed.notify_all();
                     }},
                    {.notice =
                         [&said](const Message& notice) {
                           const std::lock_guard lock(said.mutex);
                           said.notices.push_back(python_text(notice));
                           said.changed.notify_all();
                         },
                     .abandon = abandon.get_token()},
                    ask};
    try {
      work(call);
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(said.mutex);
    said.ended = true;
    said.changed.notify_all();
  });

  Ended ended;
  std::optional<py::error_already_set> raised_here;
  for (bool done = false; !done;) {
    std::optional<Progress> progress;
    std::vector<std::string> notices;
    const std::function<void()>* question = nullptr;
    {
      const py::gil_scoped_release others;
      std::unique_lock lock(said.mutex);
      said.changed.wait_for(lock, kLookForSignals, [&] { return said.anything(); });
      std::swap(progress, said.progress);
      std::swap(notices, said.notices);
      std::swap(question, said.question);
      done = said.ended;
    }
    if (question != nullptr) {
      (*question)();
      const py::gil_scoped_release others;
      const std::lock_guard lock(said.mutex);
      said.answered = true;
      said.changed.notify_all();
    }
    if (PyErr_CheckSignals() != 0) {
      py::error_already_set raised;
      if (stop.stop_requested()) abandon.request_stop();
      stop.request_stop();
      ended.interrupted = raised.matches(PyExc_KeyboardInterrupt);
      if (!ended.interrupted) raised_here = std::move(raised);
    }
    if (raised_here) continue;
    try {
      pass_on(listener, progress, notices);
    } catch (py::error_already_set& error) {
      raised_here = std::move(error);
      stop.request_stop();
    }
  }
  {
    const py::gil_scoped_release others;
    worker.join();
  }
  if (thrown) std::rethrow_exception(thrown);
  if (raised_here) throw std::move(*raised_here);
  return ended;
}

void end_calls() {
  RunningCall::All& all = running();
  const py::gil_scoped_release others;
  std::unique_lock lock(all.mutex);
  all.ending = std::this_thread::get_id();
  for (std::stop_source& stop : all.stops) stop.request_stop();
  all.changed.wait(lock, [&all] { return all.calls == 0; });
}

void throw_interrupted(const py::object& found) {
  if (found.is_none()) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  } else {
    const py::object kind = py::module_::import("iosx._errors").attr("Interrupted");
    PyErr_SetObject(kind.ptr(), kind(found).ptr());
  }
  throw py::error_already_set();
}

py::object to_python(const nlohmann::ordered_json& document) {
  switch (document.type()) {
    case nlohmann::ordered_json::value_t::object: {
      py::dict dict;
      for (const auto& [key, value] : document.items()) dict[py::cast(key)] = to_python(value);
      return dict;
    }
    case nlohmann::ordered_json::value_t::array: {
      py::list list(document.size());
      for (std::size_t i = 0; i < document.size(); ++i) list[i] = to_python(document[i]);
      return list;
    }
    case nlohmann::ordered_json::value_t::string: return py::cast(document.get_ref<const std::string&>());
    case nlohmann::ordered_json::value_t::boolean: return py::bool_(document.get<bool>());
    case nlohmann::ordered_json::value_t::number_integer: return py::int_(document.get<std::int64_t>());
    case nlohmann::ordered_json::value_t::number_unsigned: return py::int_(document.get<std::uint64_t>());
    case nlohmann::ordered_json::value_t::number_float: return py::float_(document.get<double>());
    default: return py::none();
  }
}

py::object to_array(const Tensor& tensor, std::span<const std::int64_t> dims, bool writable) {
  find_numpy();
  auto held = std::make_unique<Tensor>(tensor);
  const float* const elements = held->elements().data();
  const py::capsule owner(held.release(), [](void* owned) { delete static_cast<Tensor*>(owned); });
  py::array_t<float> array(std::vector<py::ssize_t>(dims.begin(), dims.end()), elements, owner);
  if (!writable) array.attr("setflags")(py::arg("write") = false);
  return array;
}

py::object to_array(std::span<const double> values) {
  find_numpy();
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

Tensor to_tensor(const py::handle& array) {
  find_numpy();
  const auto given = py::array::ensure(array);
  constexpr std::string_view kReal = "biuf";  // NumPy's letters for truth values, whole numbers and floats
  if (!given || kReal.find(given.dtype().kind()) == std::string_view::npos) {
    PyErr_Clear();
    throw py::type_error("expected an array of real numbers, not " + shown(array));
  }
  const auto floats = py::array_t<float, py::array::c_style | py::array::forcecast>(given);
  std::vector<std::int64_t> dims(floats.shape(), floats.shape() + floats.ndim());
  return {std::move(dims), std::vector<float>(floats.data(), floats.data() + floats.size())};
}

namespace {

// An option of the command line that messages name, and what it is in Python.
struct Word {
  std::string option;    // without its hyphens
  std::string argument;  // "shapes="
};

// Options that have rows (core/options/option.h), and those that each client declares by itself. Those of other
// programs, such as docker's --gpus, stay as they are.
const std::vector<Word>& known_words() {
  static const std::vector<Word> words = [] {
    std::vector<Word> all{{"device", "device="},       {"dim", "dims="},        {"finer-units", "Graph.finer_units()"},
                          {"no-store", "store=False"}, {"python", "python="},   {"shape", "shapes="},
                          {"store", "store="},         {"streams", "streams="}, {"streams-on", "streams_on="}};
    const auto add = [&](auto options) {
      for (const BoundOption& option : bind_options(options, use::kAll)) {
        const std::string flag = option.info->flag();
        all.push_back({flag.substr(flag.find_first_not_of('-')), fmt::format("{}=", option.info->keyword())});
      }
    };
    add(CompareOptions());
    add(JobOptions());
    return all;
  }();
  return words;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Reads the text after an option from its front, and removes what it has read.
class Rest {
 public:
  explicit Rest(std::string_view text) : text_(text) {}

  bool take(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  std::string_view take_while(const auto& belongs) {
    const auto* const end = std::ranges::find_if_not(text_, belongs);
    const auto length = static_cast<std::size_t>(end - text_.begin());
    const std::string_view taken = text_.substr(0, length);
    text_.remove_prefix(length);
    return taken;
  }
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

// Returns "shapes={'x': (1, 3)}" of "x=1x3", "dims={'n': 3}" of "n=3", "batch=3" of "3"; nothing of other texts.
std::optional<std::string> with_value(std::string_view option, Rest& rest) {
  Rest after = rest;
  if (!after.take(' ')) return std::nullopt;
  std::string made;
  if (option == "batch") {
    const std::string_view size = after.take_while(is_digit);
    if (size.empty()) return std::nullopt;
    made = fmt::format("batch={}", size);
  } else {
    const std::string_view name = after.take_while([](char c) { return c != '=' && c != ' ' && c != '\n'; });
    if (name.empty() || !after.take('=')) return std::nullopt;
    if (option == "dim") {
      const std::string_view size = after.take_while(is_word);
      if (size.empty()) return std::nullopt;
      made = fmt::format("dims={{'{}': {}}}", name, size);
    } else {
      std::string sizes(after.take_while(is_digit));
      if (sizes.empty()) return std::nullopt;
      bool one = true;
      for (Rest more = after; more.take('x'); after = more, one = false) {
        const std::string_view size = more.take_while(is_digit);
        if (size.empty()) break;
        sizes.append(", ").append(size);
      }
      made = fmt::format("shapes={{'{}': ({}{})}}", name, sizes, one ? "," : "");
    }
  }
  rest = after;
  return made;
}

// Returns an option in front of `rest` in Python's words; nothing where there is none of ours.
std::optional<std::string> option_of(Rest& rest) {
  Rest after = rest;
  after.take('-');
  const bool one_letter = !after.take('-');
  const std::string_view name = after.take_while([](char c) { return is_word(c) || c == '-'; });
  const auto known = std::ranges::find(known_words(), name, &Word::option);
  if (known == known_words().end() || one_letter != (name.size() == 1)) return std::nullopt;
  rest = after;
  if (name == "shape" || name == "dim" || name == "batch") {
    if (auto made = with_value(name, rest)) return made;
  }
  return known->argument;
}

// Returns how long what stands in quotes at the beginning is, which somebody else wrote; 0 where nothing is quoted.
std::size_t quoted(std::string_view text) {
  if (!text.starts_with('\'')) return 0;
  const std::size_t end = text.find('\'', 1);
  return end == std::string_view::npos ? 0 : end + 1;
}

}  // namespace

std::string in_python(std::string_view text) {
  std::string made;
  Rest rest(text);
  for (char before = ' '; !rest.text().empty(); before = made.back()) {
    const bool begins = !is_word(before) && before != '-';
    if (const std::size_t length = begins ? quoted(rest.text()) : 0; length > 0) {
      made.append(rest.text().substr(0, length));
      rest = Rest(rest.text().substr(length));
    } else if (auto option = begins && rest.text().front() == '-' ? option_of(rest) : std::nullopt) {
      made.append(*option);
    } else {
      made.push_back(rest.text().front());
      rest = Rest(rest.text().substr(1));
    }
  }
  return made;
}

}  // namespace iosx::python
