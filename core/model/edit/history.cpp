#include "core/model/edit/history.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace iosx {

EditHistory::EditHistory(EditableGraph graph, std::size_t most_steps)
    : graph_(std::move(graph)), most_steps_(std::max<std::size_t>(most_steps, 1)) {}

void EditHistory::forget_redo() {
  steps_.resize(done_);
  if (clean_ && *clean_ > done_) clean_.reset();
}

bool EditHistory::push(Patch patch, std::uint64_t gesture) {
  if (patch.empty()) return false;
  IOS_CHECK(fits(graph_, patch));
  apply(graph_, patch);
  forget_redo();
  if (continues_ && gesture != 0 && done_ > 0 && steps_.back().gesture == gesture) {
    steps_.back().patch = joined(steps_.back().patch, patch);
    if (!steps_.back().patch.empty()) return true;
    steps_.pop_back();  // it came back to where it began
    --done_;
    continues_ = false;
    return true;
  }
  steps_.push_back({std::move(patch), gesture});
  ++done_;
  continues_ = true;
  if (steps_.size() > most_steps_) {
    steps_.pop_front();
    --done_;
    if (clean_) clean_ = *clean_ == 0 ? std::nullopt : std::optional(*clean_ - 1);
  }
  return true;
}

const Patch* EditHistory::undo() {
  continues_ = false;
  if (done_ == 0) return nullptr;
  revert(graph_, steps_[--done_].patch);
  return &steps_[done_].patch;
}

const Patch* EditHistory::redo() {
  continues_ = false;
  if (done_ == steps_.size()) return nullptr;
  apply(graph_, steps_[done_].patch);
  return &steps_[done_++].patch;
}

void EditHistory::mark_clean() {
  clean_ = done_;
  continues_ = false;
}

}  // namespace iosx
