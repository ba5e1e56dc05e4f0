#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

#include "core/model/schedule/schedule_draft.h"
#include "core/model/schedule/schedule_table.h"

namespace iosx {

// A schedule that is changed by hand, with what was done to it: drafts are values, so a step is the draft after it.
class DraftHistory {
 public:
  static constexpr std::size_t kMostSteps = 1000;

  // What a draft is a copy of. The title is empty where that is a step which is not kept any more.
  struct Origin {
    ScheduleKind schedule_kind = ScheduleKind::kByHand;
    std::string title = {};
  };
  struct Step {
    std::string name;  // what undo and redo call it, in the language of who made it
    ScheduleDraft draft;
    std::optional<Origin> copy_of = {};  // none: it is an edit of the draft before it
  };

  // The first step is a copy and cannot be undone. Of more steps than `most_steps` the oldest are dropped: what is
  // first then is what later steps are told against.
  explicit DraftHistory(Step first, std::size_t most_steps = kMostSteps);

  const ScheduleDraft& draft() const { return steps_[at_].draft; }
  const Step& start() const;  // the copy that the draft began as

  // Adds a step and forgets what could be done again. False where it changes nothing: nothing happens then.
  bool push(Step step);

  // The step that undo() and redo() would take; null without one.
  const Step* to_undo() const { return at_ == 0 ? nullptr : &steps_[at_]; }
  const Step* to_redo() const { return at_ + 1 == steps_.size() ? nullptr : &steps_[at_ + 1]; }
  bool undo();  // false: there was nothing to undo
  bool redo();

 private:
  std::deque<Step> steps_;  // never empty
  std::size_t at_ = 0;      // the step that the draft is; those after it can be done again
  std::size_t most_steps_;
};

}  // namespace iosx
