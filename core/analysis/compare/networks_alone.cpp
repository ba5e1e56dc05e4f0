#include "core/analysis/compare/networks_alone.h"

#include <algorithm>
#include <utility>

#include "core/model/graph/networks.h"
#include "core/model/plan/execution_plan.h"

namespace iosx {
namespace {

// The schedules among which a network's own fastest is: the widest search finds what the narrower ones find.
CompareOptions options_of_one(const CompareOptions& options) {
  CompareOptions own = options;
  own.given.clear();
  own.earlier.reset();
  own.warm_start.reset();
  own.verify = own.sensitivity = false;
  own.memory_limit = 0;
  const auto& asked = options.schedule_kinds;
  const bool both = std::ranges::find(asked, ScheduleKind::kIosBoth) != asked.end();
  std::erase_if(own.schedule_kinds, [&](ScheduleKind kind) {
    const ScheduleKindRow& row = row_of(kind);
    return row.of_several || row.on_request || (row.strategies && both && kind != ScheduleKind::kIosBoth);
  });
  if (own.schedule_kinds.empty()) own.schedule_kinds = {ScheduleKind::kSequential};
  return own;
}

// A launch of one network, and when it began in the run of that network alone.
struct LaunchAlone {
  Micros begins{0};
  LaneSchedule::Launch launch;
};

// Returns the launches in their order. What began later in its own order has a later time.
std::vector<LaunchAlone> launches_of(const ScheduleResult& result) {
  const LaneSchedule lanes = result.lanes ? *result.lanes : named(same_lanes(result.plan), result.plan);
  std::vector<LaunchAlone> launches;
  for (const LaneSchedule::Launch& launch : lanes.launches) launches.push_back({.launch = launch});
  for (const KernelSpan& span : result.trace.kernels) {
    // The kernels of a plan on lanes are numbered in launch order, and without lanes in that of the plan, which is it.
    if (span.kernel.index() < launches.size()) launches[span.kernel.index()].begins = span.begin;
  }
  for (std::size_t i = 1; i < launches.size(); ++i)
    launches[i].begins = std::max(launches[i].begins, launches[i - 1].begins);
  return launches;
}

// Puts the schedules of networks beside one another, in one graph.
class Together {
 public:
  void add(const ScheduleResult& result, std::span<const UnitId> units) {
    for (Stage stage : result.schedule.stages) {
      for (Group& group : stage.groups) {
        for (Step& step : group.steps) {
          for (UnitId& unit : step.units) unit = units[unit.index()];
        }
      }
      schedule_.stages.push_back(std::move(stage));
    }
    std::size_t used = 0;
    const std::vector<LaunchAlone> own = launches_of(result);
    for (LaunchAlone each : own) {
      used = std::max(used, each.launch.lane + 1);
      each.launch.kernel = KernelId(each.launch.kernel.index() + kernels_);
      each.launch.lane += lanes_;
      launches_.push_back(std::move(each));
    }
    kernels_ += own.size();
    lanes_ += used;
  }

  std::optional<GivenSchedule> take() && {
    if (lanes_ > kMostLanes) return std::nullopt;
    std::ranges::stable_sort(launches_, {}, &LaunchAlone::begins);
    LaneSchedule lanes;
    for (LaunchAlone& each : launches_) lanes.launches.push_back(std::move(each.launch));
    schedule_.name = row_of(ScheduleKind::kSideBySide).id;
    return GivenSchedule(std::move(schedule_), std::move(lanes));
  }

 private:
  Schedule schedule_;
  std::vector<LaunchAlone> launches_;
  std::size_t kernels_ = 0;
  std::size_t lanes_ = 0;
};

}  // namespace

Result<NetworksAlone> find_alone(const Graph& graph, Device& device, const CompareOptions& options,
                                 const CompareContext& context, const JobContext& job) {
  const CompareOptions own = options_of_one(options);
  NetworksAlone found;
  Together together;
  for (const std::vector<UnitId>& units : independent_units(graph)) {
    const std::string& name = graph.networks()[graph.network(units.front()).index()];
    const Graph one = alone(graph, units);
    CompareContext quiet;
    quiet.keeping = context.keeping;
    quiet.guesser = context.guesser;
    quiet.abandon = context.abandon;
    IOS_TRY(const Comparison comparison, compare(one, device, own, named(job, name), quiet));
    if (!comparison.complete) return fail(message("stopped before {} ran alone", name));
    const ScheduleResult& best = comparison.results[comparison.best()];
    const auto same_network = [&](UnitId unit) { return graph.network(unit) == graph.network(units.front()); };
    if (std::ranges::all_of(units, same_network)) found.times.push_back({name, best.latency});
    together.add(best, units);
  }
  if (device.info().barrier_free) found.together = std::move(together).take();
  return found;
}

}  // namespace iosx
