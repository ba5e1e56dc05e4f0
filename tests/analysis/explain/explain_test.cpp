#include "core/analysis/explain/explain.h"

#include <gmock/gmock.h>

#include <map>

#include "core/devices/measure/device_latency_source.h"
#include "core/model/schedule/baselines.h"
#include "core/search/prepare.h"
#include "core/search/search.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/support/fake_latencies.h"
#include "tests/support/graphs.h"

namespace iosx::test {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

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
    const auto explanation = explain(graph, 1, schedule, latencies, {}, {});
    ASSERT_TRUE(explanation) << explanation.error().text();
    EXPECT_NEAR(explanation->sum.count(), sum_of(schedule, latencies), 1e-9);
    ASSERT_EQ(explanation->explained.size(), schedule.stages.size());
    for (const StageExplanation& stage : explanation->explained) {
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
    const auto found = search(graph, latencies, options, {});
    ASSERT_TRUE(found);
    const auto explanation = explain(graph, 1, found->schedule, latencies, {.search = options}, {});
    ASSERT_TRUE(explanation);
    bool excluded_better = false;
    for (const StageExplanation& stage : explanation->explained) {
      EXPECT_THAT(stage.excluded, IsEmpty());
      const Alternative* next = stage.next_best();
      EXPECT_TRUE(next == nullptr || next->difference.count() > -1e-9);
      for (const Alternative& each : stage.alternatives) excluded_better = excluded_better || each.is_better();
    }
    EXPECT_TRUE(excluded_better || seed > 0);  // what the pruning costs is seen
  }
}

TEST(Explain, ASimulatedGreedyScheduleHasSomethingBetter) {
  DeviceRegistry devices;
  add_simulated_devices(devices);
  const auto device = devices.open("tesla-v100");
  ASSERT_TRUE(device);
  const Graph graph = *zoo_network("sample");
  DeviceLatencySource source(graph, **device, 1);
  const ExplainOptions options{.stage = 0, .rates = (*device)->peak_rates()};
  const auto explanation = explain(graph, 1, greedy_schedule(graph), source, options, {});
  ASSERT_TRUE(explanation);
  ASSERT_EQ(explanation->explained.size(), 1U);
  const Alternative* next = explanation->explained.front().next_best();
  ASSERT_NE(next, nullptr);
  EXPECT_TRUE(next->is_better());
  EXPECT_EQ(next->change.kind, ChangeKind::kMoveAfter);  // the schedule that the paper draws: c beside d
  EXPECT_EQ(next->basis, Basis::kSimulated);
  ASSERT_TRUE(explanation->work);
  EXPECT_LT(explanation->work->memory, explanation->work->compute);
  EXPECT_LT(explanation->work->compute, explanation->sum);
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
    const auto device = devices.open(id);
    ASSERT_TRUE(device) << device.error().text();
    for (const char* name : {"resnet18", "resnet50", "squeezenet"}) {
      const Graph graph = *prepare(*zoo_network(name), {});
      for (const std::int64_t batch : {1, 32}) {
        SCOPED_TRACE(testing::Message() << name << " on " << id << ", batch " << batch);
        DeviceLatencySource source(graph, **device, batch);
        const auto found = search(graph, source, {}, {});
        ASSERT_TRUE(found);
        for (const Schedule& schedule : {one_by_one_schedule(graph), greedy_schedule(graph), found->schedule}) {
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
  const auto explanation = explain(graph, 1, greedy_schedule(graph), source, {}, {});
  ASSERT_TRUE(explanation);
  EXPECT_EQ(explanation->stages.front().basis, Basis::kBound);
  EXPECT_EQ(explanation->stages.front().value, Millis(1.0));  // two lanes take as long as the longer one
  EXPECT_FALSE(explanation->critical_path);
  EXPECT_EQ(explanation->unknown_units, 1U);
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
  const auto beyond = explain(graph, 1, schedule, latencies, {.stage = 2}, {});
  ASSERT_FALSE(beyond);
  EXPECT_THAT(beyond.error().text(), HasSubstr("there is no stage 3 (give 1 to 2)"));
  const auto illegal = explain(graph, 1, {"s", {single_unit_stage(UnitId(1))}}, latencies, {}, {});
  ASSERT_FALSE(illegal);
  EXPECT_THAT(illegal.error().text(), HasSubstr("'a' is in no stage"));
  latencies.fail_after(0);
  EXPECT_FALSE(explain(graph, 1, schedule, latencies, {}, {}));
  std::stop_source stop;
  stop.request_stop();
  FakeLatencies others(arbitrary_latency);
  const auto stopped = explain(graph, 1, schedule, others, {}, {stop.get_token(), {}});
  ASSERT_FALSE(stopped);
  EXPECT_THAT(stopped.error().text(), HasSubstr("stopped"));
}

}  // namespace
}  // namespace iosx::test
