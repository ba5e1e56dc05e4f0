#include "core/model/schedule/schedule_draft.h"

#include <set>

#include "core/base/text.h"
#include "core/model/schedule/components.h"
#include "core/model/schedule/merge.h"

namespace iosx {
namespace {

bool contains(std::span<const UnitId> units, UnitId unit) { return std::ranges::find(units, unit) != units.end(); }

}  // namespace

ScheduleDraft::ScheduleDraft(std::shared_ptr<const Graph> graph, Schedule schedule, std::vector<bool> locked)
    : graph_(std::move(graph)), schedule_(std::move(schedule)), locked_(std::move(locked)) {
  find_places();
}

Result<ScheduleDraft> ScheduleDraft::make(std::shared_ptr<const Graph> graph, Schedule schedule) {
  IOS_TRY(check_legal(*graph, schedule));
  std::vector<bool> locked(schedule.stages.size(), false);
  return ScheduleDraft(std::move(graph), std::move(schedule), std::move(locked));
}

void ScheduleDraft::find_places() {
  places_.resize(graph_->units().size());
  for (std::size_t s = 0; s < schedule_.stages.size(); ++s) {
    const std::vector<Group>& groups = schedule_.stages[s].groups;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (std::size_t i = 0; i < groups[g].steps.size(); ++i) {
        for (const UnitId unit : groups[g].steps[i].units) places_[unit.index()] = {s, g, i};
      }
    }
  }
}

std::vector<std::size_t> ScheduleDraft::locked_stages() const {
  std::vector<std::size_t> stages;
  for (std::size_t s = 0; s < locked_.size(); ++s) {
    if (locked_[s]) stages.push_back(s);
  }
  return stages;
}

std::string ScheduleDraft::name(UnitId unit) const { return printable(graph_->unit(unit).name); }

// ---- What forbids an edit ----

std::optional<Message> ScheduleDraft::lock_refusal(std::size_t stage) const {
  if (stage >= locked_.size() || !locked_[stage]) return std::nullopt;
  return message("stage {} is locked", stage + 1);
}

// Says why the unit cannot run on that lane, of which `stage` is none for a new stage: it needs the other one, or is
// needed by it.
Message ScheduleDraft::conflict(UnitId unit, UnitId other, bool needs, std::optional<std::size_t> stage,
                                std::size_t group) const {
  const std::string own = name(unit);
  const std::string its = name(other);
  const At& place = places_[other.index()];
  if (stage != place.stage) {
    return needs ? message("'{}' needs '{}', which is in stage {}", own, its, place.stage + 1)
                 : message("'{}' is needed by '{}', which is in stage {}", own, its, place.stage + 1);
  }
  if (group != place.group) {
    return needs ? message("'{}' needs '{}', which is in another lane of this stage", own, its)
                 : message("'{}' is needed by '{}', which is in another lane of this stage", own, its);
  }
  return needs ? message("'{}' needs '{}', which would run later", own, its)
               : message("'{}' is needed by '{}', which would run earlier", own, its);
}

std::optional<Message> ScheduleDraft::unit_refusal(UnitId unit) const {
  const auto in_time = [](const At& made, const At& read) {
    return made.stage < read.stage || (made.stage == read.stage && made.group == read.group && made.step < read.step);
  };
  const At& own = places_[unit.index()];
  for (const UnitId before : graph_->predecessors(unit)) {
    if (!in_time(places_[before.index()], own)) return conflict(unit, before, true, own.stage, own.group);
  }
  for (const UnitId after : graph_->successors(unit)) {
    if (!in_time(own, places_[after.index()])) return conflict(unit, after, false, own.stage, own.group);
  }
  return std::nullopt;
}

// The draft after an edit that can be wrong for these units only.
Result<ScheduleDraft> ScheduleDraft::checked(std::span<const UnitId> units) && {
  find_places();
  for (const UnitId unit : units) {
    if (auto why = unit_refusal(unit)) return fail(std::move(*why));
  }
  remove_empty();
  return std::move(*this);
}

