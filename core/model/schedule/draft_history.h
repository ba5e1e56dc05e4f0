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
