#include "core/analysis/explain/explain.h"
#include "core/analysis/compare/report.h"
#include "core/analysis/explain/explain_report.h"
#include "core/model/schedule/baselines.h"
#include "models/networks/zoo.h"
#include "tests/support/fake_latencies.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/support/simulated.h"

namespace iosx::test {
namespace {

const InterStageOverhead kGaps{
    .first = {Millis(0.5), Millis(0.25)},
    .between = {InterStageOverhead::ByWidth{Millis(0), Millis(1)}, InterStageOverhead::ByWidth{Millis(2), Millis(3)}}};

double sum_of(const Schedule& schedule, const FakeLatencies& latencies) {
  double sum = latencies.overhead().sum(schedule).count();
  for (const Stage& stage : schedule.stages) sum += latencies.latency_ms(stage);
  return sum;
}

// Knows some stages, by their units, and measures nothing.
class Known final : public LatencySource {
 public:
  void know(const Stage& stage, double ms, Millis spread = Millis(0), std::int64_t samples = 1) {
    known_[stage.units()] = {.value = Millis(ms), .spread = spread, .samples = samples, .origin = Origin::kMeasured};
  }
  Result<std::vector<Latency>> stage_latencies(std::span<const Stage> /*stages*/, const JobContext& /*job*/) override {
    return fail(message("nobody measures here"));
  }
  bool measures() const override { return false; }
  Result<std::vector<std::optional<Latency>>> known_latencies(std::span<const Stage> stages) override {
    std::vector<std::optional<Latency>> found;
    for (const Stage& stage : stages) {
      const auto at = known_.find(stage.units());
      found.push_back(at == known_.end() ? std::nullopt : std::optional(at->second));
    }
    return found;
  }
  InterStageOverhead overhead() const override { return {}; }
  void start_tally() override {}
  StageTally tally() const override { return {}; }

 private:
  std::map<std::vector<UnitId>, Latency> known_;
};

// What an alternative is said to cost is what the whole schedule costs with it, overhead between stages included.
TEST(Explain, DifferencesAreThoseOfWholeSchedules) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Graph graph = random_dag(seed, 10);
    FakeLatencies latencies(arbitrary_latency);
    latencies.set_overhead(kGaps);
    const Schedule schedule = greedy_schedule(graph, 3);
    const auto explanation = must(explain(graph, 1, schedule, latencies, {}, {}));
    EXPECT_NEAR(explanation.sum.count(), sum_of(schedule, latencies), 1e-9);
    ASSERT_EQ(explanation.explained.size(), schedule.stages.size());
    for (const StageExplanation& stage : explanation.explained) {
      for (const Alternative& each : stage.alternatives) {
        const double difference = sum_of(changed(schedule, each.change), latencies) - sum_of(schedule, latencies);
        EXPECT_NEAR(each.difference.count(), difference, 1e-9);
        EXPECT_EQ(each.basis, Basis::kSimulated);
      }
      EXPECT_TRUE(std::ranges::is_sorted(stage.alternatives, {}, &Alternative::difference));
    }
  }
}

// The optimum among what a search may do: nothing that is not excluded is better.
TEST(Explain, NothingIsBetterThanAnExhaustiveSearch) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Graph graph = random_dag(seed, 9);
    FakeLatencies latencies(arbitrary_latency);
    latencies.set_overhead(kGaps);
    const SearchOptions options{.pruning = {.r = 2, .s = 3}, .method = SearchMethod::kExhaustive};
    const auto found = must(search(graph, latencies, options, {}));
    const auto explanation = must(explain(graph, 1, found.schedule, latencies, {.search = options}, {}));
    bool excluded_better = false;
    for (const StageExplanation& stage : explanation.explained) {
      EXPECT_THAT(stage.excluded, IsEmpty());
      const Alternative* next = stage.next_best();
      EXPECT_TRUE(next == nullptr || next->difference.count() > -1e-9);
      for (const Alternative& each : stage.alternatives) excluded_better = excluded_better || each.is_better();
    }
    EXPECT_TRUE(excluded_better || seed > 0);  // what the pruning costs is seen
  }
}

