#include "core/analysis/recording/recording_exports.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <utility>

#include "core/analysis/recording/trace_writers.h"

namespace iosx {
namespace {

constexpr int kRecorded = 1;  // processes
constexpr int kHost = 2;
constexpr int kPredicted = 3;

std::string kernel_arguments(const Recording& recording, const RecordedKernel& kernel) {
  const RecordedLane& lane = recording.lanes[kernel.lane];
  const bool digits = !lane.stream.empty() && lane.stream.find_first_not_of("0123456789") == std::string::npos;
  const bool number = digits && (lane.stream.front() != '0' || lane.stream.size() == 1);
  std::string text =
      fmt::format(R"("device":{},"stream":{})", lane.device, number ? lane.stream : quoted_json(lane.stream));
  if (kernel.launch != kNoIndex) text += fmt::format(R"(,"correlation":{})", kernel.launch + 1);
  if (kernel.graph != 0) text += fmt::format(R"(,"graph id":{},"graph node id":{})", kernel.graph, kernel.node);
  if (kernel.has_shape()) {
    text += fmt::format(R"(,"grid":[{},{},{}],"block":[{},{},{}],"registers per thread":{},"shared memory":{})",
                        kernel.grid[0], kernel.grid[1], kernel.grid[2], kernel.block[0], kernel.block[1],
                        kernel.block[2], kernel.registers, kernel.shared_bytes);
  }
  return text;
}

template <typename Writer>
void add_predicted(Writer& events, const Recording& recording, const PredictedLanes& predicted, int process) {
  events.name_process(process, fmt::format("predicted: {} {}, as a CUDA graph", predicted.lanes,
                                           predicted.lanes == 1 ? "lane" : "lanes"));
  for (std::size_t lane = 0; lane < predicted.lanes; ++lane)
    events.name_thread(process, lane, fmt::format("predicted lane {}", lane + 1));
  for (std::size_t lane = 0; lane < recording.lanes.size(); ++lane)  // collectives and copies keep theirs
    events.name_thread(process, predicted.lanes + lane, "stream " + recording.lanes[lane].stream);
  const double first = recording.kernels.front().begin;
  for (std::size_t i = 0; i < predicted.as_graph.kernels.size(); ++i) {
    const PlacedKernel& placed = predicted.as_graph.kernels[i];
    events.span(recording.name(recording.kernels[i].name), "predicted", process, placed.lane, first + placed.begin,
                first + placed.end, "");
  }
}

// Returns a member of a Chrome trace, as PyTorch's profiler writes it.
std::string device_properties(const Recording& recording) {
  std::string text = R"("deviceProperties":[)";
  for (std::size_t i = 0; i < recording.devices.size(); ++i) {
    const RecordedDevice& device = recording.devices[i];
    text += fmt::format(R"({}{{"id":{},"name":{})", i == 0 ? "" : ",", device.id, quoted_json(device.name));
    if (device.multiprocessors) text += fmt::format(R"(,"numSms":{})", *device.multiprocessors);
    text += fmt::format(R"(,"maxThreadsPerMultiprocessor":{}}})", 32 * device.warps);
  }
  return text + "],";
}

template <typename Writer>
void write_trace(Writer& events, const Recording& recording, const RecordingReport& report,
                 const RecordingPredictions& predictions, const std::string& title) {
  events.name_process(kRecorded, "recorded: " + title);
  for (std::size_t lane = 0; lane < recording.lanes.size(); ++lane)
    events.name_thread(kRecorded, lane, "stream " + recording.lanes[lane].stream);
  if (!recording.launches.empty()) events.name_process(kHost, "recorded: launches");
  std::vector<std::optional<SpanNumber>> launched(recording.launches.size());
  std::vector<SpanNumber> kernels;
  kernels.reserve(recording.kernels.size());
  for (const RecordedKernel& kernel : recording.kernels) {
    kernels.push_back(events.span(recording.name(kernel.name), "kernel", kRecorded, kernel.lane, kernel.begin,
                                  kernel.end, kernel_arguments(recording, kernel)));
    if (kernel.launch == kNoIndex) continue;
    const HostLaunch& launch = recording.launches[kernel.launch];
    std::optional<SpanNumber>& call = launched[kernel.launch];
    if (!call) {
      call = events.span("launch", "cuda_runtime", kHost, launch.thread, launch.begin, launch.end,
                         fmt::format(R"("correlation":{})", kernel.launch + 1));
    }
    events.flow("launch", *call, launch.begin, kernels.back());
  }
  for (const RecordedEdge& edge : report.edges.edges) {
    const RecordedKernel& before = recording.kernels[edge.before];
    const char* certainty = edge.certainty == EdgeCertainty::kKnown ? "known" : "assumed";
    events.flow(fmt::format("{}, {}", edge_kind_name(edge.kind), certainty), kernels[edge.before],
                (before.begin + before.end) / 2, kernels[edge.after]);
  }
  int process = kPredicted;
  for (const PredictedLanes& predicted : predictions.lanes) add_predicted(events, recording, predicted, process++);
}

// The operators around a launch, and the modules around these.
class OperatorPlaces {
 public:
  explicit OperatorPlaces(const Recording& recording) : recording_(recording), paths_(recording.ranges.size()) {
    occurrences_.assign(recording.ranges.size(), 0);
    std::vector<std::uint32_t> order(recording.ranges.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return recording.ranges[i].begin; });
    for (std::uint32_t i = 0; i < recording.ranges.size(); ++i) {  // each stands after the ranges around it
      const RecordedRange& range = recording.ranges[i];
      if (range.outer != kNoIndex) paths_[i] = paths_[range.outer];
      if (range.kind == RangeKind::kModule) paths_[i] = deeper(paths_[i], recording.name(range.name));
    }
    std::map<std::pair<std::uint32_t, NameId>, std::size_t> counts;
    for (const std::uint32_t i : order) {
      const RecordedRange& range = recording.ranges[i];
      const bool within =
          !recording.window || (recording.window->first <= range.begin && range.begin < recording.window->second);
      if (range.kind == RangeKind::kOperator && within) occurrences_[i] = counts[{paths_[i], range.name}]++;
    }
  }

