#include "core/model/plan/lanes/lane_draft.h"

#include <algorithm>
#include <queue>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/model/plan/stage_planner.h"

namespace iosx {
namespace {

using Rows = std::vector<std::vector<KernelId>>;

LaneSchedule without_gaps(LaneSchedule lanes) {
  std::vector<std::size_t> number(kMostLanes, 0);
  for (const LaneSchedule::Launch& launch : lanes.launches) number[launch.lane] = 1;
  std::size_t next = 0;
  for (std::size_t& lane : number) lane = lane == 0 ? 0 : next++;
  for (LaneSchedule::Launch& launch : lanes.launches) launch.lane = number[launch.lane];
  return lanes;
}

}  // namespace

std::shared_ptr<const LaneKernels> lane_kernels(std::shared_ptr<const Graph> graph, const Schedule& schedule,
                                                std::int64_t batch, const LowerOptions& lowering) {
  LaneKernels kernels;
  StagePlanner planner(*graph, batch, lowering);
  kernels.schedule = planner.canonical(schedule);
  kernels.lowering = lowering;
  kernels.staged = planner.plan(kernels.schedule);
  kernels.needs = needs_of(kernels.staged);
  kernels.needed_by.resize(kernels.needs.size());
  for (std::size_t k = 0; k < kernels.needs.size(); ++k) {
    for (const KernelId need : kernels.needs[k]) kernels.needed_by[need.index()].emplace_back(k);
  }
  kernels.graph = std::move(graph);
  return std::make_shared<const LaneKernels>(std::move(kernels));
}

Result<LaneDraft> LaneDraft::make(std::shared_ptr<const LaneKernels> kernels, const LaneSchedule& lanes) {
  IOS_TRY(barrier_free_plan(kernels->staged, lanes));
  LaneSchedule own = named(without_gaps(lanes), kernels->staged);
  return LaneDraft(std::move(kernels), std::move(own));
}

LaneDraft::LaneDraft(std::shared_ptr<const LaneKernels> kernels, LaneSchedule lanes)
    : kernels_(std::move(kernels)), lanes_(std::move(lanes)), places_(kernels_->needs.size()) {
  for (const auto& [kernel, lane, name] : lanes_.launches) {
    if (lane >= rows_.size()) rows_.resize(lane + 1);
    places_[kernel.index()] = {lane, rows_[lane].size()};
    rows_[lane].push_back(kernel);
  }
}

ExecutionPlan LaneDraft::plan() const { return on_lanes(kernels_->staged, kernels_->needs, lanes_); }

// ---- What forbids a place ----

// Returns for every kernel that has ended before this one starts (or starts after it has ended), by needs and by the
// order on the lanes, which of this one's needs (or of those that need it) that follows from; not valid for the others.
// The kernel itself is taken out of its lane.
std::vector<KernelId> LaneDraft::implied(KernelId kernel, Side side) const {
  const bool before = side == Side::kBefore;
  const Rows& direct = before ? kernels_->needs : kernels_->needed_by;
  std::vector<KernelId> via(direct.size());
  std::vector<KernelId> open;
  const auto reach = [&](KernelId other, KernelId by) {
    if (other == kernel || via[other.index()].valid()) return;
    via[other.index()] = by;
    open.push_back(other);
  };
  for (const KernelId other : direct[kernel.index()]) reach(other, other);
  for (std::size_t next = 0; next < open.size(); ++next) {
    const KernelId by = via[open[next].index()];
    for (const KernelId other : direct[open[next].index()]) reach(other, by);
    const auto& [lane, position] = places_[open[next].index()];
    // The whole rest of the lane, also beyond the removed kernel.
    const std::vector<KernelId>& row = rows_[lane];
    for (std::size_t i = position; before ? i-- > 0 : ++i < row.size();) {
      if (via[row[i].index()].valid()) break;
      reach(row[i], by);
    }
  }
  return via;
}

Message LaneDraft::reason(KernelId kernel, KernelId need, KernelId there, Side side) const {
  const auto name = [this](KernelId id) { return printable(this->kernel(id).name); };
  const std::size_t lane = place_of(there).lane + 1;
  if (side == Side::kBefore) {
    return need == there ? message("'{}' needs '{}', which comes later on lane {}", name(kernel), name(need), lane)
                         : message("'{}' needs '{}', which comes after '{}' on lane {}", name(kernel), name(need),
                                   name(there), lane);
  }
  return need == there
             ? message("'{}' is needed by '{}', which comes earlier on lane {}", name(kernel), name(need), lane)
             : message("'{}' is needed by '{}', which comes before '{}' on lane {}", name(kernel), name(need),
                       name(there), lane);
}

std::vector<LaneDraft::Reach> LaneDraft::where_may(KernelId kernel) const {
  const std::vector<KernelId> earlier = implied(kernel, Side::kBefore);
  const std::vector<KernelId> later = implied(kernel, Side::kAfter);
  std::vector<Reach> result;
  for (const std::vector<KernelId>& row : rows_) {
    // Kernels that must come before it are first on a lane, those that must come after it last.
    Reach reach;
    KernelId last_before;
    KernelId first_after;
    for (const KernelId other : row) {
      if (other == kernel) continue;
      if (earlier[other.index()].valid()) {
        ++reach.first;
        last_before = other;
      } else if (later[other.index()].valid()) {
        if (!first_after.valid()) first_after = other;
        continue;
      }
      ++reach.last;
    }
    if (last_before.valid()) {
      const KernelId need = earlier[last_before.index()];
      reach.before = Reach::Bound{need, reason(kernel, need, last_before, Side::kBefore)};
    }
    if (first_after.valid()) {
      const KernelId need = later[first_after.index()];
      reach.after = Reach::Bound{need, reason(kernel, need, first_after, Side::kAfter)};
    }
    result.push_back(std::move(reach));
  }
  if (rows_.size() < kMostLanes) result.emplace_back();
  return result;
}

std::optional<Message> LaneDraft::refusal(KernelId kernel, const Place& to) const {
  const std::vector<Reach> reaches = where_may(kernel);
  if (to.lane >= reaches.size()) return message("there are already {} lanes, which is the maximum", kMostLanes);
  const Reach& reach = reaches[to.lane];
  if (to.position < reach.first) return reach.before->why;
  if (to.position > reach.last) {
    IOS_CHECK(reach.after.has_value());  // else there is no such position
    return reach.after->why;
  }
  return std::nullopt;
}

// ---- Edits ----

// Returns the order in which the kernels of these lanes are launched: always the first, by the order that was, of those
// that come next on their lanes and have what they need. The one that was moved comes in where it was before, or else
// as near to that as its new neighbours stand.
std::vector<KernelId> LaneDraft::launch_order(const Rows& rows, KernelId moved, const Place& to) const {
  std::vector<std::size_t> turn(places_.size());  // odd, so that another one finds room in between
  for (std::size_t i = 0; i < lanes_.launches.size(); ++i) turn[lanes_.launches[i].kernel.index()] = 2 * i + 1;
  const std::vector<KernelId>& row = rows[to.lane];
  std::size_t& own = turn[moved.index()];
  if (to.position + 1 < row.size()) own = std::min(own, turn[row[to.position + 1].index()] - 1);
  if (to.position > 0) own = std::max(own, turn[row[to.position - 1].index()] + 1);

  std::vector<std::size_t> missing(places_.size(), 0);
  std::vector<KernelId> next(places_.size());  // on the lane
  for (std::size_t k = 0; k < missing.size(); ++k) missing[k] = kernels_->needs[k].size();
  for (const std::vector<KernelId>& lane : rows) {
    for (std::size_t i = 1; i < lane.size(); ++i) {
      ++missing[lane[i].index()];
      next[lane[i - 1].index()] = lane[i];
    }
  }
  using Ready = std::pair<std::size_t, KernelId>;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  const auto release = [&](KernelId kernel) {
    if (missing[kernel.index()] == 0) ready.emplace(turn[kernel.index()], kernel);
  };
  for (std::size_t k = 0; k < missing.size(); ++k) release(KernelId(k));
  std::vector<KernelId> order;
  while (!ready.empty()) {
    const KernelId kernel = ready.top().second;
    ready.pop();
    order.push_back(kernel);
    const auto tell = [&](KernelId other) {
      --missing[other.index()];
      release(other);
    };
    for (const KernelId reader : kernels_->needed_by[kernel.index()]) tell(reader);
    if (next[kernel.index()].valid()) tell(next[kernel.index()]);
  }
  return order;
}

Result<LaneDraft> LaneDraft::moved(KernelId kernel, const Place& to) const {
  if (auto why = refusal(kernel, to)) return fail(std::move(*why));
  const Place from = place_of(kernel);
  if (to == from || (to.lane == rows_.size() && rows_[from.lane].size() == 1)) return *this;
  Rows rows = rows_;
  if (to.lane == rows.size()) rows.emplace_back();
  rows[from.lane].erase(rows[from.lane].begin() + static_cast<std::ptrdiff_t>(from.position));
  std::vector<KernelId>& row = rows[to.lane];
  row.insert(row.begin() + static_cast<std::ptrdiff_t>(to.position), kernel);
  std::vector<std::size_t> lane_of(places_.size());
  for (std::size_t lane = 0; lane < rows.size(); ++lane) {
    for (const KernelId other : rows[lane]) lane_of[other.index()] = lane;
  }
  LaneSchedule lanes;
  for (const KernelId next : launch_order(rows, kernel, to)) {
    lanes.launches.push_back({next, lane_of[next.index()], this->kernel(next).name});
  }
  IOS_CHECK(lanes.launches.size() == places_.size());  // the lanes wait for one another in no circle
  return LaneDraft(kernels_, without_gaps(std::move(lanes)));
}

}  // namespace iosx
