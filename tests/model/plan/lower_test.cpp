#include "tests/support/lower.h"
#include "core/model/plan/plan_validity.h"
#include "core/model/schedule/baselines.h"
#include "core/model/schedule/merge.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/support/random_plans.h"

namespace iosx {
namespace {

Group group(std::initializer_list<UnitId> units) {
  Group result;
  for (const UnitId id : units) result.steps.push_back(Step{{id}});
  return result;
}

TEST(Lower, SequentialScheduleIsOneLaneWithoutWaits) {
  const Graph graph = test::chain(4);
  const ExecutionPlan plan = lower(graph, one_by_one_schedule(graph), 2);
  ASSERT_EQ(plan.kernels.size(), 4U);
  EXPECT_EQ(plan.stages.size(), 4U);
  EXPECT_EQ(plan.lane_count(), 1U);
  EXPECT_EQ(plan.batch, 2);
  for (const Kernel& kernel : plan.kernels) EXPECT_THAT(kernel.waits, IsEmpty());
  EXPECT_EQ(plan.kernels[1].work.flops, work(graph, OperatorId(2), 2).flops);
  // The graph input is the only buffer filled before the run.
  EXPECT_TRUE(plan.buffers[plan.kernels[0].reads[0].buffer.index()].external);
  EXPECT_EQ(plan.kernels[1].reads[0].buffer, plan.kernels[0].writes.buffer);
}

TEST(Lower, ForkAndJoinAreCrossLaneWaits) {
  const Graph graph = test::diamond();
  Schedule schedule{"own", {}};
  schedule.stages.push_back(single_unit_stage(unit(graph, "a")));
  schedule.stages.push_back(Stage{{group({unit(graph, "b")}), group({unit(graph, "c")})}});
  schedule.stages.push_back(single_unit_stage(unit(graph, "d")));
  const ExecutionPlan plan = lower(graph, schedule, 1);
  ASSERT_EQ(plan.kernels.size(), 4U);
  EXPECT_THAT(plan.kernels[1].waits, IsEmpty());                 // b follows a on lane 0
  EXPECT_THAT(plan.kernels[2].waits, ElementsAre(KernelId(0)));  // c forks from a
  EXPECT_EQ(plan.kernels[2].lane, 1U);
  EXPECT_THAT(plan.kernels[3].waits, ElementsAre(KernelId(2)));  // d joins c
  EXPECT_EQ(plan.lane_count(), 2U);
}

TEST(Lower, StageAloneReadsExternalBuffers) {
  const Graph graph = test::diamond();
  const ExecutionPlan plan = lower_stage(graph, single_unit_stage(unit(graph, "d")), 1);
  ASSERT_EQ(plan.kernels.size(), 1U);
  ASSERT_EQ(plan.kernels[0].reads.size(), 2U);
  for (const TensorView& view : plan.kernels[0].reads) EXPECT_TRUE(plan.buffers[view.buffer.index()].external);
  EXPECT_NE(plan.kernels[0].reads[0].buffer, plan.kernels[0].reads[1].buffer);
  EXPECT_FALSE(plan.buffers[plan.kernels[0].writes.buffer.index()].external);
}

// Two convolutions on one input and a consumer of channels 1..6 of the second.
// Where slices are dear the merged stage copies each output to where it belongs; whoever reads it notices nothing.
TEST(Lower, AMergedConvolutionKeepsToItsOwnStage) {
  auto [builder, in] = test::sketch("merge", Shape{4, 8, 8});
  Conv one{.out_channels = 6, .activation = Activation::kRelu};
  Conv three = one;
  three.out_channels = 10;
  three.kernel = {3, 3};
  three.padding = {1, 1};
  builder.add("p", one, {in});
  Value q = builder.add("q", three, {in});
  q.begin = 1;
  q.end = 7;
  builder.add("r", one, {q});
  const Graph graph = std::move(builder).build().value();

  Schedule schedule{"own", {merge_stage({unit(graph, "p"), unit(graph, "q")}), single_unit_stage(unit(graph, "r"))}};
  const ExecutionPlan plan = lower(graph, schedule, 3);
  ASSERT_THAT(kernel_names(plan), ElementsAre("p + q", "copy of p", "copy of q", "r"));
  const Kernel& merged = plan.kernels[0];
  EXPECT_EQ(merged.name, "p + q");
  EXPECT_EQ(merged.output, (Shape{16, 8, 8}));
  const auto* conv = must(std::get_if<Conv>(&merged.attributes));
  EXPECT_EQ(conv->kernel, (Extent{3, 3}));
  EXPECT_THAT(conv->merged_from, ElementsAre("p", "q"));
  // 16 channels × 64 pixels × 3 samples, each 2 · 4 · 9 + 1 FLOPs: the padded kernel is really computed.
  EXPECT_EQ(merged.work.flops, 16 * 64 * 3 * (2 * 4 * 9 + 1));
  EXPECT_EQ(merged.work.parameters, 16 * (4 * 9 + 1));
  EXPECT_EQ(merged.work.bytes_written, 16 * 64 * 3 * 4);
  for (std::size_t k = 1; k < 3; ++k) {
    EXPECT_EQ(plan.kernels[k].stage, 0U);
    EXPECT_EQ(plan.kernels[k].reads[0].buffer, merged.writes.buffer);
  }
  const auto expect_reads = [](const ExecutionPlan& of, const std::string& buffer, std::int64_t begin) {
    ASSERT_EQ(of.kernels.back().reads.size(), 1U);
    const TensorView& read = of.kernels.back().reads[0];
    EXPECT_EQ(of.buffers[read.buffer.index()].name, buffer);
    EXPECT_EQ(read.begin, begin);
    EXPECT_EQ(read.end, begin + 6);
  };
  expect_reads(plan, "q", 1);
  expect_reads(lower(graph, one_by_one_schedule(graph), 3), "q", 1);
  // Where they are free p and q lie side by side under every schedule.
  const LowerOptions free{.free_slices = FreeSlices::kAlways};
  const ExecutionPlan in_place = lower(graph, schedule, 3, free);
  EXPECT_THAT(kernel_names(in_place), ElementsAre("p + q", "r"));
  expect_reads(in_place, "p + q", 6 + 1);
  expect_reads(lower(graph, one_by_one_schedule(graph), 3, free), "p + q", 6 + 1);
}

Schedule merging_siblings(const Graph& graph) {
  Schedule schedule{"merging",
                    {merge_stage({unit(graph, "query"), unit(graph, "key"), unit(graph, "value")}),
                     merge_stage({unit(graph, "gate"), unit(graph, "up")})}};
  for (const char* name : {"scores", "context", "some", "windows"}) {
    schedule.stages.push_back(single_unit_stage(unit(graph, name)));
  }
  schedule.stages.push_back(merge_stage({unit(graph, "left"), unit(graph, "right")}));
  schedule.stages.push_back(merge_stage({unit(graph, "second"), unit(graph, "first")}));
  schedule.stages.push_back(single_unit_stage(unit(graph, "all")));
  return schedule;
}

// The layers run as one, then what follows each of them in its unit, after a copy where columns are dear.
TEST(Lower, MergedLinearLayersAreCopiedOut) {
  const Graph graph = test::linear_siblings();
  const ExecutionPlan plan = lower(graph, merging_siblings(graph), 3);
  must(check_plan(plan));
  EXPECT_THAT(kernel_names(plan),
              ElementsAre("query.linear + key.linear + value", "copy of query.linear", "copy of key.linear",
                          "copy of value", "query.norm", "key.turn", "gate + up", "copy of gate", "copy of up",
                          "scores", "context", "some", "windows", "left + right", "copy of left", "copy of right",
                          "first + second", "copy of first", "copy of second", "all"));
  const Kernel& merged = plan.kernels[0];
  EXPECT_EQ(merged.attributes, Attributes(Linear{19, Activation::kIdentity, 1}));
  EXPECT_EQ(merged.output, (Shape{5, 19}));
  EXPECT_EQ(merged.work.flops, 3 * 5 * 19 * (2 * 8 + 1));
  EXPECT_EQ(merged.work.parameters, 19 * (8 + 1));
  EXPECT_EQ(merged.work.bytes_read, (3 * 5 * 8 + 19 * 9) * 4);
  EXPECT_EQ(merged.work.bytes_written, 3 * 5 * 19 * 4);
  const Kernel& copy = plan.kernels[2];
  EXPECT_EQ(copy.reads[0], (TensorView{merged.writes.buffer, 6, 12}));
  EXPECT_EQ(copy.output, (Shape{5, 6}));
  EXPECT_EQ(copy.work.bytes_written, 3 * 5 * 6 * 4);
  EXPECT_EQ(plan.buffers[merged.writes.buffer.index()].axis, 1U);
  EXPECT_EQ(plan.buffers[copy.writes.buffer.index()].axis, 0U);
}

// Where columns are free they lie in one matrix, merged or not, but for what somebody reads some rows of.
TEST(Lower, ColumnsOfLinearLayersLieSideBySide) {
  const Graph graph = test::linear_siblings();
  const LowerOptions free{.free_columns = true};
  const ExecutionPlan plan = lower(graph, merging_siblings(graph), 3, free);
  must(check_plan(plan));
  EXPECT_THAT(kernel_names(plan), ElementsAre("query.linear + key.linear + value", "query.norm", "key.turn",
                                              "gate + up", "copy of gate", "copy of up", "scores", "context", "some",
                                              "windows", "left + right", "first + second", "all"));
  const BufferId columns = plan.kernels[0].writes.buffer;
  EXPECT_EQ(plan.buffers[columns.index()].shape, (Shape{5, 19}));
  EXPECT_EQ(plan.buffers[columns.index()].axis, 1U);
  EXPECT_EQ(plan.kernels[2].reads[0], (TensorView{columns, 6, 12}));   // key.turn
  EXPECT_EQ(plan.kernels[7].reads[1], (TensorView{columns, 12, 19}));  // context
  ASSERT_EQ(plan.outputs.size(), 6U);
  EXPECT_EQ(plan.outputs[2].name, "left");
  EXPECT_EQ(plan.outputs[3].view, (TensorView{plan.outputs[2].view.buffer, 2, 7}));
  EXPECT_TRUE(plan.buffers[plan.outputs[2].view.buffer.index()].row_major);
  EXPECT_EQ(plan.buffers[plan.outputs[2].view.buffer.index()].axis, 2U);

  const ExecutionPlan apart = lower(graph, one_by_one_schedule(graph), 3, free);
  must(check_plan(apart));
  const auto key = std::ranges::find(apart.kernels, "key.linear", &Kernel::name);
  EXPECT_EQ(key->writes.begin, 6);
  EXPECT_EQ(key->writes.end, 12);
  EXPECT_EQ(apart.buffers[key->writes.buffer.index()].shape, (Shape{5, 19}));
}

// Not neighbours: they are copied, into columns too.
TEST(Lower, MergedColumnsWithAGapAreCopied) {
  const Graph graph = test::linear_siblings();
  const ExecutionPlan plan =
      lower_stage(graph, merge_stage({unit(graph, "value"), unit(graph, "query")}), 1, {.free_columns = true});
  must(check_plan(plan));
  ASSERT_THAT(kernel_names(plan),
              ElementsAre("query.linear + value", "copy of query.linear", "copy of value", "query.norm"));
  EXPECT_EQ(plan.kernels[2].writes.begin, 12);
  EXPECT_EQ(plan.kernels[2].writes.end, 19);
  EXPECT_EQ(plan.kernels[1].writes.buffer, plan.kernels[2].writes.buffer);
}

TEST(Lower, MergedLinearLayersNeedAllTheirOperators) {
  const Graph graph = test::linear_siblings();
  ExecutionPlan plan = lower(graph, merging_siblings(graph), 1);
  std::swap(plan.kernels[0].operators[0], plan.kernels[0].operators[1]);  // as many rows
  EXPECT_TRUE(check_plan(plan));
  plan.kernels[0].operators.pop_back();
  EXPECT_EQ(check_plan(plan).error().where, "kernels[0].operators");
  plan.kernels[0].operators.push_back(*graph.find_operator("some"));  // it reads 4 features
  EXPECT_EQ(check_plan(plan).error().where, "kernels[0].operators");
}

TEST(Lower, LinearSiblingsGiveValidPlansUnderEverySchedule) {
  const Graph graph = test::linear_siblings();
  std::mt19937 random(4);
  int copies = 0;
  for (int i = 0; i < 60; ++i) {
    const Schedule schedule = test::random_schedule(graph, random);
    for (const bool columns : {false, true}) {
      const LowerOptions wishes{.fuse = i % 2 == 0, .concat_in_place = i % 3 == 0, .free_columns = columns};
      const ExecutionPlan plan = lower(graph, schedule, 1 + i % 3, wishes);
      must(check_plan(plan));
      copies +=
          static_cast<int>(std::ranges::count_if(
              plan.kernels, [](const Kernel& kernel) { return std::holds_alternative<Identity>(kernel.attributes); })) *
          (columns ? -1 : 1);
    }
  }
  EXPECT_GT(copies, 0);  // fewer where columns are free
}

TEST(Lower, MergingInsideAGroupOfAConcurrentStage) {
  const Graph graph = test::fork(3);
  Stage stage;
  stage.groups.push_back(Group{{Step{{unit(graph, "a"), unit(graph, "b")}}}});
  stage.groups.push_back(group({unit(graph, "c")}));
  const ExecutionPlan plan = lower_stage(graph, stage, 1);
  ASSERT_EQ(plan.kernels.size(), 4U);  // with two copies
  EXPECT_EQ(plan.kernels[0].units.size(), 2U);
  EXPECT_EQ(plan.kernels[2].lane, 0U);
  EXPECT_EQ(plan.kernels[3].lane, 1U);
}

// Units of one stage, each in the group of a stage unit that it reads; two groups that one unit joins become one.
Stage stage_of(const Graph& graph, const std::vector<UnitId>& units) {
  std::vector<std::vector<UnitId>> groups;
  for (const UnitId id : units) {
    std::vector<UnitId> joined;
    std::erase_if(groups, [&](const std::vector<UnitId>& group) {
      const bool reads = std::ranges::any_of(
          graph.predecessors(id), [&](UnitId before) { return std::ranges::find(group, before) != group.end(); });
      if (reads) joined.insert(joined.end(), group.begin(), group.end());
      return reads;
    });
    std::ranges::sort(joined);
    joined.push_back(id);
    groups.push_back(std::move(joined));
  }
  Stage stage;
  for (const auto& group : groups) {
    stage.groups.emplace_back();
    for (const UnitId id : group) stage.groups.back().steps.push_back(Step{{id}});
  }
  return stage;
}

// Random cuts of the topological order into stages; a stage that can be merged is, every second time.
Schedule random_schedule(const Graph& graph, std::mt19937& random) {
  Schedule schedule{"random", {}};
  for (std::size_t next = 0; next < graph.units().size();) {
    const std::size_t count = std::min<std::size_t>(1 + random() % 5, graph.units().size() - next);
    std::vector<UnitId> units;
    for (std::size_t i = 0; i < count; ++i) units.emplace_back(next + i);
    const bool mergeable = merge(graph, units).has_value() && random() % 2 == 0;
    schedule.stages.push_back(mergeable ? merge_stage(units) : stage_of(graph, units));
    next += count;
  }
  return schedule;
}

// before[a] holds the kernels that have ended when a starts, by lane order, by waits, transitively.
std::vector<std::set<std::size_t>> ended_before(const ExecutionPlan& plan) {
  std::vector<std::set<std::size_t>> before(plan.kernels.size());
  std::vector<std::size_t> last_on_lane(plan.lane_count(), plan.kernels.size());
  for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
    const Kernel& kernel = plan.kernels[i];
    const auto add = [&](std::size_t earlier) {
      before[i].insert(earlier);
      before[i].insert(before[earlier].begin(), before[earlier].end());
    };
    for (const KernelId wait : kernel.waits) {
      EXPECT_LT(wait.index(), i);
      EXPECT_NE(plan.kernel(wait).lane, kernel.lane);
      add(wait.index());
    }
    if (last_on_lane[kernel.lane] < plan.kernels.size()) add(last_on_lane[kernel.lane]);
    last_on_lane[kernel.lane] = i;
  }
  return before;
}

void check_plan(const Graph& graph, const Schedule& schedule) {
  ASSERT_TRUE(check_legal(graph, schedule).has_value());
  const ExecutionPlan plan = lower(graph, schedule, 1);
  ASSERT_EQ(plan.stages.size(), schedule.stages.size());

  std::vector<int> runs(graph.operators().size(), 0);
  std::vector<std::size_t> writer(plan.buffers.size(), plan.kernels.size());
  std::vector<std::size_t> made_by(graph.operators().size(), plan.kernels.size());
  const auto before = ended_before(plan);
  for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
    const Kernel& kernel = plan.kernels[i];
    const Operator& first = graph.op(kernel.operators.front());
    const bool copy = std::holds_alternative<Identity>(kernel.attributes) && first.as<Identity>() == nullptr;
    for (const OperatorId op : kernel.operators) {
      if (!copy) ++runs[op.index()];  // of what a merged convolution has made
      made_by[op.index()] = i;
    }
    ASSERT_LT(kernel.writes.buffer.index(), plan.buffers.size());
    EXPECT_FALSE(plan.buffers[kernel.writes.buffer.index()].external);
    EXPECT_EQ(writer[kernel.writes.buffer.index()], plan.kernels.size()) << "written twice";
    writer[kernel.writes.buffer.index()] = i;
    EXPECT_EQ(plan.buffers[kernel.writes.buffer.index()].shape, kernel.output);

    if (copy) {
      ASSERT_EQ(kernel.reads.size(), 1U);
      EXPECT_TRUE(before[i].contains(writer[kernel.reads[0].buffer.index()]));
      continue;
    }
    ASSERT_EQ(kernel.reads.size(), first.inputs.size());
    for (std::size_t r = 0; r < kernel.reads.size(); ++r) {
      const TensorView& view = kernel.reads[r];
      const Buffer& buffer = plan.buffers[view.buffer.index()];
      EXPECT_EQ(view.end - view.begin, first.inputs[r].channels());
      EXPECT_GE(view.begin, 0);
      EXPECT_LE(view.end, buffer.shape.channels());
      if (buffer.external) continue;
      const std::size_t source = writer[view.buffer.index()];
      EXPECT_EQ(source, made_by[first.inputs[r].producer.index()]);
      EXPECT_TRUE(before[i].contains(source)) << kernel.name << " may run before what it reads";
    }
    // A stage starts when the one before it has ended.
    for (std::size_t j = 0; j < i; ++j) {
      if (plan.kernels[j].stage < kernel.stage) {
        EXPECT_TRUE(before[i].contains(j));
      }
      if (plan.kernels[j].stage == kernel.stage && plan.kernels[j].lane != kernel.lane) {
        EXPECT_FALSE(before[i].contains(j)) << "groups of a stage must not wait for one another";
      }
    }
  }
  for (std::size_t op = 0; op < runs.size(); ++op) EXPECT_EQ(runs[op], graph.operators()[op].is_input() ? 0 : 1);
}

