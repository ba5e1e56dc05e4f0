#include "core/analysis/recording/recording_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace iosx {
namespace {

constexpr double kNoTime = 0.0005;  // ms, which is shown as 0
constexpr double kMicrosPerMilli = 1e3;

double millis(double micros) { return micros / kMicrosPerMilli; }

// By the names of documents.
constexpr std::array<std::pair<const char*, IdleReason>, kIdleReasons> kIdleNames{
    {{"launched_late", IdleReason::kLaunchedLate},
     {"host_wait", IdleReason::kHostWait},
     {"latency", IdleReason::kLatency},
     {"queued", IdleReason::kQueued},
     {"unknown", IdleReason::kUnknown}}};

EdgeCertainty other(EdgeCertainty certainty) {
  return certainty == EdgeCertainty::kKnown ? EdgeCertainty::kAssumed : EdgeCertainty::kKnown;
}

// The edges of each kind that the recording has, by the names of documents.
std::vector<std::pair<std::string, std::size_t>> edge_counts(const RecordedEdges& edges) {
  std::vector<std::pair<std::string, std::size_t>> counts;
  for (std::size_t k = 0; k < kEdgeKinds; ++k) {
    const auto kind = static_cast<EdgeKind>(k);
    const std::string name(edge_kind_name(kind));
    if (kind == EdgeKind::kHost) {
      if (!edges.barriers.empty()) counts.emplace_back(name, edges.barriers.size());
      continue;
    }
    const bool usually_assumed = kind == EdgeKind::kInner || kind == EdgeKind::kOrder;
    const EdgeCertainty usual = usually_assumed ? EdgeCertainty::kAssumed : EdgeCertainty::kKnown;
    if (const std::size_t count = edges.count(kind, usual); count > 0) counts.emplace_back(name, count);
    if (const std::size_t count = edges.count(kind, other(usual)); count > 0)
      counts.emplace_back(name + (usually_assumed ? "_known" : "_assumed"), count);
  }
  return counts;
}

void add_notices(const Recording& recording, RecordingReport& report, bool given) {
  std::vector<Message>& notices = report.notices;
  notices = recording.notices;
  const UnknownShares unknown = unknown_shares(recording);
  if (unknown.kernels > 0 && !given && recording.timed) {
    notices.push_back(unknown.kernels == 1
                          ? message("the share of the device is not known of 1 kernel, so streams are not said to gain "
                                    "by it")
                          : message("the share of the device is not known of {} kernels, so streams are not said to "
                                    "gain by them",
                                    unknown.kernels));
  }
  for (std::size_t k = 0; k < kEdgeKinds; ++k) {
    const std::size_t broken = report.edges.broken[k];
    const std::string_view kind = edge_kind_name(static_cast<EdgeKind>(k));
    if (broken == 1) {
      notices.push_back(
          message("1 edge of the kind '{}' overlaps in the recording, so this rule is off for the file", kind));
    } else if (broken > 1) {
      notices.push_back(message("{} edges of the kind '{}' overlap in the recording, so this rule is off for the file",
                                broken, kind));
    }
  }
  if (report.edges.incomplete) notices.push_back(too_many_edges());
  if (!dependencies_known(recording, report.edges)) notices.push_back(without_dependencies());
  if (const std::size_t dumps = report.edges.dumps_without_launch; dumps > 0) {
    notices.push_back(dumps == 1 ? message("a drawing of a CUDA graph fits no launch of the recording: it has other "
                                           "kernels")
                                 : message("{} drawings of CUDA graphs fit no launch of the recording: they have other "
                                           "kernels",
                                           dumps));
  }
  const auto steps = std::ranges::count(recording.ranges, RangeKind::kStep, &RecordedRange::kind);
  if (steps > 1 && !recording.window) {
    notices.push_back(
        message("it has {} steps, 0 to {}: the figures are of all of them and of the time between; choose one step",
                steps, steps - 1));
  }
  const auto error = report.model_error();
  if (error && std::abs(*error) > kReliable && recording.timed) {
    notices.push_back(message("the model replays the recording {:.1f} % off, so its predictions are unreliable",
                              100 * std::abs(*error)));
  }
}

std::string count_of(std::size_t count, const char* one, const char* several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

std::string path_text(const Recording& recording, const RecordedPath& path) {
  std::map<KernelKind, double> kinds;
  for (const std::uint32_t i : path.kernels) kinds[recording.kernels[i].kind] += recording.kernels[i].duration();
  std::vector<std::pair<double, KernelKind>> sorted;
  sorted.reserve(kinds.size());
  for (const auto& [kind, time] : kinds) sorted.emplace_back(time, kind);
  std::ranges::sort(sorted, std::greater<>());
  std::vector<std::string> parts;
  for (const auto& [time, kind] : sorted) {
    if (parts.size() < 4) parts.push_back(fmt::format("{} {:.3f}", kernel_kind_name(kind), millis(time)));
  }
  return fmt::format("critical path {:.3f} ms, {}: {}\n", millis(path.length),
                     count_of(path.kernels.size(), "kernel", "kernels"), fmt::join(parts, ", "));
}

std::string edges_text(const Recording& recording, const RecordedEdges& edges) {
  std::vector<std::string> counts;
  for (const auto& [name, count] : edge_counts(edges)) counts.push_back(fmt::format("{} {}", count, name));
  std::string text = fmt::format("edges: {}", counts.empty() ? "none" : fmt::to_string(fmt::join(counts, ", ")));
  if (recording.execution) {
    text += fmt::format("; {} of the data across streams, {} kernels with known tensors", edges.across_lanes,
                        edges.kernels_linked());
  }
  return text + '\n';
}

// An execution trace alone says what depends on what, and nothing about time.
std::string untimed_text(const Recording& recording, const RecordingReport& report, const std::string& title) {
  std::string text = fmt::format("{}: {} that compute\n", printable(title),
                                 count_of(recording.kernels.size(), "operator", "operators"));
  text += edges_text(recording, report.edges);
  if (report.critical_path)
    text +=
        fmt::format("critical path of {}\n", count_of(report.critical_path->kernels.size(), "operator", "operators"));
  for (const Message& notice : report.notices) text += fmt::format("note: {}\n", printable(notice.text()));
  return text;
}

std::string usage_text(const DeviceUsage& usage) {
  const IdleTime& idle = usage.idle;
  std::string text = fmt::format("idle {:.3f} ms: ", millis(idle.total()));
  if (idle.unknown > 0) text += fmt::format("without a recorded launch {:.3f}, ", millis(idle.unknown));
  text += fmt::format("launched late {:.3f}, after a wait of the host {:.3f}, launch latency {:.3f}, queued {:.3f}\n",
                      millis(idle.launched_late), millis(idle.host_wait), millis(idle.latency), millis(idle.queued));
  std::vector<std::string> parts;
  for (std::size_t n = 0; n < usage.in_flight.size(); ++n) {
    const double share = usage.span > 0 ? usage.in_flight[n] / usage.span : 0;
    if (share >= 0.0005) parts.push_back(fmt::format("{} {:.1f} %", n == 0 ? "none" : std::to_string(n), 100 * share));
  }
  text += fmt::format("kernels in flight: {}\n", fmt::join(parts, ", "));
  return text;
}

}  // namespace

Message device_text(const Recording& recording) {
  if (recording.of_processor) return message("the processor");
  if (recording.lanes.empty()) return message("a device");
  const std::int64_t id = recording.lanes.front().device;
  const auto found = std::ranges::find(recording.devices, id, &RecordedDevice::id);
  if (found == recording.devices.end()) {
    return recording.seen_devices.size() > 1 ? message("device {}", id) : message("a device");
  }
  const Message name = found->name.empty() ? message("device {}", id) : verbatim(found->name);
  return found->multiprocessors ? message("{} ({} multiprocessors)", name, *found->multiprocessors) : name;
}

std::optional<double> RecordingReport::model_error() const {
  if (!as_recorded || usage.span <= 0) return std::nullopt;
  return *as_recorded / usage.span - 1;
}

double RecordingReport::streams_win() const {
  const double of_work = need.work - need.needed;
  if (!without_launch_gaps) return of_work;
  const double path = dependencies_told && critical_path ? critical_path->length : 0;
  return std::clamp(*without_launch_gaps - std::max(need.needed, path), 0.0, of_work);
}

Message judgement(const Recording& recording, const RecordingReport& report) {
  if (!report.without_launch_gaps || !recording.timed) return {};
  const double gaps = std::max(report.usage.span - *report.without_launch_gaps, 0.0);
  // What the host waited for is no launch, and a CUDA graph cannot save it.
  const double waits = std::min(gaps, report.usage.idle.host_wait);
  const bool launched =
      std::ranges::any_of(recording.kernels, [](const RecordedKernel& kernel) { return kernel.launch != kNoIndex; });
  const double streams = report.streams_win();
  const bool streams_first = report.streams_known() && streams > gaps;

  std::vector<Message> parts;
  if (millis(gaps) < kNoTime) {
    parts.push_back(message("gaps cost nothing"));
  } else if (recording.of_processor) {
    parts.push_back(message("gaps between operators cost {:.3f} ms", millis(gaps)));
  } else if (!launched) {
    parts.push_back(message("gaps between kernels cost {:.3f} ms", millis(gaps)));
  } else {
    if (millis(gaps - waits) >= kNoTime)
      parts.push_back(message("launch gaps cost {:.3f} ms, which a CUDA graph can save", millis(gaps - waits)));
    if (millis(waits) >= kNoTime)
      parts.push_back(parts.empty() ? message("waits of the host cost {:.3f} ms", millis(waits))
                                    : message("waits of the host cost {:.3f} ms more", millis(waits)));
  }
  const Message win = !report.streams_known()
                          ? recording.of_processor
                                ? message(
                                      "what streams can win is not known, because nothing says how much of the "
                                      "processor an operator needs")
                                : message(
                                      "what streams can win is not known, because nothing says how much of the "
                                      "device a kernel fills")
                      : streams_first ? message("streams can win at most {:.3f} ms", millis(streams))
                                      : message("streams can win at most {:.3f} ms of the rest", millis(streams));
  parts.insert(streams_first ? parts.begin() : parts.end(), win);
  constexpr double kPartThatCounts = 0.01;
  if (report.streams_known() && report.share_unknown > kPartThatCounts) {
    parts.push_back(message("more where the share of the device is not known, as of {:.0f} % of the kernels' time",
                            100 * report.share_unknown));
  }
  if (const auto error = report.model_error(); error && std::abs(*error) > kReliable)
    parts.push_back(message("the model is {:.0f} % off here, so take this as a guess", 100 * std::abs(*error)));
  Message all = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) all = message("{}; {}", all, parts[i]);
  return all;
}

