#include "core/analysis/recording/edges.h"

#include "core/analysis/recording/recording_report.h"
#include "tests/analysis/recording/made_recordings.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

std::vector<std::string> text_of(const RecordedEdges& edges) {
  return mapped<std::string>(edges.edges, [](const RecordedEdge& edge) {
    const char* assumed = edge.certainty == EdgeCertainty::kAssumed ? "?" : "";
    return fmt::format("{} {}-{}{}", edge_kind_name(edge.kind), edge.before, edge.after, assumed);
  });
}

TEST(RecordedEdges, OfUnknownKernelsKeepTheOrderOfTheirStream) {
  EXPECT_THAT(text_of(edges_of(of_lanes("abab"))), ElementsAre("order 0-2?", "order 1-3?"));
}

TEST(RecordedEdges, OfCollectivesKeepTheOrderOfTheirStream) {
  Recording recording = of_lanes("aaa");
  recording.kernels[0].kind = recording.kernels[2].kind = KernelKind::kCollective;
  EXPECT_THAT(text_of(edges_of(recording)), ElementsAre("order 0-1?", "comm 0-2", "order 1-2?"));
}

TEST(RecordedEdges, OfAnEventAreKnownWhereTheFileTellsItsRecord) {
  Recording recording = of_lanes("abab");
  recording.stream_waits = {{.at = 125, .lane = 1, .source = 0, .recorded = 110}};
  EXPECT_THAT(text_of(edges_of(recording)), ElementsAre("order 0-2?", "event 0-3", "order 1-3?"));
  // Otherwise it is what the thread launched around the calls.
  recording.stream_waits = {{.at = 125}};
  recording.event_records = {{.at = 118, .thread = 0}, {.at = 110, .thread = 5}};
  EXPECT_THAT(text_of(edges_of(recording)), ElementsAre("order 0-2?", "event 1-2?", "order 1-3?"));
}

TEST(RecordedEdges, OfAWaitOfTheHostHoldWhatItLaunchesLater) {
  Recording recording = of_lanes("ab");
  recording.host_waits = {{.begin = 100, .end = 111}};
  const RecordedEdges edges = edges_of(recording);
  ASSERT_EQ(edges.barriers.size(), 1U);
  EXPECT_THAT(edges.barriers[0].kernels, ElementsAre(0U));
  const Dependencies dependencies(recording, edges);
  EXPECT_EQ(dependencies.barrier_of(1), 0U);
  EXPECT_EQ(must(critical_path(dependencies)).length, 20);
}

TEST(RecordedEdges, OfDataFollowWhatOperatorsReadAndWrite) {
  Recording recording = of_lanes("aaaa");
  give_operators(recording, {">x", "x>y", "x>z", "yz>w"});
  const RecordedEdges edges = edges_of(recording);
  EXPECT_THAT(text_of(edges), ElementsAre("data 0-1", "data 0-2", "data 1-3", "data 2-3"));
  EXPECT_EQ(edges.kernels_linked(), 4U);
  // In place: after those that have read it.
  recording = of_lanes("aaaa");
  give_operators(recording, {">x", "x>", "x>x", "x>"});
  EXPECT_THAT(text_of(edges_of(recording)), ElementsAre("data 0-1", "data 0-2", "data 1-2", "data 2-3"));
}

// The number of a storage is used again once it is free. That orders nothing.
TEST(RecordedEdges, OfDataDoNotChainReusedMemory) {
  Recording recording = of_lanes("aaaa");
  give_operators(recording, {">x", "x>", ">x", "x>"});
  EXPECT_THAT(text_of(edges_of(recording)), ElementsAre("data 0-1", "data 2-3"));
}

TEST(RecordedEdges, OfDataRespectBytes) {
  Recording recording = of_lanes("aaa");
  give_operators(recording, {">x", "x>x", "x>x"});
  auto& nodes = recording.execution->nodes;
  for (const std::size_t half : {1, 2}) {
    const auto begin = static_cast<std::int64_t>(100 * half);
    nodes[half].reads = nodes[half].writes = {{.storage = 'x', .begin = begin, .end = begin + 100}};
  }
  EXPECT_THAT(text_of(edges_of(recording)), ElementsAre("data 0-1", "data 0-2"));
}

TEST(RecordedEdges, KeepAKernelWithoutASchemaInOrder) {
  Recording recording = of_lanes("aaaa");
  give_operators(recording, {">x", ">y", ">z", ">w"});
  recording.execution->nodes[2].known = false;
  EXPECT_THAT(text_of(edges_of(recording)), ElementsAre("order 0-2?", "order 1-2?", "order 2-3?"));
}

