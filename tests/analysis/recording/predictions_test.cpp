#include "core/analysis/recording/predictions.h"

#include <nlohmann/json.hpp>

#include "core/analysis/recording/predictions_report.h"
#include "tests/analysis/recording/made_recordings.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

RecordingPredictions predicted(const Recording& recording, std::optional<double> share = {}) {
  return predictions_of(recording, report_of(recording, share), share);
}

// x, then two that read it, then one that reads both. Each fills half of the device.
Recording diamond() {
  Recording recording = of_lanes("aaaa");
  give_operators(recording, {">x", "x>y", "x>z", "yz>w"});
  return recording;
}

PlacedRun placed(const Recording& recording, std::size_t lanes) {
  const RecordedEdges edges = edges_of(recording);
  const Dependencies dependencies(recording, edges);
  return must(list_run(dependencies, shares_of(recording, {}), Launches::kNoGaps, lanes));
}

TEST(ListRun, PutsIndependentKernelsOnLanes) {
  Recording recording = diamond();
  EXPECT_DOUBLE_EQ(placed(recording, 1).span, 40);
  const PlacedRun run = placed(recording, 2);
  EXPECT_DOUBLE_EQ(run.span, 31);  // one of the two waits 1 µs for the other lane
  EXPECT_DOUBLE_EQ(run.kernels[1].begin, 10);
  EXPECT_DOUBLE_EQ(run.kernels[2].begin, 11);
  EXPECT_EQ(run.kernels[1].lane, run.kernels[0].lane);
  EXPECT_NE(run.kernels[2].lane, run.kernels[1].lane);
  EXPECT_EQ(run.kernels[3].lane, run.kernels[2].lane);  // it ended last
  // Each fills the device: 1 µs alone, then both at half speed until 29, and the rest of the second.
  for (RecordedKernel& kernel : recording.kernels) kernel.grid = {100, 1, 1};
  EXPECT_DOUBLE_EQ(placed(recording, 2).span, 40);
}

TEST(ListRun, PutsTheLongestWayFirst) {
  Recording recording = of_lanes("aaaa");
  give_operators(recording, {">x", ">y", "y>z", "z>w"});
  const PlacedRun run = placed(recording, 1);
  EXPECT_DOUBLE_EQ(run.kernels[1].begin, 0);
  EXPECT_DOUBLE_EQ(run.kernels[2].begin, 10);
  EXPECT_DOUBLE_EQ(run.kernels[0].begin, 20);  // as long as the last one, and a lower number
}

// Honesty: their durations contain waiting for peers.
TEST(ListRun, NeverShortensOrReordersCollectives) {
  Recording recording = of_lanes("abab");
  give_operators(recording, {">x", ">y", "x>z", "x>w"});
  recording.kernels[1].kind = recording.kernels[3].kind = KernelKind::kCollective;
  const PlacedRun run = placed(recording, 4);
  EXPECT_EQ(run.kernels[1].lane, 5U);
  EXPECT_EQ(run.kernels[3].lane, 5U);
  EXPECT_DOUBLE_EQ(run.kernels[1].end - run.kernels[1].begin, 10);
  EXPECT_GE(run.kernels[3].begin, run.kernels[1].end);
}

TEST(Predictions, RankSiblingsByWhatTheyWin) {
  const Recording recording = diamond();
  const RecordingPredictions predictions = predicted(recording);
  EXPECT_TRUE(predictions.reliable);
  EXPECT_FALSE(predictions.why_none);
  EXPECT_THAT(mapped<std::size_t>(predictions.lanes, &PredictedLanes::lanes), ElementsAre(1, 2, 4, 8));
  EXPECT_EQ(must(predictions.best() == nullptr ? std::nullopt : std::optional(predictions.best()->lanes)), 2U);
  ASSERT_EQ(predictions.opportunities.size(), 1U);
  const Opportunity& one = predictions.opportunities.front();
  EXPECT_EQ(one.kind, OpportunityKind::kSiblings);
  EXPECT_TRUE(one.known);
  EXPECT_THAT(one.groups, ElementsAre(ElementsAre(1U, 2U)));
  EXPECT_DOUBLE_EQ(must(one.as_graph), 9);  // 10, but one waits 1 µs for the other lane
  EXPECT_LE(must(one.as_launched), 3);      // the second one was launched when the first one had nearly ended
  const std::string text = predictions_text(predictions);
  EXPECT_THAT(text, AllOf(HasSubstr("predicted, not recorded"), HasSubstr("known")));
  EXPECT_THAT(text, Not(HasSubstr("unreliable")));
}

