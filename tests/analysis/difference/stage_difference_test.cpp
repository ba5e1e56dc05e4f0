#include "core/analysis/difference/stage_difference.h"
#include "core/analysis/compare/compare.h"
#include "core/analysis/difference/difference_report.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using test::MadeUpRun;
using test::schedule_of;
using test::subject_of;

std::vector<double> ones(std::size_t count) { return std::vector<double>(count, 1.0); }

std::shared_ptr<const Graph> shared(Graph graph) { return std::make_shared<const Graph>(std::move(graph)); }

// Two schedules of the same six convolutions side by side, a millisecond a stage.
StageDifference of_fork(const Schedule& a, const Schedule& b) {
  const auto graph = shared(test::fork(6));
  return compare_stages(subject_of(graph, a, {.stages = ones(a.stages.size())}),
                        subject_of(graph, b, {.stages = ones(b.stages.size())}));
}

std::string change_of(const StageDifference& difference, const Schedule& a, const Schedule& b, std::size_t row) {
  const auto graph = shared(test::fork(6));
  return change_message(difference.rows[row], subject_of(graph, a, {.stages = ones(a.stages.size())}),
                        subject_of(graph, b, {.stages = ones(b.stages.size())}))
      .text();
}

TEST(StageDifference, OfTheSameScheduleIsSameEverywhere) {
  const Schedule a = schedule_of({{{0}, {1}}, {{2, 3}}, {{4}}, {{5}}});
  const Schedule b = schedule_of({{{1}, {0}}, {{2, 3}}, {{4}}, {{5}}});  // groups have no order
  const StageDifference difference = of_fork(a, b);
  ASSERT_EQ(difference.rows.size(), 4U);
  for (const StageRow& row : difference.rows) EXPECT_TRUE(row.same());
  EXPECT_THAT(difference.units_a, Each(UnitChange::kSame));
}

TEST(StageDifference, SaysWhatWasJoinedSplitMovedAndRegrouped) {
  const Schedule a = schedule_of({{{0}}, {{1}}, {{2}, {3}}, {{4}, {5}}});
  const Schedule b = schedule_of({{{0}, {1}}, {{2}}, {{3}}, {{4, 5}}});
  const StageDifference difference = of_fork(a, b);
  ASSERT_EQ(difference.rows.size(), 3U);
  EXPECT_THAT(difference.rows[0].a, ElementsAre(0, 1));
  EXPECT_THAT(difference.rows[0].b, ElementsAre(0));
  EXPECT_TRUE(difference.rows[0].joined);
  EXPECT_EQ(change_of(difference, a, b, 0), "2 stages joined into 1");
  EXPECT_TRUE(difference.rows[1].split);
  EXPECT_EQ(change_of(difference, a, b, 1), "split from 1 into 2 stages");
  EXPECT_TRUE(difference.rows[2].regrouped);
  EXPECT_EQ(change_of(difference, a, b, 2), "other groups");
  EXPECT_THAT(difference.units_a, ElementsAre(UnitChange::kJoined, UnitChange::kJoined, UnitChange::kSplit,
                                              UnitChange::kSplit, UnitChange::kRegrouped, UnitChange::kRegrouped));
  EXPECT_EQ(difference.units_a, difference.units_b);
}

TEST(StageDifference, NamesWhichUnitsMovedWhere) {
  const Schedule a = schedule_of({{{0}, {1}, {2}}, {{3}, {4}}, {{5}}});
  const Schedule b = schedule_of({{{0}, {1}}, {{2}, {3}, {4}}, {{5}}});
  const StageDifference difference = of_fork(a, b);
  ASSERT_EQ(difference.rows.size(), 2U);
  ASSERT_EQ(difference.rows[0].moves.size(), 1U);
  EXPECT_THAT(difference.rows[0].moves[0].units, ElementsAre(UnitId(2)));
  EXPECT_EQ(difference.rows[0].moves[0].from, 0U);
  EXPECT_EQ(difference.rows[0].moves[0].to, 1U);
  EXPECT_EQ(change_of(difference, a, b, 0), "c moved from stage 1 to 2");
  EXPECT_THAT(difference.units_a, ElementsAre(UnitChange::kSame, UnitChange::kSame, UnitChange::kMoved,
                                              UnitChange::kSame, UnitChange::kSame, UnitChange::kSame));
  EXPECT_TRUE(difference.rows[1].same());
}

