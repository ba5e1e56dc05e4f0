#include "core/analysis/recording/fold.h"
#include "core/analysis/recording/predictions_report.h"
#include "core/analysis/recording/recording_exports.h"
#include "core/formats/external/open_recording.h"
#include "tests/support/attacks.h"
#include "tests/support/prelude.h"
#include "tests/support/sanitized.h"
#include "tests/support/store_files.h"

// Recordings of others beside the project's folder, with figures that another program found in them.
namespace iosx {
namespace {

const std::filesystem::path kRecordings = std::filesystem::path(IOS_SOURCE_FOLDER) / "../shared/reference/recordings";

struct Expected {
  const char* file;
  const char* with;
  std::optional<double> share;
  std::size_t kernels;
  std::size_t lanes;
  double span_ms;
  double busy_ms;
  double work_ms;
  double idle_share;
  std::map<std::string, std::size_t> edges;  // those that the other program tells
  std::optional<double> path_ms;
  std::size_t path_kernels;
};

class RecordedFigures : public testing::TestWithParam<Expected> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kRecordings)) GTEST_SKIP() << "there is no ../shared/reference/recordings";
  }
};

Recording open(const char* file, const char* with = nullptr) {
  RecordingOptions options;
  if (with != nullptr) options.with.push_back(kRecordings / with);
  return must(open_recording(kRecordings / file, options));
}

constexpr double kNear = 1e-3;  // of a value

TEST_P(RecordedFigures, AreThoseOfAnotherProgram) {
  const Expected& expected = GetParam();
  const Recording recording = open(expected.file, expected.with);
  const RecordingReport report = report_of(recording, expected.share);
  const auto json = recording_json(recording, report);
  EXPECT_EQ(json["kernels"], expected.kernels);
  EXPECT_EQ(json["lanes"], expected.lanes);
  EXPECT_NEAR(json["span_ms"], expected.span_ms, kNear * expected.span_ms);
  EXPECT_NEAR(json["busy_ms"], expected.busy_ms, kNear * expected.busy_ms);
  EXPECT_NEAR(report.usage.work / 1e3, expected.work_ms, kNear * expected.work_ms);
  EXPECT_NEAR(json["idle_share"], expected.idle_share, 6e-4);
  for (const auto& [kind, count] : expected.edges) EXPECT_EQ(json["edges"].value(kind, std::size_t{0}), count) << kind;
  ASSERT_EQ(report.critical_path.has_value(), expected.path_ms.has_value());
  if (expected.path_ms) {
    EXPECT_NEAR(json["critical_path_ms"], *expected.path_ms, kNear * *expected.path_ms);
    EXPECT_EQ(report.critical_path->kernels.size(), expected.path_kernels);
  }
  // The model, which predicts what has not run, first has to say what has.
  EXPECT_LT(std::abs(must(report.model_error())), 0.02);
  EXPECT_NEAR(report.usage.idle.total(), report.usage.span - report.usage.busy, 1e-6 * report.usage.span);
  EXPECT_NEAR(std::accumulate(report.usage.in_flight.begin(), report.usage.in_flight.end(), 0.0), report.usage.span,
              1e-6 * report.usage.span);
}

INSTANTIATE_TEST_SUITE_P(
    Recordings, RecordedFigures,
    testing::Values(
        Expected{"public/dlrm_rank0.trace.json.gz",
                 "public/dlrm_rank0.et.json.gz",
                 {},
                 261,
                 4,
                 13.009,
                 6.590,
                 6.851,
                 0.493,
                 {{"data", 276}, {"comm", 7}, {"inner", 19}, {"order", 229}, {"event_assumed", 19}, {"host", 11}},
                 6.082,
                 67},
        Expected{"pairs/forward.trace.json",
                 "pairs/forward.et.json",
                 0.2,
                 37,
                 1,
                 3.709,
                 1.981,
                 2.016,
                 0.466,
                 {{"data", 47}},
                 1.539,
                 19},
        Expected{"pairs/train.trace.json.gz",
                 "pairs/train.et.json.gz",
                 0.2,
                 383,
                 1,
                 37.517,
                 30.305,
                 35.379,
                 0.192,
                 {{"data", 468}},
                 17.905,
                 32},
        Expected{
            "pairs/fork.trace.json", "pairs/fork.dot", {}, 8, 1, 0.257, 0.108, 0.108, 0.580, {{"graph", 8}}, 0.068, 6},
        Expected{
            "public/hta_event_multi.json.gz", nullptr, {}, 6, 3, 19.506, 0.372, 0.372, 0.981, {{"event", 1}}, 0.248, 4},
        Expected{"public/hta_alexnet.json.gz",
                 nullptr,
                 {},
                 98,
                 2,
                 12920.244,
                 66.141,
                 66.203,
                 0.995,
                 {{"event", 6}, {"event_assumed", 2}},
                 66.069,
                 95},
        Expected{"public/extrap_con_kernel.sqlite",
                 nullptr,
                 {},
                 21,
                 5,
                 258.759,
                 258.746,
                 279.780,
                 0.0,
                 {{"order", 16}},
                 {},
                 0}),
    [](const auto& test) {
      std::string name;
      for (const char c : std::filesystem::path(test.param.file).stem().string())
        name += std::isalnum(c) != 0 ? c : '_';
      return name;
    });

