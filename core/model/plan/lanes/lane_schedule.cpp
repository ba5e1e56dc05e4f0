#include "core/model/plan/lanes/lane_schedule.h"

#include <algorithm>
#include <tuple>

#include "core/base/check.h"

namespace iosx {
namespace {

// For every lane, how many of its first kernels have ended.
using Ended = std::vector<std::uint32_t>;

void learn(Ended& ended, const Ended& other) {
  for (std::size_t lane = 0; lane < ended.size(); ++lane) ended[lane] = std::max(ended[lane], other[lane]);
}

// The state of a buffer while kernels are launched.
struct Held {
  std::int64_t bytes = 0;
  bool begun = false;       // a kernel that touches it was launched, or it is external
  bool to_end = false;      // nobody may take its place
  std::size_t to_come = 0;  // kernels that touch it and are not launched yet
  Ended last;               // by lane: the last of its kernels that touches it, from 1
};

class Lister {
 public:
  Lister(const MemoryBudget& budget, const ExecutionPlan& staged, std::span<const std::vector<KernelId>> needs,
         std::span<const KernelId> order, std::span<const Micros> takes, std::size_t lanes, Micros wait)
      : budget_(budget),
        needs_(needs),
        takes_(takes),
        wait_(wait),
        now_(lanes, Ended(lanes, 0)),
        free_(lanes, Micros(0)),
        after_(needs.size()),
        end_(needs.size(), Micros(0)),
        lane_of_(needs.size(), 0),
        launched_(needs.size(), false),
        touches_(needs.size()),
        held_(staged.buffers.size()),
        rank_(needs.size(), 0),
        missing_(needs.size(), 0),
        readers_(needs.size()) {
    for (std::size_t i = 0; i < order.size(); ++i) rank_[order[i].index()] = i;
    hold_buffers(staged, lanes);
    for (std::size_t k = 0; k < needs.size(); ++k) {
      missing_[k] = needs[k].size();
      for (const KernelId need : needs[k]) readers_[need.index()].push_back(k);
      if (missing_[k] == 0) add_ready(k);
    }
  }

  // Gives the orders of all kernels of which one takes least memory: in that the rest has to be able to follow whatever
  // is launched.
  void keep_a_way(std::vector<std::vector<KernelId>> orders) {
    std::optional<std::int64_t> least;
    for (std::vector<KernelId>& order : orders) {
      Following following(*this);
      std::int64_t peak = 0;
      for (const KernelId kernel : order) peak = std::max(peak, following.with(kernel.index()));
      if (least && peak >= *least) continue;
      least = peak;
      frugal_ = std::move(order);
    }
  }

  LaneSchedule run() && {
    LaneSchedule result;
    while (!ready_.empty()) {
      const auto [kernel, lane] = next();
      launch(kernel, lane);
      result.launches.push_back({KernelId(kernel), lane, {}});
    }
    IOS_CHECK(result.launches.size() == needs_.size());
    return result;
  }

 private:
  struct Choice {
    std::size_t kernel = 0;
    std::size_t lane = 0;
  };

  // Kernels in sequence, each after all earlier ones have ended.
  class Following {
   public:
    explicit Following(const Lister& lister) : lister_(lister) {
      for (const Held& held : lister.held_) {
        to_come_.push_back(held.to_come);
        begun_.push_back(held.begun);
        if (held.begun && (held.to_end || held.to_come > 0)) bytes_ += held.bytes;
      }
    }
    // Returns the bytes in use while the next one runs.
    std::int64_t with(std::size_t kernel) {
      for (const std::size_t b : lister_.touches_[kernel]) bytes_ += begun_[b] ? 0 : lister_.held_[b].bytes;
      const std::int64_t together = bytes_;
      for (const std::size_t b : lister_.touches_[kernel]) {
        begun_[b] = true;
        if (--to_come_[b] == 0 && !lister_.held_[b].to_end) bytes_ -= lister_.held_[b].bytes;
      }
      return together;
    }

   private:
    const Lister& lister_;
    std::vector<std::size_t> to_come_;  // by buffer, as begun_
    std::vector<bool> begun_;
    std::int64_t bytes_ = 0;
  };

