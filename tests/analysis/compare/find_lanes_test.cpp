// Schedules without barriers, on a simulated GPU.

#include "core/analysis/compare/find_lanes.h"

#include "core/analysis/compare/compare.h"
#include "core/analysis/compare/comparison.h"
#include "core/devices/cpu/cpu_device.h"
#include "core/devices/simulated/simulated_device.h"
#include "core/formats/schedule_file.h"
#include "core/model/graph/networks.h"
#include "core/model/plan/plan_validity.h"
#include "core/model/schedule/baselines.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/support/random_plans.h"

namespace iosx {
namespace {

std::unique_ptr<Device> simulated(const std::string& id) {
  return std::make_unique<simulated::SimulatedDevice>(simulated_description(id));
}

// A simulated GPU that says it measures: the n-th run request is slower by a part of its own.
class Measuring final : public Device {
 public:
  Measuring() : info_(gpu_->info()) { info_.origin = Origin::kMeasured; }
  const DeviceInfo& info() const override { return info_; }

  std::function<void(int run)> before_run;             // with how many came before it; may be empty
  std::function<bool(const ExecutionPlan&)> has_room;  // for one more plan; empty: always
  double noise = 0;                                    // the largest part

 private:
  class Loaded final : public LoadedPlan {
   public:
    Loaded(Measuring& device, ExecutionPlan plan, std::unique_ptr<LoadedPlan> held)
        : LoadedPlan(device.info_, std::move(plan)), device_(device), held_(std::move(held)) {}

   private:
    Result<RunResult> do_run(const RunOptions& options, const JobContext& job) override {
      if (device_.before_run) device_.before_run(device_.runs_);
      ++device_.runs_;
      IOS_TRY(RunResult result, held_->run(options, job));
      const double slower = 1 + device_.noise * static_cast<double>(device_.random_() % 1000) / 1000;
      result.latency.value *= slower;
      result.latency.origin = Origin::kMeasured;
      for (Latency& latency : result.stage_latencies) latency.origin = Origin::kMeasured;
      return result;
    }
    Measuring& device_;
    std::unique_ptr<LoadedPlan> held_;
  };

  Result<std::vector<Latency>> do_measure(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                          const JobContext& job) override {
    IOS_TRY(auto latencies, gpu_->measure(plans, timing, job));
    for (Latency& latency : latencies) latency.origin = Origin::kMeasured;
    return latencies;
  }
  Result<std::unique_ptr<LoadedPlan>> do_load(ExecutionPlan plan, const LoadOptions& options,
                                              const JobContext& job) override {
    if (has_room && !has_room(plan)) return fail(message("no room"));
    IOS_TRY(auto held, gpu_->load(plan, options, job));
    return std::make_unique<Loaded>(*this, std::move(plan), std::move(held));
  }