TEST(StageDifference, TellsMergedConvolutionsFromGroups) {
  Schedule a = schedule_of({{{0}, {1}, {2}}, {{3}}, {{4}}, {{5}}});
  Schedule b = a;
  b.stages[0].groups = {Group{{Step{{UnitId(0), UnitId(1)}}}}, Group{{Step{{UnitId(2)}}}}};
  b.stages[1] = merge_stage({UnitId(3), UnitId(4)});
  b.stages.erase(b.stages.begin() + 2);
  const StageDifference difference = of_fork(a, b);
  ASSERT_EQ(difference.rows.size(), 3U);
  EXPECT_EQ(change_of(difference, a, b, 0), "a + b merged");
  EXPECT_FALSE(difference.rows[0].regrouped);
  EXPECT_EQ(change_of(difference, a, b, 1), "2 stages joined into 1; d + e merged");
  EXPECT_THAT(difference.units_b, ElementsAre(UnitChange::kMerged, UnitChange::kMerged, UnitChange::kSame,
                                              UnitChange::kMerged, UnitChange::kMerged, UnitChange::kSame));
  const StageDifference back = of_fork(b, a);
  EXPECT_EQ(change_of(back, b, a, 0), "a + b no longer merged");
  EXPECT_EQ(change_of(back, b, a, 1), "split from 1 into 2 stages; d + e no longer merged");
}

TEST(StageDifference, RowsAndRestAddUpToTheWhole) {
  const auto graph = shared(test::fork(3));
  const Subject a =
      subject_of(graph, schedule_of({{{0}}, {{1}}, {{2}}}), {.stages = {1, 2, 3}, .between = 0.25, .rest = 0.125});
  const Subject b =
      subject_of(graph, schedule_of({{{0}, {1}}, {{2}}}), {.stages = {2, 3.5}, .between = 0.5, .rest = 0});
  const StageDifference difference = compare_stages(a, b);
  EXPECT_DOUBLE_EQ(difference.rows[0].delta.value.count(), -1);
  EXPECT_DOUBLE_EQ(*difference.rows[0].relative(), -1.0 / 3);
  EXPECT_DOUBLE_EQ(difference.rows[1].delta.value.count(), 0.5);
  EXPECT_DOUBLE_EQ(difference.between_stages.value.count(), 0.25);
  EXPECT_DOUBLE_EQ(difference.rest.value.count(), -0.125);
  EXPECT_DOUBLE_EQ(difference.whole.delta.value.count(), -0.375);
}

TEST(StageDifference, OfNoisyStagesSaysWhereNothingCanBeSaid) {
  const auto graph = shared(test::fork(2));
  const auto run = [&](std::vector<double> stages) {
    return subject_of(graph, schedule_of({{{0}}, {{1}}}),
                      {.stages = std::move(stages), .spread = 0.1, .samples = 25, .origin = Origin::kMeasured});
  };
  const StageDifference difference = compare_stages(run({1, 2}), run({1.01, 1.5}));
  EXPECT_EQ(difference.rows[0].delta.verdict(), Verdict::kSame);
  EXPECT_EQ(difference.rows[1].delta.verdict(), Verdict::kFaster);
  EXPECT_NEAR(difference.rows[1].delta.noise->count(), 0.1 * 1.2533 / 5 * std::sqrt(2.0), 1e-9);
}

TEST(StageDifference, OfARunWithoutStageLatenciesHasWordsAndTheWhole) {
  const auto graph = shared(test::fork(2));
  Subject a = subject_of(graph, schedule_of({{{0}}, {{1}}}), {.stages = {1, 2}});
  auto without = std::make_shared<Comparison>(*a.comparison);
  without->results[0].stage_latencies.clear();
  const Subject b{without, 0};
  const StageDifference difference = compare_stages(a, b);
  EXPECT_FALSE(difference.has_latencies);
  EXPECT_EQ(difference.rows.size(), 2U);
  EXPECT_EQ(difference.rest.value, difference.whole.delta.value);
}

