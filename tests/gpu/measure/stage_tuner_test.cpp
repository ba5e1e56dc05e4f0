#include "gpu/measure/stage_tuner.h"
#include "core/model/schedule/baselines.h"
#include "gpu/exec/enqueue.h"
#include "gpu/measure/way_selector.h"
#include "tests/devices/measure/samples.h"
#include "tests/gpu/measure/measuring.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"
#include "tests/support/random_plans.h"

namespace iosx::gpu {
namespace {

using iosx::test::Samples;
using test::Engine;
using test::EngineLibrary;
using test::Measuring;

// One that fills the GPU by itself and is the fastest alone; one that leaves room for another of its kind.
const std::vector<Engine> kGreedy{{"large", 10, 1}, {"small", 12, 0.5}};

// One program run: a device that tunes.
struct Tuned {
  explicit Tuned(std::vector<Engine> engines, PlanStore& store, double noise_part = 0, std::int64_t memory = 1 << 24)
      : noise(noise_part),
        library(std::move(engines)),
        m(
            [this](const Step& step) {
              if (++launches == stop_at) stop.request_stop();
              const auto [time, fill] = library.cost(step);
              return std::pair(time * (1 + noise * (random.uniform() - 0.5)), fill);
            },
            Micros{25}, memory),
        runtime(m.runtime),
        timer(runtime, m.guard),
        selector(runtime, library, timer, store),
        exec_context(runtime, selector, Math::kTf32),
        tuner(exec_context, timer, store) {}

  WayRanks tune(const ExecutionPlan& plan) {
    const JobContext job{stop.get_token(), {}};
    selector.set_job(&job);
    const auto ranks = tuner.tune(plan, job);
    selector.set_job(nullptr);
    EXPECT_TRUE(ranks) << ranks.error().text();
    return ranks.value_or(WayRanks{});
  }

  // What a plan takes, without the noise.
  Millis quiet_latency(const ExecutionPlan& plan, const WayRanks& ranks) {
    noise = 0;
    auto prepared = PreparedPlan::prepare(plan, exec_context, ranks, {});
    const auto copies = [&](int n) { enqueue(*prepared, m.runtime, {}, n); };
    return m.timer.per_copy(copies, {}, {})->value;
  }

