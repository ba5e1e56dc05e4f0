#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/formats/external/csv_times.h"
#include "core/formats/external/trace_events.h"

namespace iosx::external {
namespace {

constexpr std::string_view kStep = "ProfilerStep#";
constexpr std::size_t kMostRanges = 8;  // around one event

// The role of an event, by its category. Before PyTorch 1.12 categories had capitals, and no GPU.
enum class Role { kOther, kOperator, kLaunch, kOnGpu, kAnnotation };

Role role_of(std::string_view category) {
  const std::string word = lower_case(category);
  const auto begins = [&](std::string_view head) { return word.starts_with(head); };
  if (word == "cpu_op" || word == "operator") return Role::kOperator;
  if (begins("cuda_") || begins("hip_") || begins("xpu_") || word == "runtime" || word == "driver")
    return Role::kLaunch;
  if (word == "kernel" || begins("gpu_mem") || word == "memcpy" || word == "memset") return Role::kOnGpu;
  if (word == "user_annotation") return Role::kAnnotation;
  return Role::kOther;
}

RecordedSpan span_of(const TraceEvent& event, std::string_view name) {
  RecordedSpan span;
  span.entry.name = std::string(name);
  span.begin = span.told = event.begin;
  span.end = event.end;
  return span;
}

// Finds events by a number with which others refer to them. Each recorded process counts separately.
class Causes {
 public:
  void add(std::int64_t number, const TraceEvent& event, std::uint32_t index) {
    if (number < 0) return;
    of_process_.push_back({number, event.process, event.begin, index});
    of_any_.push_back({number, 0, event.begin, index});
  }
  void sort() {
    std::ranges::sort(of_process_);
    std::ranges::sort(of_any_);
  }

  // Returns that of the event's own process, if there is one, else of any: the last that began before the event, else
  // the first after it; kNone if there is none.
  std::uint32_t find(std::int64_t number, const TraceEvent& event) const {
    const std::uint32_t own = find(of_process_, {number, event.process, event.begin, kNone});
    return own != kNone ? own : find(of_any_, {number, 0, event.begin, kNone});
  }

 private:
  using Place = std::tuple<std::int64_t, TextId, double, std::uint32_t>;  // number, process, begin, index

  static std::uint32_t find(const std::vector<Place>& places, const Place& place) {
    const auto is_it = [&](const Place& one) {
      return std::get<0>(one) == std::get<0>(place) && std::get<1>(one) == std::get<1>(place);
    };
    const auto after = std::ranges::upper_bound(places, place);
    if (after != places.begin() && is_it(*std::prev(after))) return std::get<3>(*std::prev(after));
    return after != places.end() && is_it(*after) ? std::get<3>(*after) : kNone;
  }

  std::vector<Place> of_process_;
  std::vector<Place> of_any_;
};

class PyTorchTrace {
 public:
  explicit PyTorchTrace(const TraceEvents& trace)
      : trace_(trace),
        outermost_operator_(trace.events.size(), kNone),
        nearest_operator_(trace.events.size(), kNone),
        nearest_range_(trace.events.size(), kNone) {
    std::unordered_map<TextId, Role> known;
    for (const TraceEvent& event : trace.events) {
      const auto [place, made] = known.emplace(event.category, Role::kOther);
      if (made) place->second = role_of(trace.text(event.category));
      roles_.push_back(place->second);
    }
    nest();
    for (std::uint32_t i = 0; i < trace.events.size(); ++i) {
      const TraceEvent& event = trace.events[i];
      if (is_operator(i)) operators_.add(event.external, event, i);
      if (roles_[i] == Role::kLaunch) launches_.add(event.correlation, event, i);
    }
    operators_.sort();
    launches_.sort();
  }

  Recording recording() const {
    Recording out;
    out.tool = ExternalTool::kPyTorch;
    for (std::uint32_t i = 0; i < trace_.events.size(); ++i) {
      if (on_gpu(i)) out.add(gpu_span(i));
    }
    if (out.text == 0) {
      for (std::uint32_t i = 0; i < trace_.events.size(); ++i) {
        if (outermost_operator_[i] == i) out.add(cpu_span(i));
      }
    }
    out.runs = runs();
    return out;
  }