TEST(StageDifference, WithoutBarriersStagesHaveSharesOfTheTracedRun) {
  const auto run = test::made_up_lanes();
  const Subject a{run, 1, {}};
  const Subject b{run, 3, {}};
  ASSERT_FALSE(b.has_stages());
  const StageDifference difference = compare_stages(a, b);
  EXPECT_TRUE(difference.has_latencies);
  EXPECT_TRUE(difference.traced);
  double sum = difference.between_stages.value.count() + difference.rest.value.count();
  const std::vector<Latency> times = stage_times(b);
  double of_b = 0;
  for (const StageRow& row : difference.rows) {
    sum += row.delta.value.count();
    of_b += row.latency_b.count();
  }
  EXPECT_NEAR(sum, difference.whole.delta.value.count(), 1e-12);
  double all = 0;
  for (const Latency& latency : times) all += latency.value.count();
  EXPECT_NEAR(of_b, all, 1e-12);
  EXPECT_GT(of_b, 0);
  EXPECT_FALSE(compare_stages(a, a).traced);
}

TEST(StageDifference, OfAnotherGraphNamesWhatIsMissingAndAdded) {
  const auto small = [](bool other) {
    auto [builder, in] = test::sketch("net", Shape{8, 16, 16});
    Conv conv{.out_channels = 8, .kernel = {3, 3}, .padding = {1, 1}};
    const Value first = builder.add("first", conv, {in});
    const Value second = other ? builder.add("fresh", Pool{PoolKind::kMax, {3, 3}, {1, 1}, {1, 1}}, {first})
                               : builder.add("gone", Affine{}, {first});
    builder.add("last", conv, {second});
    return *std::move(builder).build();
  };
  const Schedule schedule = schedule_of({{{0}}, {{1}}, {{2}}});
  const Subject a = subject_of(shared(small(false)), schedule, {.stages = {1, 2, 3}});
  const Subject b = subject_of(shared(small(true)), schedule, {.stages = {1, 5, 3}});
  const StageDifference difference = compare_stages(a, b);
  ASSERT_EQ(difference.rows.size(), 4U);
  EXPECT_TRUE(difference.rows[0].same());
  EXPECT_EQ(change_message(difference.rows[1], a, b), "only in B: fresh");
  EXPECT_DOUBLE_EQ(difference.rows[1].delta.value.count(), 5);
  EXPECT_EQ(change_message(difference.rows[2], a, b), "only in A: gone");
  EXPECT_DOUBLE_EQ(difference.rows[2].delta.value.count(), -2);
  EXPECT_TRUE(difference.rows[3].same());
  EXPECT_THAT(difference.units_a, ElementsAre(UnitChange::kSame, UnitChange::kMissing, UnitChange::kSame));
  EXPECT_THAT(difference.units_b, ElementsAre(UnitChange::kSame, UnitChange::kAdded, UnitChange::kSame));
}

// What must hold of any two schedules of any network.
TEST(StageDifference, OfRealSchedulesCoversEveryStageOnceAndAddsUp) {
  DeviceRegistry devices;
  add_simulated_devices(devices);
  for (const char* network : {"squeezenet", "inception_v3"}) {
    auto comparison = std::make_shared<Comparison>(
        *compare(*zoo_network(network), **devices.open("tesla-v100"), CompareOptions(), {}));
    for (std::size_t i = 0; i < comparison->results.size(); ++i) {
      for (std::size_t j = 0; j < comparison->results.size(); ++j) {
        const Subject a{comparison, i};
        const Subject b{comparison, j};
        const StageDifference difference = compare_stages(a, b);
        std::set<std::size_t> stages_a;
        std::set<std::size_t> stages_b;
        Millis sum = difference.between_stages.value + difference.rest.value;
        for (const StageRow& row : difference.rows) {
          for (const std::size_t s : row.a) EXPECT_TRUE(stages_a.insert(s).second);
          for (const std::size_t s : row.b) EXPECT_TRUE(stages_b.insert(s).second);
          EXPECT_EQ(row.units_a, row.units_b);  // of one graph
          if (row.same() && !difference.traced) {
            EXPECT_EQ(row.delta.verdict(), Verdict::kSame);  // the model is exact
          }
          sum += row.delta.value;
        }
        EXPECT_EQ(stages_a.size(), a.schedule().schedule.stages.size());
        EXPECT_EQ(stages_b.size(), b.schedule().schedule.stages.size());
        EXPECT_NEAR(sum.count(), difference.whole.delta.value.count(), 1e-9);
        EXPECT_EQ(difference.units_a, difference.units_b);
        if (i == j) {
          EXPECT_THAT(difference.units_a, Each(UnitChange::kSame));
        }
      }
    }
  }
}