// Forbidden by something outside the units.
std::optional<Message> ScheduleDraft::place_refusal(std::span<const UnitId> units, const Place& to) const {
  for (const UnitId unit : units) {
    if (auto why = lock_refusal(stage_of(unit))) return why;
  }
  if (!to.new_stage) {
    if (auto why = lock_refusal(to.stage)) return why;
  }
  // The others' places, as seen from the new place.
  for (const UnitId unit : units) {
    const auto look = [&](UnitId other, bool needed) -> std::optional<Message> {
      if (contains(units, other)) return std::nullopt;
      const At& place = places_[other.index()];
      if (needed ? place.stage < to.stage : place.stage > to.stage) return std::nullopt;
      const bool there = place.stage == to.stage;
      if (there && to.new_stage && !needed) return std::nullopt;  // the new stage is before it
      if (there && !to.new_stage && place.group == to.group) {
        if (!to.step || (needed ? place.step < *to.step : place.step >= *to.step)) return std::nullopt;
      }
      return conflict(unit, other, needed, to.new_stage ? std::nullopt : std::optional(to.stage), to.group);
    };
    for (const UnitId before : graph_->predecessors(unit)) {
      if (auto why = look(before, true)) return why;
    }
    for (const UnitId after : graph_->successors(unit)) {
      if (auto why = look(after, false)) return why;
    }
  }
  return std::nullopt;
}

std::optional<Message> ScheduleDraft::refusal(std::span<const UnitId> units, const Place& to) const {
  if (auto why = place_refusal(units, to)) return why;
  // Steps between in the lane may depend on both sides.
  if (!to.new_stage && to.group < schedule_.stages[to.stage].groups.size() && units.size() > 1) {
    const auto done = moved(units, to);
    if (!done) return done.error().what;
  }
  return std::nullopt;
}

// ---- Edits ----

// Returns steps, or the given units of merged ones, in an order that dependencies allow.
std::vector<Step> ScheduleDraft::steps_of(std::span<const UnitId> units) const {
  std::vector<UnitId> sorted(units.begin(), units.end());
  std::ranges::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<Step> steps;
  for (const UnitId unit : sorted) {
    const bool there = std::ranges::any_of(steps, [&](const Step& step) { return contains(step.units, unit); });
    if (there) continue;
    const At& at = places_[unit.index()];
    Step step = schedule_.stages[at.stage].groups[at.group].steps[at.step];
    std::erase_if(step.units, [&](UnitId other) { return !std::ranges::binary_search(sorted, other); });
    steps.push_back(std::move(step));
  }
  return steps;
}

void ScheduleDraft::take_out(std::span<const UnitId> units) {
  std::set<std::size_t> stages;
  for (const UnitId unit : units) stages.insert(stage_of(unit));
  const std::set<UnitId> gone(units.begin(), units.end());
  for (const std::size_t s : stages) {
    for (Group& group : schedule_.stages[s].groups) {
      for (Step& step : group.steps) std::erase_if(step.units, [&](UnitId unit) { return gone.contains(unit); });
      std::erase_if(group.steps, [](const Step& step) { return step.units.empty(); });
    }
  }
}

void ScheduleDraft::remove_empty() {
  for (std::size_t s = schedule_.stages.size(); s-- > 0;) {
    std::erase_if(schedule_.stages[s].groups, [](const Group& group) { return group.steps.empty(); });
    if (!schedule_.stages[s].groups.empty()) continue;
    schedule_.stages.erase(schedule_.stages.begin() + static_cast<std::ptrdiff_t>(s));
    locked_.erase(locked_.begin() + static_cast<std::ptrdiff_t>(s));
  }
  find_places();
}

// Before the first step of the group that reads it.
std::size_t ScheduleDraft::latest_step(const Group& group, const Step& step) const {
  for (std::size_t i = 0; i < group.steps.size(); ++i) {
    for (const UnitId reader : group.steps[i].units) {
      const auto before = graph_->predecessors(reader);
      if (std::ranges::any_of(step.units, [&](UnitId unit) { return contains(before, unit); })) return i;
    }
  }
  return group.steps.size();
}