Message without_dependencies() {
  return message(
      "no file says what depends on what, so no kernels are known to be independent; record an execution "
      "trace of the same run, and open both");
}

Message too_many_edges() {
  return message(
      "it has more accesses to its tensors than are looked at, so its dependencies are not known; choose a step");
}

RecordingReport report_of(const Recording& recording, std::optional<double> share) {
  RecordingReport report;
  const std::vector<double> shares = shares_of(recording, share);
  report.usage = usage_of(recording, shares);
  report.edges = edges_of(recording);
  const Dependencies dependencies(recording, report.edges);
  const bool all_rules = std::ranges::all_of(report.edges.broken, [](std::size_t count) { return count == 0; });
  if (all_rules && !report.edges.incomplete) report.critical_path = critical_path(dependencies);
  report.dependencies_told = dependencies_known(recording, report.edges);
  report.as_recorded = replayed_span(dependencies, shares, Launches::kAsRecorded);
  report.without_launch_gaps = replayed_span(dependencies, shares, Launches::kNoGaps);
  // The model may slow kernels that ran at once, whose shares are estimates; without gaps nothing takes longer.
  if (report.without_launch_gaps) report.without_launch_gaps = std::min(*report.without_launch_gaps, report.usage.span);
  report.need = need_of(recording, share);
  if (!share) report.share_unknown = unknown_shares(recording).part;
  add_notices(recording, report, share.has_value());
  return report;
}