TEST(RecordedEdges, OfADrawnGraphReplaceTheOrderOfItsLaunch) {
  Recording recording = of_lanes("aaaa");
  recording.names = {"", "void at::gemm<int>(float*)", "relu"};
  for (RecordedKernel& kernel : recording.kernels) {
    kernel.launch = 0;
    kernel.name = 1;
  }
  recording.kernels[3].name = 2;
  recording.dumps = {
      {.nodes = {"_ZN2at4gemmIiEEvPf", "gemm", "at::gemm(float*)", "relu"}, .edges = {{0, 1}, {0, 2}, {1, 3}, {2, 3}}}};
  const RecordedEdges edges = edges_of(recording);
  EXPECT_EQ(edges.graph_launches, 1U);
  EXPECT_THAT(text_of(edges), ElementsAre("graph 0-1", "graph 0-2", "graph 1-3", "graph 2-3"));
  // The same number of other kernels is another graph.
  recording.dumps.front().nodes = {"_ZN2at5gemm2IiEEvPf", "gemm2", "at::relu", "relu"};
  EXPECT_EQ(edges_of(recording).graph_launches, 0U);
  recording.dumps.front().nodes.pop_back();
  recording.dumps.front().edges.resize(2);
  EXPECT_EQ(edges_of(recording).dumps_without_launch, 1U);
}

TEST(RecordedEdges, ThatOverlapSwitchTheirRuleOff) {
  Recording recording = of_lanes("aa");
  recording.kernels[0].end = recording.kernels[1].begin + 5;
  const RecordingReport report = report_of(recording, {});
  EXPECT_TRUE(report.edges.is_off(EdgeKind::kOrder));
  EXPECT_FALSE(report.critical_path);
  EXPECT_THAT(report.notices, Contains(HasSubstr("1 edge of the kind 'order' overlaps")));
}

// An event that the file tells and its times break is not left out in silence; a guess that they break was wrong.
TEST(RecordedEdges, OfAToldEventThatTheTimesBreakAreCounted) {
  Recording recording = of_lanes("ab");
  recording.kernels[0].end = recording.kernels[1].begin + 5;
  recording.stream_waits = {{.at = 114, .lane = 1, .source = 0, .recorded = 110}};
  EXPECT_TRUE(edges_of(recording).is_off(EdgeKind::kEvent));
  EXPECT_FALSE(report_of(recording, {}).critical_path);
  recording.stream_waits = {{.at = 114}};
  EXPECT_FALSE(edges_of(recording).is_off(EdgeKind::kEvent));
}

// All pairs of many readers of one tensor are too many to look at: that is said, and nothing is independent.
TEST(RecordedEdges, AreIncompleteWhereTheyAreTooMany) {
  constexpr std::size_t kReaders = 15'000;
  Recording recording = of_lanes(std::string(kReaders, 'a'));
  const std::vector<std::string_view> reads(kReaders, "x>");
  give_operators(recording, reads);
  const RecordedEdges edges = edges_of(recording);
  EXPECT_TRUE(edges.incomplete);
  EXPECT_FALSE(report_of(recording, {}).critical_path);
}

TEST(DeviceUsage, TellsWhyADeviceWasIdle) {
  Recording recording = of_lanes("aaaa");
  recording.launches[1] = {105, 113, 0};  // 3 µs late, 7 µs of latency
  recording.launches[2] = {133, 135, 0};  // 5 µs late after a wait, 5 µs of latency
  recording.launches[3] = {141, 142, 0};  // before the device became idle
  recording.host_waits = {{.begin = 125, .end = 131}};
  const DeviceUsage usage = usage_of(recording, shares_of(recording, {}));
  EXPECT_DOUBLE_EQ(usage.span, 70);
  EXPECT_DOUBLE_EQ(usage.busy, 40);
  EXPECT_DOUBLE_EQ(usage.idle.launched_late, 3);
  EXPECT_DOUBLE_EQ(usage.idle.host_wait, 5);
  EXPECT_DOUBLE_EQ(usage.idle.latency, 12);
  EXPECT_DOUBLE_EQ(usage.idle.queued, 10);
  EXPECT_THAT(usage.in_flight, ElementsAre(30, 40));
  EXPECT_DOUBLE_EQ(usage.utilization, 40 * 0.5 / 70);  // 50 blocks on 100 multiprocessors
}