Result<ScheduleDraft> ScheduleDraft::moved(std::span<const UnitId> units, const Place& to) const {
  IOS_CHECK(!units.empty() && to.stage <= schedule_.stages.size());
  if (auto why = place_refusal(units, to)) return fail(std::move(*why));
  ScheduleDraft next = *this;
  std::vector<Step> steps = steps_of(units);
  // Steps of the group before the place that stay: the place counts those that go too.
  std::optional<std::size_t> at = to.step;
  if (at && !to.new_stage && to.group < schedule_.stages[to.stage].groups.size()) {
    const std::vector<Step>& lane = schedule_.stages[to.stage].groups[to.group].steps;
    std::size_t staying = 0;
    for (std::size_t i = 0; i < std::min(*at, lane.size()); ++i) {
      staying += std::ranges::all_of(lane[i].units, [&](UnitId unit) { return contains(units, unit); }) ? 0 : 1;
    }
    at = staying;
  }
  next.take_out(units);
  if (to.new_stage) {
    next.schedule_.stages.insert(next.schedule_.stages.begin() + static_cast<std::ptrdiff_t>(to.stage),
                                 in_lanes(steps, connected(*graph_, steps)));
    next.locked_.insert(next.locked_.begin() + static_cast<std::ptrdiff_t>(to.stage), false);
  } else {
    IOS_CHECK(to.stage < schedule_.stages.size());
    std::vector<Group>& groups = next.schedule_.stages[to.stage].groups;
    IOS_CHECK(to.group <= groups.size());
    if (to.group == groups.size()) groups.emplace_back();
    Group& group = groups[to.group];
    for (Step& step : steps) {
      const std::size_t place = at ? std::min((*at)++, group.steps.size()) : next.latest_step(group, step);
      group.steps.insert(group.steps.begin() + static_cast<std::ptrdiff_t>(place), std::move(step));
    }
  }
  return std::move(next).checked(units);
}

Result<ScheduleDraft> ScheduleDraft::joined(std::size_t stage) const {
  IOS_CHECK(stage < schedule_.stages.size());
  if (stage + 1 == schedule_.stages.size()) return fail(message("no stage follows the last one"));
  for (const std::size_t each : {stage, stage + 1}) {
    if (auto why = lock_refusal(each)) return fail(std::move(*why));
  }
  std::vector<Group> groups = schedule_.stages[stage].groups;
  const std::vector<Group>& more = schedule_.stages[stage + 1].groups;
  groups.insert(groups.end(), more.begin(), more.end());
  std::vector<Step> steps;
  for (const Group& group : groups) steps.insert(steps.end(), group.steps.begin(), group.steps.end());
  Components lanes = connected(*graph_, steps);
  std::size_t step = 0;
  for (const Group& group : groups) {
    const std::size_t first = step;
    for (; step < first + group.steps.size(); ++step) lanes.connect(first, step);
  }
  ScheduleDraft next = *this;
  const auto at = next.schedule_.stages.begin() + static_cast<std::ptrdiff_t>(stage);
  *at = in_lanes(steps, std::move(lanes));
  next.schedule_.stages.erase(at + 1);
  next.locked_.erase(next.locked_.begin() + static_cast<std::ptrdiff_t>(stage + 1));
  return std::move(next).checked({});
}

Result<ScheduleDraft> ScheduleDraft::split(std::size_t stage, std::span<const UnitId> units) const {
  IOS_CHECK(stage < schedule_.stages.size());
  std::vector<UnitId> own;
  for (const UnitId unit : units) {
    if (stage_of(unit) == stage) own.push_back(unit);
  }
  if (own.empty() || own.size() == schedule_.stages[stage].units().size()) {
    return fail(message("select some operators of the stage, but not all"));
  }
  auto after = moved(own, {.stage = stage + 1, .new_stage = true});
  if (after) return after;
  auto before = moved(own, {.stage = stage, .new_stage = true});
  return before ? before : after;
}

Result<ScheduleDraft> ScheduleDraft::split(std::size_t stage) const {
  IOS_CHECK(stage < schedule_.stages.size());
  const std::vector<Group>& groups = schedule_.stages[stage].groups;
  std::vector<UnitId> second;
  const auto take = [&](const Step& step) { second.insert(second.end(), step.units.begin(), step.units.end()); };
  if (groups.size() > 1) {
    for (std::size_t g = (groups.size() + 1) / 2; g < groups.size(); ++g) std::ranges::for_each(groups[g].steps, take);
  } else if (const std::vector<Step>& steps = groups.front().steps; steps.size() > 1) {
    for (std::size_t i = (steps.size() + 1) / 2; i < steps.size(); ++i) take(steps[i]);
  } else {
    return fail(steps.front().merged() ? message("a merged layer cannot be split: unmerge it first")
                                       : message("one operator cannot be split"));
  }
  return split(stage, second);
}