class SharedRecordingReports : public RecordedFigures {};
TEST_F(SharedRecordingReports, SayWhyADeviceIsIdleAndWhatStreamsCanWin) {
  const Recording dlrm = open("public/dlrm_rank0.trace.json.gz", "public/dlrm_rank0.et.json.gz");
  const RecordingReport report = report_of(dlrm, {});
  EXPECT_NEAR(report.usage.idle.launched_late, 5284, 1);
  EXPECT_NEAR(report.usage.idle.host_wait, 746, 1);
  EXPECT_NEAR(report.usage.idle.latency, 325, 1);
  EXPECT_NEAR(report.usage.idle.queued, 64, 1);
  EXPECT_EQ(report.edges.across_lanes, 43U);
  EXPECT_EQ(report.edges.kernels_linked(), 243U);
  EXPECT_NEAR(must(report.without_launch_gaps), 6342, 7);
  EXPECT_NEAR(report.need.streams_at_most(), 0.78, 0.005);
  EXPECT_NEAR(report.need.work, 1053, 1);
  // What is larger comes first.
  const std::string text = recording_text(dlrm, report, "dlrm");
  EXPECT_LT(text.find("Launch gaps cost 5.92"), text.find("waits of the host cost 0.746 ms more"));
  EXPECT_LT(text.find("waits of the host"), text.find("streams can win at most 0.260 ms of the rest"));
  EXPECT_LT(text.find("without launch gaps"), text.find("streams at most  "));
}

// Honesty: edges that the times break switch their rule off, and no path is told over what is left.
TEST_F(SharedRecordingReports, SwitchOffARuleThatTheTimesBreak) {
  const RecordingReport report = report_of(open("public/extrap_con_kernel.sqlite"), {});
  EXPECT_EQ(report.edges.broken[static_cast<std::size_t>(EdgeKind::kOrder)], 3U);
  EXPECT_TRUE(report.edges.is_off(EdgeKind::kOrder));
  EXPECT_FALSE(report.critical_path);
  EXPECT_THAT(report.notices, Contains(HasSubstr("3 edges of the kind 'order' overlap")));
}

// Honesty: nothing is called independent without a file that says so.
TEST_F(SharedRecordingReports, SayThatOrderIsNoDependency) {
  const RecordingReport alone = report_of(open("public/dlrm_rank0.trace.json.gz"), {});
  EXPECT_THAT(alone.notices, Contains(HasSubstr("no kernels are known to be independent")));
  EXPECT_EQ(alone.edges.count(EdgeKind::kData, EdgeCertainty::kKnown), 0U);
  EXPECT_EQ(alone.edges.kernels_linked(), 0U);
  const RecordingReport paired = report_of(open("pairs/forward.trace.json", "pairs/forward.et.json"), {});
  EXPECT_THAT(paired.notices, Not(Contains(HasSubstr("no kernels are known to be independent"))));
  EXPECT_THAT(paired.notices, Contains(HasSubstr("not known of 37 kernels")));
  EXPECT_EQ(paired.need.streams_at_most(), 0);  // shares are unknown, so there is no gain
}