// Two equal layers are one opportunity that occurs twice.
TEST(Predictions, JoinEqualGroups) {
  Recording recording = of_lanes("aaaaaaa");
  give_operators(recording, {">a", "a>b", "a>c", "bc>d", "d>e", "d>f", "ef>g"});
  const RecordingPredictions predictions = predicted(recording);
  ASSERT_EQ(predictions.opportunities.size(), 1U);
  EXPECT_THAT(predictions.opportunities.front().groups, UnorderedElementsAre(ElementsAre(1U, 2U), ElementsAre(4U, 5U)));
  EXPECT_DOUBLE_EQ(must(predictions.opportunities.front().as_graph), 18);
}

// Branches of several kernels are no siblings behind their first ones, but they run at once.
TEST(Predictions, FindBranchesOnThePredictedLanes) {
  Recording recording = of_lanes("aaaaaa");
  give_operators(recording, {">x", "x>a", "x>b", "a>c", "b>d", "cd>e"});
  const RecordingPredictions predictions = predicted(recording);
  const auto beside = std::ranges::find(predictions.opportunities, OpportunityKind::kBeside, &Opportunity::kind);
  ASSERT_NE(beside, predictions.opportunities.end());
  EXPECT_THAT(beside->groups, Contains(ElementsAre(3U, 4U)));
  double sum = 0;
  for (const Opportunity& one : predictions.opportunities) sum += must(one.as_graph);
  EXPECT_LE(must(beside->as_graph), 60 - predictions.best()->as_graph.span);
  EXPECT_GT(sum, 0);
}

// An operator around the launch of each kernel.
void name_operators(Recording& recording, const char* name) {
  recording.names.push_back(name);
  const auto id = static_cast<NameId>(recording.names.size() - 1);
  for (RecordedKernel& kernel : recording.kernels) {
    const HostLaunch& launch = recording.launches[kernel.launch];
    kernel.range = static_cast<std::uint32_t>(recording.ranges.size());
    recording.ranges.push_back({.begin = launch.begin - 1, .end = launch.end + 1, .name = id});
    kernel.kind = KernelKind::kGemm;
  }
}

// Honesty: kernels that look like siblings on a stream were a chain of equal layers in 210 of 210 cases.
TEST(Predictions, NeverCallNeighboursIndependent) {
  Recording recording = of_lanes("aaa");
  name_operators(recording, "aten::mm");
  const RecordingPredictions predictions = predicted(recording);
  EXPECT_TRUE(predictions.lanes.empty());
  EXPECT_EQ(must(predictions.why_none), without_dependencies());
  ASSERT_EQ(predictions.opportunities.size(), 1U);
  const Opportunity& one = predictions.opportunities.front();
  EXPECT_EQ(one.kind, OpportunityKind::kAlike);
  EXPECT_FALSE(one.known);
  EXPECT_FALSE(one.as_graph || one.as_launched);
  EXPECT_THAT(one.why.text(), HasSubstr("a chain of equal layers looks the same"));
  EXPECT_THAT(predictions_text(predictions), AllOf(HasSubstr("may be"), Not(HasSubstr("gain"))));
  // Only direct neighbours are taken.
  recording.kernels[1].kind = KernelKind::kPointwise;
  recording.kernels[1].name = recording.kernels[0].name + 1;
  EXPECT_TRUE(predicted(recording).opportunities.empty());
  // The same kernels as a chain that is known.
  recording = of_lanes("aaa");
  give_operators(recording, {">a", "a>b", "b>c"});
  EXPECT_TRUE(predicted(recording).opportunities.empty());
}

