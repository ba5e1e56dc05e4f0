#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/formats/external/csv_times.h"
#include "core/formats/external/trace_events.h"
#include "core/formats/external/trace_roles.h"

namespace iosx::external {
namespace {

constexpr std::size_t kMostRanges = 8;  // around one event

RecordedSpan span_of(const TraceEvent& event, std::string_view name) {
  RecordedSpan span;
  span.entry.name = std::string(name);
  span.begin = span.told = event.begin;
  span.end = event.end;
  return span;
}

class PyTorchTrace {
 public:
  explicit PyTorchTrace(const TraceEvents& trace)
      : trace_(trace),
        outermost_operator_(trace.events.size(), kNone),
        nearest_operator_(trace.events.size(), kNone),
        nearest_range_(trace.events.size(), kNone),
        roles_(roles_of(trace)) {
    nest();
    for (std::uint32_t i = 0; i < trace.events.size(); ++i) {
      const TraceEvent& event = trace.events[i];
      if (is_operator(i)) operators_.add(event.external, event, i);
      if (roles_[i] == Role::kLaunch) launches_.add(event.correlation, event, i);
    }
    operators_.sort();
    launches_.sort();
  }

  Result<RecordedRuns> recording(const std::string& range, const std::string& file) const {
    RecordedRuns out;
    out.tool = ExternalTool::kPyTorch;
    for (std::uint32_t i = 0; i < trace_.events.size(); ++i) {
      if (on_gpu(i)) out.add(gpu_span(i));
    }
    clip(out);
    if (out.text == 0) {
      for (std::uint32_t i = 0; i < trace_.events.size(); ++i) {
        if (outermost_operator_[i] == i) out.add(cpu_span(i));
      }
    }
    IOS_TRY(mark_runs(ranges(), range, out, file));
    return out;
  }

 private:
  std::string_view name(std::uint32_t i) const { return trace_.text(trace_.events[i].name); }
  bool is_step(std::uint32_t i) const { return name(i).starts_with(kProfilerStep); }
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

  // Kineto has written ends that lie minutes behind the kernel's: a kernel cannot contain the next one of its stream.
  static void clip(RecordedRuns& out) {
    std::vector<RecordedSpan*> by_lane;
    for (RecordedSpan& span : out.spans) by_lane.push_back(&span);
    std::ranges::sort(by_lane, [](const RecordedSpan* a, const RecordedSpan* b) {
      return std::tie(a->lane, a->begin, a->order) < std::tie(b->lane, b->begin, b->order);
    });
    std::size_t clipped = 0;
    for (std::size_t i = 1; i < by_lane.size(); ++i) {
      RecordedSpan& span = *by_lane[i - 1];
      const RecordedSpan& next = *by_lane[i];
      if (span.lane != next.lane || !runs_over(span, next)) continue;
      span.end = next.begin;
      ++clipped;
    }
    if (clipped > 0) out.notices.push_back(clipped_notice(clipped));
  }