Table lane_table(const Recording& recording) {
  using Row = std::size_t;
  std::vector<double> work(recording.lanes.size(), 0);
  for (const RecordedKernel& kernel : recording.kernels) work[kernel.lane] += kernel.duration();
  const auto words = [](const std::string& text) { return Cell{verbatim(text)}; };
  const std::vector<RecordedLane>& lanes = recording.lanes;
  std::vector<Column<Row>> columns{
      {{.id = "process", .title = in_english("process"), .shown_if = ShownIf::kKnown},
       [&](Row i) { return lanes[i].process.empty() ? Cell{} : words(lanes[i].process); }},
      {{.id = "device", .title = in_english("device"), .kind = ColumnKind::kCount},
       [&](Row i) { return Cell{count_value(lanes[i].device)}; }},
      {{.id = "stream", .title = in_english("stream")}, [&](Row i) { return words(lanes[i].stream); }},
      {{.id = "kernels", .title = in_english("kernels"), .kind = ColumnKind::kCount},
       [&](Row i) { return Cell{count_value(lanes[i].kernels)}; }},
      {{.id = "work_ms", .title = in_english("work"), .kind = ColumnKind::kMillis},
       [&](Row i) { return Cell{millis(work[i])}; }}};
  std::vector<Row> rows;
  for (Row i = 0; i < lanes.size(); ++i) rows.push_back(i);
  return table_of(columns, rows);
}