  std::unique_ptr<Device> gpu_ = simulated("h200");
  DeviceInfo info_;
  std::mt19937 random_{1};
  int runs_ = 0;
};

Millis run(Device& device, const ExecutionPlan& plan) {
  return load_and_run(device, plan, {}, {}).value().latency.value;
}

TEST(FindLanes, GainsWhatBarriersCost) {
  const Graph graph = zoo_network("parallel_vit_s16").value();
  const auto device = simulated("h200");
  const ExecutionPlan staged = StagePlanner(graph, 1, device->info().lowering).plan(greedy_schedule(graph));
  const auto found = find_lanes(*device, staged, {}, {});
  ASSERT_TRUE(found && found->best);
  EXPECT_GT(run(*device, staged) / found->best->took, 1.15);
  EXPECT_EQ(run(*device, found->best->plan), found->best->took);
  EXPECT_TRUE(check_plan(found->best->plan));
  EXPECT_EQ(barrier_free_plan(staged, found->best->lanes).value(), found->best->plan);
}

TEST(FindLanes, MergesEverythingThatCanBe) {
  const Graph graph = zoo_network("parallel_vit_s16").value();
  const auto merged = must(merged_schedule(graph));
  EXPECT_TRUE(check_legal(graph, merged));
  ASSERT_EQ(merged.stages.size(), sequential_schedule(graph).stages.size());
  const std::vector<Step>& block = merged.stages[1].groups.front().steps;
  const auto heads = std::ranges::find_if(block, &Step::merged);
  ASSERT_NE(heads, block.end());
  EXPECT_EQ(heads->units.size(), 3 * 6U);  // a query, a key and a value a head
  EXPECT_EQ(std::ranges::count_if(block, &Step::merged), 1);
  EXPECT_FALSE(merged_schedule(test::chain(3)));

  // One product instead of 18, and what follows it on lanes of its own.
  const auto device = simulated("h200");
  StagePlanner planner(graph, 1, device->info().lowering);
  const auto with = find_lanes(*device, planner.plan(merged), {}, {}).value();
  const auto without = find_lanes(*device, planner.plan(sequential_schedule(graph)), {}, {}).value();
  ASSERT_TRUE(with.best && without.best);
  EXPECT_GT(without.best->took / with.best->took, 1.05);
}

// What lanes gain is parted by a run of the fastest stages' own lanes without barriers, which anybody can make.
TEST(LaneGain, IsWhatBarriersAndOrderCost) {
  int with_gain = 0;
  for (const char* network : {"googlenet", "squeezenet"}) {
    const auto device = simulated("h200");
    const auto comparison = must(compare(zoo_network(network).value(), *device, {}, {}));
    const ScheduleResult* fastest = &comparison.results.front();
    for (const ScheduleResult& result : comparison.results) {
      if (!row_of(result.schedule_kind).barrier_free && result.latency.value < fastest->latency.value)
        fastest = &result;
    }
    const ExecutionPlan own = on_lanes(fastest->plan, needs_of(fastest->plan), same_lanes(fastest->plan));
    for (const ScheduleResult& result : comparison.results) {
      const auto gain = comparison.lane_gain(result);
      EXPECT_EQ(gain.has_value(), result.lanes.has_value()) << network << ", " << result.id.text();
      if (!gain) continue;
      ++with_gain;
      EXPECT_EQ(comparison.staged(result), fastest);
      EXPECT_EQ(gain->staged, fastest->id);
      EXPECT_EQ(gain->barriers, fastest->latency.value - run(*device, own)) << network << ", " << result.id.text();
      EXPECT_EQ(gain->order, run(*device, own) - result.latency.value) << network << ", " << result.id.text();
      EXPECT_NEAR((gain->whole() - (fastest->latency.value - result.latency.value)).count(), 0, 1e-12);
      EXPECT_EQ(gain->same_kernels, result.schedule == fastest->schedule);
      EXPECT_FALSE(gain->barriers_in_noise || gain->order_in_noise) << "there is none";
    }
  }
  EXPECT_GE(with_gain, 1);
}

// A search that chose other stages may have found better lanes: these are not lost.
TEST(IosFlow, IsNoSlowerThanAnEarlierOne) {
  const Graph graph = zoo_network("nasnet").value();
  const auto device = simulated("h200");
  CompareOptions narrow{.schedule_kinds = {ScheduleKind::kIosParallel, ScheduleKind::kIosFlow}};
  narrow.search.pruning.r = 1;
  const auto before = must(compare(graph, *device, narrow, {}));
  const ScheduleResult& earlier = *must(before.find(ScheduleKind::kIosFlow));
  CompareOptions options{.schedule_kinds = {ScheduleKind::kIosFlow}};
  const auto alone = must(compare(graph, *device, options, {}));
  ASSERT_GT(must(alone.find(ScheduleKind::kIosFlow))->latency.value, earlier.latency.value);
  GivenSchedule given(earlier.schedule, ScheduleKind::kIosFlow);
  given.lanes = earlier.lanes;
  options.earlier = given;
  const auto again = must(compare(graph, *device, options, {}));
  const ScheduleResult& flow = *must(again.find(ScheduleKind::kIosFlow));
  EXPECT_EQ(flow.latency.value, earlier.latency.value);
  EXPECT_EQ(flow.plan, earlier.plan);
  EXPECT_EQ(again.results.size(), alone.results.size()) << "it is no schedule of its own";
  EXPECT_EQ(&again.kernels_of(flow), &flow) << "this run has not the stages that chose its kernels";
  // Lanes of another device's kernels are left aside.
  options.earlier->lanes->launches.front().name = "another kernel";
  EXPECT_EQ(must(must(compare(graph, *device, options, {})).find(ScheduleKind::kIosFlow))->latency.value,
            must(alone.find(ScheduleKind::kIosFlow))->latency.value);
}

// So that a search that goes on until stages are much faster than greedy's loses nothing that it had.
TEST(IosFlow, TriesTheKernelsOfGreedyHoweverSlowItsStagesAre) {
  const Graph graph = zoo_network("inception_v3").value();
  Measuring device;
  std::vector<ExecutionPlan> loaded;
  device.has_room = [&](const ExecutionPlan& plan) {
    loaded.push_back(plan);
    return true;
  };
  const CompareOptions options{.schedule_kinds = {ScheduleKind::kIosBoth, ScheduleKind::kIosFlow}};
  const auto comparison = must(compare(graph, device, options, {}));
  const ScheduleResult& greedy = *must(comparison.find(ScheduleKind::kGreedy));
  ASSERT_GT(greedy.latency.value, must(comparison.find(ScheduleKind::kIosBoth))->latency.value * 1.1);
  EXPECT_THAT(loaded, Contains(on_lanes(greedy.plan, needs_of(greedy.plan), same_lanes(greedy.plan))));
}

// A device whose memory is full goes without that run, and not without the lanes.
TEST(LaneGain, IsNotKnownWhereThereIsNoRoomToFindOut) {
  const Graph graph = zoo_network("parallel_vit_s16").value();
  Measuring device;
  const ExecutionPlan staged = StagePlanner(graph, 1, device.info().lowering).plan(greedy_schedule(graph));
  const ExecutionPlan own = on_lanes(staged, needs_of(staged), same_lanes(staged));
  int loads = 0;  // the first one tries it as a candidate
  device.has_room = [&](const ExecutionPlan& plan) { return plan != own || ++loads < 2; };
  CompareOptions options{.schedule_kinds = {ScheduleKind::kGreedy, ScheduleKind::kIosFlow}};
  const auto comparison = must(compare(graph, device, options, {}));
  const ScheduleResult& flow = *comparison.find(ScheduleKind::kIosFlow);
  ASSERT_TRUE(flow.lanes);
  EXPECT_EQ(loads, 2);
  EXPECT_EQ(comparison.staged(flow), comparison.find(ScheduleKind::kGreedy)) << "it is the fastest all the same";
  EXPECT_FALSE(comparison.lane_gain(flow));
}

// Where a device measures, all of it is run in the same rounds.
TEST(LaneGain, IsMeasuredInTurns) {
  const Graph graph = zoo_network("parallel_vit_s16").value();
  CompareOptions options{.schedule_kinds = {ScheduleKind::kGreedy, ScheduleKind::kIosFlow}};
  Measuring device;
  device.noise = 0.001;
  const auto comparison = must(compare(graph, device, options, {}));
  const ScheduleResult& flow = *comparison.find(ScheduleKind::kIosFlow);
  const auto gain = must(comparison.lane_gain(flow));
  EXPECT_EQ(comparison.own_lanes->rounds.size(), flow.rounds.size());
  EXPECT_EQ(comparison.own_lanes->latency.origin, Origin::kMeasured);
  EXPECT_FALSE(gain.order_in_noise) << "it is 17 % here, and the noise a thousandth";
}

// Lanes that were given up leave nothing to be measured against.
TEST(LaneGain, IsNoneWithoutLanes) {
  CompareOptions options{.schedule_kinds = {ScheduleKind::kIosFlow}};
  const auto comparison = must(compare(test::chain(6), *simulated("h200"), options, {}));
  for (const ScheduleResult& result : comparison.results) {
    if (result.lanes) continue;
    EXPECT_EQ(comparison.staged(result), nullptr);
    EXPECT_FALSE(comparison.lane_gain(result));
  }
}

TEST(FindLanes, OfOneKernelAreNone) {
  const Graph graph = test::chain(1);
  const auto device = simulated("h200");
  const auto found = must(find_lanes(*device, StagePlanner(graph, 1, {}).plan(sequential_schedule(graph)), {}, {}));
  EXPECT_FALSE(found.best);
}

TEST(FindLanes, KeepToALimitOfMemory) {
  if (test::kSanitized) GTEST_SKIP() << "takes minutes under a sanitizer; the release build runs it";
  const Graph graph = zoo_network("parallel_vit_s16").value();
  const auto device = simulated("h200");
  const ExecutionPlan staged = StagePlanner(graph, 1, device->info().lowering).plan(greedy_schedule(graph));
  const auto any = find_lanes(*device, staged, {}, {});
  ASSERT_TRUE(any && any->best);
  EXPECT_EQ(any->best->planned_bytes, planned_peak(any->best->plan, device->info()));
  const auto least = must(find_lanes(*device, staged, {}, {}, 1));
  EXPECT_FALSE(least.best) << "nothing fits into a byte";
  ASSERT_GT(least.least_bytes, 0);
  ASSERT_LT(least.least_bytes, any->best->planned_bytes);
  for (const std::int64_t limit :
       {least.least_bytes, (least.least_bytes + any->best->planned_bytes) / 2, any->best->planned_bytes}) {
    const auto found = find_lanes(*device, staged, {}, {}, limit);
    ASSERT_TRUE(found && found->best) << limit;
    EXPECT_LE(found->best->planned_bytes, limit);
    EXPECT_EQ(found->best->planned_bytes, planned_peak(found->best->plan, device->info()));
    EXPECT_TRUE(check_plan(found->best->plan));
    EXPECT_GE(found->best->took, any->best->took * 0.999);
  }
}

TEST(FindLanes, LessMemoryIsNeverFasterOnTheFront) {
  if (test::kSanitized) GTEST_SKIP() << "takes minutes under a sanitizer; the release build runs it";
  const Graph graph = zoo_network("nasnet_mobile").value();
  const auto device = simulated("h200");
  StagePlanner planner(graph, 1, device->info().lowering);
  const std::vector<ExecutionPlan> plans{planner.plan(sequential_schedule(graph)),
                                         planner.plan(greedy_schedule(graph))};
  const auto front = must(lanes_by_memory(*device, plans, {}, {}));
  ASSERT_GT(front.size(), 1U);
  for (std::size_t i = 0; i < front.size(); ++i) {
    const FoundLanes& each = front[i];
    EXPECT_EQ(each.plan, barrier_free_plan(plans[each.of], each.lanes).value());
    EXPECT_EQ(each.took, run(*device, each.plan));
    if (i == 0) continue;
    EXPECT_GT(each.planned_bytes, front[i - 1].planned_bytes);
    EXPECT_LT(each.took, front[i - 1].took);
  }
}

// A kernel pays for waiting across lanes, however the device launches.
TEST(FindLanes, WaitsAcrossLanesCost) {
  const Graph graph = test::chain(8);
  for (const char* id : {"h200", "h200-streams", "tesla-v100"}) {
    const auto device = simulated(id);
    const ExecutionPlan staged = StagePlanner(graph, 1, device->info().lowering).plan(sequential_schedule(graph));
    const auto needs = needs_of(staged);
    LaneSchedule zigzag = one_lane(staged);
    for (std::size_t i = 0; i < zigzag.launches.size(); ++i) zigzag.launches[i].lane = i % 2;
    const Millis line = run(*device, on_lanes(staged, needs, one_lane(staged)));
    EXPECT_GT(run(*device, on_lanes(staged, needs, zigzag)), line + Millis(0.0005)) << id;
    EXPECT_NEAR(line / run(*device, staged), 1, 1e-9) << id << ": one lane is one lane";
  }
}

TEST(BarrierFree, IsNeverSlowerThanAnythingBesideIt) {
  for (const char* network : {"squeezenet", "googlenet", "sample"}) {
    const auto device = simulated("h200");
    const auto comparison = must(compare(zoo_network(network).value(), *device, {}, {}));
    const auto ids =
        mapped<std::string>(comparison.results, [](const ScheduleResult& result) { return result.id.text(); });
    EXPECT_THAT(ids, ElementsAre("sequential", "greedy", "ios-merge", "ios-parallel", "ios-both", "list", "ios-flow"));
    const ScheduleResult& flow = *comparison.find(ScheduleKind::kIosFlow);
    for (const ScheduleResult& other : comparison.results) {
      EXPECT_LE(flow.latency.value, other.latency.value) << network << ", " << other.id.text();
    }
    EXPECT_EQ(flow.plan.barrier_free, flow.lanes.has_value());
    const ScheduleResult& list = *comparison.find(ScheduleKind::kList);
    EXPECT_EQ(list.schedule, comparison.find(ScheduleKind::kSequential)->schedule) << "it keeps what chose its kernels";
    EXPECT_EQ(list.plan.barrier_free, list.lanes.has_value());
    EXPECT_EQ(list.trace.stages.size(), list.plan.stages.size());
  }
}

TEST(BarrierFree, UnderALimitOfMemoryTheBestFits) {
  if (test::kSanitized) GTEST_SKIP() << "takes minutes under a sanitizer; the release build runs it";
  const Graph graph = zoo_network("parallel_vit_s16").value();
  const auto device = simulated("h200");
  CompareOptions options{.schedule_kinds = {ScheduleKind::kGreedy, ScheduleKind::kIosFlow}};
  const auto free = must(compare(graph, *device, options, {}));
  const ScheduleResult& fastest = free.results[free.best()];
  for (const ScheduleResult& result : free.results) {
    EXPECT_EQ(result.planned_bytes, planned_peak(result.plan, device->info())) << result.id.text();
    EXPECT_TRUE(free.fits(result));
  }
  options.memory_limit = fastest.planned_bytes - 1;
  const auto limited = must(compare(graph, *device, options, {}));
  const ScheduleResult& best = limited.results[limited.best()];
  EXPECT_LE(best.planned_bytes, options.memory_limit);
  EXPECT_GE(best.latency.value, fastest.latency.value);
  for (const ScheduleResult& result : limited.results) {
    if (limited.fits(result)) {
      EXPECT_LE(best.latency.value, result.latency.value) << result.id.text();
    }
  }
  for (const Message& notice : limited.notices) EXPECT_THAT(notice.text(), Not(HasSubstr("No schedule fits")));

  options.memory_limit = 1000;
  const auto none = must(compare(graph, *device, options, {}));
  const ScheduleResult& smallest = none.results[none.best()];
  EXPECT_FALSE(none.fits(smallest));
  for (const ScheduleResult& result : none.results) EXPECT_LE(smallest.planned_bytes, result.planned_bytes);
  std::string notices;
  for (const Message& notice : none.notices) notices += notice.text() + '\n';
  EXPECT_THAT(notices,
              HasSubstr("No schedule fits in 0.00 MB: the smallest planned peak of tensors that was found is "));

  options.memory_limit = -1;
  EXPECT_FALSE(compare(graph, *device, options, {}));
}

// Noise chooses lanes that are none the better; the rounds tell.
TEST(BarrierFree, IsNotSlowerWhereItIsMeasured) {
  for (const char* network : {"squeezenet", "googlenet", "parallel_vit_s16"}) {
    Measuring device;
    device.noise = 0.08;
    CompareOptions options;
    options.schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kGreedy, ScheduleKind::kList,
                              ScheduleKind::kIosFlow};
    const auto comparison = must(compare(zoo_network(network).value(), device, options, {}));
    ASSERT_EQ(comparison.results.size(), 4U);
    const ScheduleResult& flow = comparison.results[3];
    EXPECT_EQ(flow.schedule_kind, ScheduleKind::kIosFlow);
    for (const ScheduleResult& other : comparison.results) {
      EXPECT_LE(flow.latency.value, other.latency.value) << network << ", " << other.id.text();
    }
  }
}

// Whenever a stop comes, every result has one latency a stage, as all who read it rely on.
TEST(BarrierFree, AStopLeavesWholeResults) {
  const Graph graph = zoo_network("squeezenet").value();
  std::set<std::size_t> sizes;
  for (int at = 0; at < 60; ++at) {
    Measuring device;
    std::stop_source stop;
    device.before_run = [&](int run) {
      if (run == at) stop.request_stop();
    };
    CompareOptions options{.schedule_kinds = {ScheduleKind::kIosFlow, ScheduleKind::kGreedy, ScheduleKind::kList}};
    const auto comparison = must(compare(graph, device, options, {stop.get_token(), {}}));
    sizes.insert(comparison.results.size());
    std::string notices;
    for (const Message& notice : comparison.notices) notices += notice.text() + '\n';
    for (const ScheduleKind kind : options.schedule_kinds) {
      const bool named = notices.find(row_of(kind).title) != std::string::npos;
      EXPECT_EQ(comparison.find(kind) == nullptr, named) << at << ": what is missing is named\n" << notices;
    }
    for (const ScheduleResult& result : comparison.results) {
      EXPECT_EQ(result.stage_latencies.size(), result.schedule.stages.size()) << at << ", " << result.id.text();
      EXPECT_EQ(result.plan.barrier_free, result.lanes.has_value());
      EXPECT_GT(result.latency.value, Millis(0));
    }
  }
  EXPECT_THAT(sizes, AllOf(Contains(2U), Contains(4U))) << "stops came before and after";
}

// In the order asked for, and again where somebody asks twice.
TEST(BarrierFree, StandsWhereItIsAskedFor) {
  CompareOptions options{.schedule_kinds = {ScheduleKind::kIosFlow, ScheduleKind::kGreedy, ScheduleKind::kIosFlow}};
  const auto comparison = must(compare(zoo_network("googlenet").value(), *simulated("a100"), options, {}));
  const auto ids =
      mapped<std::string>(comparison.results, [](const ScheduleResult& result) { return result.id.text(); });
  EXPECT_THAT(ids, ElementsAre("ios-flow", "ios-flow-2", "greedy", "sequential"));
  EXPECT_FALSE(comparison.results.back().asked);
}

TEST(BarrierFree, ComesBackFromAFile) {
  const Graph graph = zoo_network("googlenet").value();
  const auto device = simulated("h200");
  CompareOptions options{.schedule_kinds = {ScheduleKind::kList}};
  const auto comparison = must(compare(graph, *device, options, {}));
  const ScheduleResult& list = *comparison.find(ScheduleKind::kList);
  ASSERT_TRUE(list.lanes);
  const auto file = must(parse_schedule_json(schedule_to_json(graph, list.schedule, {}, list.lanes), "f.json", graph));
  EXPECT_EQ(file.lanes, list.lanes);
  GivenSchedule given(file.schedule);
  given.lanes = file.lanes;
  const auto again = must(evaluate(graph, given, *device, 1, {}, {}));
  EXPECT_EQ(again.latency, list.latency);
  EXPECT_EQ(again.plan, list.plan);
  // Another device makes other kernels.
  EXPECT_THAT(refused(evaluate(graph, given, *simulated("tesla-k80"), 1, {}, {})).text(), HasSubstr("another device"));
}

// What a file says of kernels is checked before anything follows from it.
TEST(BarrierFree, OfAFileIsCheckedAgainstTheKernels) {
  const Graph graph = zoo_network("squeezenet").value();
  const auto device = simulated("h200");
  const ExecutionPlan staged = StagePlanner(graph, 1, device->info().lowering).plan(sequential_schedule(graph));
  GivenSchedule given(sequential_schedule(graph));
  const auto refusal = [&](LaneSchedule lanes) {
    given.lanes = std::move(lanes);
    const auto run = evaluate(graph, given, *device, 1, {}, {});
    return run ? std::string("runs") : run.error().text();
  };
  LaneSchedule lanes = named(one_lane(staged), staged);
  EXPECT_EQ(refusal(lanes), "runs");
  lanes.launches[0].name = "other";
  EXPECT_THAT(refusal(lanes), HasSubstr("another device"));
  lanes = named(one_lane(staged), staged);
  lanes.launches[0].kernel = KernelId(16777215);
  EXPECT_THAT(refusal(lanes), HasSubstr("another device"));
}

TEST(BarrierFree, IsLeftOutWhereCoresAreSharedOutByStage) {
  test::FakeDevice device;
  const auto all = must(compare(test::fork_join(3), device, {}, {}));
  EXPECT_EQ(all.find(ScheduleKind::kIosFlow), nullptr);
  CompareOptions options{.schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kList}};
  EXPECT_THAT(refused(compare(test::fork_join(3), device, options, {})).text(), HasSubstr("runs only stages"));
}