 private:
  std::string_view name(std::uint32_t i) const { return trace_.text(trace_.events[i].name); }
  bool is_step(std::uint32_t i) const { return name(i).starts_with(kStep); }
  bool is_operator(std::uint32_t i) const { return roles_[i] == Role::kOperator && !is_step(i); }
  bool on_gpu(std::uint32_t i) const { return roles_[i] == Role::kOnGpu; }
  bool is_range(std::uint32_t i) const { return roles_[i] == Role::kAnnotation && !is_step(i); }

  // Ranges may be nested as deep as a file is long, so there is no walk upwards.
  void nest() {
    const Nesting nesting = nesting_of(trace_.events);
    for (const std::uint32_t i : nesting.order) {
      const std::uint32_t around = nesting.around[i];
      if (around != kNone) {
        outermost_operator_[i] = outermost_operator_[around];
        nearest_operator_[i] = nearest_operator_[around];
        nearest_range_[i] = nearest_range_[around];
        if (is_range(i)) range_around_.emplace(i, nearest_range_[around]);
      }
      if (is_operator(i)) nearest_operator_[i] = i;
      if (is_operator(i) && outermost_operator_[i] == kNone) outermost_operator_[i] = i;
      if (is_range(i)) nearest_range_[i] = i;
    }
  }

  void describe(std::uint32_t op, ExternalEntry& entry) const {
    if (op == kNone) return;
    const std::uint32_t outermost = outermost_operator_[op];
    entry.type = std::string(name(outermost));
    if (const std::uint32_t index = trace_.events[outermost].inputs; index != 0) entry.inputs = trace_.dims[index - 1];
    std::uint32_t range = nearest_range_[outermost];
    while (range != kNone && entry.within.size() < kMostRanges) {
      entry.within.emplace_back(name(range));
      const auto next = range_around_.find(range);
      range = next == range_around_.end() ? kNone : next->second;
    }
  }

  RecordedSpan cpu_span(std::uint32_t i) const {
    RecordedSpan span = span_of(trace_.events[i], name(i));
    describe(i, span.entry);
    span.lane = std::string(trace_.text(trace_.events[i].thread));
    return span;
  }

  RecordedSpan gpu_span(std::uint32_t i) const {
    const TraceEvent& event = trace_.events[i];
    RecordedSpan span = span_of(trace_.events[i], name(i));
    span.lane = std::string(trace_.text(event.process)) + '/' + std::to_string(event.stream);
    const std::uint32_t launch = launches_.find(event.correlation, event);
    const std::uint32_t op = operators_.find(event.external, event);
    if (launch != kNone) {
      span.told = trace_.events[launch].begin;
      describe(nearest_operator_[launch], span.entry);
    }
    if (op != kNone) {
      if (launch == kNone) span.told = trace_.events[op].begin;
      if (span.entry.type.empty()) describe(op, span.entry);
    }
    return span;
  }

  std::vector<RunWindow> runs() const {
    std::vector<RunWindow> steps;
    std::vector<NamedWindow> ranges;
    for (std::uint32_t i = 0; i < trace_.events.size(); ++i) {
      const RunWindow window{trace_.events[i].begin, trace_.events[i].end};
      const bool on_host = roles_[i] == Role::kAnnotation || roles_[i] == Role::kOperator;
      if (is_step(i) && on_host) steps.push_back(window);
      if (is_range(i)) ranges.push_back({name(i), window});
    }
    if (steps.empty()) return repeated_windows(std::move(ranges));
    std::ranges::sort(steps, {}, &RunWindow::begin);
    return steps;
  }