  void hold_buffers(const ExecutionPlan& staged, std::size_t lanes) {
    std::vector<bool> read(held_.size(), false);
    for (std::size_t k = 0; k < staged.kernels.size(); ++k) {
      std::vector<std::size_t>& touched = touches_[k];
      for (const TensorView& view : staged.kernels[k].reads) {
        touched.push_back(view.buffer.index());
        read[view.buffer.index()] = true;
      }
      touched.push_back(staged.kernels[k].writes.buffer.index());
      std::ranges::sort(touched);
      touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
      std::erase_if(touched, [&](std::size_t b) { return staged.buffers[b].constant; });
      for (const std::size_t b : touched) ++held_[b].to_come;
    }
    for (std::size_t b = 0; b < held_.size(); ++b) {
      const Buffer& buffer = staged.buffers[b];
      if (buffer.constant) continue;
      const std::int64_t bytes = buffer.shape.elements() * budget_.element_bytes * staged.batch;
      held_[b].bytes = (bytes + budget_.alignment - 1) / budget_.alignment * budget_.alignment;
      held_[b].to_end = buffer.external || !read[b];
      held_[b].begun = buffer.external;
      held_[b].last.assign(lanes, 0);
      if (buffer.external) in_use_.push_back(b);
    }
    for (const PlanOutput& output : staged.outputs) held_[output.view.buffer.index()].to_end = true;
  }

  void add_ready(std::size_t kernel) {
    const auto later = [&](std::size_t a, std::size_t b) { return rank_[a] < rank_[b]; };
    ready_.insert(std::ranges::upper_bound(ready_, kernel, later), kernel);
  }

  // Returns which kernels have ended when the kernel starts on the lane.
  Ended ended_at(std::size_t kernel, std::size_t lane) const {
    Ended ended = now_[lane];
    for (const KernelId need : needs_[kernel]) learn(ended, after_[need.index()]);
    return ended;
  }

  Micros start_on(std::size_t kernel, std::size_t lane) const {
    Micros start = free_[lane];
    for (const KernelId need : needs_[kernel]) {
      start = std::max(start, end_[need.index()] + (lane_of_[need.index()] == lane ? Micros(0) : wait_));
    }
    return start;
  }

  bool is_over(const Held& held, const Ended& ended) const {
    if (held.to_end || held.to_come > 0) return false;
    for (std::size_t l = 0; l < ended.size(); ++l) {
      if (held.last[l] > ended[l]) return false;
    }
    return true;
  }

  // Returns the bytes of buffers possibly in use beside the kernel there, and of those that it starts to use.
  std::int64_t beside(std::size_t kernel, const Ended& ended) const {
    std::int64_t bytes = 0;
    for (const std::size_t b : in_use_) {
      if (!is_over(held_[b], ended)) bytes += held_[b].bytes;
    }
    for (const std::size_t b : touches_[kernel]) bytes += held_[b].begun ? 0 : held_[b].bytes;
    return bytes;
  }

  // Returns the bytes that become free once the kernel has ended.
  std::int64_t frees(std::size_t kernel) const {
    std::int64_t bytes = 0;
    for (const std::size_t b : touches_[kernel])
      bytes += held_[b].to_come == 1 && !held_[b].to_end ? held_[b].bytes : 0;
    return bytes;
  }

  // One empty lane represents all.
  std::size_t lanes_to_try() const { return std::min(used_ + 1, free_.size()); }

  std::optional<std::size_t> fitting_lane(std::size_t kernel) const {
    constexpr Micros kSame{1e-9};
    std::optional<std::size_t> best;
    Micros best_start{0};
    Micros best_idle{0};
    for (std::size_t lane = 0; lane < lanes_to_try(); ++lane) {
      const Micros start = start_on(kernel, lane);
      const Micros idle = start - free_[lane];
      const bool worse = best && start > best_start - kSame && (start > best_start + kSame || idle > best_idle - kSame);
      if (worse || beside(kernel, ended_at(kernel, lane)) > budget_.bytes) continue;
      best = lane;
      best_start = start;
      best_idle = idle;
    }
    return best;
  }

  // The others can follow the kernel in the frugal order, each when those before it have ended.
  bool leaves_a_way(std::size_t kernel) const {
    Following following(*this);
    if (following.with(kernel) > budget_.bytes) return false;
    return std::ranges::all_of(frugal_, [&](KernelId next) {
      return launched_[next.index()] || next.index() == kernel || following.with(next.index()) <= budget_.bytes;
    });
  }

  Choice next() const {
    for (const std::size_t kernel : ready_) {
      const auto lane = fitting_lane(kernel);
      if (lane && leaves_a_way(kernel)) return {kernel, *lane};
    }
    // The bytes beside it and after it, and its rank.
    std::optional<std::tuple<std::int64_t, std::int64_t, std::size_t>> least;
    Choice choice;
    for (const std::size_t kernel : ready_) {
      for (std::size_t lane = 0; lane < lanes_to_try(); ++lane) {
        const std::int64_t bytes = beside(kernel, ended_at(kernel, lane));
        const std::int64_t after = bytes - frees(kernel);
        const std::tuple taken =
            budget_.bytes == 0 ? std::tuple{after, bytes, rank_[kernel]} : std::tuple{bytes, after, rank_[kernel]};
        if (least && taken >= *least) continue;
        least = taken;
        choice = {kernel, lane};
      }
    }
    return choice;
  }