TEST(Explain, ASimulatedGreedyScheduleHasSomethingBetter) {
  const auto device = test::simulated("tesla-v100");
  const Graph graph = *zoo_network("sample");
  DeviceLatencySource source(graph, *device, 1);
  const ExplainOptions options{.stage = 0, .rates = device->peak_rates()};
  const auto explanation = must(explain(graph, 1, greedy_schedule(graph), source, options, {}));
  ASSERT_EQ(explanation.explained.size(), 1U);
  const Alternative* next = must(explanation.explained.front().next_best());
  EXPECT_TRUE(next->is_better());
  EXPECT_EQ(next->change.kind, ChangeKind::kMoveAfter);  // the schedule that the paper draws: c beside d
  EXPECT_EQ(next->basis, Basis::kSimulated);
  ASSERT_TRUE(explanation.work);
  EXPECT_LT(explanation.work->memory, explanation.work->compute);
  EXPECT_LT(explanation.work->compute, explanation.sum);
}

TEST(Explain, TheCriticalPathIsTheLongestChainOfUnits) {
  const Graph graph = diamond();
  const std::map<std::size_t, double> alone{{0, 1.0}, {1, 2.0}, {2, 5.0}, {3, 1.5}};
  FakeLatencies latencies([&](const Stage& stage) {
    double longest = 0;
    for (const UnitId unit : stage.units()) longest = std::max(longest, alone.at(unit.index()));
    return longest;
  });
  const auto explanation = explain(graph, 1, greedy_schedule(graph), latencies, {}, {});
  ASSERT_TRUE(explanation && explanation->critical_path);
  EXPECT_EQ(explanation->critical_path->length, Millis(7.5));
  EXPECT_THAT(explanation->critical_path->units, ElementsAre(UnitId(0), UnitId(2), UnitId(3)));
  EXPECT_FALSE(explanation->work);
}

TEST(Explain, TheBoundIsBelowEverySchedule) {
  DeviceRegistry devices;
  add_simulated_devices(devices);
  for (const char* id : {"h200", "a100", "tesla-k80"}) {
    const auto device = must(devices.open(id));
    for (const char* name : {"resnet18", "resnet50", "squeezenet"}) {
      const Graph graph = *prepare(*zoo_network(name), {});
      for (const std::int64_t batch : {1, 32}) {
        SCOPED_TRACE(testing::Message() << name << " on " << id << ", batch " << batch);
        DeviceLatencySource source(graph, *device, batch);
        const auto found = must(search(graph, source, {}, {}));
        for (const Schedule& schedule : {one_by_one_schedule(graph), greedy_schedule(graph), found.schedule}) {
          const auto explanation = explain(graph, batch, schedule, source, {}, {});
          ASSERT_TRUE(explanation && explanation->critical_path);
          EXPECT_GT(explanation->critical_path->at_least, Millis(0));
          EXPECT_LT(explanation->critical_path->at_least, explanation->sum);  // not even cut off at it
        }
      }
    }
  }
}

TEST(Explain, WhatIsKnownLowersTheBound) {
  const Graph graph = chain(3);
  const Stage all{{Group{{Step{{UnitId(0)}}, Step{{UnitId(1)}}, Step{{UnitId(2)}}}}}};
  const auto bound_where_all_take = [&](double ms) {
    Known source;
    for (std::size_t u = 0; u < 3; ++u) source.know(single_unit_stage(UnitId(u)), 1.0);
    source.know(all, ms);
    const auto explanation = explain(graph, 1, {"", {all}}, source, {}, {});
    return explanation->critical_path->at_least.count();
  };
  EXPECT_NEAR(bound_where_all_take(3), 3 * BoundFactors{}.merged, 1e-6);  // the least of the factors
  EXPECT_NEAR(bound_where_all_take(1.5), 1.5, 1e-6);
}

TEST(Explain, WhatNobodyMeasuredIsPredictedBoundedOrUnknown) {
  const Graph graph = fork(3);
  const Schedule schedule = greedy_schedule(graph);
  Known source;
  source.know(schedule.stages.front(), 1.5);
  const auto basis_of_first_split = [&] {
    const auto explanation = explain(graph, 1, schedule, source, {.stage = 0}, {});
    EXPECT_TRUE(explanation);
    EXPECT_EQ(explanation->stages.front().basis, Basis::kReused);
    const auto& all = explanation->explained.front().alternatives;
    const auto split = std::ranges::find_if(all, [](const Alternative& each) {
      return each.change.kind == ChangeKind::kSplit && each.change.units == std::vector{UnitId(0)};
    });
    return split->basis;
  };
  EXPECT_EQ(basis_of_first_split(), Basis::kUnknown);
  source.know(single_unit_stage(UnitId(0)), 1.0);
  EXPECT_EQ(basis_of_first_split(), Basis::kUnknown);  // nothing is known of b and c
  source.know(single_unit_stage(UnitId(1)), 1.0);
  EXPECT_EQ(basis_of_first_split(), Basis::kBound);
  source.know(single_unit_stage(UnitId(2)), 1.0);
  EXPECT_EQ(basis_of_first_split(), Basis::kPredicted);
  source.know(Stage{{Group{{Step{{UnitId(1)}}}}, Group{{Step{{UnitId(2)}}}}}}, 1.2);
  EXPECT_EQ(basis_of_first_split(), Basis::kReused);
}