// What List wins, as another program says: on 1, 2, 4 and 8 lanes, launched as one CUDA graph.
TEST_F(SharedRecordingReports, PredictWhatLanesWin) {
  const auto spans = [](const char* file, const char* with, std::optional<double> share) {
    const Recording recording = open(file, with);
    const RecordingPredictions predictions = predictions_of(recording, report_of(recording, share), share);
    EXPECT_TRUE(predictions.reliable) << file;
    return mapped<double>(predictions.lanes, [](const PredictedLanes& one) { return one.as_graph.span / 1e3; });
  };
  const auto near = [](double value) { return testing::DoubleNear(value, kNear * value); };
  EXPECT_THAT(spans("public/dlrm_rank0.trace.json.gz", "public/dlrm_rank0.et.json.gz", {}),
              ElementsAre(near(6.260), near(6.144), near(6.130), near(6.127)));
  EXPECT_THAT(spans("pairs/fork.trace.json", "pairs/fork.dot", {}),
              ElementsAre(near(0.108), near(0.070), near(0.070), near(0.070)));
  EXPECT_THAT(spans("pairs/forward.trace.json", "pairs/forward.et.json", 0.2),
              ElementsAre(near(2.016), near(1.539), near(1.539), near(1.540)));
  EXPECT_THAT(spans("pairs/train.trace.json.gz", "pairs/train.et.json.gz", 0.2),
              ElementsAre(near(35.379), near(17.905), near(17.905), near(18.306)));
}

// As launched, lanes win at most 0.3 % of DLRM.
TEST_F(SharedRecordingReports, TellGainsAsLaunchedAndAsAGraph) {
  const Recording recording = open("public/dlrm_rank0.trace.json.gz", "public/dlrm_rank0.et.json.gz");
  const RecordingReport report = report_of(recording, {});
  const RecordingPredictions predictions = predictions_of(recording, report, {});
  EXPECT_NEAR(must(report.without_launch_gaps) / 1e3, 6.342, 6.342 * kNear);
  ASSERT_FALSE(predictions.opportunities.empty());
  const Opportunity& first = predictions.opportunities.front();
  EXPECT_EQ(first.what, "2 x mm < AddmmBackward0 | sum");  // as the other program ranks it
  EXPECT_EQ(first.groups.size(), 6U);
  EXPECT_NEAR(must(first.as_graph), 73.9, 0.1);
  for (const Opportunity& one : predictions.opportunities) {
    // Honesty: nothing says what kernels without a schema wait for, so they are not known to be independent.
    EXPECT_EQ(one.known, one.what.find("CppNode") == std::string::npos) << one.what;
    EXPECT_LE(must(one.as_launched), 0.003 * report.usage.span);
  }
  // Honesty: collectives keep their time, their stream and their order.
  for (const PredictedLanes& lanes : predictions.lanes) {
    std::map<std::uint32_t, double> ended;
    for (std::size_t i = 0; i < recording.kernels.size(); ++i) {
      if (recording.kernels[i].kind != KernelKind::kCollective) continue;
      const PlacedKernel& kernel = lanes.as_graph.kernels[i];
      EXPECT_EQ(kernel.lane, lanes.lanes + recording.kernels[i].lane);
      EXPECT_GE(kernel.end - kernel.begin, recording.kernels[i].duration() * (1 - 1e-9));
      EXPECT_GE(kernel.begin, ended[kernel.lane] - 1e-6);
      ended[kernel.lane] = kernel.end;
    }
  }
}

// Honesty: of what only streams order, nothing is independent and nothing is won.
TEST_F(SharedRecordingReports, PredictNothingFromTheOrderOfStreams) {
  for (const char* file : {"public/dlrm_rank0.trace.json.gz", "public/hta_alexnet.json.gz", "pairs/train.trace.json.gz",
                           "public/hta_event_multi.json.gz", "public/extrap_con_kernel.sqlite"}) {
    const Recording recording = open(file);
    const RecordingPredictions predictions = predictions_of(recording, report_of(recording, {}), {});
    EXPECT_TRUE(predictions.lanes.empty()) << file;
    EXPECT_EQ(must(predictions.why_none), without_dependencies());
    for (const Opportunity& one : predictions.opportunities) EXPECT_FALSE(one.known || one.as_graph) << one.what;
  }
}

