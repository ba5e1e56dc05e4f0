#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/graph/graph.h"
#include "core/model/schedule/schedule.h"

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
  std::optional<Message> unit_refusal(UnitId unit) const;  // why it must not be at its place
  Result<ScheduleDraft> checked(std::span<const UnitId> units) &&;
  std::string name(UnitId unit) const;

  std::shared_ptr<const Graph> graph_;
  Schedule schedule_;
  std::vector<bool> locked_;  // by stage
  std::vector<At> places_;    // by unit
};

}  // namespace iosx