// A kernel that takes no time is never in flight, and the next one is alone.
TEST(DeviceUsage, OfKernelsWithoutTimeIsNone) {
  Recording recording = of_lanes("aaa");
  recording.kernels[1].end = recording.kernels[1].begin;
  const DeviceUsage usage = usage_of(recording, shares_of(recording, {}));
  EXPECT_THAT(usage.in_flight, ElementsAre(30, 20));
  EXPECT_DOUBLE_EQ(usage.utilization, 20 * 0.5 / 50);
}

TEST(Shares, AreThoseOfMultiprocessorsOrUnknown) {
  Recording recording = of_lanes("aaaaa");
  recording.kernels[1].kind = KernelKind::kPointwise;  // 16 warps fill a multiprocessor, as a block has
  recording.kernels[1].block = {128, 1, 1};
  recording.kernels[2].kind = KernelKind::kHostCopy;
  recording.kernels[3].kind = KernelKind::kCopy;
  recording.kernels[4].grid = {0, 0, 0};
  EXPECT_THAT(shares_of(recording, {}), ElementsAre(0.5, 0.125, 0, 0.5, 1));
  EXPECT_THAT(shares_of(recording, 0.2), ElementsAre(0.5, 0.125, 0, 0.5, 0.2));
  EXPECT_EQ(unknown_shares(recording).kernels, 1U);
  recording.devices.clear();
  EXPECT_THAT(shares_of(recording, {}), ElementsAre(1, 1, 0, 0.5, 1));
  EXPECT_EQ(unknown_shares(recording).part, 1);
  // What ran at the same time had room beside one another; a kernel that ran alone may need all.
  recording.kernels[1].begin = recording.kernels[0].begin;
  recording.kernels[1].end = recording.kernels[0].begin + 5;
  EXPECT_THAT(shares_of(recording, {}), ElementsAre(0.75, 0.5, 0, 0.5, 1));
}

// A collective's duration contains waiting for peers: streams win nothing there.
TEST(StreamsAtMost, LeavesOutCollectives) {
  Recording recording = of_lanes("aa");
  EXPECT_DOUBLE_EQ(need_of(recording, {}).streams_at_most(), 0.5);
  recording.kernels[1].kind = KernelKind::kCollective;
  recording.kernels[1].end += 1000;
  EXPECT_DOUBLE_EQ(need_of(recording, {}).streams_at_most(), 0.5);
}

TEST(RecordingReplay, IsTheRecordingOrHasNoGaps) {
  const Recording recording = of_lanes("aabb");
  const RecordedEdges edges = edges_of(recording);
  const Dependencies dependencies(recording, edges);
  const std::vector<double> shares = shares_of(recording, {});
  EXPECT_NEAR(must(replayed_span(dependencies, shares, Launches::kAsRecorded)), 70, 1e-6);
  EXPECT_NEAR(must(replayed_span(dependencies, shares, Launches::kNoGaps)), 20, 1e-6);
  const std::vector<double> whole(4, 1.0);  // two of them take twice as long
  EXPECT_NEAR(must(replayed_span(dependencies, whole, Launches::kNoGaps)), 40, 1e-6);
}

// Honesty: a recording that the model cannot replay makes its predictions unreliable.
TEST(RecordingReplay, ThatIsFarOffIsSaid) {
  Recording recording = of_lanes("aa");
  EXPECT_THAT(report_of(recording, {}).notices, Not(Contains(HasSubstr("unreliable"))));
  recording.kernels[1].begin += 1000;  // long after its launch, with nothing in between
  recording.kernels[1].end += 1000;
  recording.launches[1] = {101, 102, 0};
  EXPECT_THAT(report_of(recording, {}).notices, Contains(HasSubstr("% off, so its predictions are unreliable")));
}

// Of edges that are a cycle there is neither a path nor a replay.
TEST(RecordingReplay, OfACycleIsNone) {
  Recording recording = of_lanes("ab");
  recording.edges = {{1, 0, EdgeKind::kGraph, EdgeCertainty::kKnown}, {0, 1, EdgeKind::kGraph, EdgeCertainty::kKnown}};
  RecordedEdges edges = edges_of(recording);
  edges.broken.fill(0);
  const Dependencies dependencies(recording, edges);
  EXPECT_FALSE(critical_path(dependencies));
  EXPECT_FALSE(replayed_span(dependencies, {1, 1}, Launches::kNoGaps));
}

}  // namespace
}  // namespace iosx