TEST(LowerProperty, RandomGraphsAndSchedules) {
  int merged_stages = 0;
  for (std::uint64_t seed = 0; seed < 120; seed += test::every(8)) {
    SCOPED_TRACE(seed);
    const Graph graph = test::random_dag(seed, 4 + seed % 17);
    check_plan(graph, one_by_one_schedule(graph));
    check_plan(graph, greedy_schedule(graph, 1 + seed % 10));
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    for (const Graph& cut : {graph, test::fork_join(3 + seed % 5)}) {
      const Schedule own = random_schedule(cut, random);
      for (const Stage& stage : own.stages) {
        if (strategy_of(cut, stage) == Strategy::kMerge) ++merged_stages;
      }
      check_plan(cut, own);
    }
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(merged_stages, 10 / test::every(10))
      << "the generator must make merged stages for this test to mean anything";
}

TEST(LowerProperty, StagesAloneHaveTheSameKernels) {
  for (std::uint64_t seed = 0; seed < 40; seed += test::every(8)) {
    const Graph graph = test::random_dag(seed, 12);
    const Schedule schedule = greedy_schedule(graph);
    const ExecutionPlan whole = lower(graph, schedule, 4);
    std::size_t next = 0;
    for (const Stage& stage : schedule.stages) {
      const ExecutionPlan alone = lower_stage(graph, stage, 4);
      for (const Kernel& kernel : alone.kernels) {
        ASSERT_LT(next, whole.kernels.size());
        EXPECT_EQ(kernel.operators, whole.kernels[next].operators);
        EXPECT_EQ(kernel.work.flops, whole.kernels[next].work.flops);
        ++next;
      }
    }
    EXPECT_EQ(next, whole.kernels.size());
  }
}

// LowerOptions::input_channel_multiple.

constexpr LowerOptions kEight{.input_channel_multiple = 8};

Conv conv(std::int64_t channels, std::int64_t groups = 1) { return Conv{.out_channels = channels, .groups = groups}; }

const Buffer& input_of(const ExecutionPlan& plan, std::size_t i = 0) { return plan.buffers[plan.inputs[i].index()]; }

// The blank channels of the only input of a network that somebody else builds on it.
template <typename Build>
std::int64_t blank_of(Build&& build, std::int64_t channels = 3) {
  GraphBuilder builder("made");
  build(builder, builder.input("image", Shape{channels, 8, 8}));
  const Graph graph = std::move(builder).build().value();
  const ExecutionPlan plan = lower(graph, one_by_one_schedule(graph), 2, kEight);
  must(check_plan(plan));
  EXPECT_EQ(filled_shape(input_of(plan)), (Shape{channels, 8, 8}));
  EXPECT_EQ(input_of(plan).shape, (Shape{channels + input_of(plan).blank, 8, 8}));
  return input_of(plan).blank;
}

TEST(PaddedInputs, AreThoseThatConvolutionsAloneRead) {
  EXPECT_EQ(blank_of([](GraphBuilder& b, const Value& in) { b.add("a", conv(4), {in}); }), 5);
  EXPECT_EQ(blank_of([](GraphBuilder& b, const Value& in) {
              b.add("a", conv(4), {in});
              b.add("b", conv(6), {in});
            }),
            5);
  EXPECT_EQ(blank_of([](GraphBuilder& b, const Value& in) { b.add("a", conv(4), {in}); }, 8), 0) << "already whole";
  EXPECT_EQ(blank_of([](GraphBuilder& b, const Value& in) { b.add("a", conv(4), {in}); }, 12), 4);
  EXPECT_EQ(blank_of([](GraphBuilder& b, const Value& in) { b.add("a", conv(3, 3), {in}); }), 0) << "groups";
  EXPECT_EQ(blank_of([](GraphBuilder& b, const Value& in) { b.add("a", conv(4), {in}); }, 1), 7);
  EXPECT_EQ(blank_of([](GraphBuilder& b, const Value& in) { b.add("a", conv(1), {in}); }, 1), 0) << "depthwise";
  EXPECT_EQ(blank_of([](GraphBuilder& b, const Value& in) { b.add("a", Activate{}, {in}); }), 0);
  EXPECT_EQ(blank_of([](GraphBuilder& b, const Value& in) {
              const Value a = b.add("a", conv(3), {in});
              b.add("sum", Add{}, {a, in});
            }),
            0)
      << "somebody else reads it, too";
  EXPECT_EQ(blank_of([](GraphBuilder& b, const Value& in) {
              Value two = in;
              two.end = 2;
              b.add("a", conv(4), {two});
            }),
            0)
      << "a slice of it";
}

TEST(PaddedInputs, AreReadWholeByMergedConvolutionsToo) {
  auto [builder, in] = test::sketch("merged", Shape{3, 8, 8}, "image");
  builder.add("a", conv(4), {in});
  builder.add("b", conv(6), {in});
  const Graph graph = std::move(builder).build().value();
  const Stage merged{{Group{{Step{{UnitId(0), UnitId(1)}}}}}};
  const ExecutionPlan plan = lower_stage(graph, merged, 1, kEight);
  must(check_plan(plan));
  const TensorView& read = plan.kernels.front().reads.front();
  EXPECT_EQ(read.end - read.begin, 8);
  EXPECT_EQ(plan.buffers[read.buffer.index()].blank, 5);
}

TEST(PaddedInputs, DoNotChangeTheWorkButTheKeyOfTheStageThatReadsThem) {
  const Graph graph = zoo_network("squeezenet").value();
  const Schedule schedule = one_by_one_schedule(graph);
  StagePlanner plain(graph, 1, {});
  StagePlanner padded(graph, 1, kEight);
  std::size_t other_keys = 0;
  for (const Stage& stage : schedule.stages) {
    const PlannedStage before = plain.plan(stage);
    const PlannedStage after = padded.plan(stage);
    other_keys += before.key == after.key ? 0 : 1;
    ASSERT_EQ(before.plan.kernels.size(), after.plan.kernels.size());
    for (std::size_t k = 0; k < before.plan.kernels.size(); ++k) {
      EXPECT_EQ(before.plan.kernels[k].work, after.plan.kernels[k].work);
    }
  }
  EXPECT_EQ(other_keys, 1U);
}

TEST(PaddedInputs, StandInWholeRunsAndInStagesAlike) {
  for (const ZooNetwork& network : zoo()) {
    const Graph graph = network.build();
    const Schedule schedule = one_by_one_schedule(graph);
    const ExecutionPlan run = lower(graph, schedule, 1, kEight);
    StagePlanner planner(graph, 1, kEight);
    for (const Stage& stage : schedule.stages) {
      for (const Buffer& alone : planner.plan(stage).plan.buffers) {
        const auto same = std::ranges::find(run.buffers, alone.name, &Buffer::name);
        ASSERT_NE(same, run.buffers.end()) << network.name << ": " << alone.name;
        EXPECT_EQ(same->blank, alone.blank) << network.name << ": " << alone.name;
        EXPECT_EQ(same->shape, alone.shape) << network.name << ": " << alone.name;
      }
    }
  }
}

}  // namespace

}  // namespace iosx
