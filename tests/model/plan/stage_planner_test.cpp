#include "core/model/plan/stage_planner.h"
#include "core/model/schedule/merge.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/support/random_plans.h"

namespace iosx {
namespace {

// Everything in the plan that a device could notice, without names, ids of the graph and values of weights.
std::string structure(const ExecutionPlan& plan) {
  std::string text;
  for (const Buffer& buffer : plan.buffers) {
    text +=
        fmt::format("buffer {} {} {} {}\n", shape_text(buffer.shape), buffer.external, buffer.constant, buffer.blank);
  }
  const auto put = [&](const TensorView& view) {
    text += fmt::format(" {}:{}-{}", view.buffer.index(), view.begin, view.end);
  };
  for (const Kernel& kernel : plan.kernels) {
    // A merged convolution is to a device a convolution like any other.
    text += fmt::format("{} {} stage {} lane {} flops {} bytes {} fused {} waits", kernel.attributes.index(),
                        shape_text(kernel.output), kernel.stage, kernel.lane, kernel.work.flops, kernel.work.bytes(),
                        kernel.fused.size());
    for (const KernelId wait : kernel.waits) text += fmt::format(" {}", wait.index());
    if (const auto* conv = std::get_if<Conv>(&kernel.attributes)) {
      text += fmt::format(" {} {}x{} {}", conv->out_channels, conv->kernel.height, conv->kernel.width,
                          activation_name(conv->activation));
    }
    text += " reads";
    for (const TensorView& view : kernel.reads) put(view);
    text += " writes";
    put(kernel.writes);
    text += '\n';
  }
  return text;
}

std::vector<LowerOptions> all_wishes() {
  std::vector<LowerOptions> all;
  for (const bool fuse : {false, true}) {
    for (const bool in_place : {false, true}) {
      for (const FreeSlices slices : {FreeSlices::kNever, FreeSlices::kOneSample, FreeSlices::kAlways}) {
        all.push_back({.fuse = fuse,
                       .fuse_sums = fuse && in_place,
                       .fuse_before = fuse && !in_place,
                       .concat_in_place = in_place,
                       .free_slices = slices,
                       .free_columns = slices == FreeSlices::kAlways,
                       .input_channel_multiple = slices == FreeSlices::kNever ? 16 : 1});
      }
    }
  }
  return all;
}

std::string words(const LowerOptions& wishes) {
  return fmt::format("fuse {}, in place {}, slices {}", wishes.fuse, wishes.concat_in_place,
                     static_cast<int>(wishes.free_slices));
}

// The worked example of stage_planner.h: a squeeze of 16 channels, then 1x1 beside 3x3, twice, the second time wider.
TEST(StagePlanner, OfTwoFireModules) {
  GraphBuilder builder("fires");
  Value value = builder.input("in", Shape{16, 8, 8});
  const auto conv = [](std::int64_t channels, std::int64_t size) {
    return Conv{.out_channels = channels, .kernel = {size, size}, .padding = {size / 2, size / 2}};
  };
  const auto fire = [&](const std::string& name) {
    const Value squeeze = builder.add(name + ".squeeze", conv(16, 1), {value});
    const Value narrow = builder.add(name + ".expand1x1", conv(64, 1), {squeeze});
    const Value wide = builder.add(name + ".expand3x3", conv(64, 3), {squeeze});
    value = builder.add(name + ".concat", Concat{}, {narrow, wide});
  };
  fire("fire2");
  fire("fire3");
  const Graph graph = std::move(builder).build().value();
  const auto unit = [&](const std::string& name) {
    for (const Operator& op : graph.operators()) {
      if (op.name == name) return op.unit;
    }
    return UnitId();
  };
  const auto expand = [&](const std::string& name, bool swapped) {
    Stage stage = single_unit_stage(unit(name + ".expand1x1"));
    stage.groups.push_back(single_unit_stage(unit(name + ".expand3x3")).groups.front());
    if (swapped) std::swap(stage.groups[0], stage.groups[1]);
    return stage;
  };
  StagePlanner planner(graph, 1, {});
  const PlannedStage planned = planner.plan(expand("fire2", false));
  EXPECT_EQ(planned.stage, expand("fire2", true));  // the most work first
  ASSERT_EQ(planned.plan.kernels.size(), 2U);
  EXPECT_EQ(planned.plan.kernels[0].name, "fire2.expand3x3");
  EXPECT_EQ(planned.plan.lane_count(), 2U);
  ASSERT_EQ(planned.plan.kernels[0].reads.size(), 1U);
  EXPECT_EQ(planned.plan.kernels[0].reads, planned.plan.kernels[1].reads);
  EXPECT_TRUE(planned.plan.buffers[planned.plan.kernels[0].reads[0].buffer.index()].external);
  EXPECT_EQ(planner.plan(expand("fire2", true)).key, planned.key);
  EXPECT_EQ(planner.plan(expand("fire3", false)).key, planned.key);
  // The squeezes read 16 and 128 channels.
  const auto squeeze = [&](const std::string& name) { return single_unit_stage(unit(name + ".squeeze")); };
  EXPECT_NE(planner.plan(squeeze("fire2")).key, planner.plan(squeeze("fire3")).key);
}

// Stages with one key have one plan: a measurement of one holds for all. For every way to lower.
TEST(StagePlanner, EqualKeysMeanEqualPlans) {
  for (const LowerOptions& wishes : all_wishes()) {
    SCOPED_TRACE(words(wishes));
    std::map<StageKey, std::string> first;
    std::size_t repeated = 0;
    for (std::uint64_t seed = 0; seed < 100; seed += test::every(8)) {
      std::mt19937 random(static_cast<std::uint32_t>(seed));
      const Graph graph = test::random_concat_graph(seed, 20);
      StagePlanner planner(graph, 2, wishes);
      for (int turn = 0; turn < 4; ++turn) {
        for (const Stage& stage : test::random_schedule(graph, random).stages) {
          const PlannedStage found = planner.plan(stage);
          const std::string plan = structure(found.plan);
          const auto [place, fresh] = first.emplace(found.key, plan);
          repeated += fresh ? 0 : 1;
          ASSERT_EQ(place->second, plan) << "seed " << seed << " key " << found.key.text();
        }
      }
    }
    EXPECT_GT(repeated, 200U / test::every(10)) << "otherwise this test says nothing";
    EXPECT_GT(first.size(), 700U / test::every(10));
  }
}

// The same stages differ for a device that lowers in place and fuses: its wishes are part of what is planned.
TEST(StagePlanner, KeysFollowTheWishes) {
  std::size_t different = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const Graph graph = test::random_concat_graph(seed, 20);
    StagePlanner plain(graph, 2, {});
    StagePlanner wishful(graph, 2, {.fuse = true, .concat_in_place = true});
    for (const Stage& stage : test::random_schedule(graph, random).stages) {
      if (plain.canonical(stage).key != wishful.canonical(stage).key) ++different;
    }
  }
  EXPECT_GT(different, 20U);
}

// One stage of a run as text: lanes, kernels in order, what they read and write by the names of buffers. Which kernels
// wait for other stages, and which buffers the run fills itself, is left out: that is what a run adds.
std::string stage_text(const ExecutionPlan& plan, std::size_t stage) {
  std::string text;
  for (const auto& lane : plan.stages[stage].lanes) {
    text += "lane\n";
    for (const KernelId id : lane) {
      const Kernel& kernel = plan.kernel(id);
      const auto put = [&](const TensorView& view) {
        const Buffer& buffer = plan.buffers[view.buffer.index()];
        text += fmt::format(" {} {} {}-{}", buffer.name, shape_text(buffer.shape), view.begin, view.end);
      };
      text += fmt::format("{} {}", kernel.name, kind_name(kernel.attributes));
      for (const TensorView& read : kernel.reads) put(read);
      text += " ->";
      put(kernel.writes);
      text += '\n';
    }
  }
  return text;
}

// A stage costs the same wherever it stands: in a run it is kernel for kernel, in the same lanes, order and strides,
// what was measured of it alone, whatever order its groups were given in and whatever the other stages merge.
TEST(StagePlanner, RunsStagesInTheFormInWhichTheyAreMeasured) {
  std::size_t merges = 0;
  std::size_t several = 0;
  for (const LowerOptions& wishes : all_wishes()) {
    SCOPED_TRACE(words(wishes));
    for (std::uint64_t seed = 0; seed < 60; seed += test::every(8)) {
      std::mt19937 random(static_cast<std::uint32_t>(seed));
      const Graph graph = test::random_concat_graph(seed, 20);
      for (const std::int64_t batch : {1, 2}) {
        Schedule schedule = test::random_schedule(graph, random);
        for (Stage& stage : schedule.stages) std::shuffle(stage.groups.begin(), stage.groups.end(), random);
        StagePlanner planner(graph, batch, wishes);
        const ExecutionPlan run = planner.plan(schedule);
        ASSERT_EQ(run.stages.size(), schedule.stages.size());
        StagePlanner other(graph, batch, wishes);  // that has seen nothing else
        for (std::size_t s = 0; s < schedule.stages.size(); ++s) {
          const PlannedStage alone = other.plan(schedule.stages[s]);
          ASSERT_EQ(stage_text(run, s), stage_text(alone.plan, 0)) << "seed " << seed << ", stage " << s;
          several += run.stages[s].lanes.size() > 1 ? 1 : 0;
          for (const Group& group : schedule.stages[s].groups) {
            for (const Step& step : group.steps) merges += step.merged() ? 1 : 0;
          }
        }
        EXPECT_EQ(planner.canonical(planner.canonical(schedule)), planner.canonical(schedule));
      }
    }
  }
  EXPECT_GT(several, 1000U / test::every(10));
  EXPECT_GT(merges, 100U / test::every(10)) << "otherwise this test says nothing of merges";
}

// Whoever reads a tensor finds it where the graph alone puts it: reading does not depend on who made it, and how.
TEST(StagePlanner, PutsTensorsWhereTheGraphSays) {
  const Graph graph = test::fork_join(4);  // a; four branches that may merge; their concatenation
  const auto reads_of_join = [&](const Schedule& schedule, const LowerOptions& wishes, std::int64_t batch) {
    const ExecutionPlan plan = StagePlanner(graph, batch, wishes).plan(schedule);
    return stage_text(plan, plan.stages.size() - 1);
  };
  const auto stages = [&](Stage branches) {
    Schedule schedule{.stages = {single_unit_stage(UnitId(0)), std::move(branches), single_unit_stage(UnitId(5))}};
    return schedule;
  };
  Stage apart;
  for (std::size_t i = 1; i <= 4; ++i) apart.groups.push_back(Group{{Step{{UnitId(i)}}}});
  const Stage merged = merge_stage({UnitId(1), UnitId(2), UnitId(3), UnitId(4)});
  Stage two = merge_stage({UnitId(1), UnitId(3)});  // not neighbours
  two.groups.push_back(merge_stage({UnitId(2), UnitId(4)}).groups.front());
  for (const LowerOptions& wishes : all_wishes()) {
    SCOPED_TRACE(words(wishes));
    const std::string expected = reads_of_join(stages(apart), wishes, 1);
    EXPECT_EQ(reads_of_join(stages(merged), wishes, 1), expected);
    EXPECT_EQ(reads_of_join(stages(two), wishes, 1), expected);
  }
}

// What merging costs beyond the convolution stands in the merged stage: a copy for each output that the convolution
// could not write where it belongs, none where slices are free and the outputs are neighbours.
TEST(StagePlanner, CopiesOfAMergeBelongToItsStage) {
  const Graph graph = test::fork(3);
  const auto kernels = [&](std::vector<UnitId> units, const LowerOptions& wishes, std::int64_t batch) {
    return StagePlanner(graph, batch, wishes).plan(merge_stage(std::move(units))).plan.kernels.size();
  };
  const LowerOptions free{.free_slices = FreeSlices::kOneSample};
  EXPECT_EQ(kernels({UnitId(0), UnitId(1), UnitId(2)}, {}, 1), 4U);
  EXPECT_EQ(kernels({UnitId(0), UnitId(1), UnitId(2)}, free, 1), 1U);
  EXPECT_EQ(kernels({UnitId(0), UnitId(1), UnitId(2)}, free, 2), 4U);
  EXPECT_EQ(kernels({UnitId(1), UnitId(2)}, free, 1), 1U);
  EXPECT_EQ(kernels({UnitId(0), UnitId(2)}, free, 1), 3U);  // not neighbours
}

// Many stages are shared out among threads, which lower groups that they have in common.
TEST(StagePlanner, PlansManyStagesAsOneByOne) {
  const Graph graph = test::random_dag(1, 40);
  std::vector<Stage> stages;
  for (std::size_t i = 0; i < 40; ++i) {
    for (std::size_t j = 0; j < i; ++j) stages.push_back({{Group{{Step{{UnitId(j)}}}}, Group{{Step{{UnitId(i)}}}}}});
  }
  for (const LowerOptions& wishes : all_wishes()) {
    StagePlanner together(graph, 1, wishes);
    const std::vector<StagePlanner::Canonical> canonical = together.canonical(stages);
    const std::vector<ExecutionPlan> plans = together.plans(canonical);
    ASSERT_EQ(canonical.size(), stages.size());
    ASSERT_EQ(plans.size(), stages.size());
    StagePlanner alone(graph, 1, wishes);
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const PlannedStage planned = alone.plan(stages[i]);
      ASSERT_EQ(canonical[i].key, planned.key) << i;
      ASSERT_EQ(canonical[i].stage, planned.stage) << i;
      ASSERT_EQ(plans[i], planned.plan) << i;
    }
  }
}

}  // namespace
}  // namespace iosx