TEST(Explain, ABoundIsNeverAboveWhatIsMeasuredLater) {
  const Graph graph = fork(2);
  Known source;
  source.know(single_unit_stage(UnitId(0)), 1.0);
  const auto explanation = must(explain(graph, 1, greedy_schedule(graph), source, {}, {}));
  EXPECT_EQ(explanation.stages.front().basis, Basis::kBound);
  EXPECT_EQ(explanation.stages.front().value, Millis(1.0));  // two lanes take as long as the longer one
  EXPECT_FALSE(explanation.critical_path);
  EXPECT_EQ(explanation.unknown_units, 1U);
}

TEST(Explain, NoiseIsNoImprovement) {
  const Graph graph = chain(2);
  const Schedule schedule = one_by_one_schedule(graph);
  const Stage joined{{Group{{Step{{UnitId(0)}}, Step{{UnitId(1)}}}}}};
  const auto join_of = [&](Millis spread) {
    Known source;
    source.know(single_unit_stage(UnitId(0)), 1.0, spread, 25);
    source.know(single_unit_stage(UnitId(1)), 1.0, spread, 25);
    source.know(joined, 1.9, spread, 25);
    return explain(graph, 1, schedule, source, {.stage = 0}, {})->explained.front().alternatives.front();
  };
  EXPECT_TRUE(join_of(Millis(0)).is_better());
  const Alternative noisy = join_of(Millis(0.4));
  EXPECT_FALSE(noisy.is_better());
  EXPECT_THAT(noisy.difference.count(), DoubleNear(-0.1, 1e-9));
  // Three medians of 25 samples, each within 1.2533 × 0.4 / 5.
  EXPECT_THAT(noisy.error.count(), DoubleNear(std::sqrt(3.0) * 1.2533 * 0.4 / 5, 1e-6));
}

TEST(Explain, RefusesWhatCannotBeExplained) {
  const Graph graph = chain(2);
  FakeLatencies latencies(arbitrary_latency);
  const Schedule schedule = one_by_one_schedule(graph);
  EXPECT_THAT(refused(explain(graph, 1, schedule, latencies, {.stage = 2}, {})).text(),
              HasSubstr("there is no stage 3 (give 1 to 2)"));
  EXPECT_THAT(refused(explain(graph, 1, {"s", {single_unit_stage(UnitId(1))}}, latencies, {}, {})).text(),
              HasSubstr("'a' is in no stage"));
  latencies.fail_after(0);
  EXPECT_FALSE(explain(graph, 1, schedule, latencies, {}, {}));
  FakeLatencies others(arbitrary_latency);
  EXPECT_THAT(refused(explain(graph, 1, schedule, others, {}, {stopped_token(), {}})).text(), HasSubstr("stopped"));
}

Stage stage_of(std::vector<std::vector<std::vector<std::size_t>>> groups) {
  Stage stage;
  for (const auto& steps : groups) {
    Group& group = stage.groups.emplace_back();
    for (const auto& units : steps) {
      Step& step = group.steps.emplace_back();
      for (const std::size_t unit : units) step.units.emplace_back(unit);
    }
  }
  return stage;
}

// "split: [a] | [b c]", one a change.
std::vector<std::string> texts(const Graph& graph, const Schedule& schedule, std::size_t stage) {
  std::vector<std::string> texts;
  for (const Change& change : changes_at(graph, schedule, stage)) {
    std::string text = std::string(change_name(change.kind)) + ":";
    for (std::size_t i = 0; i < change.stages.size(); ++i) {
      text += (i == 0 ? " " : " | ") + groups_text(graph, change.stages[i]);
    }
    texts.push_back(text);
  }
  return texts;
}