// Honesty: an execution trace of another run says nothing.
TEST_F(SharedRecordingReports, RefuseAnExecutionTraceOfAnotherRun) {
  const auto pair = [](const char* trace, const char* other) {
    return refused(open_recording(kRecordings / trace, {.with = {kRecordings / other}})).text();
  };
  EXPECT_THAT(pair("pairs/forward.trace.json", "pairs/train.et.json.gz"), HasSubstr("is of another run"));
  EXPECT_THAT(pair("pairs/train.trace.json.gz", "pairs/forward.et.json"), HasSubstr("is of another run"));
  EXPECT_THAT(pair("public/dlrm_rank0.trace.json.gz", "pairs/train.et.json.gz"), HasSubstr("is of another run"));
}

// The trace is of the whole run, and the step is a part of it.
TEST_F(SharedRecordingReports, OfAStepTakeTheExecutionTraceOfTheRun) {
  const RecordingOptions options{.with = {kRecordings / "public/dlrm_rank0.et.json.gz"}, .range = "## backward ##"};
  const Recording recording = must(open_recording(kRecordings / "public/dlrm_rank0.trace.json.gz", options));
  EXPECT_EQ(recording.kernels.size(), 109U);
  EXPECT_EQ(edges_of(recording).kernels_linked(), 91U);
}

TEST_F(SharedRecordingReports, OfAnExecutionTraceAloneTakeNoOtherFile) {
  const RecordingOptions options{.with = {kRecordings / "public/dlrm_rank0.trace.json.gz"}};
  EXPECT_THAT(refused(open_recording(kRecordings / "public/dlrm_rank0.et.json.gz", options)).text(),
              HasSubstr("to which no file can be added"));
}

TEST_F(SharedRecordingReports, OfAnExecutionTraceAloneHaveItsEdgesAndPath) {
  const Recording alone = open("pairs/forward.et.json");
  const RecordingReport report = report_of(alone, {});
  EXPECT_EQ(alone.kernels.size(), 37U);
  EXPECT_EQ(report.edges.count(EdgeKind::kData, EdgeCertainty::kKnown), 47U);
  EXPECT_EQ(must(report.critical_path).kernels.size(), 19U);
  for (const char* time : {"span_ms", "critical_path_ms", "streams_win_ms", "idle_ms"})
    EXPECT_TRUE(recording_json(alone, report)[time].is_null()) << time;
  EXPECT_EQ(recording_json(alone, report)["critical_path_kernels"], 19);
  EXPECT_THAT(recording_text(alone, report, "et"), HasSubstr("critical path of 19 operators"));
}

TEST_F(SharedRecordingReports, OfStepsAndDevicesAreCut) {
  const auto cut = [](const RecordingOptions& options) {
    return open_recording(kRecordings / "public/hta_alexnet.json.gz", options);
  };
  EXPECT_THAT(refused(cut({.range = "nothing of this name"})).text(), HasSubstr("has no range named"));
  EXPECT_THAT(refused(cut({.device = 7})).text(), HasSubstr("has no kernels on device 7"));
  EXPECT_EQ(must(cut({.device = 0})).kernels.size(), 98U);
}

// Any bytes may be in a recording; what is read is consistent.
void expect_consistent(const Recording& recording) {
  const RecordingReport report = report_of(recording, {});
  for (const RecordedEdge& edge : report.edges.edges) {
    ASSERT_LT(edge.before, recording.kernels.size());
    ASSERT_LT(edge.after, recording.kernels.size());
  }
  EXPECT_GE(report.usage.busy, -1e-6);
  EXPECT_LE(report.usage.busy, report.usage.span * (1 + 1e-9) + 1e-6);
  EXPECT_GE(report.need.streams_at_most(), -1e-9);
  EXPECT_LE(report.need.streams_at_most(), 1 + 1e-9);
  const RecordingPredictions predictions = predictions_of(recording, report, {});
  for (const PredictedLanes& one : predictions.lanes) {
    ASSERT_EQ(one.as_graph.kernels.size(), recording.kernels.size());
    EXPECT_GE(one.as_graph.span, 0);
  }
  for (const Opportunity& one : predictions.opportunities) {
    for (const auto& group : one.groups) {
      EXPECT_GE(group.size(), 2U);
      for (const std::uint32_t kernel : group) ASSERT_LT(kernel, recording.kernels.size());
    }
  }
  EXPECT_FALSE(predictions_text(predictions).empty());
  EXPECT_TRUE(nlohmann::json::accept(recording_trace_json(recording, report, predictions, "attacked")));
  const auto again = read_recording_text(recording_trace_perfetto(recording, report, predictions, "x"), "x", {});
  EXPECT_TRUE(!again || again->kernels.size() <= recording.kernels.size());
  if (const PredictedLanes* best = predictions.best()) {
    EXPECT_EQ(streams_json(recording, report, *best)["kernels"].size(), recording.kernels.size());
  }
  const RecordingFold fold = fold_of(recording);
  ASSERT_EQ(fold.box_of.size(), recording.kernels.size());
  for (const std::uint32_t box : fold.box_of) ASSERT_LT(box, fold.nodes.size());
  EXPECT_FALSE(recording_text(recording, report, "attacked").empty());
  EXPECT_FALSE(
      recording_json(recording, report).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).empty());
}

