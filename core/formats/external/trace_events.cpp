#include "core/formats/external/trace_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>

#include "core/formats/external/recording.h"

namespace iosx::external {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostEvents = 4 * kMostSpans;  // ranges of every kind, most of which are no operators
constexpr std::size_t kMostDepth = 200;
constexpr std::size_t kMostDims = 8;                     // of a tensor, the rest is not read
constexpr std::size_t kMostTensors = 64;                 // of an event
constexpr std::size_t kMostAllTensors = 4 * kMostSpans;  // beyond, shapes count as not known

// Takes what is needed of each event while the text is parsed, so that no document is built.
class EventReader final : public nlohmann::json_sax<Json> {
 public:
  explicit EventReader(TraceEvents& out) : out_(out) {}

  const Message& refusal() const { return refusal_; }
  std::size_t error_position() const { return error_position_; }
  bool has_events() const { return has_events_; }
  // What was read up to a broken end is whole events of a list that was not closed.
  bool broke_off_between_events() const { return depth_ > 0 && events_depth_ == depth_; }

  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value), value); }
  bool number_unsigned(number_unsigned_t value) override {
    return number(static_cast<double>(value), static_cast<std::int64_t>(std::min<std::uint64_t>(value, INT64_MAX)));
  }
  bool number_float(number_float_t value, const string_t& /*text*/) override {
    const bool whole = std::abs(value) < kMostMicros && value == std::floor(value);
    return number(value, whole ? static_cast<std::int64_t>(value) : -1);
  }
  bool binary(binary_t& /*value*/) override { return true; }

  bool string(string_t& value) override {
    if (in_event()) {
      if (key_ == "name")
        event_.name = id(std::move(value));
      else if (key_ == "cat")
        event_.category = id(std::move(value));
      else if (key_ == "ph")
        phase_ = value.size() == 1 ? value.front() : '\0';
      else if (key_ == "pid")
        event_.process = id(std::move(value));
      else if (key_ == "tid")
        event_.thread = id(std::move(value));
    } else if (in_args()) {
      if (args_key_ == "op_name")
        event_.op_name = id(std::move(value));
      else if (args_key_ == "output")
        event_.output = id(std::move(value));
      else if (args_key_ == "name")
        args_name_ = id(std::move(value));
    } else if (depth_ == 2 && !is_array_ && top_key_ == "otherData" && key_ == "origin") {
      out_.ours = true;
    }
    return true;
  }

  bool key(string_t& value) override {
    if (depth_ == 1) top_key_ = value;
    if (in_args()) args_key_ = value;
    if (depth_ <= 2 || in_event()) key_ = std::move(value);
    return true;
  }

  bool start_object(std::size_t /*size*/) override {
    if (!open()) return false;
    if (in_event()) {
      event_ = {};
      phase_ = '\0';
      args_name_ = 0;
      has_begin_ = false;
      duration_ = -1;
      key_.clear();
    } else if (events_depth_ > 0 && depth_ == events_depth_ + 2) {
      args_open_ = key_ == "args";
      args_key_.clear();
    }
    return true;
  }
  bool end_object() override {
    const bool ended = in_event();
    if (depth_ == events_depth_ + 2) args_open_ = false;
    --depth_;
    return !ended || take();
  }

  bool start_array(std::size_t /*size*/) override {
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
  bool end_array() override {
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

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    error_position_ = position;
    return false;
  }

  void finish() {
    for (const auto& [thread, open] : open_) out_.unpaired += open.size();
  }

 private:
  bool in_event() const { return events_depth_ > 0 && depth_ == events_depth_ + 1; }
  bool in_args() const { return args_open_ && depth_ == events_depth_ + 2; }

  bool refuse(Message why) {
    refusal_ = std::move(why);
    return false;
  }
  bool open() {
    if (++depth_ > kMostDepth) return refuse(message("brackets are nested more than {} deep", kMostDepth));
    return true;
  }

  TextId id(std::string text) {
    if (text.empty()) return 0;
    const auto [found, made] = ids_.emplace(std::move(text), static_cast<TextId>(out_.texts.size()));
    if (made) out_.texts.push_back(found->first);
    return found->second;
  }

  bool number(double value, std::int64_t whole) {
    if (in_event()) {
      if (key_ == "ts") {
        event_.begin = value;
        has_begin_ = true;
      } else if (key_ == "dur") {
        duration_ = value;
      } else if (key_ == "pid") {
        event_.process = id(std::to_string(whole));
      } else if (key_ == "tid") {
        event_.thread = id(std::to_string(whole));
      }
    } else if (in_args()) {
      if (args_key_ == "External id")
        event_.external = whole;
      else if (args_key_ == "correlation")
        event_.correlation = whole;
      else if (args_key_ == "stream")
        event_.stream = whole;
    } else if (args_open_ && innermost_ && numbers_.size() < kMostDims) {
      numbers_.push_back(whole);
    }
    return true;
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
      case 'X': return keep(duration_);
      case 'B': open_[{event_.process, event_.thread}].push_back(event_); return ++begun_ <= kMostEvents || too_many();
      case 'E': return end_pair();
      case 'M': name(); return true;
      default: return true;
    }
  }

  bool keep(double duration) {
    const bool good = has_begin_ && duration >= 0 && duration < kMostMicros && std::abs(event_.begin) < kMostMicros;
    if (!good) {
      ++out_.broken;
      return true;
    }
    event_.end = event_.begin + duration;
    out_.events.push_back(event_);
    return out_.events.size() <= kMostEvents || too_many();
  }

  bool end_pair() {
    const auto open = open_.find({event_.process, event_.thread});
    if (open == open_.end() || open->second.empty()) {
      ++out_.unpaired;
      return true;
    }
    const double end = event_.begin;
    const bool timed = std::exchange(has_begin_, true);
    event_ = open->second.back();
    open->second.pop_back();
    --begun_;
    return keep(timed ? end - event_.begin : -1);
  }

  bool too_many() { return refuse(message("has more than {} events", kMostEvents)); }

  void name() {
    const std::string_view what = out_.text(event_.name);
    if (args_name_ == 0) return;
    if (what == "process_name") out_.process_names[event_.process] = args_name_;
    if (what == "thread_name") out_.thread_names[{event_.process, event_.thread}] = args_name_;
  }

  TraceEvents& out_;
  std::unordered_map<std::string, TextId> ids_;
  std::map<std::pair<TextId, TextId>, std::vector<TraceEvent>> open_;  // begins without their ends, by thread
  std::size_t begun_ = 0;

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
  char phase_ = '\0';
  TextId args_name_ = 0;
  bool has_begin_ = false;
  double duration_ = -1;

  Message refusal_;
  std::size_t error_position_ = 0;
};

}  // namespace

Result<TraceEvents> read_trace_events(std::string_view json, const std::string& origin) {
  TraceEvents out;
  EventReader reader(out);
  const bool whole = Json::sax_parse(json, &reader);
  if (!reader.refusal().empty()) {
    return fail(reader.refusal(), origin, message("record less: fewer runs, no Python stacks"));
  }
  if (!whole) {
    const std::size_t at = std::min(reader.error_position(), json.size());
    const bool broke_off = at + 1 >= json.size() && reader.broke_off_between_events() && !out.events.empty();
    if (!broke_off) {
      const auto line = 1 + std::count(json.begin(), json.begin() + static_cast<std::ptrdiff_t>(at), '\n');
      return fail(message("is not valid JSON"), fmt::format("{}: line {}", origin, line),
                  message("is it the right file, and whole?"));
    }
  }
  if (!reader.has_events()) {
    return fail(message("is JSON, but no list of trace events"), origin,
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