TEST(Changes, SplitAChainBetweenEachTwoOfItsUnits) {
  const Graph graph = chain(3);
  EXPECT_THAT(texts(graph, {"", {stage_of({{{0}, {1}, {2}}})}}, 0),
              UnorderedElementsAre("split: [a] | [b c]", "split: [a b] | [c]"));
}

TEST(Changes, SplitMergeableConvolutionsInEveryWay) {
  const Graph graph = fork(3);
  EXPECT_THAT(
      texts(graph, {"", {stage_of({{{0}}, {{1}}, {{2}}})}}, 0),
      UnorderedElementsAre("split: [a] | [b] [c]", "split: [a] | [b+c]", "split: [b] | [a] [c]", "split: [b] | [a+c]",
                           "split: [c] | [a] [b]", "split: [c] | [a+b]", "split: [a] [b] | [c]", "split: [a+b] | [c]",
                           "split: [a] [c] | [b]", "split: [a+c] | [b]", "split: [b] [c] | [a]", "split: [b+c] | [a]",
                           "merge: [a+b+c]"));
}

TEST(Changes, TakeAMergedConvolutionApart) {
  const Graph graph = fork(2);
  EXPECT_THAT(texts(graph, {"", {stage_of({{{0, 1}}})}}, 0),
              UnorderedElementsAre("split: [a] | [b]", "split: [b] | [a]", "unmerge: [a] [b]"));
}

TEST(Changes, JoinMoveAndTake) {
  const Graph graph = diamond();
  const Schedule schedule{"", {stage_of({{{0}}}), stage_of({{{1}}, {{2}}}), stage_of({{{3}}})}};
  EXPECT_THAT(texts(graph, schedule, 1),
              UnorderedElementsAre("split: [b] | [c]", "split: [c] | [b]", "join-before: [a b c]",
                                   "join-after: [b c d]", "merge: [b+c]", "move-before: [a b] | [c]",
                                   "move-before: [a c] | [b]", "move-after: [b] | [c d]", "move-after: [c] | [b d]"));
  EXPECT_THAT(texts(graph, schedule, 2),
              UnorderedElementsAre("join-before: [b c d]", "take-before: [b] | [c d]", "take-before: [c] | [b d]"));
  EXPECT_THAT(texts(graph, schedule, 0), Contains("take-after: [a b] | [c]"));
}

TEST(Changes, KeepUnconnectedUnitsOfAGroupTogether) {
  const Graph graph = fork(3);
  const Schedule schedule{"", {stage_of({{{0}, {1}}}), stage_of({{{2}}})}};
  EXPECT_THAT(texts(graph, schedule, 1), Contains("join-before: [a b] [c]"));
  EXPECT_THAT(texts(graph, schedule, 1), Not(Contains("join-before: [a] [b] [c]")));
}

TEST(Changes, KeepTheOrderOfAGroup) {
  const Graph graph = fork(3);
  const Schedule schedule{"", {stage_of({{{1}, {0}}}), stage_of({{{2}}})}};
  EXPECT_THAT(texts(graph, schedule, 1), Contains("join-before: [b a] [c]"));
}

TEST(Changes, KeepMergedConvolutionsOfAGroup) {
  const Graph graph = sample();  // a, b and c read the input, d reads a
  const Schedule schedule{"", {stage_of({{{0, 1, 2}}}), stage_of({{{3}, {4}}})}};
  EXPECT_THAT(texts(graph, schedule, 1), Contains("take-before: [a+b] | [c d concat]"));
  EXPECT_THAT(texts(graph, schedule, 0), Contains("take-after: [a+b+c d] | [concat]"));
}

TEST(Changes, SayWhatTheyDo) {
  const Graph graph = sample();
  const Schedule schedule{"", {stage_of({{{0}}, {{1}}, {{2}}}), stage_of({{{3}, {4}}})}};
  auto words = mapped<std::string>(changes_at(graph, schedule, 0),
                                   [&](const Change& change) { return change_text(graph, schedule, change); });
  EXPECT_THAT(words, IsSupersetOf({"split off [a] first", "split off [a] first, merging [b c]", "split off [a] last",
                                   "join with stage 2", "merge [a b c]", "move [b] to stage 2, merging [a c]",
                                   "take [d] from stage 2"}));
  EXPECT_EQ(std::set<std::string>(words.begin(), words.end()).size(), words.size());
}