  std::vector<std::uint32_t> operators(std::uint32_t range) const {
    std::vector<std::uint32_t> found;
    for (; range != kNoIndex; range = recording_.ranges[range].outer) {
      if (recording_.ranges[range].kind == RangeKind::kOperator) found.push_back(range);
    }
    return found;
  }
  const std::string& path(std::uint32_t range) const { return names_[paths_[range]]; }
  std::size_t occurrence(std::uint32_t range) const { return occurrences_[range]; }

 private:
  std::uint32_t deeper(std::uint32_t path, const std::string& name) {
    constexpr std::string_view kModule = "nn.Module: ";
    const std::string own = name.starts_with(kModule) ? name.substr(kModule.size()) : name;
    std::string whole = names_[path].empty() ? own : names_[path] + '/' + own;
    const auto [known, is_new] = numbers_.emplace(whole, static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.push_back(std::move(whole));
    return known->second;
  }

  const Recording& recording_;
  std::vector<std::string> names_{std::string()};
  std::map<std::string, std::uint32_t> numbers_{{std::string(), 0}};
  std::vector<std::uint32_t> paths_;  // by range
  std::vector<std::size_t> occurrences_;
};

}  // namespace

std::string recording_trace_json(const Recording& recording, const RecordingReport& report,
                                 const RecordingPredictions& predictions, const std::string& title) {
  JsonTraceWriter events(device_properties(recording));
  write_trace(events, recording, report, predictions, title);
  return events.take();
}

std::string recording_trace_perfetto(const Recording& recording, const RecordingReport& report,
                                     const RecordingPredictions& predictions, const std::string& title) {
  PerfettoTraceWriter events;
  write_trace(events, recording, report, predictions, title);
  return events.take();
}

nlohmann::ordered_json streams_json(const Recording& recording, const RecordingReport& report,
                                    const PredictedLanes& lanes) {
  using OrderedJson = nlohmann::ordered_json;
  const std::vector<PlacedKernel>& placed = lanes.as_graph.kernels;
  std::vector<std::uint32_t> order(placed.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return placed[i].begin; });
  std::vector<std::size_t> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = k;
  std::vector<std::vector<std::size_t>> waits(order.size());
  for (const RecordedEdge& edge : report.edges.edges) {
    const bool counts = !report.edges.is_off(edge.kind) && placed[edge.before].lane != placed[edge.after].lane;
    if (counts) waits[edge.after].push_back(place[edge.before]);
  }
  std::vector<std::uint32_t> by_launch = order;
  std::ranges::sort(by_launch, {}, [&](std::uint32_t i) {
    const RecordedKernel& kernel = recording.kernels[i];
    return std::pair(kernel.launch == kNoIndex ? kernel.begin : recording.launch_begin(kernel), i);
  });
  std::vector<std::size_t> number(order.size());
  for (std::size_t k = 0; k < by_launch.size(); ++k) number[by_launch[k]] = k;
  const OperatorPlaces places(recording);
  OrderedJson kernels = OrderedJson::array();
  for (const std::uint32_t i : order) {
    const RecordedKernel& kernel = recording.kernels[i];
    const std::vector<std::uint32_t> operators = places.operators(kernel.range);
    OrderedJson one{{"operator", recording.name(kernel.name)},
                    {"record_function", nullptr},
                    {"occurrence", nullptr},
                    {"path", ""},
                    {"around", OrderedJson::array()},
                    {"launch", number[i]},
                    {"lane", nullptr},
                    {"after", OrderedJson::array()}};
    if (!operators.empty()) {
      const RecordedRange& range = recording.ranges[operators.front()];
      one["operator"] = recording.name(range.name);
      if (range.record_function >= 0) one["record_function"] = range.record_function;
      one["occurrence"] = places.occurrence(operators.front());
      one["path"] = places.path(operators.front());
    }
    for (std::size_t k = 1; k < operators.size(); ++k) {
      if (places.path(operators[k]) != places.path(operators.front())) break;
      one["around"].push_back({recording.name(recording.ranges[operators[k]].name), places.occurrence(operators[k])});
    }
    if (placed[i].lane < lanes.lanes) one["lane"] = placed[i].lane;
    std::ranges::sort(waits[i]);
    one["after"] = waits[i];
    kernels.push_back(std::move(one));
  }
  return {{"lanes", lanes.lanes}, {"kernels", std::move(kernels)}};
}

}  // namespace iosx
