#include "core/analysis/recording/recording_exports.h"

#include <nlohmann/json.hpp>

#include "core/analysis/recording/trace_writers.h"
#include "core/formats/external/open_recording.h"
#include "tests/analysis/recording/made_recordings.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using OrderedJson = nlohmann::ordered_json;

// x, then two that read it, then one that reads both.
struct Exported {
  Exported() {
    give_operators(recording, {">x", "x>y", "x>z", "yz>w"});
    report = report_of(recording, {});
    predictions = predictions_of(recording, report, {});
  }
  Recording recording = of_lanes("abaa");
  RecordingReport report;
  RecordingPredictions predictions;
};

TEST(RecordingTrace, KeepsWhatWasRecordedApartFromWhatIsPredicted) {
  const Exported made;
  const std::string text = recording_trace_json(made.recording, made.report, made.predictions, "a \"run\"");
  const OrderedJson events = OrderedJson::parse(text).at("traceEvents");
  std::map<int, std::string> processes;
  std::map<std::string, std::size_t> flows;
  std::map<int, std::set<std::string>> categories;
  for (const OrderedJson& event : events) {
    if (event["name"] == "process_name") processes[event["pid"]] = event["args"]["name"];
    if (event["ph"] == "s") ++flows[event["name"]];
    if (event["ph"] == "X") categories[event["pid"]].insert(event["cat"].get<std::string>());
  }
  EXPECT_EQ(processes[1], "recorded: a \"run\"");
  EXPECT_EQ(flows["data, known"], 4U);
  EXPECT_EQ(flows["launch"], 4U);
  std::size_t predicted = 0;
  for (const auto& [process, name] : processes) {
    const bool is_predicted = name.starts_with("predicted: ");
    predicted += is_predicted ? 1 : 0;
    EXPECT_EQ(categories[process].contains("predicted"), is_predicted) << name;
    EXPECT_EQ(categories[process].size(), 1U) << name;
  }
  EXPECT_EQ(predicted, 4U);
}

using WriteTrace = std::string (*)(const Recording&, const RecordingReport&, const RecordingPredictions&,
                                   const std::string&);
constexpr std::array<WriteTrace, 2> kWriters{recording_trace_json, recording_trace_perfetto};

std::map<std::string, std::size_t> edges_by_kind(const RecordedEdges& edges) {
  std::map<std::string, std::size_t> counts;
  for (const RecordedEdge& edge : edges.edges) ++counts[edge_label(edge.kind, edge.certainty)];
  return counts;
}

// What an export has of a recording is all that decides its figures.
void expect_same_when_opened_again(const Recording& recording) {
  const RecordingReport report = report_of(recording, {});
  const RecordingPredictions predictions = predictions_of(recording, report, {});
  for (const WriteTrace write : kWriters) {
    const Recording again = must(read_recording_text(write(recording, report, predictions, "run"), "again", {}));
    ASSERT_EQ(again.kernels.size(), recording.kernels.size());
    ASSERT_EQ(again.lanes.size(), recording.lanes.size());
    const double shift = recording.kernels[0].begin - again.kernels[0].begin;
    for (std::size_t i = 0; i < again.kernels.size(); ++i) {
      const RecordedKernel& one = recording.kernels[i];
      const RecordedKernel& other = again.kernels[i];
      EXPECT_EQ(again.name(other.name), recording.name(one.name));
      EXPECT_EQ(again.lanes[other.lane].stream, recording.lanes[one.lane].stream);
      EXPECT_EQ(again.lanes[other.lane].process, recording.lanes[one.lane].process);
      EXPECT_EQ(again.lanes[other.lane].device, recording.lanes[one.lane].device);
      EXPECT_EQ(other.grid, one.grid);
      EXPECT_EQ(other.block, one.block);
      EXPECT_NEAR(other.begin + shift, one.begin, 0.002);
      EXPECT_NEAR(other.duration(), one.duration(), 0.002);
      ASSERT_EQ(other.launch == kNoIndex, one.launch == kNoIndex);
      if (one.launch == kNoIndex) continue;
      EXPECT_NEAR(again.launch_begin(other) + shift, recording.launch_begin(one), 0.002);
    }
    ASSERT_EQ(again.devices.size(), recording.devices.size());
    for (std::size_t i = 0; i < again.devices.size(); ++i) {
      EXPECT_EQ(again.devices[i].name, recording.devices[i].name);
      EXPECT_EQ(again.devices[i].multiprocessors, recording.devices[i].multiprocessors);
      EXPECT_EQ(again.devices[i].warps, recording.devices[i].warps);
    }
    const RecordingReport report_again = report_of(again, {});
    EXPECT_EQ(edges_by_kind(report_again.edges), edges_by_kind(report.edges));
    EXPECT_EQ(report_again.edges.linked, report.edges.linked);
    EXPECT_NEAR(report_again.usage.span, report.usage.span, 0.1);
    EXPECT_NEAR(report_again.usage.busy, report.usage.busy, 0.1);
    EXPECT_NEAR(report_again.usage.work, report.usage.work, 0.1);
    EXPECT_NEAR(must(report_again.without_launch_gaps), must(report.without_launch_gaps), 0.1);
    EXPECT_NEAR(report_again.usage.idle.host_wait, report.usage.idle.host_wait, 0.1);
  }
}