// Every change of every stage of a schedule is another legal schedule of the same units.
void check_all(const Graph& graph, const Schedule& schedule) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < schedule.stages.size(); ++i) {
    std::set<std::string> seen;
    for (const Change& change : changes_at(graph, schedule, i)) {
      ++count;
      const Schedule other = changed(schedule, change);
      const auto legal = check_legal(graph, other);
      ASSERT_TRUE(legal) << change_text(graph, schedule, change) << " at stage " << i + 1 << ": "
                         << legal.error().text();
      EXPECT_TRUE(change.begin <= i && i < change.end);
      std::string text = std::to_string(change.begin);
      for (const Stage& stage : change.stages) text += '|' + groups_text(graph, stage);
      EXPECT_TRUE(seen.insert(text).second) << text;
      EXPECT_NE(other, schedule);
    }
  }
  EXPECT_GT(count, schedule.stages.size());
}

TEST(Changes, AreLegalForEveryBaselineOfTheZoo) {
  for (const char* name : {"squeezenet", "inception_v3", "randwire"}) {
    const Graph graph = *zoo_network(name);
    SCOPED_TRACE(name);
    check_all(graph, one_by_one_schedule(graph));
    check_all(graph, greedy_schedule(graph));
  }
}

TEST(Changes, AreLegalForRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Graph graph = random_dag(seed, 12);
    SCOPED_TRACE(seed);
    const Schedule greedy = greedy_schedule(graph, 4);
    check_all(graph, greedy);
    // And of what one change makes of it: merged convolutions beside and inside groups.
    const std::vector<Change> first = changes_at(graph, greedy, 0);
    for (std::size_t i = 0; i < first.size(); i += 5) check_all(graph, changed(greedy, first[i]));
  }
}

// A fork of three convolutions where stages cost 1 ms a unit, less 0.25 ms a lane beyond the first.
class Report : public testing::Test {
 protected:
  void explain_stage(const SearchOptions& search) {
    search_ = search;
    auto found = must(explain(graph_, 1, schedule_, latencies_, {.stage = 0, .search = search_}, {}));
    explanation_ = std::move(found);
  }
  Explained explained() const { return {graph_, schedule_, device_, 1, search_, explanation_}; }
  std::string stage() const { return stage_text(explained(), explanation_.explained.front()); }

  Graph graph_ = fork(3);
  Schedule schedule_{"mine",
                     {Stage{{Group{{Step{{UnitId(0)}}}}, Group{{Step{{UnitId(1)}}}}}}, single_unit_stage(UnitId(2))}};
  FakeLatencies latencies_{[](const Stage& stage) {
    return static_cast<double>(stage.units().size()) - 0.25 * static_cast<double>(stage.groups.size() - 1);
  }};
  DeviceInfo device_{.id = "fake", .name = "Fake device", .summary = {}, .fingerprint = "fake 1"};
  SearchOptions search_;
  Explanation explanation_;
};

TEST_F(Report, SaysFirstWhatIsBetter) {
  explain_stage({});
  EXPECT_THAT(stage(), HasSubstr("stage 1 of 2: 1.750 ms (simulated), 63.6 % of the stage sum\n"
                                 "  concurrent: [a] [b]\n"
                                 "Better: join with stage 2, -0.250 ms (simulated)."));
  EXPECT_THAT(overview_text(explained()), HasSubstr("something better is known at 1 of 2 stages"));
}

TEST_F(Report, SaysWhichLimitExcludesWhatIsBetter) {
  explain_stage({.pruning = {.s = 2}});
  EXPECT_THAT(stage(), HasSubstr("Next best: move [a] to stage 2, 0 ms (simulated). "
                                 "Excluded: join with stage 2, -0.250 ms (simulated); s = 2: 3 groups."));
  explain_stage({.pruning = {.s = 1}});
  EXPECT_THAT(stage(), HasSubstr("takes this stage: s = 1: 2 groups."));
}

