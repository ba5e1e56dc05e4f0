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

// A legal schedule that is changed by hand. A value: every edit answers another draft and leaves this one as it is, so
// that undo is a list of drafts. What a dependency, a merge's rule or a lock forbids is an error whose `what` is the
// reason in one line, such as "'c' needs 'b', which is in stage 3". Stages and groups (lanes) count from 0 here, from 1
// in words. Groups and stages that an edit leaves empty are gone.
class ScheduleDraft {
 public:
  // Where units are put.
  struct Place {
    std::size_t stage = 0;
    bool new_stage = false;  // one of its own, before `stage`, which may be one past the last
    std::size_t group = 0;   // of the stage; one past its last: a new one
    // Before this step of the group. None: as late as what reads them allows.
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
  // The stage and group that a unit is in.
  std::size_t stage_of(UnitId unit) const { return places_[unit.index()].stage; }
  std::size_t group_of(UnitId unit) const { return places_[unit.index()].group; }

  // Units of any stages. Of a merged step all units or some: what is moved together stays merged.
  Result<ScheduleDraft> moved(std::span<const UnitId> units, const Place& to) const;
  // Why they cannot be put there; nothing: they can. Cheap enough to ask for every place of a board.
  std::optional<Message> refusal(std::span<const UnitId> units, const Place& to) const;
  // The stage and the next one as one. Groups that depend on one another become one.
  Result<ScheduleDraft> joined(std::size_t stage) const;
  // These units of the stage in a stage of their own after it, or before it where the rest needs them.
  Result<ScheduleDraft> split(std::size_t stage, std::span<const UnitId> units) const;
  // In halves: of its groups, of its one group's steps.
  Result<ScheduleDraft> split(std::size_t stage) const;
  // The stage stands at `to` then. Others may pass a locked one.
  Result<ScheduleDraft> stage_moved(std::size_t stage, std::size_t to) const;
  // One merged layer of units of one stage, where the first of them was.
  Result<ScheduleDraft> merged(std::span<const UnitId> units) const;
  // The units of the merged step that this one is in, in groups of their own.
  Result<ScheduleDraft> unmerged(UnitId unit) const;
  // A locked stage refuses edits, and a search has it pinned (SearchOptions::pinned_stages).
  ScheduleDraft with_lock(std::size_t stage, bool locked) const;
  // The same schedule as another one's stages, locks where a locked stage is among them.
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
  std::optional<Message> unit_refusal(UnitId unit) const;  // as it stands, why it must not
  Result<ScheduleDraft> checked(std::span<const UnitId> units) &&;
  std::string name(UnitId unit) const;

  std::shared_ptr<const Graph> graph_;
  Schedule schedule_;
  std::vector<bool> locked_;  // by stage
  std::vector<At> places_;    // by unit
};

}  // namespace iosx
