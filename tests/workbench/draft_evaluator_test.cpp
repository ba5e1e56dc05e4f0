// Drafts on devices that a test made: what is asked, and what counts as known.
#include "core/workbench/draft_evaluator.h"

#include "core/analysis/compare/compare.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/support/store_files.h"

namespace iosx::test {
namespace {

// Of a device that measures, and with what it measured kept in a store.
TEST(DraftEvaluator, NothingIsMeasuredUnasked) {
  const auto behaviour = std::make_shared<ScriptedBehaviour>();
  const DeviceRegistry devices = scripted_registry(behaviour);
  const DeviceInfo info = ScriptedDevice::make_info(ScriptedKind::kComputer);
  const auto graph = std::make_shared<const Graph>(diamond());
  const ScheduleDraft start = ScheduleDraft::make(graph, one_by_one_schedule(*graph)).value();
  const ScheduleDraft draft = start.joined(1).value();  // b and c
  DraftEvaluator evaluator(graph, info, 1);
  const Workbench bench(devices, {}, "test");
  EXPECT_TRUE(evaluator.is_for(*graph, info, 1));
  EXPECT_FALSE(evaluator.is_for(*graph, info, 2));
  EXPECT_FALSE(evaluator.is_for(*graph, ScriptedDevice::make_info(ScriptedKind::kGpu), 1));

  const auto missing = [&](const DraftEvaluation& found) {
    return std::ranges::count_if(found.costs.stages, [](const auto& latency) { return !latency; });
  };
  EXPECT_EQ(missing(evaluator.evaluate(draft, start, nullptr, bench)), 3);

  // A run knows the stages of its schedules, one from a file as recorded.
  const auto device = devices.open(info.id).value();
  CompareOptions options{.schedule_kinds = {ScheduleKind::kOneByOne}};
  Comparison run = compare(*graph, *device, options, {}).value();
  const int measured = behaviour->measured;
  std::erase_if(run.results, [](const ScheduleResult& each) { return each.schedule_kind != ScheduleKind::kOneByOne; });
  DraftEvaluation found = evaluator.evaluate(draft, start, &run, bench);
  EXPECT_EQ(missing(found), 1);
  EXPECT_FALSE(found.costs.sum);
  EXPECT_EQ(found.costs.stages[0]->origin, Origin::kMeasured);
  run.recorded = verbatim("elsewhere");
  EXPECT_EQ(evaluator.evaluate(draft, start, &run, bench).costs.stages[0]->origin, Origin::kRecorded);

  // A store knows what was measured.
  const Folder folder;
  const StorePlace place{.kept = true, .file = folder / "m.db"};
  {
    const auto store = open_store(place.file);
    DeviceLatencySource source(*graph, *device, 1, {}, {store.get(), "test"});
    ASSERT_TRUE(source.refined_latencies(std::vector{draft.schedule().stages[1]}, {}));
  }
  found = evaluator.evaluate(draft, start, &run, bench.with_store({place}));
  ASSERT_TRUE(found.costs.sum.has_value());
  EXPECT_GT(found.costs.spread.count(), 0);
  EXPECT_TRUE(found.changes[1].has_value());
  EXPECT_FALSE(
      evaluator.evaluate(draft, start, &run, bench.with_store({{.kept = false, .file = place.file}})).costs.sum);

  // So does who was told.
  EXPECT_EQ(behaviour->measured, measured + 1);
  DraftEvaluator told(graph, info, 1);
  told.learn(draft.schedule().stages, std::vector<Latency>(3, Latency{Millis(1), Millis(0), 5, Origin::kMeasured}));
  EXPECT_DOUBLE_EQ(told.evaluate(draft, start, nullptr, bench).costs.sum->count(), 3);
  EXPECT_EQ(behaviour->measured, measured + 1);
}

TEST(DraftEvaluator, ASimulatedDeviceIsAskedAndItsAnswersStayKnown) {
  const auto behaviour = std::make_shared<ScriptedBehaviour>();
  const DeviceRegistry devices = scripted_registry(behaviour);
  const DeviceInfo info = devices.open("fake").value()->info();
  const auto graph = std::make_shared<const Graph>(diamond());
  const ScheduleDraft start = ScheduleDraft::make(graph, one_by_one_schedule(*graph)).value();
  DraftEvaluator evaluator(graph, info, 1);
  const Workbench bench(devices, {}, "test");
  const DraftEvaluation found = evaluator.evaluate(start, start, nullptr, bench);
  EXPECT_TRUE(found.costs.sum.has_value());
  const int measured = behaviour->measured;
  EXPECT_EQ(evaluator.evaluate(start, start, nullptr, bench).costs.sum, found.costs.sum);
  EXPECT_EQ(behaviour->measured, measured);
}

}  // namespace
}  // namespace iosx::test
