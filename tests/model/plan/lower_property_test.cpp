#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "core/model/schedule/baselines.h"
#include "core/model/schedule/legality.h"
#include "core/model/schedule/merge.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/sanitized.h"

namespace iosx {
namespace {

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

}  // namespace
}  // namespace iosx