std::string bytes_of(const std::filesystem::path& path) {
  return must(all_of(*must(open_source(path)), path.string()));
}

// A trace in Perfetto's format has the figures of the recording of which it is made.
TEST_F(SharedRecordingReports, StayWhenAnExportIsOpenedAgain) {
  for (const auto& [file, with] : {std::pair("public/dlrm_rank0.trace.json.gz", "public/dlrm_rank0.et.json.gz"),
                                   std::pair("pairs/fork.trace.json", "pairs/fork.dot"),
                                   std::pair<const char*, const char*>("public/hta_event_multi.json.gz", nullptr),
                                   std::pair<const char*, const char*>("public/extrap_con_kernel.sqlite", nullptr)}) {
    const Recording recording = open(file, with);
    const RecordingReport report = report_of(recording, {});
    const RecordingPredictions predictions = predictions_of(recording, report, {});
    for (const auto write : {recording_trace_json, recording_trace_perfetto}) {
      const Recording again = must(read_recording_text(write(recording, report, predictions, "x"), "x", {}));
      const RecordingReport report_again = report_of(again, {});
      auto one = recording_json(recording, report);
      auto other = recording_json(again, report_again);
      EXPECT_EQ(other["kernels"], one["kernels"]) << file;
      EXPECT_EQ(other["lanes"], one["lanes"]) << file;
      EXPECT_EQ(other["edges"], one["edges"]) << file;
      for (const char* const time : {"span_ms", "busy_ms", "critical_path_ms"}) {
        ASSERT_EQ(other[time].is_number(), one[time].is_number()) << file << time;
        if (!one[time].is_number()) continue;
        EXPECT_NEAR(other[time].get<double>(), one[time].get<double>(), 1e-3) << file;
      }
      EXPECT_NEAR(must(report_again.without_launch_gaps), must(report.without_launch_gaps), 1) << file;
      for (std::size_t i = 0; i < again.kernels.size(); ++i) {
        EXPECT_EQ(again.lanes[again.kernels[i].lane].stream, recording.lanes[recording.kernels[i].lane].stream) << file;
      }
    }
  }
}

TEST_F(SharedRecordingReports, OfDamagedFilesAreRefusedOrConsistent) {
  const test::Folder folder;
  const auto trace_file = folder / "attacked.json";
  for (const auto& [trace, other] : {std::pair("pairs/fork.trace.json", "pairs/fork.dot"),
                                     std::pair("public/hta_event_multi.json.gz", "pairs/fork.dot"),
                                     std::pair("pairs/forward.trace.json", "pairs/forward.et.json")}) {
    const std::string text = bytes_of(kRecordings / trace);
    const std::string with = bytes_of(kRecordings / other);
    int read = 0;
    test::attack_often(100 / test::every(10), [&](std::mt19937& random) {
      const bool both = random() % 2 == 0;
      std::ofstream(trace_file, std::ios::binary) << (both ? text : test::attacked(text, random));
      std::ofstream(folder / "with", std::ios::binary) << (both ? test::attacked(with, random) : with);
      const auto recording = open_recording(trace_file, {.with = {folder / "with"}});
      if (!recording) {
        EXPECT_FALSE(recording.error().what.empty());
        return;
      }
      ++read;
      expect_consistent(*recording);
    });
    EXPECT_GT(read, 0) << trace;
  }
}

}  // namespace
}  // namespace iosx