using test::MadeUpRun;
using test::schedule_of;

std::string sentence_of(std::vector<Subject> subjects, std::size_t baseline = 0) {
  const PartMatrix matrix = part_matrix(subjects, baseline, match_with_all(subjects, baseline));
  return finding_sentence(subjects, matrix, find_out(subjects, matrix));
}

Subject run(const std::string& label, const MadeUpRun& made_up) {
  static const auto graph = std::make_shared<const Graph>(test::two_parts());
  Subject subject = test::subject_of(graph, schedule_of({{{0}}, {{1}}, {{2}}, {{3}}}), made_up);
  subject.label = label;
  return subject;
}

MadeUpRun measured(std::vector<double> stages, double spread = 0.05, std::int64_t samples = 100) {
  return {.stages = std::move(stages), .spread = spread, .samples = samples, .origin = Origin::kMeasured};
}

TEST(Finding, SaysHowMuchFasterAndWhere) {
  const std::string first = run("x", {.stages = {1, 1, 1, 1}}).graph().parts()[0].name;
  EXPECT_EQ(
      sentence_of({run("Sequential", {.stages = {1, 1, 1, 1}}), run("IOS-Both", {.stages = {0.5, 0.5, 0.9, 0.9}})}),
      "IOS-Both is 1.43× as fast as Sequential (4.00 → 2.80 ms, simulated). 83 % of the difference lies in 1 of 2 "
      "parts: " +
          first + ".");
}

TEST(Finding, SpeaksOfTheFastestOfSeveral) {
  const std::vector<Subject> subjects{run("A", {.stages = {1, 1, 1, 1}}), run("B", {.stages = {1, 1, 1, 0.5}}),
                                      run("C", {.stages = {0.5, 0.5, 0.5, 0.5}})};
  EXPECT_THAT(sentence_of(subjects), HasSubstr("C is 2.00× as fast as A"));
  EXPECT_THAT(sentence_of(subjects, 2), HasSubstr("Nothing is faster than the baseline: B takes 1.75× as long as C"));
}

// All places speak of a comparison's best, whatever stands first, and of what is as fast.
TEST(Finding, OfOneComparisonSpeaksOfItsBestAndItsTies) {
  const auto comparison = test::made_up_comparison();
  ScheduleResult list = comparison->results.back();
  list.id = ScheduleId("list");
  list.schedule_kind = ScheduleKind::kList;
  ScheduleResult flow = list;
  flow.id = ScheduleId("ios-flow");
  flow.schedule_kind = ScheduleKind::kIosFlow;
  comparison->results.back().latency.value *= 1.2;
  comparison->results.push_back(std::move(list));
  comparison->results.push_back(std::move(flow));
  std::vector<Subject> subjects;
  for (std::size_t i = 0; i < comparison->results.size(); ++i) subjects.push_back({comparison, i, {}});
  label_subjects(subjects);
  const PartMatrix matrix = part_matrix(subjects, 0, match_with_all(subjects, 0));
  const Finding finding = find_out(subjects, matrix);
  EXPECT_EQ(finding.subject, comparison->best());
  EXPECT_THAT(finding.ties, ElementsAre(3U));
  EXPECT_THAT(finding_sentence(subjects, matrix, finding),
              AllOf(HasSubstr("IOS-Flow is "), HasSubstr(", tied with List.")));
  // Draws of the model's errors tell more than equal numbers.
  for (ScheduleResult& result : comparison->results) result.sensitivity = Sensitivity{.draws = 100, .behind = 100};
  comparison->results[1].sensitivity->behind = 50;
  EXPECT_THAT(find_out(subjects, matrix).ties, ElementsAre(1U));
}

TEST(Finding, SpeaksOfAnyOneThatItIsAskedFor) {
  const std::vector<Subject> subjects{run("A", {.stages = {1, 1, 1, 1}}), run("B", {.stages = {1, 1, 1, 0.5}}),
                                      run("C", {.stages = {0.5, 0.5, 0.5, 0.5}}), run("D", {.stages = {1, 1, 1, 2}})};
  const PartMatrix matrix = part_matrix(subjects, 0, match_with_all(subjects, 0));
  const Finding b = find_out(subjects, matrix, 1);
  EXPECT_FALSE(b.fastest);
  EXPECT_THAT(finding_sentence(subjects, matrix, b), HasSubstr("B is 1.14× as fast as A (4.00 → 3.50 ms"));
  const std::string slower = finding_sentence(subjects, matrix, find_out(subjects, matrix, 3));
  EXPECT_THAT(slower, HasSubstr("D takes 1.25× as long as A (4.00 → 5.00 ms"));
  EXPECT_THAT(slower, Not(HasSubstr("Nothing is faster"))) << "C is";
  EXPECT_TRUE(find_out(subjects, matrix, 2).fastest);
}