Table kernel_table(const Recording& recording, std::optional<double> share) {
  using Row = std::size_t;
  const std::vector<RecordedKernel>& kernels = recording.kernels;
  const std::vector<std::optional<double>> known = known_shares(recording);
  const auto words = [](std::string_view text) { return Cell{verbatim(std::string(text))}; };
  const auto lane = [&](Row i) -> const RecordedLane& { return recording.lanes[kernels[i].lane]; };
  const double zero = kernels.empty() ? 0 : kernels.front().begin;
  std::vector<Column<Row>> columns{
      {{.id = "kernel", .title = in_english("kernel")}, [&](Row i) { return words(recording.name(kernels[i].name)); }},
      {{.id = "kind", .title = in_english("kind")}, [&](Row i) { return words(kernel_kind_name(kernels[i].kind)); }},
      {{.id = "device", .title = in_english("device"), .kind = ColumnKind::kCount},
       [&](Row i) { return Cell{count_value(lane(i).device)}; }},
      {{.id = "stream", .title = in_english("stream")}, [&](Row i) { return words(lane(i).stream); }},
      {{.id = "begin_ms", .title = in_english("begin"), .kind = ColumnKind::kMillis},
       [&](Row i) { return Cell{millis(kernels[i].begin - zero)}; }},
      {{.id = "duration_ms", .title = in_english("duration"), .kind = ColumnKind::kMillis},
       [&](Row i) { return Cell{millis(kernels[i].duration())}; }},
      {{.id = "launch_ms", .title = in_english("launch"), .kind = ColumnKind::kMillis},
       [&](Row i) {
         const std::uint32_t launch = kernels[i].launch;
         return launch == kNoIndex ? Cell{} : Cell{millis(recording.launches[launch].begin - zero)};
       }},
      {{.id = "range", .title = in_english("range")},
       [&](Row i) {
         const std::uint32_t range = kernels[i].range;
         return range == kNoIndex ? Cell{} : words(recording.name(recording.ranges[range].name));
       }},
      {{.id = "share", .title = in_english("share of the device"), .kind = ColumnKind::kShare},
       [&](Row i) { return share || known[i] ? Cell{known[i].value_or(share.value_or(1))} : Cell{}; }}};
  std::vector<Row> rows;
  for (Row i = 0; i < kernels.size(); ++i) rows.push_back(i);
  return table_of(columns, rows);
}

Table edge_table(const RecordedEdges& edges) {
  using Row = RecordedEdge;
  const std::vector<Column<Row>> columns{
      {{.id = "before", .title = in_english("before"), .kind = ColumnKind::kCount},
       [](const Row& edge) { return Cell{count_value(edge.before)}; }},
      {{.id = "after", .title = in_english("after"), .kind = ColumnKind::kCount},
       [](const Row& edge) { return Cell{count_value(edge.after)}; }},
      {{.id = "kind", .title = in_english("kind")},
       [](const Row& edge) { return Cell{verbatim(std::string(edge_kind_name(edge.kind)))}; }},
      {{.id = "known", .title = in_english("known")},
       [](const Row& edge) { return Cell{edge.certainty == EdgeCertainty::kKnown}; }}};
  return table_of(columns, edges.edges);
}

