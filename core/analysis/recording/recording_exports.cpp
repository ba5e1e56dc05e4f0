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

// Returns whether a stream is called by a number, as PyTorch's profiler does.
bool has_number(const RecordedLane& lane) {
  constexpr std::size_t kMostDigits = 9;
  const bool digits = !lane.stream.empty() && lane.stream.find_first_not_of("0123456789") == std::string::npos;
  return digits && lane.stream.size() <= kMostDigits && (lane.stream.front() != '0' || lane.stream.size() == 1);
}

std::string lane_arguments(const RecordedLane& lane) {
  return fmt::format(R"("device":{},"stream":{})", lane.device,
                     has_number(lane) ? lane.stream : quoted_json(lane.stream));
}

std::string kernel_arguments(const Recording& recording, const RecordedKernel& kernel, bool linked) {
  std::string text = lane_arguments(recording.lanes[kernel.lane]);
  if (linked) text += R"(,"dependencies known":1)";
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

// Returns members of an object, as PyTorch's profiler writes them.
std::string device_facts(const RecordedDevice& device) {
  std::string text = fmt::format(R"("id":{},"name":{})", device.id, quoted_json(device.name));
  if (device.multiprocessors) text += fmt::format(R"(,"numSms":{})", *device.multiprocessors);
  return text + fmt::format(R"(,"maxThreadsPerMultiprocessor":{})", 32 * device.warps);
}

// Says where the lanes of a recording are in its trace: in one process, or in one for each of their own.
class TracePlaces {
 public:
  TracePlaces(const Recording& recording, int first_free) : recording_(recording) {
    for (const RecordedLane& lane : recording.lanes) {
      const int next = processes_.empty() ? kRecorded : first_free + static_cast<int>(processes_.size()) - 1;
      processes_.emplace(lane.process, next);
    }
  }

  int process(std::size_t lane) const { return processes_.at(recording_.lanes[lane].process); }

  template <typename Writer>
  void name_all(Writer& events, const std::string& title) const {
    for (const auto& [name, process] : processes_)
      events.name_process(process, processes_.size() == 1 ? "recorded: " + title : name);
    for (std::size_t lane = 0; lane < recording_.lanes.size(); ++lane)
      events.name_thread(process(lane), lane, "stream " + recording_.lanes[lane].stream);
  }

 private:
  const Recording& recording_;
  std::map<std::string, int> processes_;
};

// Writes what the host and streams waited for, with the calls and events with which PyTorch's profiler says it.
template <typename Writer>
class WaitsOfTrace {
 public:
  WaitsOfTrace(Writer& events, const Recording& recording, const TracePlaces& places)
      : events_(events), recording_(recording), places_(places), correlation_(recording.launches.size()) {
    for (const HostLaunch& launch : recording.launches) add_thread(launch.thread);
    for (const StreamWait& wait : recording.stream_waits) add_thread(wait.thread);
    for (const EventRecord& record : recording.event_records) add_thread(record.thread);
  }

  void write() {
    if (!recording_.host_waits.empty()) events_.name_thread(kHost, own_thread_, "waits of the host");
    for (const HostWait& wait : recording_.host_waits) {
      const std::size_t call = add_call("cudaDeviceSynchronize", own_thread_, wait.begin, wait.end);
      if (wait.lane != kNoIndex) add_sync(wait.lane, call, wait.begin, "");
    }
    for (const EventRecord& record : recording_.event_records)
      records_.emplace(record.at, add_call("cudaEventRecord", record.thread, record.at, record.at + kShort));
    for (const StreamWait& wait : recording_.stream_waits) {
      const std::size_t call = add_call("cudaStreamWaitEvent", wait.thread, wait.at, wait.at + kShort);
      if (!wait.recorded || wait.lane == kNoIndex) continue;
      const auto known = records_.find(*wait.recorded);
      const std::size_t record =
          known != records_.end() ? known->second
                                  : add_call("cudaEventRecord", own_thread_, *wait.recorded, *wait.recorded + kShort);
      add_sync(wait.lane, call, wait.at,
               fmt::format(R"(,"wait_on_stream":{},"wait_on_cuda_event_record_corr_id":{})", stream_of(wait.source),
                           record));
    }
  }

 private:
  void add_thread(std::uint32_t thread) { own_thread_ = std::max<std::size_t>(own_thread_, std::size_t{thread} + 1); }

  std::size_t add_call(const char* name, std::size_t thread, double begin, double end) {
    ++correlation_;
    events_.span(name, "cuda_runtime", kHost, thread, begin, end, fmt::format(R"("correlation":{})", correlation_));
    return correlation_;
  }

  // A stream without kernels has no lane, so another number stands for it.
  std::string stream_of(std::uint32_t lane) const {
    return lane < recording_.lanes.size() && has_number(recording_.lanes[lane]) ? recording_.lanes[lane].stream
                                                                                : "999999999";
  }
  void add_sync(std::uint32_t lane, std::size_t call, double at, const std::string& more) {
    const bool known = lane < recording_.lanes.size();
    events_.span("wait", "cuda_sync", known ? places_.process(lane) : kRecorded, recording_.lanes.size(), at,
                 at + kShort,
                 fmt::format(R"("device":{},"stream":{},"correlation":{}{})",
                             known ? recording_.lanes[lane].device : recording_.lanes.front().device, stream_of(lane),
                             call, more));
  }

  static constexpr double kShort = 0.001;  // µs: without any duration it would count as not seen
  Writer& events_;
  const Recording& recording_;
  const TracePlaces& places_;
  std::size_t correlation_;     // the last one used
  std::size_t own_thread_ = 0;  // of the host: one that no recorded call has
  std::map<double, std::size_t> records_;
};

template <typename Writer>
void write_trace(Writer& events, const Recording& recording, const RecordingReport& report,
                 const RecordingPredictions& predictions, const std::string& title) {
  for (const RecordedDevice& device : recording.devices) events.device(device_facts(device));
  const TracePlaces places(recording, kPredicted + static_cast<int>(predictions.lanes.size()));
  places.name_all(events, title);
  const bool has_calls =
      !recording.launches.empty() || !recording.host_waits.empty() || !recording.stream_waits.empty();
  if (has_calls) events.name_process(kHost, "recorded: launches");
  std::vector<std::optional<SpanNumber>> launched(recording.launches.size());
  std::vector<SpanNumber> kernels;
  kernels.reserve(recording.kernels.size());
  for (const RecordedKernel& kernel : recording.kernels) {
    const bool linked = report.edges.linked[kernels.size()];
    kernels.push_back(events.span(recording.name(kernel.name), "kernel", places.process(kernel.lane), kernel.lane,
                                  kernel.begin, kernel.end, kernel_arguments(recording, kernel, linked)));
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
    events.flow(edge_label(edge.kind, edge.certainty), kernels[edge.before], (before.begin + before.end) / 2,
                kernels[edge.after]);
  }
  WaitsOfTrace(events, recording, places).write();
  int process = kPredicted;
  for (const PredictedLanes& predicted : predictions.lanes) add_predicted(events, recording, predicted, process++);
}

// Finds the operators around a launch, and the modules around these.
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
  JsonTraceWriter events;
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
