#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "core/model/edit/editable_graph.h"
#include "core/model/edit/patch.h"

namespace iosx {

// A graph with what was done to it. What is no edit never gets in, so it never costs a redo.
class EditHistory {
 public:
  static constexpr std::size_t kMostSteps = 1000;

  // The graph as it is counts as saved. Beyond so many steps the oldest cannot be undone any more.
  explicit EditHistory(EditableGraph graph, std::size_t most_steps = kMostSteps);

  const EditableGraph& graph() const { return graph_; }

  // Does an edit, of this graph as it is now. Patches of one gesture in a row (a slider being dragged) become one step;
  // 0 is no gesture. False if the patch is empty: nothing happens then.
  bool push(Patch patch, std::uint64_t gesture = 0);

  // The step that undo() and redo() would take; null without one.
  const Patch* to_undo() const { return done_ == 0 ? nullptr : &steps_[done_ - 1].patch; }
  const Patch* to_redo() const { return done_ == steps_.size() ? nullptr : &steps_[done_].patch; }
  // Returns what was undone or done again; null if nothing was. It lasts until the next push().
  const Patch* undo();
  const Patch* redo();

  // The graph as it is now is what is saved.
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
  std::size_t done_ = 0;  // steps that are in the graph; the rest can be done again
  // Steps that are in what is saved; none if no undo leads there.
  std::optional<std::size_t> clean_ = 0;
  bool continues_ = false;  // the last step may still grow
};

}  // namespace iosx