  void launch(std::size_t kernel, std::size_t lane) {
    const Micros start = start_on(kernel, lane);
    now_[lane] = ended_at(kernel, lane);
    const std::uint32_t position = ++now_[lane][lane];
    after_[kernel] = now_[lane];
    launched_[kernel] = true;
    lane_of_[kernel] = lane;
    free_[lane] = end_[kernel] = start + takes_[kernel];
    used_ = std::max(used_, lane + 1);
    for (const std::size_t b : touches_[kernel]) {
      Held& held = held_[b];
      if (!held.begun) in_use_.push_back(b);
      held.begun = true;
      held.last[lane] = position;
      --held.to_come;
    }
    // Skips buffers that are no longer used on any lane.
    std::erase_if(in_use_, [&](std::size_t b) {
      return std::ranges::all_of(now_, [&](const Ended& ended) { return is_over(held_[b], ended); });
    });
    std::erase(ready_, kernel);
    for (const std::size_t reader : readers_[kernel]) {
      if (--missing_[reader] == 0) add_ready(reader);
    }
  }

  const MemoryBudget budget_;
  std::span<const std::vector<KernelId>> needs_;
  std::span<const Micros> takes_;
  const Micros wait_;
  std::vector<Ended> now_;                         // by lane: what has ended when its last kernel has
  std::vector<Micros> free_;                       // by lane
  std::vector<Ended> after_;                       // by kernel: what has ended when it has
  std::vector<Micros> end_;                        // by kernel
  std::vector<std::size_t> lane_of_;               // by kernel
  std::vector<bool> launched_;                     // by kernel
  std::vector<KernelId> frugal_;                   // see keep_a_way()
  std::vector<std::vector<std::size_t>> touches_;  // by kernel: buffers, without constants
  std::vector<Held> held_;                         // by buffer
  std::vector<std::size_t> in_use_;                // buffers that have begun and may not be over
  std::vector<std::size_t> rank_;                  // by kernel: its place in the order
  std::vector<std::size_t> missing_;               // by kernel: needs that are not launched
  std::vector<std::vector<std::size_t>> readers_;  // by kernel: who needs it
  std::vector<std::size_t> ready_;                 // by rank
  std::size_t used_ = 0;                           // lanes that have kernels
};

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

Result<void> check_kernels(const ExecutionPlan& staged, const LaneSchedule& lanes) {
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
  return {};
}

Result<ExecutionPlan> barrier_free_plan(const ExecutionPlan& staged, const LaneSchedule& lanes) {
  IOS_TRY(check_kernels(staged, lanes));
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
  std::vector<Ended> now(used, Ended(used, 0));     // by lane
  std::vector<Ended> after(staged.kernels.size());  // by the old kernel: what has ended when it has
  std::vector<std::uint32_t> position(staged.kernels.size(), 0);
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

namespace {

// Returns the time from the start of each kernel to the last end of those that need it.
std::vector<Micros> ways(std::span<const std::vector<KernelId>> needs, std::span<const Micros> takes) {
  std::vector<Micros> way(takes.begin(), takes.end());
  for (std::size_t k = needs.size(); k-- > 0;) {
    for (const KernelId need : needs[k]) {
      way[need.index()] = std::max(way[need.index()], takes[need.index()] + way[k]);
    }
  }
  return way;
}

}  // namespace

Micros longest_path(std::span<const std::vector<KernelId>> needs, std::span<const Micros> takes) {
  const std::vector<Micros> way = ways(needs, takes);
  return way.empty() ? Micros(0) : std::ranges::max(way);
}

std::vector<KernelId> longest_way_first(std::span<const std::vector<KernelId>> needs, std::span<const Micros> takes) {
  const std::vector<Micros> way = ways(needs, takes);
  std::vector<std::vector<std::size_t>> readers(needs.size());
  std::vector<std::size_t> missing(needs.size());
  for (std::size_t k = needs.size(); k-- > 0;) {
    missing[k] = needs[k].size();
    for (const KernelId need : needs[k]) readers[need.index()].push_back(k);
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

LaneSchedule list_schedule_within(const MemoryBudget& budget, const ExecutionPlan& staged,
                                  std::span<const std::vector<KernelId>> needs, std::span<const KernelId> order,
                                  std::span<const Micros> takes, std::size_t lanes, Micros wait) {
  IOS_CHECK(lanes > 0 && lanes <= kMostLanes && budget.element_bytes > 0 && budget.alignment > 0);
  std::vector<KernelId> frugal;
  for (const auto& [kernel, lane, name] :
       Lister({0, budget.element_bytes, budget.alignment}, staged, needs, order, takes, 1, wait).run().launches) {
    frugal.push_back(kernel);
  }
  Lister lister(budget, staged, needs, order, takes, lanes, wait);
  lister.keep_a_way({{order.begin(), order.end()}, std::move(frugal)});
  return std::move(lister).run();
}

}  // namespace iosx
