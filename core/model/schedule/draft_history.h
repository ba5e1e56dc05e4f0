#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/model/schedule/schedule_table.h"

namespace iosx {

// Says what a draft is a copy of. The title is empty where that is a step which is not kept any more.
struct DraftOrigin {
  ScheduleKind schedule_kind = ScheduleKind::kByHand;
  std::string title = {};
};

// A schedule that is changed by hand, with what was done to it: drafts are values that can be compared, so a step is
// the draft after it.
template <typename Draft>
class DraftHistory {
 public:
  static constexpr std::size_t kMostSteps = 1000;

  struct Step {
    std::string name;  // what undo and redo call it, in the language of who made it
    Draft draft;
    std::optional<DraftOrigin> copy_of = {};  // none: it is an edit of the draft before it
  };

  // The first step is a copy and cannot be undone. Of more steps than `most_steps` the oldest are dropped: what is
  // first then is what later steps are told against.
  explicit DraftHistory(Step first, std::size_t most_steps = kMostSteps)
      : most_steps_(std::max<std::size_t>(most_steps, 1)) {
    IOS_CHECK(first.copy_of.has_value());
    steps_.push_back(std::move(first));
  }

  const Draft& draft() const { return steps_[at_].draft; }
  // The copy that the draft began as.
  const Step& start() const {
    std::size_t at = at_;
    while (!steps_[at].copy_of) --at;
    return steps_[at];
  }

  // Adds a step and forgets what could be done again. False where it changes nothing: nothing happens then.
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

  // The step that undo() and redo() would take; null without one.
  const Step* to_undo() const { return at_ == 0 ? nullptr : &steps_[at_]; }
  const Step* to_redo() const { return at_ + 1 == steps_.size() ? nullptr : &steps_[at_ + 1]; }
  // False: there was nothing to undo, or to do again.
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
  std::size_t at_ = 0;      // the step that the draft is; those after it can be done again
  std::size_t most_steps_;
};

}  // namespace iosx