TEST(Finding, ClaimsNoWinInsideTheNoise) {
  const std::string text =
      sentence_of({run("A", measured({1, 1, 1, 1}, 0.3)), run("B", measured({1, 1, 1, 0.9}, 0.3))});
  EXPECT_EQ(text, "B is as fast as A within the noise (4.00 → 3.90 ms, measured).");
}

TEST(Finding, SaysWhereThereWereTooFewRuns) {
  const std::string text =
      sentence_of({run("A", measured({1, 1, 1, 1}, 0, 1)), run("B", measured({1, 1, 1, 0.5}, 0, 1))});
  EXPECT_EQ(text, "Too few runs to tell B from A (4.00 → 3.50 ms, measured).");
}

TEST(Finding, OfTheSameLatencyExactlySaysSo) {
  EXPECT_EQ(sentence_of({run("A", {.stages = {1, 1, 1, 1}}), run("B", {.stages = {1, 1, 1, 1}})}),
            "B is as fast as A (4.00 → 4.00 ms, simulated).");
}

TEST(Finding, SaysWhenAModelStandsAgainstAMeasurement) {
  const std::string text =
      sentence_of({run("A", {.stages = {1, 1, 1, 1}}), run("B", measured({0.5, 0.5, 0.5, 0.5}, 0.01))});
  EXPECT_THAT(text, HasSubstr("(4.00 ms simulated → 2.00 ms measured)"));
  EXPECT_THAT(text, HasSubstr("One number is a model's, the other a measurement's"));
}

TEST(Finding, ComparesSamplesWhereBatchesDiffer) {
  MadeUpRun batch{.stages = {4, 4, 4, 4}, .batch = 8};
  const std::string text = sentence_of({run("A", {.stages = {1, 1, 1, 1}}), run("B", batch)});
  EXPECT_THAT(text, HasSubstr("B is 2.00× as fast as A (4.00 → 2.00 ms per sample, simulated)"));
  EXPECT_THAT(text, HasSubstr("Batches of 1 and 8 are compared per sample."));
  EXPECT_THAT(text, Not(HasSubstr("of the difference"))) << "all parts go the same way";
  const std::string where =
      sentence_of({run("A", {.stages = {1, 1, 1, 1}}), run("B", {.stages = {1, 1, 7, 7}, .batch = 8})});
  EXPECT_THAT(where, HasSubstr("88 % of the difference lies in 1 of 2 parts"));
}

TEST(Finding, SaysWherePartsGoOppositeWays) {
  const std::string text = sentence_of({run("A", {.stages = {1, 1, 1, 1}}), run("B", {.stages = {0.5, 0.5, 0.5, 2}})});
  EXPECT_THAT(text, HasSubstr("1 of 2 parts win 1.00 ms, more than the whole because other parts go the other way"));
}

TEST(Finding, OfOneRunOrNoneIsASentenceToo) {
  EXPECT_EQ(sentence_of({run("A", {.stages = {1, 1, 1, 1}})}), "A takes 4.00 ms (simulated).");
  EXPECT_EQ(finding_sentence({}, {}, {}), "Nothing to compare yet.");
}

