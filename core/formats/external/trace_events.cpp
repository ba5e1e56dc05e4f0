#include "core/formats/external/trace_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <compare>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>

#include "core/base/json/json_stream.h"
#include "core/base/text.h"

namespace iosx::external {
namespace {

constexpr std::size_t kMostEvents = 4 * kMostSpans;  // ranges of every kind, most of which are no operators
constexpr std::size_t kMostDepth = 200;
constexpr std::string_view kExternalId = "External id";  // older PyTorch writes it in lower case
constexpr std::size_t kMostDevices = 1000;
constexpr std::string_view kModule = "nn.Module";
constexpr std::size_t kMostDims = 8;                     // of a tensor, the rest is not read
constexpr std::size_t kMostTensors = 64;                 // of an event
constexpr std::size_t kMostAllTensors = 4 * kMostSpans;  // beyond, shapes count as not known

// It is a time of the file in µs, exactly: doubles cannot hold the nanoseconds of clocks that began in 1970.
struct Stamp {
  std::int64_t micros = 0;
  double fraction = 0;
  friend auto operator<=>(const Stamp&, const Stamp&) = default;
};
constexpr std::int64_t kMostStamp = INT64_MAX / 4;  // so that differences have room
// A clock that shows more, 11 days in µs, is not the file's own.
constexpr std::int64_t kOwnClock = 1'000'000'000'000;

double between(const Stamp& from, const Stamp& to) {
  return static_cast<double>(to.micros - from.micros) + (to.fraction - from.fraction);
}

std::optional<double> number_in(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  const auto value = read_number<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

// Reads "1680718159987758.123" and every other way to write a number.
std::optional<Stamp> stamp_in(std::string_view text) {
  const auto value = number_in(text);
  if (!value || std::abs(*value) > static_cast<double>(kMostStamp)) return std::nullopt;
  Stamp stamp{static_cast<std::int64_t>(*value), *value - std::trunc(*value)};
  std::int64_t whole = 0;
  const char* const begin = text.data() + std::min(text.find_first_not_of(' '), text.size());
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(begin, end, whole);
  if (error != std::errc() || std::find_if(rest, end, [](char c) { return c == 'e' || c == 'E'; }) != end) return stamp;
  stamp = {whole, 0};
  if (rest != end && *rest == '.') {
    const auto fraction = number_in("0" + std::string(rest, end));
    stamp.fraction = (*begin == '-' ? -1 : 1) * fraction.value_or(0);
  }
  return stamp;
}

// Reads a number that is whole, however it is written; -1: it is not.
std::int64_t whole_in(std::string_view text) {
  if (const auto whole = read_number<std::int64_t>(text)) return *whole;
  if (read_number<std::uint64_t>(text)) return INT64_MAX;
  const auto value = number_in(text);
  const bool whole = value && std::abs(*value) < kMostMicros && *value == std::floor(*value);
  return whole ? static_cast<std::int64_t>(*value) : -1;
}

// These are members of an event by their keys: texts, and what is in "args".
template <typename T>
using Member = std::pair<std::string_view, T TraceEvent::*>;
constexpr std::array<Member<TextId>, 4> kTexts{{{"name", &TraceEvent::name},
                                                {"cat", &TraceEvent::category},
                                                {"pid", &TraceEvent::process},
                                                {"tid", &TraceEvent::thread}}};
constexpr std::array<Member<TextId>, 3> kTextsOfArgs{
    {{"op_name", &TraceEvent::op_name}, {"output", &TraceEvent::output}, {"parent_name", &TraceEvent::parent}}};
constexpr std::array<Member<std::int64_t>, 3> kNumbersOfArgs{
    {{kExternalId, &TraceEvent::external}, {"correlation", &TraceEvent::correlation}, {"stream", &TraceEvent::stream}}};

// These set numbers of KernelArgs by their keys in "args".
template <typename T>
T limited(std::string_view text) {
  const std::int64_t whole = whole_in(text);
  return static_cast<T>(std::clamp<std::int64_t>(whole, std::is_signed_v<T> ? -1 : 0, std::numeric_limits<T>::max()));
}
std::uint32_t low_bits(std::string_view text) {
  return static_cast<std::uint32_t>(read_number<std::uint64_t>(text).value_or(0));  // some writers have all 64
}
using SetArg = void (*)(KernelArgs&, std::string_view);
constexpr std::array<std::pair<std::string_view, SetArg>, 15> kKernelArgs{{
    {"device", [](KernelArgs& args, std::string_view text) { args.device = limited<std::int32_t>(text); }},
    {"registers per thread",
     [](KernelArgs& args, std::string_view text) { args.registers = limited<std::uint16_t>(text); }},
    {"shared memory",
     [](KernelArgs& args, std::string_view text) { args.shared_bytes = limited<std::uint32_t>(text); }},
    {"graph id", [](KernelArgs& args, std::string_view text) { args.graph = low_bits(text); }},
    {"graph node id", [](KernelArgs& args, std::string_view text) { args.node = low_bits(text); }},
    {"blocks per SM",
     [](KernelArgs& args, std::string_view text) {
       args.blocks_per_multiprocessor = static_cast<float>(std::clamp(number_in(text).value_or(0), 0.0, 1e30));
     }},
    {"dependencies known", [](KernelArgs& args, std::string_view text) { args.dependencies_known = text == "1"; }},
    {"wait_on_stream",
     [](KernelArgs& args, std::string_view text) { args.wait_on_stream = limited<std::int32_t>(text); }},
    {"wait_on_cuda_event_record_corr_id",
     [](KernelArgs& args, std::string_view text) { args.wait_on_record = whole_in(text); }},
    {"grid_x", [](KernelArgs& args, std::string_view text) { args.grid[0] = limited<std::uint32_t>(text); }},
    {"grid_y", [](KernelArgs& args, std::string_view text) { args.grid[1] = limited<std::uint32_t>(text); }},
    {"grid_z", [](KernelArgs& args, std::string_view text) { args.grid[2] = limited<std::uint32_t>(text); }},
    {"block_x", [](KernelArgs& args, std::string_view text) { args.block[0] = limited<std::uint16_t>(text); }},
    {"block_y", [](KernelArgs& args, std::string_view text) { args.block[1] = limited<std::uint16_t>(text); }},
    {"block_z", [](KernelArgs& args, std::string_view text) { args.block[2] = limited<std::uint16_t>(text); }},
}};

// Returns null for another key.
template <typename Members>
auto member_of(const Members& members, std::string_view key) {
  const auto found = std::ranges::find(members, key, &Members::value_type::first);
  return found == members.end() ? nullptr : found->second;
}

bool same_but_for_case(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, {}, [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
}

// Finds a text without making a string of it.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>()(text); }
};

// Takes the needed data of each event while the text is parsed, so that no document is built.
class EventReader final : public JsonSink {
 public:
  explicit EventReader(TraceEvents& out) : out_(out) {}

  const Message& refusal() const { return refusal_; }
  bool has_events() const { return has_events_; }
  // Everything read before a broken end is whole events of an unclosed list.
  bool broke_off_between_events() const { return depth_ > 0 && events_depth_ == depth_; }

  bool number(std::string_view text) override {
    if (in_event()) {
      if (key_ == "ts") {
        begin_ = stamp_in(text);
      } else if (key_ == "dur") {
        duration_ = number_in(text).value_or(-1);
      } else if (key_ == "id") {
        flow_ = whole_in(text);
      } else if (key_ == "pid" || key_ == "tid") {
        event_.*member_of(kTexts, key_) = id(std::to_string(whole_in(text)));
      }
    } else if (in_args()) {
      if (const auto member = member_of(kNumbersOfArgs, args_key_)) {
        event_.*member = whole_in(text);
      } else if (args_key_ == "Record function id") {
        event_.record_function = limited<std::int32_t>(text);
      } else {
        set_kernel_arg(text);
      }
    } else if (in_device()) {
      if (key_ == "id") device_.id = whole_in(text);
      if (key_ == "numSms") device_.multiprocessors = whole_in(text);
      if (key_ == "maxThreadsPerMultiprocessor") device_.threads = whole_in(text);
    } else if (args_open_ && innermost_ && numbers_.size() < kMostDims) {
      numbers_.push_back(whole_in(text));
    }
    return true;
  }

  bool string(std::string_view value) override {
    if (in_event()) {
      if (const auto member = member_of(kTexts, key_)) {
        event_.*member = id(value);
      } else if (key_ == "ph") {
        phase_ = value.size() == 1 ? value.front() : '\0';
      } else if (key_ == "ts" || key_ == "dur") {
        if (number_in(value)) number(value);
      }
    } else if (in_args()) {
      if (member_of(kNumbersOfArgs, args_key_)) {
        if (number_in(value)) number(value);
      } else if (const auto member = member_of(kTextsOfArgs, args_key_)) {
        event_.*member = id(value);
      } else if (args_key_ == "name") {
        args_name_ = id(value);
      } else if (number_in(value)) {
        set_kernel_arg(value);  // ONNX Runtime writes its numbers as texts
      }
    } else if (in_device() && key_ == "name") {
      device_.name = id(value);
    } else if (depth_ == 2 && !is_array_ && top_key_ == "otherData" && key_ == "origin") {
      out_.ours = true;
    }
    return true;
  }

  bool key(std::string_view value) override {
    if (depth_ == 1) top_key_ = value;
    if (in_args()) args_key_ = same_but_for_case(value, "external id") ? kExternalId : value;
    if (depth_ <= 2 || in_event() || in_device()) key_ = value;
    return true;
  }

  bool begin(bool object) override { return object ? begin_object() : begin_list(); }
  bool end(bool object) override { return object ? end_object() : end_list(); }

  // Makes events of begins and ends, and gives all events their times.
  void finish() {
    const Stamp zero = zero_of_clock();
    pair_up();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < out_.events.size(); ++i) {
      TraceEvent event = out_.events[i];
      const double duration = event.end;
      event.begin = between(zero, begins_[i]);
      event.end = event.begin + duration;
      const bool unset = begins_[i] == Stamp() && duration == 0;  // how profilers write what they did not see
      if (unset || duration < 0 || duration >= kMostMicros || std::abs(event.begin) >= kMostMicros) {
        ++out_.broken;
      } else {
        out_.events[kept++] = event;
      }
    }
    out_.events.resize(kept);
    for (std::size_t i = 0; i < out_.flows.size(); ++i) out_.flows[i].at = between(zero, flow_times_[i]);
  }

 private:
  bool begin_object() {
    if (!open()) return false;
    if (in_event()) {
      event_ = {};
      phase_ = '\0';
      args_name_ = 0;
      begin_.reset();
      duration_ = -1;
      flow_ = -1;
      has_kernel_args_ = false;
      key_.clear();
    } else if (in_device()) {
      device_ = {};
    } else if (events_depth_ > 0 && depth_ == events_depth_ + 2) {
      args_open_ = key_ == "args";
      args_key_.clear();
    }
    return true;
  }
  bool end_object() {
    const bool ended = in_event();
    if (in_device() && out_.devices.size() < kMostDevices) out_.devices.push_back(device_);
    if (depth_ == events_depth_ + 2) args_open_ = false;
    --depth_;
    return !ended || take();
  }

  bool begin_list() {
    if (!open()) return false;
    if (depth_ == 1) is_array_ = true;
    if (depth_ == 1 || (depth_ == 2 && !is_array_ && top_key_ == "traceEvents")) {
      events_depth_ = depth_;
      has_events_ = true;
    }
    if (args_open_ && depth_ == events_depth_ + 3) tensors_.clear();
    if (args_open_ && depth_ > events_depth_ + 2) {
      numbers_.clear();
      innermost_ = true;
    }
    return true;
  }
  bool end_list() {
    if (args_open_ && depth_ == events_depth_ + 3 && (args_key_ == "grid" || args_key_ == "block")) keep_shape();
    const bool tensors =
        args_key_ == "Input Dims" || args_key_ == "input_type_shape" || args_key_ == "output_type_shape";
    if (args_open_ && tensors && depth_ > events_depth_ + 2) {
      if (innermost_ && depth_ > events_depth_ + 3 && tensors_.size() < kMostTensors) tensors_.push_back(numbers_);
      innermost_ = false;
      if (depth_ == events_depth_ + 3) keep_tensors();
    }
    if (depth_ == events_depth_) events_depth_ = 0;
    --depth_;
    return true;
  }

  bool in_event() const { return events_depth_ > 0 && depth_ == events_depth_ + 1; }
  bool in_args() const { return args_open_ && depth_ == events_depth_ + 2; }
  bool in_device() const { return depth_ == 3 && !is_array_ && top_key_ == "deviceProperties"; }

  KernelArgs& kernel_args() {
    if (!std::exchange(has_kernel_args_, true)) kernel_args_ = {};
    return kernel_args_;
  }
  void set_kernel_arg(std::string_view text) {
    const auto found =
        std::ranges::find(kKernelArgs, std::string_view(args_key_), [](const auto& row) { return row.first; });
    if (found != kKernelArgs.end()) found->second(kernel_args(), text);
  }
  void keep_shape() {
    KernelArgs& args = kernel_args();
    for (std::size_t i = 0; i < std::min<std::size_t>(numbers_.size(), 3); ++i) {
      if (args_key_ == "grid")
        args.grid[i] = static_cast<std::uint32_t>(std::clamp<std::int64_t>(numbers_[i], 0, UINT32_MAX));
      if (args_key_ == "block")
        args.block[i] = static_cast<std::uint16_t>(std::clamp<std::int64_t>(numbers_[i], 0, UINT16_MAX));
    }
  }

  bool refuse(Message why) {
    refusal_ = std::move(why);
    return false;
  }
  bool open() {
    if (++depth_ > kMostDepth) return refuse(message("brackets are nested more than {} deep", kMostDepth));
    return true;
  }

  TextId id(std::string_view text) {
    if (text.empty()) return 0;
    if (const auto found = ids_.find(text); found != ids_.end()) return found->second;
    const auto made = static_cast<TextId>(out_.texts.size());
    out_.texts.emplace_back(text);
    ids_.emplace(std::string(text), made);
    return made;
  }

  void keep_tensors() {
    all_tensors_ += tensors_.size();
    if (tensors_.empty() || all_tensors_ > kMostAllTensors) return;
    out_.dims.push_back(tensors_);
    const auto index = static_cast<std::uint32_t>(out_.dims.size());
    (args_key_ == "output_type_shape" ? event_.outputs : event_.inputs) = index;
  }

  bool take() {
    switch (phase_) {
      case 'X': return keep();
      case 'B':
      case 'E': return keep_mark();
      case 'M': name(); return true;
      case 's':
      case 'f': return keep_flow();
      case 'b':
      case 'e':
      case 'n':
      case 'S':
      case 'T':
      case 'p':
      case 'F': ++out_.asynchronous; return true;
      default: return true;
    }
  }

  bool room() { return out_.events.size() + marks_.size() < kMostEvents || too_many(); }

  bool keep() {
    if (!room()) return false;
    if (!begin_ || duration_ < 0) {
      ++out_.broken;
      return true;
    }
    // Nine tenths of a file with Python's stacks are functions of Python; only modules say something here.
    if (out_.text(event_.category) == "python_function" && !out_.text(event_.name).starts_with(kModule)) return true;
    if (has_kernel_args_) {
      out_.kernel_args.push_back(kernel_args_);
      event_.args = static_cast<std::uint32_t>(out_.kernel_args.size());
    }
    event_.end = duration_;
    out_.events.push_back(event_);
    begins_.push_back(*begin_);
    return true;
  }

  bool keep_flow() {
    const bool own = out_.text(event_.category) == kOwnArrows;
    if (flow_ < 0 || !begin_ || (!own && out_.text(event_.category) != kArrowsOfPyTorch)) return true;
    if (own && out_.text(event_.name) == "launch") return true;  // numbers say the same
    if (out_.flows.size() == kMostEvents) return too_many();
    out_.flows.push_back({flow_, 0, event_.process, event_.thread, own ? event_.name : TextId{0}, phase_ == 's'});
    flow_times_.push_back(*begin_);
    return true;
  }

  bool keep_mark() {
    if (!room()) return false;
    if (begin_) {
      marks_.push_back({event_, *begin_, phase_ == 'B', out_.events.size()});
    } else {
      ++out_.broken;
    }
    return true;
  }

  // Returns the zero of the file's clock, or a moment in its middle where that was years ago. One wrong time among many
  // does not decide.
  Stamp zero_of_clock() const {
    std::vector<std::int64_t> times;
    for (const Stamp& begin : begins_) times.push_back(begin.micros);
    for (const Mark& mark : marks_) times.push_back(mark.at.micros);
    if (times.empty()) return {};
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    return std::abs(*middle) > kOwnClock ? Stamp{*middle, 0} : Stamp();
  }

  void pair_up() {
    if (marks_.empty()) return;
    const auto thread = [](const Mark& mark) { return std::pair(mark.event.process, mark.event.thread); };
    std::ranges::stable_sort(marks_, {}, thread);
    // Complete events keep their places, and a pair gets that of its begin.
    std::vector<std::pair<std::size_t, std::pair<TraceEvent, Stamp>>> pairs;
    for (auto begin = marks_.begin(); begin != marks_.end();) {
      const auto end =
          std::find_if(begin, marks_.end(), [&](const Mark& mark) { return thread(mark) != thread(*begin); });
      pair_up_thread({begin, end}, pairs);
      begin = end;
    }
    std::ranges::stable_sort(pairs, {}, [](const auto& pair) { return pair.first; });
    std::vector<TraceEvent> events;
    std::vector<Stamp> begins;
    auto next = pairs.begin();
    for (std::size_t i = 0; i <= out_.events.size(); ++i) {
      for (; next != pairs.end() && next->first == i; ++next) {
        events.push_back(next->second.first);
        begins.push_back(next->second.second);
      }
      if (i == out_.events.size()) break;
      events.push_back(out_.events[i]);
      begins.push_back(begins_[i]);
    }
    out_.events = std::move(events);
    begins_ = std::move(begins);
  }

  struct Mark {
    TraceEvent event;
    Stamp at;
    bool begins = false;
    std::size_t place = 0;  // how many complete events stand before it
  };

  void pair_up_thread(std::span<Mark> marks, std::vector<std::pair<std::size_t, std::pair<TraceEvent, Stamp>>>& pairs) {
    // The order of a sorted file stays; in others, an end comes before a begin at the same time.
    if (!std::ranges::is_sorted(marks, {}, &Mark::at)) {
      std::ranges::stable_sort(marks, {}, [](const Mark& mark) { return std::pair(mark.at, mark.begins); });
    }
    std::vector<const Mark*> open;
    for (const Mark& mark : marks) {
      if (mark.begins) {
        open.push_back(&mark);
        continue;
      }
      const TextId name = mark.event.name;
      const auto begun = std::find_if(open.rbegin(), open.rend(), [name](const Mark* one) {
        return name == 0 || one->event.name == 0 || one->event.name == name;
      });
      if (begun == open.rend()) {
        ++out_.unpaired;
        continue;
      }
      TraceEvent event = (*begun)->event;
      event.end = between((*begun)->at, mark.at);
      pairs.push_back({(*begun)->place, {event, (*begun)->at}});
      open.erase(std::next(begun).base());
    }
    out_.unpaired += open.size();
  }

  bool too_many() { return refuse(message("has more than {} events", kMostEvents)); }

  void name() {
    const std::string_view what = out_.text(event_.name);
    if (args_name_ == 0) return;
    if (what == "process_name") out_.process_names[event_.process] = args_name_;
    if (what == "thread_name") out_.thread_names[{event_.process, event_.thread}] = args_name_;
  }

  TraceEvents& out_;
  std::unordered_map<std::string, TextId, TextHash, std::equal_to<>> ids_;
  std::vector<Stamp> begins_;  // of each event; until finish() its `end` is its duration
  std::vector<Mark> marks_;    // begins and ends
  std::vector<Stamp> flow_times_;

  std::size_t depth_ = 0;
  std::size_t events_depth_ = 0;  // of the list of events while it is open, else 0
  bool is_array_ = false;         // the file is a list
  bool has_events_ = false;
  std::string top_key_;
  std::string key_;
  bool args_open_ = false;
  std::string args_key_;
  std::vector<ExternalDims> tensors_;
  std::size_t all_tensors_ = 0;
  ExternalDims numbers_;
  bool innermost_ = false;

  TraceEvent event_;  // that is read now
  KernelArgs kernel_args_;
  bool has_kernel_args_ = false;
  TracedDevice device_;
  char phase_ = '\0';
  TextId args_name_ = 0;
  std::optional<Stamp> begin_;
  double duration_ = -1;
  std::int64_t flow_ = -1;  // its id

  Message refusal_;
};

}  // namespace

Result<TraceEvents> read_trace_events(ByteSource& source, const std::string& origin) {
  TraceEvents out;
  EventReader reader(out);
  IOS_TRY(const auto fault, stream_json(source, reader));
  if (!reader.refusal().empty())
    return fail(reader.refusal(), origin, message("record less: fewer runs, no Python stacks"));
  const bool broke_off =
      fault && fault->broke_off_between_values && reader.broke_off_between_events() && !out.events.empty();
  if (fault && !broke_off) {
    return fail(message("is not valid JSON: {}", fault->what),
                fmt::format("{}: line {}, column {}", origin, fault->line, fault->column),
                message("check that it is the right file, and complete"));
  }
  if (!reader.has_events()) {
    return fail(message("is JSON, but not a list of trace events"), origin,
                message("choose a Chrome trace, or a profile of ONNX Runtime or PyTorch"));
  }
  reader.finish();
  return out;
}

Nesting nesting_of(const std::vector<TraceEvent>& events) {
  Nesting nesting{.around = std::vector<std::uint32_t>(events.size(), kNone),
                  .order = std::vector<std::uint32_t>(events.size())};
  std::iota(nesting.order.begin(), nesting.order.end(), 0U);
  std::ranges::sort(nesting.order, {}, [&](std::uint32_t i) {
    const TraceEvent& event = events[i];
    return std::tuple(event.process, event.thread, event.begin, -event.end, i);
  });
  std::vector<std::uint32_t> open;
  for (const std::uint32_t i : nesting.order) {
    const TraceEvent& event = events[i];
    const auto holds = [&](const TraceEvent& outer) {
      return outer.process == event.process && outer.thread == event.thread && outer.end >= event.end &&
             outer.end > event.begin;
    };
    while (!open.empty() && !holds(events[open.back()])) open.pop_back();
    if (!open.empty()) nesting.around[i] = open.back();
    open.push_back(i);
  }
  return nesting;
}

}  // namespace iosx::external