  const TraceEvents& trace_;
  // For each event, itself included: the outermost operator, the innermost operator, the innermost range.
  std::vector<std::uint32_t> outermost_operator_;
  std::vector<std::uint32_t> nearest_operator_;
  std::vector<std::uint32_t> nearest_range_;
  std::unordered_map<std::uint32_t, std::uint32_t> range_around_;  // of ranges
  std::vector<Role> roles_;                                        // of each event
  Causes operators_;                                               // by external id
  Causes launches_;                                                // by correlation id
};

constexpr std::string_view kNode = "Node";
constexpr std::string_view kNodeTime = "_kernel_time";

bool is_node_time(const TraceEvents& trace, const TraceEvent& event) {
  return trace.text(event.category) == kNode && trace.text(event.name).ends_with(kNodeTime);
}

const std::vector<ExternalDims>* dims_of(const TraceEvents& trace, std::uint32_t index) {
  return index == 0 ? nullptr : &trace.dims[index - 1];
}

std::string lane_name(const TraceEvents& trace, const TraceEvent& event) {
  const auto named = trace.thread_names.find({event.process, event.thread});
  const TextId thread = named == trace.thread_names.end() ? event.thread : named->second;
  return std::string(trace.text(event.process)) + '/' + std::string(trace.text(event.thread)) + '/' +
         std::string(trace.text(thread));
}

}  // namespace

bool is_pytorch_trace(const TraceEvents& trace) {
  return std::ranges::any_of(trace.events, [&](const TraceEvent& event) {
    const std::string_view category = trace.text(event.category);
    const std::string_view name = trace.text(event.name);
    return category == "cpu_op" || (role_of(category) == Role::kOperator && name.starts_with("aten::")) ||
           (category == "Trace" && name.starts_with("PyTorch Profiler"));
  });
}

Recording pytorch_recording(const TraceEvents& trace) { return PyTorchTrace(trace).recording(); }

bool is_onnxruntime_profile(const TraceEvents& trace) {
  return std::ranges::any_of(trace.events, [&](const TraceEvent& event) { return is_node_time(trace, event); });
}

Recording onnxruntime_recording(const TraceEvents& trace) {
  Recording out;
  out.tool = ExternalTool::kOnnxRuntime;
  out.windows_are_latencies = true;
  for (const TraceEvent& event : trace.events) {
    const std::string_view name = trace.text(event.name);
    if (name == "model_run") out.runs.push_back({event.begin, event.end});
    if (!is_node_time(trace, event)) continue;
    RecordedSpan span = span_of(event, name.substr(0, name.size() - kNodeTime.size()));
    span.entry.type = std::string(trace.text(event.op_name));
    if (const auto* inputs = dims_of(trace, event.inputs)) span.entry.inputs = *inputs;
    if (const auto* outputs = dims_of(trace, event.outputs)) span.entry.dims = outputs->front();
    span.lane = std::string(trace.text(event.thread));
    out.add(std::move(span));
  }
  std::ranges::sort(out.runs, {}, &RunWindow::begin);
  return out;
}

std::vector<NamedRecording> chrome_recordings(const TraceEvents& trace) {
  const std::vector<std::uint32_t> around = nesting_of(trace.events).around;
  std::vector<bool> holds_others(trace.events.size());
  for (const std::uint32_t outer : around) {
    if (outer != kNone) holds_others[outer] = true;
  }
  std::map<TextId, std::size_t> of_process;
  std::vector<NamedRecording> out;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const TraceEvent& event = trace.events[i];
    if (holds_others[i] || (trace.ours && trace.text(event.category) != "kernel")) continue;
    const auto [place, made] = of_process.emplace(trace.ours ? event.process : TextId{0}, out.size());
    if (made) {
      NamedRecording& named = out.emplace_back();
      named.recording.tool = trace.ours ? ExternalTool::kOwnTrace : ExternalTool::kChromeTrace;
      const auto name = trace.process_names.find(event.process);
      if (trace.ours && name != trace.process_names.end()) named.name = std::string(trace.text(name->second));
    }
    RecordedSpan span = span_of(event, trace.text(event.name));
    span.entry.type = std::string(trace.text(event.op_name != 0 ? event.op_name : event.category));
    span.entry.output = std::string(trace.text(event.output));
    if (event.inputs != 0) span.entry.inputs = trace.dims[event.inputs - 1];
    if (event.outputs != 0) span.entry.dims = trace.dims[event.outputs - 1].front();
    for (std::uint32_t o = around[i]; o != kNone && span.entry.within.size() < kMostRanges; o = around[o]) {
      span.entry.within.emplace_back(trace.text(trace.events[o].name));
    }
    span.lane = lane_name(trace, event);
    out[place->second].recording.add(std::move(span));
  }
  return out;
}

}  // namespace iosx::external
