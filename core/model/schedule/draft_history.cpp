#include "core/model/schedule/draft_history.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace iosx {

DraftHistory::DraftHistory(Step first, std::size_t most_steps) : most_steps_(std::max<std::size_t>(most_steps, 1)) {
  IOS_CHECK(first.copy_of.has_value());
  steps_.push_back(std::move(first));
}

const DraftHistory::Step& DraftHistory::start() const {
  std::size_t at = at_;
  while (!steps_[at].copy_of) --at;
  return steps_[at];
}

bool DraftHistory::push(Step step) {
  if (step.draft == draft()) return false;
  steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(at_) + 1, steps_.end());
  steps_.push_back(std::move(step));
  if (steps_.size() > most_steps_) {
    steps_.pop_front();
    if (!steps_.front().copy_of) steps_.front().copy_of = Origin{};
  }
  at_ = steps_.size() - 1;
  return true;
}

bool DraftHistory::undo() {
  if (to_undo() == nullptr) return false;
  --at_;
  return true;
}

bool DraftHistory::redo() {
  if (to_redo() == nullptr) return false;
  ++at_;
  return true;
}

}  // namespace iosx
