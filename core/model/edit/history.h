#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "core/model/edit/editable_graph.h"
#include "core/model/edit/patch.h"

namespace iosx {

// A graph with its undo steps. An empty edit is never recorded, so it never costs a redo.
class EditHistory {
 public:
  static constexpr std::size_t kMostSteps = 1000;

  // The initial graph counts as saved. Beyond `most_steps` the oldest cannot be undone any more.
  explicit EditHistory(EditableGraph graph, std::size_t most_steps = kMostSteps);

  const EditableGraph& graph() const { return graph_; }

  // Applies an edit of the current graph. Consecutive patches of one gesture (a dragged slider) become one step; 0 is
  // no gesture. Returns false for an empty patch, which has no effect.
  bool push(Patch patch, std::uint64_t gesture = 0);

  // Return the next step of undo() and redo(), or null.
  const Patch* to_undo() const { return done_ == 0 ? nullptr : &steps_[done_ - 1].patch; }
  const Patch* to_redo() const { return done_ == steps_.size() ? nullptr : &steps_[done_].patch; }
  // Returns the step that was undone or redone, or null. It is valid until the next push().
  const Patch* undo();
  const Patch* redo();

  // Marks the current graph as saved.
  void mark_clean();
  bool clean() const { return clean_ == done_; }

 private:
  struct Step {
    Patch patch;
    std::uint64_t gesture = 0;
  };
  void forget_redo();

  EditableGraph graph_;
  std::size_t most_steps_;
  std::deque<Step> steps_;
  std::size_t done_ = 0;  // applied steps; the rest can be redone
  // Applied steps of the saved state; none if no undo leads there.
  std::optional<std::size_t> clean_ = 0;
  bool continues_ = false;  // the last step may still grow
};

}  // namespace iosx
