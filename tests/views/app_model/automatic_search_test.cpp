#include "views/app_model/automatic_search.h"
#include "core/analysis/compare/compare.h"
#include "core/devices/simulated/simulated_device.h"
#include "core/documents/run_file/run_file.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

// A stop leaves lanes that are measured against stages whose search was stopped.
TEST(DropStopped, LeavesARunThatCanBeReadAgain) {
  simulated::SimulatedDevice device(simulated_description("h200"));
  const CompareOptions options{.schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kIosMerge,
                                                  ScheduleKind::kIosBoth, ScheduleKind::kIosFlow}};
  const auto graph = std::make_shared<const Graph>(build_inception_v3());
  Comparison comparison = must(compare(*graph, device, options, {}));
  ASSERT_TRUE(comparison.own_lanes);
  ASSERT_EQ(comparison.own_lanes->of, ScheduleId("ios-both"));
  for (ScheduleResult& result : comparison.results) {
    if (result.search) result.search->complete = false;
  }
  comparison.complete = false;
  drop_stopped(comparison);
  EXPECT_EQ(comparison.find(ScheduleKind::kIosMerge), nullptr) << "nothing is measured against it";
  EXPECT_THAT(comparison.missing, ElementsAre("IOS-Merge"));
  EXPECT_EQ(comparison.notices.back(), stopped_before({"IOS-Merge"}));
  EXPECT_NE(comparison.find(ScheduleKind::kIosBoth), nullptr);
  EXPECT_NE(comparison.find(ScheduleKind::kIosFlow), nullptr);
  const iosx::Run run = make_run(std::move(comparison), options, {"inception_v3", graph, true}, "1");
  EXPECT_EQ(must(run_from_json(run_to_json(run), "x")).comparison.results.size(), run.comparison.results.size());
}

// Stages say whose they are, so those stay.
TEST(DropStopped, LeavesTheStagesThatChoseTheKernelsOfLanes) {
  auto comparison = test::made_up_lanes();
  ScheduleResult& merged = comparison->results[2];
  ASSERT_EQ(merged.schedule_kind, ScheduleKind::kIosBoth);
  merged.search = SearchResult{.schedule = merged.schedule, .complete = false};
  merged.latency.value = comparison->results[0].latency.value * 2;
  ScheduleResult& lanes = comparison->results.back();
  ASSERT_TRUE(lanes.lanes);
  lanes.schedule.name = merged.schedule.name;
  Comparison kept = *comparison;
  drop_stopped(kept);
  EXPECT_NE(kept.find(ScheduleKind::kIosBoth), nullptr);
  kept.results.back().schedule.name = "greedy";
  drop_stopped(kept);
  EXPECT_EQ(kept.find(ScheduleKind::kIosBoth), nullptr);
}

}  // namespace
}  // namespace iosx