  std::vector<NamedWindow> ranges() const {
    std::vector<NamedWindow> ranges;
    for (std::uint32_t i = 0; i < trace_.events.size(); ++i) {
      const bool step = is_step(i) && roles_[i] == Role::kOperator;  // as PyTorch wrote them before 1.12
      if (step || roles_[i] == Role::kAnnotation)
        ranges.push_back({name(i), {trace_.events[i].begin, trace_.events[i].end}});
    }
    return ranges;
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

Result<RecordedRuns> pytorch_runs(const TraceEvents& trace, const std::string& range, const std::string& file) {
  return PyTorchTrace(trace).recording(range, file);
}

bool is_onnxruntime_profile(const TraceEvents& trace) {
  return std::ranges::any_of(trace.events, [&](const TraceEvent& event) { return is_node_time(trace, event); });
}

RecordedRuns onnxruntime_runs(const TraceEvents& trace) {
  RecordedRuns out;
  out.tool = ExternalTool::kOnnxRuntime;
  out.windows_are_latencies = true;
  const Nesting nesting = nesting_of(trace.events);
  std::vector<bool> within_node(trace.events.size());  // an event in a node's, of whose body it is
  std::map<std::string_view, std::vector<std::uint32_t>> nodes;
  std::size_t left_out = 0;
  for (const std::uint32_t i : nesting.order) {
    const std::uint32_t outer = nesting.around[i];
    within_node[i] = outer != kNone && (within_node[outer] || is_node_time(trace, trace.events[outer]));
    if (!is_node_time(trace, trace.events[i])) continue;
    within_node[i] ? void(++left_out) : nodes[trace.text(trace.events[i].name)].push_back(i);
  }
  // A kernel belongs to the last node of its name that began before it.
  std::set<std::uint32_t> on_gpu;
  const auto node_of = [&](const TraceEvent& kernel) {
    const auto found = nodes.find(trace.text(kernel.parent));
    if (kernel.parent == 0 || found == nodes.end()) return kNone;
    const auto after = std::ranges::upper_bound(found->second, kernel.begin, {},
                                                [&](std::uint32_t i) { return trace.events[i].begin; });
    return after == found->second.begin() ? kNone : *std::prev(after);
  };
  const auto add = [&](const TraceEvent& node, const TraceEvent& timed, std::string lane) {
    const std::string_view name = trace.text(node.name);
    RecordedSpan span = span_of(timed, name.substr(0, name.size() - kNodeTime.size()));
    span.told = node.begin;
    span.entry.type = std::string(trace.text(node.op_name));
    if (const auto* inputs = dims_of(trace, node.inputs)) span.entry.inputs = *inputs;
    if (const auto* outputs = dims_of(trace, node.outputs)) span.entry.dims = outputs->front();
    span.lane = std::move(lane);
    out.add(std::move(span));
  };
  for (const TraceEvent& event : trace.events) {
    if (trace.text(event.name) == "model_run") out.runs.push_back({event.begin, event.end});
    const bool kernel = trace.text(event.category) == "Kernel";
    const std::uint32_t node = kernel ? node_of(event) : kNone;
    if (node == kNone) continue;
    on_gpu.insert(node);
    add(trace.events[node], event, fmt::format("{}{}", kStreamLane, event.stream));
  }
  for (std::uint32_t i = 0; i < trace.events.size(); ++i) {
    const TraceEvent& event = trace.events[i];
    if (!is_node_time(trace, event) || within_node[i] || on_gpu.contains(i)) continue;
    add(event, event, std::string(trace.text(event.thread)));
  }
  if (left_out > 0)
    out.notices.push_back(message("{} nodes in the body of another node count as part of it", left_out));
  if (!on_gpu.empty())
    out.notices.push_back(message("nodes on a GPU have the times of their kernels, not of their launches"));
  std::ranges::sort(out.runs, {}, &RunWindow::begin);
  return out;
}

namespace {

// The rows of a trace that JAX wrote, by its names of processes and threads.
class JaxRows {
 public:
  explicit JaxRows(const TraceEvents& trace) : trace_(trace) {
    const auto names_rows = [&](const auto& named) { return starts(named.second, "XLA "); };
    is_one_ = std::ranges::any_of(trace.thread_names, names_rows);
  }
  bool is_one() const { return is_one_; }
  bool is_kernel(const TraceEvent& event) const { return on_device(event) && starts(row(event), "Stream #"); }
  bool is_step(const TraceEvent& event) const { return on_device(event) && trace_.text(row(event)) == "Steps"; }

 private:
  bool starts(TextId text, std::string_view with) const { return trace_.text(text).starts_with(with); }
  TextId row(const TraceEvent& event) const {
    const auto named = trace_.thread_names.find({event.process, event.thread});
    return named == trace_.thread_names.end() ? TextId{0} : named->second;
  }
  bool on_device(const TraceEvent& event) const {
    const auto process = trace_.process_names.find(event.process);
    return process != trace_.process_names.end() && starts(process->second, "/device:");
  }

  const TraceEvents& trace_;
  bool is_one_ = false;
};

}  // namespace

std::vector<NamedRuns> chrome_runs(const TraceEvents& trace) {
  const std::vector<std::uint32_t> around = nesting_of(trace.events).around;
  std::vector<bool> holds_others(trace.events.size());
  for (const std::uint32_t outer : around) {
    if (outer != kNone) holds_others[outer] = true;
  }
  const JaxRows jax(trace);
  std::map<TextId, std::size_t> of_process;
  std::vector<NamedRuns> out;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const TraceEvent& event = trace.events[i];
    if (jax.is_one() ? !jax.is_kernel(event) : holds_others[i]) continue;
    if (trace.ours && trace.text(event.category) != "kernel") continue;
    const auto [place, made] = of_process.emplace(trace.ours ? event.process : TextId{0}, out.size());
    if (made) {
      NamedRuns& named = out.emplace_back();
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
  if (jax.is_one() && !out.empty()) {
    std::vector<RunWindow>& runs = out.front().recording.runs;
    for (const TraceEvent& event : trace.events) {
      if (jax.is_step(event)) runs.push_back({event.begin, event.end});
    }
    std::ranges::sort(runs, {}, &RunWindow::begin);
    const auto overlaps = [end = -kMostMicros](const RunWindow& run) mutable {
      const bool within = run.begin < end;
      if (!within) end = run.end;
      return within;
    };
    std::erase_if(runs, overlaps);  // several devices take the same steps
  }
  return out;
}

Result<std::vector<NamedRuns>> runs_of_events(const TraceEvents& trace, const std::string& range,
                                              const std::string& file) {
  std::vector<NamedRuns> runs;
  if (is_onnxruntime_profile(trace)) {
    runs.push_back({{}, onnxruntime_runs(trace)});
  } else if (is_pytorch_trace(trace)) {
    IOS_TRY(auto recording, pytorch_runs(trace, range, file));
    runs.push_back({{}, std::move(recording)});
  } else {
    runs = chrome_runs(trace);
  }
  return runs;
}

}  // namespace iosx::external
