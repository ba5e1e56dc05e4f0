#pragma once

#include <algorithm>
#include <deque>

#include "core/base/check.h"
#include "core/base/result.h"
#include "core/model/graph/graph.h"
#include "core/model/schedule/schedule.h"
#include "core/model/schedule/schedule_table.h"

namespace iosx {

// A legal schedule that is edited by hand. It is a value: every edit returns another draft and leaves this one
// unchanged, so that undo is a list of drafts. An edit that a dependency, the merge rule or a lock forbids returns an
// error whose `what` is the reason in one line, such as "'c' needs 'b', which is in stage 3". Stages and groups (lanes)
// count from 0 here, from 1 in texts. Empty groups and stages disappear.
class ScheduleDraft {
 public:
  // The target of a move.
  struct Place {
    std::size_t stage = 0;
    bool new_stage = false;  // a new one before `stage`, which may be one past the last
    std::size_t group = 0;   // of the stage; one past its last: a new one
    // Before this step of the group. None: as late as its readers allow.
    std::optional<std::size_t> step = {};
    friend bool operator==(const Place&, const Place&) = default;
  };

  // Errors: as check_legal().
  static Result<ScheduleDraft> make(std::shared_ptr<const Graph> graph, Schedule schedule);

  const Graph& graph() const { return *graph_; }
  const std::shared_ptr<const Graph>& shared_graph() const { return graph_; }
  const Schedule& schedule() const { return schedule_; }
  bool locked(std::size_t stage) const { return locked_[stage]; }
  std::vector<std::size_t> locked_stages() const;
  // Return the stage and group of a unit.
  std::size_t stage_of(UnitId unit) const { return places_[unit.index()].stage; }
  std::size_t group_of(UnitId unit) const { return places_[unit.index()].group; }

  // Moves units of any stages, all or some units of a merged step: units moved together stay merged.
  Result<ScheduleDraft> moved(std::span<const UnitId> units, const Place& to) const;
  // Returns why they cannot move there; none if they can. Cheap enough to check every place of a board.
  std::optional<Message> refusal(std::span<const UnitId> units, const Place& to) const;
  // Joins the stage with the next one. Groups that depend on one another become one.
  Result<ScheduleDraft> joined(std::size_t stage) const;
  // Moves these units of the stage into a new stage after it, or before it where the rest needs them.
  Result<ScheduleDraft> split(std::size_t stage, std::span<const UnitId> units) const;
  // Splits it in halves: its groups, or the steps of its one group.
  Result<ScheduleDraft> split(std::size_t stage) const;
  // Moves the stage to `to`. It may pass a locked one.
  Result<ScheduleDraft> stage_moved(std::size_t stage, std::size_t to) const;
  // Merges units of one stage into one layer, at the place of the first.
  Result<ScheduleDraft> merged(std::span<const UnitId> units) const;
  // Moves the units of this one's merged step into groups of their own.
  Result<ScheduleDraft> unmerged(UnitId unit) const;
  // A locked stage refuses edits, and a search has it pinned (SearchOptions::pinned_stages).
  ScheduleDraft with_lock(std::size_t stage, bool locked) const;
  // Replaces the stages by those of another schedule; stages equal to a locked one stay locked.
  Result<ScheduleDraft> replaced(Schedule schedule) const;

  friend bool operator==(const ScheduleDraft& a, const ScheduleDraft& b) {
    return a.graph_ == b.graph_ && a.schedule_ == b.schedule_ && a.locked_ == b.locked_;
  }

 private:
  struct At {
    std::size_t stage = 0;
    std::size_t group = 0;
    std::size_t step = 0;
  };

  ScheduleDraft(std::shared_ptr<const Graph> graph, Schedule schedule, std::vector<bool> locked);
  void find_places();
  void take_out(std::span<const UnitId> units);
  void remove_empty();
  std::vector<Step> steps_of(std::span<const UnitId> units) const;
  std::size_t latest_step(const Group& group, const Step& step) const;
  std::optional<Message> lock_refusal(std::size_t stage) const;
  std::optional<Message> place_refusal(std::span<const UnitId> units, const Place& to) const;
  Message conflict(UnitId unit, UnitId other, bool needs, std::optional<std::size_t> stage, std::size_t group) const;
  std::optional<Message> unit_refusal(UnitId unit) const;  // why it must not be at its place
  Result<ScheduleDraft> checked(std::span<const UnitId> units) &&;
  std::string name(UnitId unit) const;

  std::shared_ptr<const Graph> graph_;
  Schedule schedule_;
  std::vector<bool> locked_;  // by stage
  std::vector<At> places_;    // by unit
};

// What a draft is a copy of. The title is empty for a step that is no longer kept.
struct DraftOrigin {
  ScheduleKind schedule_kind = ScheduleKind::kByHand;
  std::string title = {};
};

// A schedule edited by hand, with its history. Drafts are comparable values, so a step is the draft after it.
template <typename Draft>
class DraftHistory {
 public:
  static constexpr std::size_t kMostSteps = 1000;

  struct Step {
    std::string name;  // its name in undo and redo, in the caller's language
    Draft draft;
    std::optional<DraftOrigin> copy_of = {};  // none: it is an edit of the previous draft
  };

  // The first step is a copy and cannot be undone. Beyond `most_steps` the oldest are dropped; later steps are
  // then described against the first one left.
  explicit DraftHistory(Step first, std::size_t most_steps = kMostSteps)
      : most_steps_(std::max<std::size_t>(most_steps, 1)) {
    IOS_CHECK(first.copy_of.has_value());
    steps_.push_back(std::move(first));
  }

  const Draft& draft() const { return steps_[at_].draft; }
  // The copy from which the draft started.
  const Step& start() const {
    std::size_t at = at_;
    while (!steps_[at].copy_of) --at;
    return steps_[at];
  }

  // Adds a step and drops those that could be redone. Returns false, without effect, for an unchanged draft.
  bool push(Step step) {
    if (step.draft == draft()) return false;
    steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(at_) + 1, steps_.end());
    steps_.push_back(std::move(step));
    if (steps_.size() > most_steps_) {
      steps_.pop_front();
      if (!steps_.front().copy_of) steps_.front().copy_of = DraftOrigin{};
    }
    at_ = steps_.size() - 1;
    return true;
  }

  // Return the next step of undo() and redo(), or null.
  const Step* to_undo() const { return at_ == 0 ? nullptr : &steps_[at_]; }
  const Step* to_redo() const { return at_ + 1 == steps_.size() ? nullptr : &steps_[at_ + 1]; }
  // Return false where there was nothing to undo or redo.
  bool undo() {
    if (to_undo() == nullptr) return false;
    --at_;
    return true;
  }
  bool redo() {
    if (to_redo() == nullptr) return false;
    ++at_;
    return true;
  }

 private:
  std::deque<Step> steps_;  // never empty
  std::size_t at_ = 0;      // the current step; those after it can be redone
  std::size_t most_steps_;
};

}  // namespace iosx
