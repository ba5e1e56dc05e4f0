#include "core/analysis/draft/draft_evaluation.h"

#include "core/analysis/compare/compare.h"
#include "core/devices/simulated/simulated_device.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

class LaneEvaluation : public testing::Test {
 protected:
  static std::shared_ptr<simulated::SimulatedDevice> device(const char* id) {
    return std::make_shared<simulated::SimulatedDevice>(simulated_description(id));
  }
  static std::shared_ptr<const Graph> network(const char* name) {
    return std::make_shared<const Graph>(zoo_network(name).value());
  }
  // The fastest lanes of the kernels of greedy's schedule, and all that was compared with them.
  Comparison compared(const std::shared_ptr<const Graph>& graph, Device& on) {
    CompareOptions options;
    options.schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kGreedy, ScheduleKind::kList,
                              ScheduleKind::kIosFlow};
    return compare(*graph, on, options, {}).value();
  }
  LaneDraft draft_of(const ScheduleResult& result, const std::shared_ptr<const Graph>& graph, const Device& on) {
    return LaneDraft::make(lane_kernels(graph, result.schedule, 1, on.info().lowering), *result.lanes).value();
  }
};

TEST_F(LaneEvaluation, ADraftTakesWhatTheResultTookThatItIsACopyOf) {
  for (const char* id : {"tesla-v100", "h200"}) {
    const auto on = device(id);
    const auto graph = network("googlenet");
    const Comparison run = compared(graph, *on);
    const ScheduleResult& flow = *run.find(ScheduleKind::kIosFlow);
    ASSERT_TRUE(flow.lanes.has_value()) << id;
    const LaneDraft draft = draft_of(flow, graph, *on);
    const LaneRun again = run_lanes(*on, draft, {}).value();
    EXPECT_EQ(again.latency.value, flow.latency.value);
    EXPECT_EQ(again.times, times_of(*flow.lanes, flow.trace));
    const ScheduleResult* const same = find_run(run, draft);
    ASSERT_NE(same, nullptr);
    EXPECT_EQ(*same->lanes, *flow.lanes) << "the search's, or the list's where it kept those";
    const auto references = lane_references(run);
    ASSERT_EQ(references.size(), 2U) << "no search with stages ran";
    EXPECT_EQ(references[0].sum, flow.latency.value);
    EXPECT_EQ(references[1].schedule_kind, ScheduleKind::kSequential);
    EXPECT_EQ(references[1].sum, run.find(ScheduleKind::kSequential)->latency.value);
  }
}

TEST_F(LaneEvaluation, APlaceCostsWhatARunWithTheKernelThereTakes) {
  const auto on = device("tesla-v100");
  const auto graph = network("googlenet");
  const LaneDraft draft = draft_of(*compared(graph, *on).find(ScheduleKind::kIosFlow), graph, *on);
  for (const std::size_t k : {std::size_t{3}, draft.kernels().needs.size() / 2}) {
    std::vector<LaneDraft::Place> places;
    const auto reaches = draft.where_may(KernelId(k));
    for (std::size_t lane = 0; lane < reaches.size(); ++lane) places.push_back({lane, reaches[lane].last});
    const auto latencies = latencies_at(*on, draft, KernelId(k), places, {}).value();
    ASSERT_EQ(latencies.size(), places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      const LaneDraft there = draft.moved(KernelId(k), places[i]).value();
      EXPECT_EQ(latencies[i], run_lanes(*on, there, {}).value().latency.value);
    }
  }
  EXPECT_EQ(latencies_at(*on, draft, KernelId(3), std::vector{draft.place_of(KernelId(3))}, {}).value().front(),
            run_lanes(*on, draft, {}).value().latency.value);
}

TEST_F(LaneEvaluation, LanesAreOfOneKindOfDevice) {
  const auto graph = network("googlenet");
  const auto v100 = device("tesla-v100");
  const Comparison run = compared(graph, *v100);
  const LaneDraft draft = draft_of(*run.find(ScheduleKind::kList), graph, *v100);
  EXPECT_EQ(on_device(draft, v100->info(), 1).value(), draft);
  const auto batch_8 = must(on_device(draft, v100->info(), 8));
  EXPECT_EQ(batch_8.kernels().staged.batch, 8);
  EXPECT_EQ(batch_8.rows(), draft.rows());
  // One that concatenates in place has no kernels for that. Parts of merged channels lie together for one image alone.
  const auto h200 = on_device(draft, device("h200")->info(), 1);
  const ScheduleResult& flow = *run.find(ScheduleKind::kIosFlow);
  ASSERT_EQ(flow.schedule.name, "sequential-merged") << "another base: this one does not show it";
  const auto merged_8 = on_device(draft_of(flow, graph, *v100), v100->info(), 8);
  for (const auto* other : {&h200, &merged_8}) {
    ASSERT_FALSE(*other);
    EXPECT_THAT(other->error().text(), HasSubstr("these lanes are for the kernels of another device or batch size"));
  }
  DeviceInfo stages = v100->info();
  stages.barrier_free = false;
  EXPECT_THAT(refused(on_device(draft, stages, 1)).text(), HasSubstr("runs only stages"));
}

TEST_F(LaneEvaluation, WhereNobodyRanItKernelsStandWhereTheyMay) {
  const auto on = device("tesla-v100");
  const auto graph = network("googlenet");
  const LaneDraft draft = draft_of(*compared(graph, *on).find(ScheduleKind::kIosFlow), graph, *on);
  const std::vector<Micros> takes(draft.kernels().needs.size(), Micros(2));
  const std::vector<KernelTime> times = laid_out(draft, takes);
  for (std::size_t k = 0; k < times.size(); ++k) {
    EXPECT_EQ(times[k].end - times[k].begin, Micros(2));
    for (const KernelId need : draft.kernels().needs[k]) EXPECT_GE(times[k].begin, times[need.index()].end);
  }
  for (const std::vector<KernelId>& row : draft.rows()) {
    for (std::size_t i = 1; i < row.size(); ++i) EXPECT_GE(times[row[i].index()].begin, times[row[i - 1].index()].end);
  }
}

TEST_F(LaneEvaluation, LengthsComeFromAnyRunOfTheSameKernels) {
  const auto on = device("tesla-v100");
  const auto graph = network("googlenet");
  const Comparison run = compared(graph, *on);
  const ScheduleResult& greedy = *run.find(ScheduleKind::kGreedy);
  const auto kernels = lane_kernels(graph, greedy.schedule, 1, on->info().lowering);
  const auto times = times_elsewhere(run, *kernels);
  ASSERT_EQ(times.size(), kernels->needs.size());
  Comparison without = run;
  std::erase_if(without.results, [&](const ScheduleResult& result) { return result.schedule == greedy.schedule; });
  EXPECT_TRUE(times_elsewhere(without, *kernels).empty());
}

}  // namespace
}  // namespace iosx