TEST(Finding, NamesAreMadePrintable) {
  const std::string text =
      sentence_of({run("A\x1b[31m", {.stages = {1, 1, 1, 1}}), run("B", {.stages = {1, 1, 1, 0.5}})});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

using test::schedule_of;
using test::subject_of;

class DifferenceReport : public testing::Test {
 protected:
  DifferenceReport() {
    const auto graph = std::make_shared<const Graph>(test::two_parts());
    subjects_ = {subject_of(graph, schedule_of({{{0}}, {{1}}, {{2}}, {{3}}}),
                            {.stages = {1, 2, 3, 4}, .between = 0.5, .rest = 0.25}),
                 subject_of(graph, schedule_of({{{0, 1}}, {{2}}, {{3}}}), {.stages = {2, 3, 4.5}, .between = 0.25})};
    subjects_[0].label = "one by one";
    subjects_[1].label = "chained";
    matches_ = match_with_all(subjects_, 0);
    matrix_ = part_matrix(subjects_, 0, matches_);
    stages_ = compare_stages(subjects_[0], subjects_[1], matches_[1]);
  }

  std::vector<Subject> subjects_;
  std::vector<GraphMatch> matches_;
  PartMatrix matrix_;
  StageDifference stages_;
};

TEST_F(DifferenceReport, TablesHaveARowForEveryPartAndStageAndTheRest) {
  const std::string parts = table_text(part_comparison(subjects_, matrix_));
  EXPECT_THAT(parts,
              AllOf(HasSubstr("one by one [ms]  chained Δ [ms]"), HasSubstr("-1.0000"), HasSubstr("between stages")));
  const std::string stages = table_text(stage_comparison(subjects_[0], subjects_[1], stages_));
  EXPECT_THAT(stages,
              AllOf(HasSubstr("1–2"), HasSubstr("2 stages joined into 1"), HasSubstr("-33.3"), HasSubstr("whole")));
  EXPECT_EQ(match_text(subjects_[0], subjects_[1], matches_[1]), "");
}

TEST_F(DifferenceReport, JsonHasTheSameNumbers) {
  const auto matrix = matrix_json(subjects_, matrix_);
  EXPECT_EQ(matrix["baseline"], 0);
  EXPECT_EQ(matrix["parts"].size(), 2U);
  EXPECT_DOUBLE_EQ(matrix["parts"][0]["cells"][1]["delta_ms"], -1.0);
  EXPECT_EQ(matrix["parts"][0]["cells"][1]["verdict"], "faster");
  EXPECT_EQ(matrix["subjects"][1]["label"], "chained");
  const auto stages = stages_json(subjects_[0], subjects_[1], matches_[1], stages_);
  EXPECT_EQ(stages["rows"][0]["a"], (std::vector<int>{1, 2}));
  EXPECT_EQ(stages["rows"][0]["change"], "2 stages joined into 1");
  double sum = stages["between_stages_ms"].get<double>() + stages["rest_ms"].get<double>();
  for (const auto& row : stages["rows"]) sum += row["delta_ms"].get<double>();
  EXPECT_NEAR(sum, stages["delta_ms"].get<double>(), 1e-9);
}

// Runs of several batches are compared per sample, and every head of milliseconds says so.
TEST_F(DifferenceReport, TimesOfOneSampleAreCalledSo) {
  const auto graph = subjects_[0].comparison->graph;
  const Subject eight =
      subject_of(graph, schedule_of({{{0}}, {{1}}, {{2}}, {{3}}}), {.stages = {4, 8, 16, 24}, .batch = 8});
  const StageDifference difference =
      compare_stages(subjects_[0], eight, match_graphs(*graph, *graph), per_of(std::vector{subjects_[0], eight}));
  const Table table = stage_comparison(subjects_[0], eight, difference);
  const std::string text = table_text(table);
  for (const char* head : {"A [ms/sample]", "B [ms/sample]", "Δ [ms/sample]", "noise [ms/sample]"}) {
    EXPECT_THAT(text.substr(0, text.find('\n')), HasSubstr(head));
  }
  EXPECT_THAT(text, Not(HasSubstr("[ms]")));
  EXPECT_THAT(table_csv(table), HasSubstr("a_ms_per_sample,b_ms_per_sample,delta_ms_per_sample,noise_ms_per_sample,"));
}

TEST(DifferenceWords, AreShort) {
  EXPECT_EQ(stages_text(std::vector<std::size_t>{}), "–");
  EXPECT_EQ(stages_text(std::vector<std::size_t>{2, 4, 5, 6}), "3, 5–7");
  EXPECT_EQ(signed_millis(Millis(0.0411)), "+0.0411");
  EXPECT_EQ(signed_millis(Millis(-0.00034)), "-0.00034");
  EXPECT_EQ(signed_millis(Millis(0)), "0");
  EXPECT_EQ(verdict_mark({Millis(-1), Millis(2)}), "~");
  EXPECT_EQ(verdict_mark({Millis(-1), std::nullopt}), "?");
  EXPECT_EQ(verdict_mark({Millis(-3), Millis(2)}), "");
}

}  // namespace

}  // namespace iosx
