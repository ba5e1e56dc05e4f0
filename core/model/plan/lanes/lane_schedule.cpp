#include "core/model/plan/lanes/lane_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/base/check.h"
#include "core/model/plan/needs.h"

namespace iosx {
namespace {

// For every lane, how many of its first kernels have ended.
using Clock = std::vector<std::size_t>;

void learn(Clock& clock, const Clock& other) {
  for (std::size_t lane = 0; lane < clock.size(); ++lane) clock[lane] = std::max(clock[lane], other[lane]);
}

}  // namespace

Result<void> check_launches(const LaneSchedule& lanes, std::size_t kernels) {
  std::vector<bool> launched(kernels, false);
  for (std::size_t i = 0; i < lanes.launches.size(); ++i) {
    const auto& [kernel, lane, name] = lanes.launches[i];
    const std::string place = fmt::format("launches[{}]", i);
    if (!kernel.valid() || kernel.index() >= kernels) return fail(message("there is no such kernel"), place);
    if (lane >= kMostLanes) return fail(message("lane {} must lie in 0..{}", lane, kMostLanes - 1), place);
    if (launched[kernel.index()]) return fail(message("kernel {} is launched twice", kernel.index()), place);
    launched[kernel.index()] = true;
  }
  if (lanes.launches.size() == kernels) return {};
  return fail(message("has {} of {} kernels", lanes.launches.size(), kernels), "launches");
}

Result<void> check_lanes(const LaneSchedule& lanes, std::span<const std::vector<KernelId>> needs) {
  IOS_TRY(check_launches(lanes, needs.size()));
  std::vector<std::size_t> turn(needs.size());
  for (std::size_t i = 0; i < lanes.launches.size(); ++i) turn[lanes.launches[i].kernel.index()] = i;
  for (std::size_t k = 0; k < needs.size(); ++k) {
    for (const KernelId need : needs[k]) {
      if (turn[need.index()] < turn[k]) continue;
      return fail(message("kernel {} comes before kernel {}, which it needs", k, need.index()),
                  fmt::format("launches[{}]", turn[k]));
    }
  }
  return {};
}

Result<ExecutionPlan> barrier_free_plan(const ExecutionPlan& staged, const LaneSchedule& lanes) {
  constexpr Sentence kRemedy{"use the device and batch size that they were found for, or search lanes again"};
  if (lanes.launches.size() != staged.kernels.size()) {
    return fail(
        message("{} kernels, but this device has {}: these lanes are for the kernels of another device or batch size",
                lanes.launches.size(), staged.kernels.size()),
        "launches", kRemedy);
  }
  for (std::size_t i = 0; i < lanes.launches.size(); ++i) {
    const auto& [kernel, lane, name] = lanes.launches[i];
    const bool known = kernel.valid() && kernel.index() < staged.kernels.size();
    if (known && (name.empty() || name == staged.kernel(kernel).name)) continue;
    return fail(message("kernel {} is not '{}' here: these lanes are for the kernels of another device or batch size",
                        kernel.index(), name),
                fmt::format("launches[{}]", i), kRemedy);
  }
  const std::vector<std::vector<KernelId>> needs = needs_of(staged);
  IOS_TRY(check_lanes(lanes, needs));
  return on_lanes(staged, needs, lanes);
}

ExecutionPlan on_lanes(const ExecutionPlan& staged, std::span<const std::vector<KernelId>> needs,
                       const LaneSchedule& lanes) {
  constexpr std::size_t kUnused = kMostLanes;
  ExecutionPlan plan = staged;
  plan.barrier_free = true;
  plan.kernels.clear();
  std::vector<std::size_t> lane_of(kMostLanes, kUnused);
  std::size_t used = 0;
  for (const auto& [kernel, lane, name] : lanes.launches) {
    if (lane_of[lane] == kUnused) lane_of[lane] = used++;
  }
  std::vector<Clock> now(used, Clock(used, 0));     // by lane
  std::vector<Clock> after(staged.kernels.size());  // by the old kernel: what has ended when it has
  std::vector<std::size_t> position(staged.kernels.size(), 0);
  std::vector<KernelId> id(staged.kernels.size());  // by the old one
  for (const auto& [old, given_lane, name] : lanes.launches) {
    const std::size_t lane = lane_of[given_lane];
    Kernel kernel = staged.kernel(old);
    kernel.lane = lane;
    kernel.waits.clear();
    std::vector<KernelId> others = needs[old.index()];
    std::ranges::sort(others, std::greater(), [&](KernelId other) { return id[other.index()]; });  // later imply more
    for (const KernelId other : others) {
      const KernelId new_other = id[other.index()];
      IOS_CHECK(new_other.valid());
      const std::size_t its = plan.kernel(new_other).lane;
      if (now[lane][its] >= position[other.index()]) continue;
      learn(now[lane], after[other.index()]);
      kernel.waits.push_back(new_other);
    }
    position[old.index()] = ++now[lane][lane];
    after[old.index()] = now[lane];
    id[old.index()] = KernelId(plan.kernels.size());
    plan.kernels.push_back(std::move(kernel));
  }
  for (PlanStage& stage : plan.stages) {
    for (std::vector<KernelId>& group : stage.lanes) {
      for (KernelId& kernel : group) kernel = id[kernel.index()];
    }
  }
  return plan;
}

LaneSchedule named(LaneSchedule lanes, const ExecutionPlan& staged) {
  for (LaneSchedule::Launch& launch : lanes.launches) launch.name = staged.kernel(launch.kernel).name;
  return lanes;
}

ExecutionPlan one_after_another(ExecutionPlan plan) {
  plan.barrier_free = false;
  plan.stages.assign(1, {});
  if (plan.kernels.empty()) return plan;
  std::vector<KernelId>& lane = plan.stages.front().lanes.emplace_back();
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    plan.kernels[k].stage = plan.kernels[k].lane = 0;
    plan.kernels[k].waits.clear();
    lane.emplace_back(k);
  }
  return plan;
}