// The CPU runs such a plan one kernel after another: what it computes is the same.
TEST(BarrierFree, IsComputedByTheCpu) {
  const auto device = open_cpu_device({.cores = 2}).value();
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    std::mt19937 random(seed);
    const Graph graph = test::random_concat_graph(seed, 14);
    const ExecutionPlan staged = StagePlanner(graph, 2, device->info().lowering).plan(greedy_schedule(graph));
    const ExecutionPlan plan = on_lanes(staged, needs_of(staged), test::random_lanes(staged, 5, random));
    const RunOptions options{.timing = {.warmup = 0, .repeats = 1, .max_repeats = 1}, .trace = true, .outputs = true};
    const auto wanted = load_and_run(*device, staged, options, {});
    const auto given = load_and_run(*device, plan, options, {});
    ASSERT_TRUE(wanted && given) << given.error().line();
    for (std::size_t i = 0; i < wanted->outputs.size(); ++i) {
      const auto a = wanted->outputs[i].elements();
      const auto b = given->outputs[i].elements();
      for (std::size_t e = 0; e < a.size(); ++e) ASSERT_NEAR(a[e], b[e], 2e-5 * (1 + std::abs(a[e]))) << seed;
    }
    EXPECT_TRUE(given->stage_latencies.empty());
    EXPECT_EQ(given->trace.lanes, plan.lane_count());
  }
}