TEST(RecordingTrace, OpensAgainWithAllThatDecidesItsFigures) {
  Exported made;
  Recording& recording = made.recording;
  recording.names.emplace_back("gemm<float>(\"a\")");
  for (RecordedKernel& kernel : recording.kernels) kernel.name = 1;
  recording.devices[0].name = "Small";
  expect_same_when_opened_again(recording);
  // Waits of the host and of streams, of which some say for what.
  recording.execution.reset();
  recording.host_waits = {{.begin = 128, .end = 131, .lane = 0}, {.begin = 150, .end = 152}};
  recording.event_records = {{.at = 99, .thread = 0}, {.at = 116, .thread = 0}};
  recording.stream_waits = {{.at = 114, .thread = 0, .lane = 1, .source = 0, .recorded = 99},
                            {.at = 118, .thread = 0},
                            {.at = 119, .thread = 0, .lane = kIdleLane, .source = 0, .recorded = 99}};
  expect_same_when_opened_again(recording);
  // Two processes on one device, and streams without numbers.
  recording.stream_waits.clear();
  recording.host_waits.clear();
  recording.lanes[0] = {.process = "process 7", .stream = "3", .kernels = 3};
  recording.lanes[1] = {.process = "process 8", .stream = "3", .kernels = 1};
  expect_same_when_opened_again(recording);
  recording.lanes[0] = {.stream = "queue a", .kernels = 3};
  recording.lanes[1] = {.stream = "queue b", .kernels = 1};
  expect_same_when_opened_again(recording);
}

// Perfetto closes the innermost slice of a track, so those of one track must not overlap.
TEST(RecordingTrace, PutsOverlappingSpansOnTracksOfTheirOwn) {
  PerfettoTraceWriter writer;
  writer.name_process(1, "recorded");
  const SpanNumber first = writer.span("a", "kernel", 1, 0, 0, 10, "");
  writer.span("b", "kernel", 1, 0, 5, 20, "");
  writer.flow("data, known", first, 5, writer.span("c", "kernel", 1, 0, 20, 20, ""));
  const Recording read = must(read_recording_text(writer.take(), "x", {}));
  ASSERT_EQ(read.kernels.size(), 3U);
  EXPECT_EQ(read.lanes.size(), 2U);
  EXPECT_DOUBLE_EQ(read.kernels[0].duration(), 10);
  EXPECT_DOUBLE_EQ(read.kernels[1].duration(), 15);
  EXPECT_DOUBLE_EQ(read.kernels[2].duration(), 0);
}

TEST(RecordingTrace, OpensAgain) {
  Exported made;
  made.recording.names.emplace_back("gemm<float>(\"a\")");
  for (RecordedKernel& kernel : made.recording.kernels) kernel.name = 1;
  const std::string text = recording_trace_json(made.recording, made.report, made.predictions, "run");
  const Recording again = must(read_recording_text(text, "again", {}));
  ASSERT_EQ(again.kernels.size(), 4U);
  EXPECT_EQ(again.lanes.size(), 2U);
  EXPECT_EQ(again.launches.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(again.kernels[i].begin, made.recording.kernels[i].begin);
    EXPECT_EQ(again.kernels[i].end, made.recording.kernels[i].end);
    EXPECT_EQ(again.kernels[i].grid, made.recording.kernels[i].grid);
    EXPECT_EQ(again.name(again.kernels[i].name), "gemm<float>(\"a\")");
  }
}

TEST(Streams, NameOperatorsByPathAndOccurrence) {
  Exported made;
  Recording& recording = made.recording;
  for (const char* name : {"nn.Module: Net_0", "nn.Module: Linear_3", "aten::linear", "aten::mm"})
    recording.names.emplace_back(name);
  recording.ranges = {
      {.begin = 0, .end = 500, .name = 1, .kind = RangeKind::kModule},
      {.begin = 10, .end = 490, .name = 2, .outer = 0, .kind = RangeKind::kModule},
      {.begin = 11, .end = 120, .name = 3, .outer = 1, .record_function = 7},
      {.begin = 12, .end = 110, .name = 4, .outer = 2, .record_function = 8},
      {.begin = 111, .end = 119, .name = 4, .outer = 2, .record_function = 9},
  };
  for (RecordedKernel& kernel : recording.kernels) kernel.range = kNoIndex;
  recording.kernels[0].range = 3;
  recording.kernels[1].range = 4;
  const OrderedJson kernels = streams_json(recording, made.report, made.predictions.lanes[1]).at("kernels");
  ASSERT_EQ(kernels.size(), 4U);
  EXPECT_EQ(kernels[0], OrderedJson::parse(R"({"operator": "aten::mm", "record_function": 8, "occurrence": 0,
    "path": "Net_0/Linear_3", "around": [["aten::linear", 0]], "launch": 0, "lane": 0, "after": []})"));
  EXPECT_EQ(kernels[1].at("occurrence"), 1);
  EXPECT_TRUE(kernels[2].at("occurrence").is_null());
  EXPECT_EQ(kernels[2].at("lane"), 1);
  EXPECT_EQ(kernels[2].at("after"), OrderedJson::array({0}));  // on another lane
  EXPECT_EQ(kernels[3].at("after"), OrderedJson::array({1}));  // it runs on the lane of the other one that it needs
}

TEST(Streams, LeaveCollectivesWhereTheyAre) {
  Exported made;
  made.recording.kernels[1].kind = KernelKind::kCollective;
  made.report = report_of(made.recording, {});
  made.predictions = predictions_of(made.recording, made.report, {});
  const OrderedJson streams = streams_json(made.recording, made.report, made.predictions.lanes[1]);
  const auto stays = std::ranges::count_if(streams["kernels"], [](const auto& one) { return one["lane"].is_null(); });
  EXPECT_EQ(stays, 1);
}

}  // namespace
}  // namespace iosx