Result<ScheduleDraft> ScheduleDraft::stage_moved(std::size_t stage, std::size_t to) const {
  IOS_CHECK(stage < schedule_.stages.size() && to < schedule_.stages.size());
  if (stage == to) return *this;
  if (auto why = lock_refusal(stage)) return fail(std::move(*why));
  ScheduleDraft next = *this;
  const auto turn = [&](auto& list) {
    const auto first = list.begin();
    const auto from = static_cast<std::ptrdiff_t>(stage);
    const auto target = static_cast<std::ptrdiff_t>(to);
    if (from < target) std::rotate(first + from, first + from + 1, first + target + 1);
    if (target < from) std::rotate(first + target, first + from, first + from + 1);
  };
  for (const UnitId unit : schedule_.stages[stage].units()) {
    for (const UnitId before : graph_->predecessors(unit)) {
      if (stage_of(before) < to || stage_of(before) >= stage) continue;
      return fail(conflict(unit, before, true, std::nullopt, 0));
    }
    for (const UnitId after : graph_->successors(unit)) {
      if (stage_of(after) > to || stage_of(after) <= stage) continue;
      return fail(conflict(unit, after, false, std::nullopt, 0));
    }
  }
  turn(next.schedule_.stages);
  turn(next.locked_);
  next.find_places();
  return next;
}

Result<ScheduleDraft> ScheduleDraft::merged(std::span<const UnitId> units) const {
  std::vector<UnitId> sorted(units.begin(), units.end());
  std::ranges::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  if (const auto merge = iosx::merge(*graph_, sorted); !merge) {
    return fail(message("they cannot be merged: {}", text(merge.error())));
  }
  const At& first = places_[sorted.front().index()];
  for (const UnitId unit : sorted) {
    if (stage_of(unit) != first.stage) {
      return fail(message("'{}' is in stage {}, '{}' in stage {}: only layers of one stage can be merged",
                          name(sorted.front()), first.stage + 1, name(unit), stage_of(unit) + 1));
    }
  }
  if (auto why = lock_refusal(first.stage)) return fail(std::move(*why));
  ScheduleDraft next = *this;
  // The first one's step stays as the place, and the others leave.
  next.take_out(std::span(sorted).subspan(1));
  Stage& stage = next.schedule_.stages[first.stage];
  for (Step& step : stage.groups[first.group].steps) {
    if (contains(step.units, sorted.front())) step.units = sorted;
  }
  return std::move(next).checked(sorted);
}

Result<ScheduleDraft> ScheduleDraft::unmerged(UnitId unit) const {
  const At& at = places_[unit.index()];
  if (auto why = lock_refusal(at.stage)) return fail(std::move(*why));
  const Step step = schedule_.stages[at.stage].groups[at.group].steps[at.step];
  if (!step.merged()) return fail(message("'{}' is not merged", name(unit)));
  ScheduleDraft next = *this;
  Stage& stage = next.schedule_.stages[at.stage];
  Group& group = stage.groups[at.group];
  if (group.steps.size() == 1) {
    stage.groups.erase(stage.groups.begin() + static_cast<std::ptrdiff_t>(at.group));
    for (std::size_t i = 0; i < step.units.size(); ++i) {
      stage.groups.insert(stage.groups.begin() + static_cast<std::ptrdiff_t>(at.group + i),
                          Group{{Step{{step.units[i]}}}});
    }
  } else {  // others of the lane depend on them, or they on others: one after another
    const auto place = group.steps.erase(group.steps.begin() + static_cast<std::ptrdiff_t>(at.step));
    std::vector<Step> steps;
    for (const UnitId each : step.units) steps.push_back(Step{{each}});
    group.steps.insert(place, steps.begin(), steps.end());
  }
  return std::move(next).checked(step.units);
}

ScheduleDraft ScheduleDraft::with_lock(std::size_t stage, bool locked) const {
  ScheduleDraft next = *this;
  next.locked_[stage] = locked;
  return next;
}

Result<ScheduleDraft> ScheduleDraft::replaced(Schedule schedule) const {
  auto next = make(graph_, std::move(schedule));
  if (!next) return next;
  for (std::size_t s = 0; s < next->schedule_.stages.size(); ++s) {
    const std::vector<UnitId> units = next->schedule_.stages[s].units();
    const std::size_t own = stage_of(units.front());
    next->locked_[s] = locked_[own] && schedule_.stages[own].units() == units;
  }
  return next;
}

}  // namespace iosx