// Alone is a network's own fastest schedule, and side by side has the kernels and lanes of these.
TEST(NetworksAlone, RunByTheirOwnFastestSchedule) {
  const auto device = simulated("h200");
  const Graph sample = build_sample();
  const Graph squeezenet = build_squeezenet();
  const Graph joint = *unite(std::array{&sample, &squeezenet});
  const auto compared = [&](const Graph& graph, const CompareOptions& options) {
    return must(compare(graph, *device, options, {}));
  };
  const Comparison both = compared(joint, {});
  const auto alone_ms = alone_times(both);
  const auto lists = independent_units(joint);
  ASSERT_EQ(alone_ms.size(), 2U);
  std::size_t kernels = 0;
  for (std::size_t n = 0; n < lists.size(); ++n) {
    const Comparison one = compared(alone(joint, lists[n]), {});
    const ScheduleResult& best = one.results[one.best()];
    EXPECT_EQ(alone_ms[n], best.latency.value);
    EXPECT_TRUE(best.lanes);
    kernels += best.plan.kernels.size();
  }
  const ScheduleResult& side = *both.find(ScheduleKind::kSideBySide);
  EXPECT_TRUE(side.lanes);
  EXPECT_EQ(side.plan.kernels.size(), kernels);
  EXPECT_TRUE(check_legal(joint, side.schedule));
  EXPECT_LT(must(mean_slowdown(both, side)), must(mean_slowdown(both, *both.find(ScheduleKind::kSequential))));
  EXPECT_LE(both.results[both.best()].latency.value, side.latency.value * (1 + kFairTie));
  // Schedules that are given need no search of each network, and one network has none beside it.
  EXPECT_TRUE(compared(joint, {.schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kGreedy}}).alone.empty());
  EXPECT_FALSE(mean_slowdown(compared(sample, {}), side));
}