TEST(Predictions, KnowTheGradientsOfALayer) {
  Recording recording = of_lanes("aaa");
  name_operators(recording, "aten::mm");
  recording.names.push_back("AddmmBackward0");
  recording.ranges.insert(recording.ranges.begin(),
                          {.begin = 0, .end = 1e3, .name = static_cast<NameId>(recording.names.size() - 1)});
  for (RecordedKernel& kernel : recording.kernels) ++kernel.range;
  recording.ranges[2].outer = recording.ranges[3].outer = 0;
  recording.kernels[2].grid = {1, 1, 1};
  const RecordingPredictions predictions = predicted(recording);
  const auto found = std::ranges::find(predictions.opportunities, OpportunityKind::kBackward, &Opportunity::kind);
  ASSERT_NE(found, predictions.opportunities.end());
  EXPECT_THAT(found->groups, ElementsAre(ElementsAre(1U, 2U)));
  EXPECT_EQ(found->what, "2 x mm < AddmmBackward0");
  EXPECT_FALSE(found->known || found->as_graph);
}

// Honesty: a share that is not known is the whole device, so nothing is won.
TEST(Predictions, WinNothingWithUnknownShares) {
  Recording recording = diamond();
  recording.devices.clear();
  const RecordingPredictions predictions = predicted(recording);
  EXPECT_TRUE(predictions.opportunities.empty());
  for (const PredictedLanes& one : predictions.lanes) EXPECT_GE(one.as_graph.span, 40 - 1e-9);
  EXPECT_EQ(predicted(recording, 0.5).opportunities.size(), 1U);
}

// Honesty: what the recorded times break says nothing about other lanes.
TEST(Predictions, NeedDependenciesThatTheTimesFit) {
  Recording recording = diamond();
  recording.kernels[0].end = recording.kernels[1].begin + 5;
  const RecordingPredictions predictions = predicted(recording);
  EXPECT_TRUE(predictions.lanes.empty());
  EXPECT_THAT(must(predictions.why_none).text(), HasSubstr("the recorded times do not fit"));
  for (const Opportunity& one : predictions.opportunities) EXPECT_FALSE(one.known);
}

// Honesty: where the model cannot replay what was recorded, what it predicts is marked.
TEST(Predictions, AreUnreliableWhereTheModelIsFarOff) {
  Recording recording = of_lanes("ab");
  give_operators(recording, {">x", ">y"});
  for (RecordedKernel& kernel : recording.kernels) kernel.grid = {100, 1, 1};  // each fills the device
  recording.kernels[1].begin = recording.kernels[0].begin;                     // and both ran at once
  recording.kernels[1].end = recording.kernels[0].end;
  recording.launches[1] = recording.launches[0];
  const RecordingPredictions predictions = predicted(recording);
  EXPECT_FALSE(predictions.reliable);
  EXPECT_FALSE(predictions.lanes.empty());
  EXPECT_THAT(predictions_text(predictions), HasSubstr("unreliable"));
  EXPECT_EQ(predictions_json(predictions)["reliable"], false);
}

TEST(Predictions, AskForAStepOfALongRecording) {
  Recording recording = of_lanes(std::string(kMostPredicted + 1, 'a'));
  recording.edges = {{0, 1, EdgeKind::kData, EdgeCertainty::kKnown}};
  const RecordingPredictions predictions = predicted(recording);
  EXPECT_TRUE(predictions.lanes.empty());
  EXPECT_THAT(must(predictions.why_none).text(), HasSubstr("choose a step"));
}