  double noise;
  Samples random{5};
  std::int64_t launches = 0;
  std::int64_t stop_at = -1;
  std::stop_source stop;
  EngineLibrary library;
  Measuring m;
  test::FailingRuntime runtime;
  ReplayTimer timer;
  WaySelector selector;
  ExecContext exec_context;
  StageTuner tuner;
};

// Convolutions that read the same input, `side` of them side by side in each stage.
ExecutionPlan forked(std::size_t units, std::size_t side) {
  const Graph graph = iosx::test::fork(units);
  Schedule schedule{"own", {}};
  for (std::size_t i = 0; i < units; ++i) {
    if (i % side == 0) schedule.stages.emplace_back();
    schedule.stages.back().groups.push_back(Group{{iosx::Step{{UnitId(i)}}}});
  }
  return lower(graph, schedule, 1, {.fuse = true, .concat_in_place = true});
}

TEST(StageTuner, TakesWaysThatLeaveOneAnotherRoom) {
  PlanStore store(std::nullopt, "gpu");
  Tuned program(kGreedy, store, 0.05);
  EXPECT_THAT(program.tune(forked(2, 2)), ElementsAre(1, 1));  // 12 µs instead of 20
  EXPECT_EQ(program.tuner.tuned_stages(), 1);
}

// It is not among the fastest four alone, and kept for its small workspace.
TEST(StageTuner, MayChooseASmallWay) {
  PlanStore store(std::nullopt, "gpu");
  Tuned program(
      {{"a", 10, 0.9, 4096}, {"b", 11, 0.9, 4096}, {"c", 12, 0.9, 4096}, {"d", 13, 0.9, 4096}, {"e", 14, 0.3}}, store);
  EXPECT_THAT(program.tune(forked(2, 2)), ElementsAre(4, 4));  // 14 µs instead of 18
}

TEST(StageTuner, MixesWaysWhereThatIsBest) {
  PlanStore store(std::nullopt, "gpu");
  Tuned program({{"large", 10, 0.9}, {"tiny", 11, 0.1}, {"bad", 15, 1}}, store);
  const WayRanks ranks = program.tune(forked(2, 2));
  EXPECT_THAT(ranks, AnyOf(ElementsAre(0, 1), ElementsAre(1, 0), ElementsAre(1, 1)));  // 11 µs each; 18 before
}

// Many comparisons of what is the same, of which noise decides some: that has to win twice.
TEST(StageTuner, KeepsWhatIsFastestAloneUnlessAnotherIsFasterBeyondTheNoise) {
  int changed = 0;
  for (std::uint64_t seed = 0; seed < 40; seed += iosx::test::every(10)) {
    PlanStore store(std::nullopt, "gpu");
    Tuned program({{"a", 10, 0.2}, {"b", 10, 0.2}, {"c", 10, 0.2}, {"d", 10, 0.2}}, store, 0.5);
    program.random = Samples(seed);
    changed += program.tune(forked(3, 3)) == WayRanks{0, 0, 0} ? 0 : 1;
  }
  EXPECT_LE(changed, 2);
}

TEST(StageTuner, NeverMakesAStageSlower) {
  int faster = 0;
  for (std::uint64_t seed = 0; seed < 15; seed += iosx::test::every(3)) {
    Samples random(seed);
    std::vector<Engine> engines;
    for (const char* name : {"a", "b", "c"}) engines.push_back({name, 10 + 4 * random.uniform(), random.uniform()});
    PlanStore store(std::nullopt, "gpu");
    Tuned program(engines, store, 0.1);
    const ExecutionPlan plan = forked(3, 3);
    const WayRanks ranks = program.tune(plan);
    const Millis tuned = program.quiet_latency(plan, ranks);
    const Millis alone = program.quiet_latency(plan, {});
    EXPECT_LE(tuned, 1.001 * alone) << seed;
    faster += tuned < 0.99 * alone ? 1 : 0;
  }
  EXPECT_GE(faster, 6 / iosx::test::every(3));
}

// Two plans in turn in the same memory.
TEST(StageTuner, TimesOnNumbersAwayFromZeroAndInfinity) {
  GraphBuilder builder("wide");
  Conv conv{.out_channels = 64};
  const Value in = builder.input("in", Shape{64, 1, 1});
  builder.add("p", conv, {in});
  builder.add("q", conv, {in});
  const Graph graph = std::move(builder).build().value();
  Schedule schedule{"own", {{{Group{{iosx::Step{{UnitId(0)}}}}, Group{{iosx::Step{{UnitId(1)}}}}}}}};
  const ExecutionPlan plan = lower(graph, schedule, 1, {.fuse = true, .concat_in_place = true});

  test::HostRuntime::Options options;
  EngineLibrary library({{"a", 10}, {"b", 10, 0, 4096}});
  options.cost = [&](const Step& step) { return library.cost(step); };
  test::HostRuntime runtime(options);
  ClockGuard::Options quick;
  quick.warm_up_min = quick.warm_up_max = std::chrono::milliseconds{0};
  quick.step = std::chrono::milliseconds{0};
  ClockGuard guard(runtime, quick);
  ReplayTimer timer(runtime, guard);
  PlanStore store(std::nullopt, "gpu");
  WaySelector selector(runtime, library, timer, store);
  ExecContext exec_context(runtime, selector, Math::kTf32);
  StageTuner tuner(exec_context, timer, store);
  ASSERT_TRUE(tuner.tune(plan, {}));
  EXPECT_EQ(tuner.tuned_stages(), 1);
  std::vector<float> values(3 * 64);  // in, p, q
  runtime.download(values.data(), exec_context.arena(0), static_cast<std::int64_t>(values.size() * sizeof(float)));
  for (const float value : values) {
    EXPECT_TRUE(std::isfinite(value));
    EXPECT_NE(value, 0);
    EXPECT_LT(std::abs(value), 100);
  }
}

TEST(StageTuner, LeavesLanesByThemselvesAlone) {
  PlanStore store(std::nullopt, "gpu");
  Tuned program(kGreedy, store);
  EXPECT_THAT(program.tune(forked(3, 1)), ElementsAre(0, 0, 0));
  EXPECT_EQ(program.tuner.tuned_stages(), 0);
  EXPECT_EQ(program.library.asked, 0);  // nor measured alone: whoever prepares the plan does
}

TEST(StageTuner, TunesEqualStagesOnce) {
  PlanStore store(std::nullopt, "gpu");
  Tuned program(kGreedy, store);
  EXPECT_THAT(program.tune(forked(7, 2)), ElementsAre(1, 1, 1, 1, 1, 1, 0));
  EXPECT_EQ(program.tuner.tuned_stages(), 1);
}

TEST(StageTuner, RemembersInTheStore) {
  PlanStore store(std::nullopt, "gpu");
  Tuned(kGreedy, store).tune(forked(2, 2));
  Tuned again(kGreedy, store);
  EXPECT_THAT(again.tune(forked(2, 2)), ElementsAre(1, 1));
  EXPECT_EQ(again.tuner.tuned_stages(), 0);
  EXPECT_EQ(again.library.asked, 0);
  EXPECT_EQ(again.launches, 0);
}

// Ranks count in a list that is not the same any more.
TEST(StageTuner, TunesAnewWhenOtherWaysWereKept) {
  PlanStore store(std::nullopt, "gpu");
  Tuned(kGreedy, store).tune(forked(2, 2));
  Tuned other({{"large", 10, 0.5}, {"small", 12, 0.5}, {"new", 11, 0.5}}, store);
  other.library.mark = std::string("2");  // what is in the store is not taken back
  EXPECT_THAT(other.tune(forked(2, 2)), ElementsAre(0, 0));
  EXPECT_EQ(other.tuner.tuned_stages(), 1);
}

TEST(StageTuner, DoesWithoutWhatDoesNotFitSideBySide) {
  PlanStore store(std::nullopt, "gpu");
  Tuned program({{"large", 10, 1}, {"small", 12, 0.5, 200 << 10}}, store, 0, 384 << 10);
  EXPECT_THAT(program.tune(forked(2, 2)), AnyOf(ElementsAre(0, 1), ElementsAre(1, 0)));  // 17 µs
}

// The plan that was prepared before the memory grew must not be timed in memory that is gone.
TEST(StageTuner, PreparesAgainWhatTheMemoryHasLeft) {
  PlanStore store(std::nullopt, "gpu");
  Tuned program({{"large", 10, 1}, {"small", 12, 0.5, 200 << 10}}, store);
  EXPECT_THAT(program.tune(forked(2, 2)), ElementsAre(1, 1));
  EXPECT_EQ(program.runtime.refused, 0);
}

TEST(StageTuner, StopsAnywhereAndStoresNothingHalf) {
  std::int64_t all = 0;
  {
    PlanStore store(std::nullopt, "gpu");
    Tuned program(kGreedy, store);
    program.tune(forked(2, 2));
    all = program.launches;
  }
  for (std::int64_t at = 1; at < all; at += 1 + all / (20 / iosx::test::every(4))) {
    PlanStore store(std::nullopt, "gpu");
    Tuned program(kGreedy, store);
    program.stop_at = at;
    const WayRanks ranks = program.tune(forked(2, 2));
    EXPECT_TRUE(program.stop.stop_requested());
    EXPECT_LE(program.launches - at, 600) << at << " of " << all;  // a sample of two lanes
    if (program.tuner.tuned_stages() == 0) {
      EXPECT_THAT(ranks, ElementsAre(0, 0));
    }
    Tuned next(kGreedy, store);
    EXPECT_THAT(next.tune(forked(2, 2)), ElementsAre(1, 1));
  }
}

TEST(StageTuner, ReportsProgress) {
  PlanStore store(std::nullopt, "gpu");
  Tuned program(kGreedy, store);
  std::vector<std::int64_t> done;
  const JobContext job{{}, [&](const Progress& progress) {
                         if (progress.total == 3) done.push_back(progress.done);
                       }};
  ASSERT_TRUE(program.tuner.tune(forked(5, 2), job));
  EXPECT_THAT(done, ElementsAre(0, 1));
}

constexpr LowerOptions kLowering{.fuse = true, .concat_in_place = true, .input_channel_multiple = 8};

// The same as lowering the stage by itself, but for buffers that later stages write to, which are external here.
void expect_as_lowered_alone(const Graph& graph, const Schedule& schedule) {
  const ExecutionPlan plan = lower(graph, schedule, 2, kLowering);
  for (std::size_t i = 0; i < schedule.stages.size(); ++i) {
    const ExecutionPlan cut = stage_of(plan, i).plan;
    const ExecutionPlan alone = lower_stage(graph, schedule.stages[i], 2, kLowering);
    ASSERT_EQ(cut.kernels.size(), alone.kernels.size());
    ASSERT_EQ(cut.stages.size(), 1U);
    EXPECT_EQ(cut.stages.front().lanes, alone.stages.front().lanes);
    EXPECT_EQ(cut.batch, 2);
    EXPECT_EQ(cut.parameters, plan.parameters);
    for (std::size_t k = 0; k < cut.kernels.size(); ++k) {
      const Kernel& a = cut.kernels[k];
      const Kernel& b = alone.kernels[k];
      EXPECT_EQ(a.name, b.name);
      EXPECT_EQ(a.lane, b.lane);
      EXPECT_EQ(a.waits, b.waits);
      ASSERT_EQ(a.reads.size(), b.reads.size());
      const auto expect_same_view = [&](const TensorView& x, const TensorView& y) {
        EXPECT_EQ(x.begin, y.begin);
        EXPECT_EQ(x.end, y.end);
        const Buffer& ours = cut.buffers[x.buffer.index()];
        const Buffer& theirs = alone.buffers[y.buffer.index()];
        EXPECT_EQ(ours.blank, theirs.blank);
        EXPECT_EQ(ours.shape, theirs.shape) << a.name;
        EXPECT_EQ(ours.constant, theirs.constant);
        EXPECT_GE(ours.external, theirs.external) << a.name;
      };
      for (std::size_t r = 0; r < a.reads.size(); ++r) expect_same_view(a.reads[r], b.reads[r]);
      expect_same_view(a.writes, b.writes);
    }
  }
}

TEST(StageOf, IsTheStageAsLoweredAlone) {
  for (const Graph& graph :
       {iosx::test::diamond(), iosx::test::sample(), iosx::test::fork_join(3), iosx::test::dense_block(4)}) {
    expect_as_lowered_alone(graph, one_by_one_schedule(graph));
    expect_as_lowered_alone(graph, greedy_schedule(graph));
  }
}

// Merged convolutions as well: every kernel is in one stage's plan, and reads what is there before or made before it.
TEST(StageOf, CutsRandomPlansIntoPlansThatStandAlone) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Graph graph = iosx::test::random_concat_graph(seed, 12);
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const ExecutionPlan plan = lower(graph, iosx::test::random_schedule(graph, random), 1, kLowering);
    std::set<std::size_t> seen;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
      const StagePlan stage = stage_of(plan, i);
      std::set<std::size_t> made;
      ASSERT_EQ(stage.kernels.size(), stage.plan.kernels.size());
      for (std::size_t k = 0; k < stage.plan.kernels.size(); ++k) {
        const Kernel& kernel = stage.plan.kernels[k];
        const Kernel& original = plan.kernel(stage.kernels[k]);
        EXPECT_EQ(kernel.name, original.name);
        EXPECT_EQ(original.stage, i);
        EXPECT_TRUE(seen.insert(stage.kernels[k].index()).second);
        for (const TensorView& view : kernel.reads) {
          const std::size_t buffer = view.buffer.index();
          EXPECT_TRUE(stage.plan.buffers[buffer].external || made.count(buffer) == 1) << seed << ' ' << kernel.name;
        }
        made.insert(kernel.writes.buffer.index());
        for (const KernelId wait : kernel.waits) EXPECT_LT(wait.index(), k);
      }
    }
    EXPECT_EQ(seen.size(), plan.kernels.size());
  }
}

}  // namespace

}  // namespace iosx::gpu