LaneSchedule one_lane(const ExecutionPlan& staged) {
  LaneSchedule lanes;
  for (std::size_t k = 0; k < staged.kernels.size(); ++k) lanes.launches.push_back({KernelId(k), 0, {}});
  return lanes;
}

LaneSchedule same_lanes(const ExecutionPlan& staged) {
  LaneSchedule lanes;
  for (std::size_t k = 0; k < staged.kernels.size(); ++k) {
    lanes.launches.push_back({KernelId(k), std::min(staged.kernels[k].lane, kMostLanes - 1), {}});
  }
  return lanes;
}

std::vector<KernelId> longest_way_first(std::span<const std::vector<KernelId>> needs, std::span<const Micros> takes) {
  std::vector<Micros> way(takes.begin(), takes.end());  // from its start to an end
  std::vector<std::vector<std::size_t>> readers(needs.size());
  std::vector<std::size_t> missing(needs.size());
  for (std::size_t k = needs.size(); k-- > 0;) {
    missing[k] = needs[k].size();
    for (const KernelId need : needs[k]) {
      way[need.index()] = std::max(way[need.index()], takes[need.index()] + way[k]);
      readers[need.index()].push_back(k);
    }
  }
  const auto later = [&](std::size_t a, std::size_t b) { return way[a] != way[b] ? way[a] < way[b] : a > b; };
  std::vector<std::size_t> ready;  // a heap
  for (std::size_t k = 0; k < needs.size(); ++k) {
    if (missing[k] == 0) ready.push_back(k);
  }
  std::ranges::make_heap(ready, later);
  std::vector<KernelId> order;
  while (!ready.empty()) {
    std::ranges::pop_heap(ready, later);
    const std::size_t next = ready.back();
    ready.pop_back();
    order.emplace_back(next);
    for (const std::size_t reader : readers[next]) {
      if (--missing[reader] > 0) continue;
      ready.push_back(reader);
      std::ranges::push_heap(ready, later);
    }
  }
  return order;
}

LaneSchedule list_schedule(std::span<const std::vector<KernelId>> needs, std::span<const KernelId> order,
                           std::span<const Micros> takes, std::size_t lanes, Micros wait) {
  constexpr Micros kSame{1e-9};
  IOS_CHECK(lanes > 0 && lanes <= kMostLanes);
  LaneSchedule result;
  std::vector<Micros> free(lanes, Micros{0});
  std::vector<Micros> end(needs.size(), Micros{0});
  std::vector<std::size_t> lane_of(needs.size(), 0);
  for (const KernelId kernel : order) {
    std::size_t best = 0;
    Micros best_start{0};
    Micros best_idle{0};
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      Micros start = free[lane];
      for (const KernelId need : needs[kernel.index()]) {
        start = std::max(start, end[need.index()] + (lane_of[need.index()] == lane ? Micros{0} : wait));
      }
      const Micros idle = start - free[lane];
      if (lane > 0 && start > best_start - kSame && (start > best_start + kSame || idle > best_idle - kSame)) continue;
      best = lane;
      best_start = start;
      best_idle = idle;
    }
    lane_of[kernel.index()] = best;
    free[best] = end[kernel.index()] = best_start + takes[kernel.index()];
    result.launches.push_back({kernel, best, {}});
  }
  return result;
}

}  // namespace iosx