// What the recorded streams win already is not won again.
TEST(Judgement, CountsWhatOtherStreamsWinOverTheRecordedOnes) {
  Recording recording = of_lanes("abab");  // each needs half of the device
  for (std::size_t i : {1U, 3U}) {
    recording.kernels[i].begin = recording.kernels[i - 1].begin;
    recording.kernels[i].end = recording.kernels[i - 1].end;
    recording.launches[i] = recording.launches[i - 1];
  }
  const RecordingReport report = report_of(recording, {});
  EXPECT_DOUBLE_EQ(report.need.streams_at_most(), 0.5);
  EXPECT_NEAR(report.streams_win(), 0, 1e-9);
  // A critical path that is known bounds it too.
  recording = of_lanes("aaaa");
  EXPECT_NEAR(report_of(recording, {}).streams_win(), 20, 1e-9);
  give_operators(recording, {">x", "x>y", "y>z", ">w"});
  EXPECT_NEAR(report_of(recording, {}).streams_win(), 10, 1e-9);
}

TEST(Judgement, TellsWaitsOfTheHostAndWhatIsDoubtful) {
  Recording recording = of_lanes("aaaa");
  recording.host_waits = {{.begin = 150, .end = 152}};
  EXPECT_THAT(judgement(recording, report_of(recording, {})).text(), HasSubstr("; waits of the host cost 0.0"));
  recording.kernels[0].grid = {};
  EXPECT_THAT(judgement(recording, report_of(recording, {})).text(),
              HasSubstr("not known, as of 25 % of the kernels' time"));
  recording.ranges = {{.begin = 0, .end = 140, .kind = RangeKind::kStep},
                      {.begin = 140, .end = 900, .kind = RangeKind::kStep}};
  EXPECT_THAT(report_of(recording, {}).notices, Contains(HasSubstr("it has 2 steps, 0 to 1")));
  // Three kernels overlap that fill the device, as in a recording whose clocks are off.
  Recording wrong = of_lanes("abc");
  for (RecordedKernel& kernel : wrong.kernels) {
    kernel.begin = 100;
    kernel.end = 110;
    kernel.grid = {100, 1, 1};
  }
  EXPECT_THAT(judgement(wrong, report_of(wrong, {})).text(), HasSubstr(" % off here, so take this as a guess"));
}

// A kernel of which nothing is known is on no dependency, and is not known to be independent either.
TEST(Predictions, DoNotKnowWhatAKernelWithoutASchemaNeeds) {
  Recording recording = of_lanes("aba");
  give_operators(recording, {">x", ">y", ">z"});
  const auto may_be = [&] {
    const std::vector<Opportunity> found = predicted(recording).opportunities;
    EXPECT_FALSE(found.empty());
    return std::ranges::count(found, false, &Opportunity::known);
  };
  EXPECT_EQ(may_be(), 0);
  recording.execution->nodes[1].known = false;
  EXPECT_EQ(may_be(), 1);
}

// What is larger comes first; what nobody knows is not said to be nothing.
TEST(Judgement, SaysWhatMattersMore) {
  Recording recording = of_lanes("aaaa");  // gaps of 10 µs, half of the device
  EXPECT_EQ(judgement(recording, report_of(recording, {})).text(),
            "launch gaps cost 0.030 ms, which a CUDA graph can save; streams can win at most 0.020 ms of the rest");
  EXPECT_EQ(judgement(recording, report_of(recording, {})).text().find("not known"), std::string::npos);
  for (RecordedKernel& kernel : recording.kernels) kernel.grid = {};
  const RecordingReport unknown = report_of(recording, {});
  EXPECT_FALSE(unknown.streams_known());
  EXPECT_THAT(judgement(recording, unknown).text(), HasSubstr("what streams can win is not known"));
  EXPECT_TRUE(recording_json(recording, unknown)["streams_at_most"].is_null());
  EXPECT_THAT(recording_text(recording, unknown, "x"), HasSubstr("streams at most        unknown"));
  const RecordingReport given = report_of(recording, 0.1);
  EXPECT_TRUE(given.streams_known());
  EXPECT_EQ(judgement(recording, given).text(),
            "streams can win at most 0.036 ms; launch gaps cost 0.030 ms, which a CUDA graph can save");
  recording.of_processor = true;
  EXPECT_THAT(judgement(recording, report_of(recording, {})).text(), HasSubstr("how much of the processor"));
}

}  // namespace
}  // namespace iosx