std::string recording_text(const Recording& recording, const RecordingReport& report, const std::string& title) {
  if (!recording.timed) return untimed_text(recording, report, title);
  const DeviceUsage& usage = report.usage;
  std::string text =
      fmt::format("{}: {} on {} of {}\n", printable(title), count_of(recording.kernels.size(), "kernel", "kernels"),
                  count_of(recording.lanes.size(), "stream", "streams"), printable(device_text(recording).text()));
  if (std::string first = judgement(recording, report).text(); !first.empty()) {
    first.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(first.front())));
    text += first + ".\n";
  }
  text += '\n';
  text += fmt::format("span                {:>10.3f} ms\n", millis(usage.span));
  text +=
      fmt::format("busy                {:>10.3f} ms, idle {:.1f} %\n", millis(usage.busy), 100 * usage.idle_share());
  text += "\nmodelled, not recorded:\n";
  text += report.without_launch_gaps
              ? fmt::format("without launch gaps {:>10.3f} ms\n", millis(*report.without_launch_gaps))
              : "without launch gaps    unknown: its dependencies are a cycle\n";
  text += report.streams_known()
              ? fmt::format(
                    "streams at most     {:>10.1f} % of {:.3f} ms of kernels without "
                    "collectives, {:.3f} ms over the recorded streams\n\n",
                    100 * report.need.streams_at_most(), millis(report.need.work), millis(report.streams_win()))
              : "streams at most        unknown: give the share of the device of a kernel\n\n";
  text += usage_text(usage);
  text += report.streams_known()
              ? fmt::format("utilization by share of multiprocessors {:.1f} %\n", 100 * usage.utilization)
              : "utilization unknown\n";
  text += edges_text(recording, report.edges);
  text += report.critical_path ? path_text(recording, *report.critical_path) : "critical path unknown\n";
  if (report.critical_path && !report.dependencies_told)
    text += "  of streams and events, since dependencies are not known\n";
  for (const Message& notice : report.notices) text += fmt::format("note: {}\n", printable(notice.text()));
  return text + '\n' + table_text(lane_table(recording));
}

nlohmann::ordered_json recording_json(const Recording& recording, const RecordingReport& report) {
  using OrderedJson = nlohmann::ordered_json;
  const auto known = [](const std::optional<double>& micros) {
    return micros ? OrderedJson(millis(*micros)) : OrderedJson();
  };
  OrderedJson edges = OrderedJson::object();
  for (const auto& [name, count] : edge_counts(report.edges)) edges[name] = count;
  const std::optional<RecordedPath>& path = report.critical_path;
  OrderedJson idle = OrderedJson::object();
  for (const auto& [name, reason] : kIdleNames) idle[name] = millis(report.usage.idle.of(reason));
  OrderedJson notices = OrderedJson::array();
  for (const Message& notice : report.notices) notices.push_back(notice.text());
  const auto timed = [&](double value) { return recording.timed ? OrderedJson(value) : OrderedJson(); };
  return {{"kernels", recording.kernels.size()},
          {"lanes", recording.lanes.size()},
          {"span_ms", timed(millis(report.usage.span))},
          {"busy_ms", timed(millis(report.usage.busy))},
          {"idle_share", timed(report.usage.idle_share())},
          {"without_launch_gaps_ms", recording.timed ? known(report.without_launch_gaps) : OrderedJson()},
          {"streams_at_most", report.streams_known() ? OrderedJson(report.need.streams_at_most()) : OrderedJson()},
          {"streams_win_ms",
           report.streams_known() && recording.timed ? OrderedJson(millis(report.streams_win())) : OrderedJson()},
          {"critical_path_ms", path && recording.timed ? OrderedJson(millis(path->length)) : OrderedJson()},
          {"critical_path_kernels", path ? OrderedJson(path->kernels.size()) : OrderedJson()},
          {"idle_ms", recording.timed ? std::move(idle) : OrderedJson()},
          {"edges", std::move(edges)},
          {"notices", std::move(notices)}};
}

}  // namespace iosx
