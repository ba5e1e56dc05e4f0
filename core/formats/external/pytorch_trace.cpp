#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/formats/external/dialects.h"

namespace iosx::external {
namespace {

constexpr std::string_view kStep = "ProfilerStep#";
constexpr std::size_t kMostRanges = 8;  // around one operator

class PyTorchTrace {
 public:
  explicit PyTorchTrace(const TraceEvents& trace)
      : trace_(trace),
        outermost_operator_(trace.events.size(), kNone),
        nearest_operator_(trace.events.size(), kNone),
        nearest_range_(trace.events.size(), kNone) {
    nest();
    for (std::uint32_t i = 0; i < trace.events.size(); ++i) {
      const TraceEvent& event = trace.events[i];
      if (is_operator(i) && event.external >= 0) operators_.emplace(event.external, i);
      const bool launch = category(i).starts_with("cuda_") || category(i).starts_with("hip_");
      if (launch && event.correlation >= 0) launches_.emplace(event.correlation, i);
    }
  }

  Recording recording() const {
    Recording out;
    out.tool = ExternalTool::kPyTorch;
    for (std::uint32_t i = 0; i < trace_.events.size(); ++i) {
      if (on_gpu(i)) out.spans.push_back(gpu_span(i));
    }
    if (out.spans.empty()) {
      for (std::uint32_t i = 0; i < trace_.events.size(); ++i) {
        if (outermost_operator_[i] == i) out.spans.push_back(cpu_span(i));
      }
    }
    for (std::size_t i = 0; i < out.spans.size(); ++i) out.spans[i].order = i;
    out.runs = runs();
    return out;
  }

 private:
  std::string_view category(std::uint32_t i) const { return trace_.text(trace_.events[i].category); }
  std::string_view name(std::uint32_t i) const { return trace_.text(trace_.events[i].name); }
  bool is_step(std::uint32_t i) const { return name(i).starts_with(kStep); }
  bool is_operator(std::uint32_t i) const {
    return (category(i) == "cpu_op" || category(i) == "Operator") && !is_step(i);
  }
  bool on_gpu(std::uint32_t i) const { return category(i) == "kernel" || category(i).starts_with("gpu_mem"); }
  bool is_range(std::uint32_t i) const { return category(i) == "user_annotation" && !is_step(i); }

  // Ranges may be nested as deep as a file is long, so that nobody walks up.
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

  RecordedSpan span_of(std::uint32_t i) const {
    RecordedSpan span;
    span.entry.name = std::string(name(i));
    span.begin = span.told = trace_.events[i].begin;
    span.end = trace_.events[i].end;
    return span;
  }

  RecordedSpan cpu_span(std::uint32_t i) const {
    RecordedSpan span = span_of(i);
    describe(i, span.entry);
    span.lane = std::string(trace_.text(trace_.events[i].thread));
    return span;
  }

  RecordedSpan gpu_span(std::uint32_t i) const {
    const TraceEvent& event = trace_.events[i];
    RecordedSpan span = span_of(i);
    span.lane = std::string(trace_.text(event.process)) + '/' + std::to_string(event.stream);
    const auto launch = launches_.find(event.correlation);
    const auto op = operators_.find(event.external);
    if (launch != launches_.end()) {
      span.told = trace_.events[launch->second].begin;
      describe(nearest_operator_[launch->second], span.entry);
    }
    if (op != operators_.end()) {
      if (launch == launches_.end()) span.told = trace_.events[op->second].begin;
      if (span.entry.type.empty()) describe(op->second, span.entry);
    }
    return span;
  }

  std::vector<RunWindow> runs() const {
    std::vector<RunWindow> steps;
    std::vector<NamedWindow> ranges;
    for (std::uint32_t i = 0; i < trace_.events.size(); ++i) {
      const RunWindow window{trace_.events[i].begin, trace_.events[i].end};
      const bool on_host = category(i) == "user_annotation" || category(i) == "cpu_op" || category(i) == "Operator";
      if (is_step(i) && on_host) steps.push_back(window);
      if (is_range(i)) ranges.push_back({name(i), window});
    }
    if (steps.empty()) return repeated_windows(std::move(ranges));
    std::ranges::sort(steps, {}, &RunWindow::begin);
    return steps;
  }

  const TraceEvents& trace_;
  // These have of each event, itself included, the operator that nothing calls, the innermost operator, the innermost
  // range.
  std::vector<std::uint32_t> outermost_operator_;
  std::vector<std::uint32_t> nearest_operator_;
  std::vector<std::uint32_t> nearest_range_;
  std::unordered_map<std::uint32_t, std::uint32_t> range_around_;  // of ranges
  std::unordered_map<std::int64_t, std::uint32_t> operators_;      // by external id
  std::unordered_map<std::int64_t, std::uint32_t> launches_;       // by correlation id
};

}  // namespace

bool is_pytorch_trace(const TraceEvents& trace) {
  return std::ranges::any_of(trace.events, [&](const TraceEvent& event) {
    const std::string_view category = trace.text(event.category);
    const std::string_view name = trace.text(event.name);
    return category == "cpu_op" || (category == "Operator" && name.starts_with("aten::")) ||
           (category == "Trace" && name.starts_with("PyTorch Profiler"));
  });
}

Recording pytorch_recording(const TraceEvents& trace) { return PyTorchTrace(trace).recording(); }

}  // namespace iosx::external
