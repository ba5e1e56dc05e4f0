#include "core/analysis/difference/part_matrix.h"
#include "core/analysis/compare/compare.h"
#include "core/model/graph/networks.h"
#include "core/model/schedule/baselines.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"
#include "tests/support/simulated.h"

namespace iosx {
namespace {

using test::schedule_of;
using test::subject_of;

PartMatrix matrix_of(std::span<const Subject> subjects, std::size_t baseline) {
  return part_matrix(subjects, baseline, match_with_all(subjects, baseline));
}

// a, b are one part, c, d another.
std::shared_ptr<const Graph> two_parts() {
  const Graph graph = test::two_parts();
  return std::make_shared<const Graph>(graph);
}

TEST(PartMatrix, AddsStagesUpByPart) {
  const auto graph = two_parts();
  const std::size_t first = graph->parts()[0].units.size();
  ASSERT_EQ(graph->units().size(), 4U);
  ASSERT_EQ(first, 2U);
  const Subject one_by_one = subject_of(graph, schedule_of({{{0}}, {{1}}, {{2}}, {{3}}}),
                                        {.stages = {1, 2, 3, 4}, .between = 0.5, .rest = 0.25});
  const Subject chained =
      subject_of(graph, schedule_of({{{0, 1}}, {{2}}, {{3}}}), {.stages = {2.5, 3, 4.5}, .between = 0.25});
  const std::vector<Subject> subjects{chained, one_by_one};
  const PartMatrix matrix = matrix_of(subjects, 1);
  ASSERT_EQ(matrix.rows.size(), 2U);
  EXPECT_EQ(matrix.rows[0].name, graph->parts()[0].name);
  EXPECT_DOUBLE_EQ(matrix.rows[0].cells[1].latency.count(), 3);
  EXPECT_DOUBLE_EQ(matrix.rows[0].cells[0].delta.value.count(), -0.5);
  EXPECT_DOUBLE_EQ(matrix.rows[1].cells[0].delta.value.count(), 0.5);
  EXPECT_DOUBLE_EQ(matrix.rows[1].cells[1].delta.value.count(), 0);
  EXPECT_THAT(matrix.rows[0].cells[0].units, ElementsAre(UnitId(0), UnitId(1)));
  EXPECT_DOUBLE_EQ(matrix.between_stages[1].count(), 0.5);
  EXPECT_DOUBLE_EQ(matrix.rest[1].count(), 0.25);
  EXPECT_DOUBLE_EQ(matrix.whole[0].delta.value.count(), 10.25 - 10.75);
}

// In the unit of the sentence, whatever the batches are.
TEST(PartMatrix, TellsEverythingOfOneSampleWhereBatchesDiffer) {
  const auto graph = two_parts();
  const Schedule schedule = schedule_of({{{0}}, {{1}}, {{2}}, {{3}}});
  const std::vector<Subject> subjects{
      subject_of(graph, schedule, {.stages = {1, 1, 1, 1}, .between = 0.5, .rest = 0.25}),
      subject_of(graph, schedule, {.stages = {4, 4, 8, 8}, .between = 1, .rest = 2, .batch = 8})};
  const PartMatrix matrix = matrix_of(subjects, 0);
  EXPECT_EQ(matrix.per, Per::kSample);
  EXPECT_DOUBLE_EQ(matrix.rows[0].cells[1].latency.count(), 1);
  EXPECT_DOUBLE_EQ(matrix.rows[0].cells[1].delta.value.count(), -1);
  EXPECT_DOUBLE_EQ(matrix.rows[1].cells[1].delta.value.count(), 0);
  EXPECT_DOUBLE_EQ(matrix.between_stages[1].count(), 0.125);
  EXPECT_DOUBLE_EQ(matrix.rest[1].count(), 0.25);
  EXPECT_DOUBLE_EQ(matrix.whole[1].b.count(), 27.0 / 8);
  EXPECT_DOUBLE_EQ(matrix.whole[1].delta.value.count(), 27.0 / 8 - 4.75);
  EXPECT_DOUBLE_EQ(matrix.whole[1].speedup.value, 4.75 / (27.0 / 8));
  EXPECT_EQ(matrix_of(std::span(subjects).first(1), 0).per, Per::kBatch);
}

// The pieces into which the search cut a part are one row, which is called as people call it.
TEST(PartMatrix, CallsThePiecesOfAPartAsThePart) {
  const auto whole = two_parts();
  const std::string name = whole->parts()[0].name;
  const auto graph = std::make_shared<const Graph>(whole->with_parts(
      {{name + ".1", {UnitId(0)}, true}, {name + ".2", {UnitId(1)}}, {"rest", {UnitId(2), UnitId(3)}}}));
  const std::vector<Subject> subjects{
      subject_of(graph, schedule_of({{{0}}, {{1}}, {{2}}, {{3}}}), {.stages = {1, 2, 3, 4}}),
      subject_of(graph, schedule_of({{{1}}, {{0}}, {{2}}, {{3}}}), {.stages = {1, 1, 3, 4}})};
  const std::vector<PartRow> rows = matrix_of(subjects, 0).rows;
  EXPECT_THAT(mapped<std::string>(rows, &PartRow::name), ElementsAre(name, "rest"));
  EXPECT_DOUBLE_EQ(rows[0].cells[1].delta.value.count(), -1);
}

TEST(PartMatrix, JoinsPartsThatAStageSpans) {
  const auto graph = two_parts();
  const std::vector<Subject> subjects{
      subject_of(graph, schedule_of({{{0}}, {{1}}, {{2}}, {{3}}}), {.stages = {1, 2, 3, 4}}),
      subject_of(graph, schedule_of({{{0}}, {{1, 2}}, {{3}}}), {.stages = {1, 4, 4}})};
  const PartMatrix matrix = matrix_of(subjects, 0);
  ASSERT_EQ(matrix.rows.size(), 1U);
  EXPECT_EQ(matrix.rows[0].name, graph->parts()[0].name + " \u2026 " + graph->parts()[1].name);
  EXPECT_DOUBLE_EQ(matrix.rows[0].cells[1].delta.value.count(), -1);
}

// The two runs cut the network differently: rows are the baseline's parts.
TEST(PartMatrix, TakesTheBaselinesPartsWhereRunsCutTheNetworkDifferently) {
  const auto graph = two_parts();
  std::vector<UnitId> all;
  for (std::size_t i = 0; i < 4; ++i) all.emplace_back(i);
  const auto whole = std::make_shared<const Graph>(graph->with_parts({Part{"all", all, false}}));
  const Schedule schedule = schedule_of({{{0}}, {{1}}, {{2}}, {{3}}});
  const std::vector<Subject> subjects{subject_of(graph, schedule, {.stages = {1, 2, 3, 4}}),
                                      subject_of(whole, schedule, {.stages = {1, 2, 3, 5}})};
  EXPECT_EQ(matrix_of(subjects, 0).rows.size(), 2U);
  EXPECT_DOUBLE_EQ(matrix_of(subjects, 0).rows[1].cells[1].delta.value.count(), 1);
  EXPECT_EQ(matrix_of(subjects, 1).rows.size(), 1U);
}

// Two networks of three units each, in parts that hold units of both.
TEST(PartMatrix, NamesRowsOfSeveralNetworksByThem) {
  const Graph one = test::chain(3);
  const Graph both = *unite(std::array{&one, &one});
  const auto of = [&](std::size_t network, std::size_t n) {
    std::vector<UnitId> units;
    for (std::size_t u = 0; u < both.units().size(); ++u) {
      if (both.network(UnitId(u)) == MemberId(network)) units.emplace_back(u);
    }
    return units[n].index();
  };
  const std::string a = both.networks()[0];
  const std::string b = both.networks()[1];
  const auto names = [&](const std::shared_ptr<const Graph>& graph, const Schedule& schedule) {
    const std::vector<Subject> subjects{
        subject_of(graph, one_by_one_schedule(*graph), {.stages = {1, 1, 1, 1, 1, 1}}),
        subject_of(graph, schedule, {.stages = std::vector<double>(schedule.stages.size(), 1)})};
    return mapped<std::string>(matrix_of(subjects, 0).rows, &PartRow::name);
  };
  const auto in_one = std::make_shared<const Graph>(both);
  EXPECT_THAT(names(in_one, one_by_one_schedule(both)), ElementsAre(a, b));
  const Schedule mixed =
      schedule_of({{{of(0, 0)}, {of(1, 0)}}, {{of(0, 1)}}, {{of(0, 2)}}, {{of(1, 1)}}, {{of(1, 2)}}});
  EXPECT_THAT(names(in_one, mixed), ElementsAre(a + " + " + b));
  std::vector<UnitId> first;
  std::vector<UnitId> last;
  for (std::size_t u = 0; u < both.units().size(); ++u) (u < 4 ? first : last).emplace_back(u);
  const auto in_two = std::make_shared<const Graph>(both.with_parts({{"both.1", first}, {"both.2", last}}));
  EXPECT_THAT(names(in_two, one_by_one_schedule(both)),
              ElementsAre(a + " (1/2)", b + " (1/2)", a + " (2/2)", b + " (2/2)"));
}

TEST(PartMatrix, OfOtherNetworksAddsUpToo) {
  const auto device = test::simulated("tesla-v100");
  std::vector<Subject> subjects;
  for (const char* network : {"squeezenet", "inception_v3"}) {
    auto comparison = std::make_shared<Comparison>(*compare(*zoo_network(network), *device, CompareOptions(), {}));
    subjects.push_back({comparison, 0});
    subjects.push_back({comparison, 4});
  }
  for (std::size_t baseline = 0; baseline < subjects.size(); ++baseline) {
    const PartMatrix matrix = matrix_of(subjects, baseline);
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      Millis sum = matrix.between_stages[i] + matrix.rest[i];
      Millis difference = sum - matrix.between_stages[baseline] - matrix.rest[baseline];
      std::size_t units = 0;
      for (const PartRow& row : matrix.rows) {
        sum += row.cells[i].latency;
        difference += row.cells[i].delta.value;
        units += row.cells[i].units.size();
      }
      EXPECT_NEAR(sum.count(), subjects[i].schedule().latency.value.count(), 1e-9);
      EXPECT_NEAR(difference.count(), matrix.whole[i].delta.value.count(), 1e-9);
      EXPECT_EQ(units, subjects[i].graph().units().size());
    }
  }
}

using test::schedule_of;
using test::subject_of;

std::shared_ptr<const Comparison> simulated(const char* network) {
  const auto device = test::simulated("tesla-v100");
  return std::make_shared<const Comparison>(*compare(*zoo_network(network), *device, CompareOptions(), {}));
}

double sum_of(const SavingSteps& saving) {
  double sum = 0;
  for (const SavingStep& step : saving.steps) sum += step.delta.value.count();
  return sum;
}

TEST(SavingSteps, GoPartByPartToTheScheduleAndAddUp) {
  const auto graph = std::make_shared<const Graph>(test::two_parts());
  const Subject before = subject_of(graph, schedule_of({{{0}}, {{1}}, {{2}}, {{3}}}),
                                    {.stages = {1, 2, 3, 4}, .between = 0.5, .rest = 0.25});
  const Subject after =
      subject_of(graph, schedule_of({{{0, 1}}, {{2}}, {{3}}}), {.stages = {2.5, 3, 4.5}, .between = 0.25});
  const auto saving = must(saving_steps(before, after));
  ASSERT_EQ(saving.steps.size(), 3U);
  EXPECT_EQ(saving.steps[0].name, graph->parts()[0].name);
  EXPECT_THAT(saving.steps[0].units, ElementsAre(UnitId(0), UnitId(1)));
  EXPECT_DOUBLE_EQ(saving.steps[0].before.count(), 3);
  EXPECT_DOUBLE_EQ(saving.steps[0].after.count(), 2.5);
  EXPECT_DOUBLE_EQ(saving.steps[0].delta.value.count(), -0.5);
  EXPECT_DOUBLE_EQ(saving.steps[1].delta.value.count(), 0.5);
  EXPECT_TRUE(saving.steps[2].units.empty());
  EXPECT_DOUBLE_EQ(saving.steps[2].delta.value.count(), -0.5);  // 0.25 between stages, 0.25 beyond them
  EXPECT_EQ(saving.steps[2].delta.noise, Millis{0});
  EXPECT_DOUBLE_EQ(sum_of(saving), saving.whole.delta.value.count());
  EXPECT_FALSE(saving.traced);
  // Stages of the baseline that lie in one stage of the schedule.
  ASSERT_EQ(saving.stages.size(), 3U);
  EXPECT_DOUBLE_EQ(saving.stages[0]->value.count(), -0.5);
  EXPECT_DOUBLE_EQ(saving.stages[1]->value.count(), 0);
  EXPECT_DOUBLE_EQ(saving.stages[2]->value.count(), 0.5);
}

TEST(StageSavings, AreThoseOfTheStepsAndPerWhatIsAsked) {
  const auto graph = std::make_shared<const Graph>(test::two_parts());
  const Subject before = subject_of(graph, schedule_of({{{0}}, {{1}}, {{2}}, {{3}}}), {.stages = {1, 2, 3, 4}});
  auto eight = std::make_shared<Comparison>(
      *subject_of(graph, schedule_of({{{0, 1}}, {{2}}, {{3}}}), {.stages = {16, 20, 40}}).comparison);
  eight->batch = 8;
  const Subject after{eight, 0, {}};
  const GraphMatch match = match_graphs(*graph, *graph);
  const auto samples = stage_savings(before, after, match, Per::kSample);
  ASSERT_EQ(samples.size(), 3U);
  EXPECT_DOUBLE_EQ(samples[0]->value.count(), 2 - 3);
  EXPECT_DOUBLE_EQ(samples[1]->value.count(), 2.5 - 3);
  EXPECT_DOUBLE_EQ(samples[2]->value.count(), 5 - 4);
  EXPECT_DOUBLE_EQ(stage_savings(before, after, match, Per::kBatch)[0]->value.count(), 16 - 3);
  const auto steps = must(saving_steps(before, after));
  EXPECT_EQ(steps.per, Per::kSample);
  ASSERT_EQ(steps.stages.size(), 3U);
  for (std::size_t s = 0; s < 3; ++s) EXPECT_EQ(steps.stages[s]->value, samples[s]->value);
  // Several stages of the schedule may lie in one of the baseline: nobody knows then.
  EXPECT_EQ(stage_savings(after, before, match, Per::kSample)[0], std::nullopt);
  eight->results[0].stage_latencies.clear();
  EXPECT_TRUE(stage_savings(before, after, match, Per::kSample).empty());
}

// Where the same kernels run one after another, cut into other stages, nothing is saved anywhere.
TEST(StageSavings, AreNothingWhereOnlyTheCutsDiffer) {
  const auto run = simulated("alexnet");
  const std::size_t sequential = *run->index_of(run->find(ScheduleKind::kSequential)->id);
  for (std::size_t i = 0; i < run->results.size(); ++i) {
    const Subject schedule{run, i, {}};
    if (!schedule.has_stages()) continue;
    const GraphMatch match = match_graphs(*run->graph, *run->graph);
    for (const auto& delta : stage_savings({run, sequential, {}}, schedule, match, Per::kBatch)) {
      ASSERT_TRUE(delta);
      EXPECT_NEAR(delta->value.count(), 0, 1e-6) << run->results[i].id.text();
    }
  }
}

TEST(StageSavings, AreNotKnownOfUnitsThatTheBaselineLacks) {
  const auto graph = std::make_shared<const Graph>(test::two_parts());
  const Subject subject = subject_of(graph, schedule_of({{{0, 1}}, {{2}}, {{3}}}), {.stages = {2, 3, 4}});
  GraphMatch match = match_graphs(*graph, *graph);
  match.units_in_b[1] = match.units_in_a[1] = UnitId();
  const auto savings = stage_savings(subject, subject, match, Per::kBatch);
  ASSERT_EQ(savings.size(), 3U);
  EXPECT_FALSE(savings[0]) << "it has a unit more";
  EXPECT_TRUE(savings[1] && savings[2]);
}

TEST(SavingSteps, ANetworkWithoutPartsIsToldByStage) {
  const Graph parts = test::two_parts();
  std::vector<UnitId> all;
  for (std::size_t i = 0; i < parts.units().size(); ++i) all.emplace_back(i);
  const auto graph = std::make_shared<const Graph>(parts.with_parts({Part{"all", all, false}}));
  const Subject before = subject_of(graph, schedule_of({{{0}}, {{1}}, {{2}}, {{3}}}), {.stages = {1, 2, 3, 4}});
  const Subject after = subject_of(graph, schedule_of({{{0, 1}}, {{2, 3}}}), {.stages = {2, 8}, .rest = 1});
  const auto saving = must(saving_steps(before, after));
  ASSERT_EQ(saving.steps.size(), 3U);
  EXPECT_EQ(saving.steps[0].stage, 0U);
  EXPECT_EQ(saving.steps[1].stage, 1U);
  EXPECT_DOUBLE_EQ(saving.steps[0].delta.value.count(), -1);
  EXPECT_DOUBLE_EQ(saving.steps[1].delta.value.count(), 1);
  EXPECT_DOUBLE_EQ(saving.steps[2].delta.value.count(), 1);
  // The other way round nobody knows what each half of a stage took: it stays one step.
  const auto back = must(saving_steps(after, before));
  EXPECT_FALSE(back.stages[0]);
  ASSERT_EQ(back.steps.size(), 2U);
  EXPECT_FALSE(back.steps[0].stage);
  EXPECT_DOUBLE_EQ(sum_of(back), -1);
}

TEST(SavingSteps, AreNoneWithoutLatencies) {
  const auto graph = std::make_shared<const Graph>(test::two_parts());
  const Subject known = subject_of(graph, schedule_of({{{0, 1}}, {{2, 3}}}), {.stages = {2, 8}});
  auto comparison = std::make_shared<Comparison>(*known.comparison);
  comparison->results[0].stage_latencies.clear();
  EXPECT_FALSE(saving_steps(known, {comparison, 0}));
  EXPECT_FALSE(saving_steps({comparison, 0}, known));
}

// Where noise is, a step says how much; where it cannot be told, none.
TEST(SavingSteps, KeepTheNoise) {
  const auto graph = std::make_shared<const Graph>(test::two_parts());
  const test::MadeUpRun run{.stages = {2, 8}, .spread = 0.1, .samples = 100, .origin = Origin::kMeasured};
  test::MadeUpRun once = run;
  once.samples = 1;
  const Schedule schedule = schedule_of({{{0, 1}}, {{2, 3}}});
  test::MadeUpRun other = run;
  other.stages = {3, 8};
  other.spread = 0.2;
  const auto saving = saving_steps(subject_of(graph, schedule, run), subject_of(graph, schedule, other));
  ASSERT_TRUE(saving && saving->steps[0].delta.noise);
  EXPECT_GT(*saving->steps[0].delta.noise, Millis{0});
  const auto unknown = must(saving_steps(subject_of(graph, schedule, run), subject_of(graph, schedule, once)));
  EXPECT_FALSE(unknown.steps[0].delta.noise);
}

// Of every schedule against every other, with stages and without.
TEST(SavingSteps, AddUpInANetworkOnASimulatedDevice) {
  const auto run = simulated("inception_v3");
  bool lanes = false;
  for (std::size_t a = 0; a < run->results.size(); ++a) {
    for (std::size_t b = 0; b < run->results.size(); ++b) {
      const auto saving = must(saving_steps({run, a}, {run, b}));
      EXPECT_NEAR(sum_of(saving), (run->results[b].latency.value - run->results[a].latency.value).count(), 1e-9);
      lanes = lanes || saving.traced;
      if (a != 0) continue;
      // One stream's kernels are all told apart, so stages add up to parts.
      double stages = 0;
      for (const auto& stage : saving.stages) {
        ASSERT_TRUE(stage) << run->results[b].title();
        stages += stage->value.count();
      }
      EXPECT_NEAR(stages + saving.steps.back().delta.value.count(), saving.whole.delta.value.count(), 1e-9);
    }
  }
  EXPECT_TRUE(lanes);
}

TEST(SavingSteps, ScheduleOfLanesIsToldFromItsTrace) {
  const auto run = test::made_up_lanes();
  const auto saving = must(saving_steps({run, 1}, {run, 3}));
  EXPECT_TRUE(saving.traced);
  EXPECT_NEAR(sum_of(saving), -0.006, 1e-9);
}

}  // namespace

}  // namespace iosx