TEST_F(Report, IsWrittenAsJson) {
  explain_stage({.pruning = {.s = 2}});
  const auto json = explanation_json(explained());
  EXPECT_EQ(json.at("schedule"), "mine");
  EXPECT_EQ(json.at("stage_sum_ms"), 2.75);
  EXPECT_EQ(json.at("basis"), "simulated");
  EXPECT_EQ(json.at("search").at("s"), 2);
  EXPECT_EQ(json.at("critical_path").at("ms"), 1.0);
  EXPECT_EQ(json.at("work"), nullptr);
  ASSERT_EQ(json.at("stages").size(), 2U);
  EXPECT_EQ(json.at("stages")[1].at("cost_ms"), 1.0);
  ASSERT_EQ(json.at("explained").size(), 1U);
  const auto& first = json.at("explained")[0].at("alternatives")[0];
  EXPECT_EQ(first.at("change"), "join-after");
  EXPECT_EQ(first.at("difference_ms"), -0.25);
  EXPECT_EQ(first.at("better"), true);
  EXPECT_EQ(first.at("replaces"), nlohmann::ordered_json({1, 2}));
  EXPECT_EQ(first.at("stages")[0].at("groups").size(), 3U);
  EXPECT_EQ(first.at("excluded")[0].at("limit"), "s");
}

TEST_F(Report, CallsKnownOnlyWhatIsKnown) {
  explain_stage({.pruning = {.s = 2}});
  EXPECT_THAT(overview_text(explained()), HasSubstr("no small change that a search may make is better"));
  Alternative& first = *std::ranges::find_if(explanation_.explained.front().alternatives,
                                             [](const Alternative& each) { return each.excluded.empty(); });
  first.basis = Basis::kUnknown;
  EXPECT_THAT(overview_text(explained()), HasSubstr("none is known to be better (1 was never measured)"));
  first.basis = Basis::kPredicted;
  first.difference = Millis(-0.5);
  EXPECT_THAT(overview_text(explained()),
              HasSubstr("nothing better is known; perhaps, by prediction, at 1 of 2 stages"));
  // What may be cheaper for all that a bound says does not hide it.
  Alternative bounded = first;
  bounded.basis = Basis::kBound;
  bounded.difference = Millis(-0.9);
  auto& all = explanation_.explained.front().alternatives;
  all.insert(all.begin(), bounded);
  EXPECT_THAT(overview_text(explained()), HasSubstr("most to gain:\n  stage 1: about -0.500 ms (predicted)"));
  StageExplanation second = explanation_.explained.front();
  second.alternatives.front().basis = Basis::kSimulated;
  second.alternatives.front().difference = Millis(-0.75);
  second.alternatives.front().excluded.clear();
  explanation_.explained.push_back(second);
  EXPECT_THAT(overview_text(explained()),
              HasSubstr("something better is known at 1 of 2 stages; perhaps, by prediction, at 1 more"));
}

// What the direct computation of convolutions takes is no bound of what Winograd's way takes.
TEST_F(Report, SharesOfWorkAreAtMostAll) {
  explain_stage({});
  explanation_.work = WorkTime{.compute = Millis(5.5), .memory = Millis(0.5)};
  EXPECT_THAT(overview_text(explained()), HasSubstr("work: 5.500 ms at the device's full rates (memory 0.500 ms; "));
  explanation_.work->compute = Millis(1.1);
  EXPECT_THAT(overview_text(explained()),
              HasSubstr("work: 1.100 ms at the device's full rates, 40 % of the stage sum"));
}

TEST(ExplainTexts, SayHowANumberIsKnown) {
  EXPECT_EQ(cost_text({Millis(0.3651), Basis::kSimulated}), "0.365 ms (simulated)");
  EXPECT_EQ(cost_text({Millis(0.3651), Basis::kReused, Millis(0.01)}), "0.365 ± 0.010 ms (reused)");
  EXPECT_EQ(cost_text({Millis(0.3651), Basis::kPredicted}), "about 0.365 ms (predicted)");
  EXPECT_EQ(cost_text({Millis(0.3651), Basis::kBound}), "at least 0.365 ms (bound)");
  EXPECT_EQ(cost_text({}), "unknown");
  Alternative one{.change = {ChangeKind::kSplit, 0, 1, {}, {}},
                  .costs = {},
                  .difference = Millis(-0.0004),
                  .basis = Basis::kMeasured};
  EXPECT_EQ(difference_text(one), "-0.0004 ms (measured)");
  one.error = Millis(0.002);
  EXPECT_EQ(difference_text(one), "-0.0004 ± 0.002 ms (measured, within the noise)");
  one.basis = Basis::kUnknown;
  EXPECT_EQ(difference_text(one), "unknown");
}

}  // namespace

}  // namespace iosx::test
