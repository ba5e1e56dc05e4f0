// What kernels of a run without barriers waited for, on traces that are written down here.

#include "core/analysis/explain/explain.h"

#include "core/analysis/compare/find_lanes.h"
#include "core/devices/simulated/simulated_device.h"
#include "core/model/plan/stage_planner.h"
#include "core/model/schedule/baselines.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using For = KernelWait::For;
using By = EarlierStart::By;

// A plan of kernels that write a buffer each and read those of others, on lanes in launch order, and a run of it.
class HandMade {
 public:
  HandMade() { plan_.barrier_free = true; }

  KernelId add(std::size_t lane, const std::vector<KernelId>& reads, double begin, double end) {
    const KernelId id(plan_.kernels.size());
    Kernel& kernel = plan_.kernels.emplace_back();
    kernel.attributes = Identity{};
    kernel.lane = lane;
    for (const KernelId read : reads) kernel.reads.push_back({BufferId(read.index()), 0, 1});
    kernel.writes = {BufferId(id.index()), 0, 1};
    plan_.buffers.emplace_back().shape = Shape{1, 1, 1};
    KernelSpan& span = trace_.kernels.emplace_back();
    span.kernel = id;
    span.lane = lane;
    span.begin = Micros(begin);
    span.end = Micros(end);
    return id;
  }
  void lose(KernelId kernel) {
    std::erase_if(trace_.kernels, [&](const KernelSpan& span) { return span.kernel == kernel; });
  }
  std::optional<KernelWait> of(KernelId kernel) const { return KernelWaits(plan_, trace_).of(kernel); }

 private:
  ExecutionPlan plan_;
  Trace trace_;
};

TEST(KernelWait, OfTheFirstOneIsForNothing) {
  HandMade run;
  const KernelId first = run.add(0, {}, 0.5, 4);
  const auto wait = must(run.of(first));
  EXPECT_EQ(wait.what(), For::kNothing);
  EXPECT_EQ(wait.last(), std::nullopt);
  EXPECT_EQ(wait.start(), Micros(0.5));
  EXPECT_THAT(wait.earlier, IsEmpty());
}

// Lane 1 is free at 3, what the kernel needs ends at 5 and 9: it waits 6 for the second, 4 of them for it alone.
TEST(KernelWait, IsForTheNeedThatEndsLast) {
  HandMade run;
  const KernelId a = run.add(0, {}, 0, 5);
  const KernelId b = run.add(1, {}, 0, 3);
  const KernelId c = run.add(0, {a}, 5, 9);
  const KernelId d = run.add(1, {a, c}, 9.6, 12);
  const auto wait = must(run.of(d));
  EXPECT_EQ(wait.what(), For::kNeed);
  EXPECT_EQ(wait.last(), c);
  EXPECT_EQ(wait.before, b);
  EXPECT_EQ(wait.waited(), Micros(6));
  EXPECT_NEAR(wait.start().count(), 0.6, 1e-12);
  EXPECT_THAT(wait.earlier, ElementsAre(EarlierStart{.by = By::kNeed, .kernel = c, .most = Micros(4)}));
}

// Being on the same lane as what it needs is no reason to leave the lane.
TEST(KernelWait, OfAChainIsForWhatItNeeds) {
  HandMade run;
  const KernelId a = run.add(0, {}, 0, 5);
  const KernelId b = run.add(0, {a}, 5, 7);
  const auto wait = must(run.of(b));
  EXPECT_EQ(wait.what(), For::kNeed);
  EXPECT_EQ(wait.waited(), Micros(0));
  EXPECT_THAT(wait.earlier, ElementsAre(EarlierStart{.by = By::kNeed, .kernel = a, .most = Micros(5)}));
}

// The kernel d needs a, which ends at 2, and stands behind b until 10. Lane 1 is idle from 4 to 8, long enough; lane 2
// from 3 to 5, too short. Before b it could have begun at 2.
TEST(KernelWait, IsForTheLaneWhereNeedsEndedEarlier) {
  HandMade run;
  const KernelId a = run.add(0, {}, 0, 2);
  const KernelId b = run.add(0, {}, 2, 10);
  run.add(1, {}, 0, 4);
  run.add(2, {}, 0, 3);
  run.add(2, {}, 5, 20);
  run.add(1, {}, 8, 20);
  const KernelId d = run.add(0, {a}, 10, 13);
  const auto wait = must(run.of(d));
  EXPECT_EQ(wait.what(), For::kLane);
  EXPECT_EQ(wait.last(), b);
  EXPECT_EQ(wait.waited(), Micros(8));
  EXPECT_THAT(wait.earlier, ElementsAre(EarlierStart{.by = By::kLane, .lane = 1, .most = Micros(6)},
                                        EarlierStart{.by = By::kOrder, .kernel = b, .most = Micros(8)}));
}

// A profiler may see a kernel begin a little before the one that it waits for ends; that is said, not hidden.
TEST(KernelWait, MayStartBeforeItCould) {
  HandMade run;
  const KernelId a = run.add(0, {}, 0, 5);
  const KernelId b = run.add(1, {a}, 4.75, 7);
  EXPECT_EQ(run.of(b)->start(), Micros(-0.25));
}

TEST(KernelWait, IsNotKnownOfWhatTheTraceLacks) {
  HandMade run;
  const KernelId a = run.add(0, {}, 0, 5);
  const KernelId b = run.add(0, {a}, 5, 7);
  run.lose(a);
  EXPECT_FALSE(run.of(a));
  EXPECT_EQ(must(run.of(b)).needs_ended, Micros(0));
}

// On a simulated GPU nothing begins before it could, and most of what begins late has what it waited for right before.
TEST(KernelWait, ExplainsASimulatedRun) {
  const Graph graph = zoo_network("parallel_vit_s16").value();
  simulated::SimulatedDevice device(simulated_description("h200"));
  const ExecutionPlan staged = StagePlanner(graph, 1, device.info().lowering).plan(greedy_schedule(graph));
  const auto found = find_lanes(device, staged, {}, {});
  ASSERT_TRUE(found && found->best);
  const ExecutionPlan& plan = found->best->plan;
  const auto run = must(load_and_run(device, plan, {.trace = true}, {}));
  const KernelWaits waits(plan, run.trace);
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    const auto wait = must(waits.of(KernelId(k)));
    EXPECT_GE(wait.start().count(), -1e-9) << k;
    for (const EarlierStart& each : wait.earlier) {
      EXPECT_GT(each.most, Micros(0)) << k;
      EXPECT_LE(each.most, wait.ready()) << k;
    }
  }
}

}  // namespace
}  // namespace iosx