TEST(NetworksAlone, AreComparedOnlyWhereTheirSlowdownIsKnown) {
  FoundLanes known;
  known.slowdown = 1.2;
  FoundLanes slower;
  slower.slowdown = 1.3;
  EXPECT_TRUE(slows_less(known, slower));
  EXPECT_FALSE(slows_less(slower, known));
  EXPECT_FALSE(slows_less(FoundLanes{}, known) || slows_less(known, FoundLanes{}));
}

// A network that cannot run alone does not cost what was found for both.
TEST(NetworksAlone, ThatFailLeaveTheRest) {
  const Graph sample = build_sample();
  const Graph squeezenet = build_squeezenet();
  const Graph joint = *unite(std::array{&sample, &squeezenet});
  const CompareOptions options{.schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kList}};
  Measuring device;
  const Comparison known = must(compare(joint, device, options, {}));
  ASSERT_EQ(known.alone.size(), 2U);
  const std::size_t kernels = known.results.front().plan.kernels.size();
  device.has_room = [&](const ExecutionPlan& plan) { return plan.kernels.size() >= kernels; };
  const Comparison both = must(compare(joint, device, options, {}));
  EXPECT_TRUE(both.alone.empty());
  EXPECT_EQ(both.results.size(), known.results.size());
  EXPECT_THAT(both.notices, Contains(HasSubstr("What each network takes alone is not known")));
}

}  // namespace
}  // namespace iosx
