#pragma once

#include <deque>

#include "core/base/message.h"
#include "core/model/edit/editable_graph.h"

namespace iosx {

// The state of one operator or unit before and after; null where it did not exist.
template <typename Key, typename Item>
struct ItemChange {
  Key key;
  std::shared_ptr<const Item> before;
  std::shared_ptr<const Item> after;
};

template <typename T>
struct Replacement {
  T before;
  T after;
};

// One edit that can be applied and reverted: exactly what it changed, by key.
struct Patch {
  Message sentence;  // "Connect conv1 to relu2"
  std::vector<ItemChange<OperatorKey, EditOperator>> operators = {};
  std::vector<ItemChange<UnitKey, EditUnit>> units = {};
  std::optional<Replacement<std::vector<EditPart>>> parts = {};
  std::optional<Replacement<std::string>> name = {};

  bool empty() const { return operators.empty() && units.empty() && !parts && !name; }
};

// Returns the patch from one state of a graph to another.
Patch difference(const EditableGraph& before, const EditableGraph& after, Message sentence);

// Returns whether the graph has the patch's state before. apply() is for such graphs, revert() for its results.
bool fits(const EditableGraph& graph, const Patch& patch);
void apply(EditableGraph& graph, const Patch& patch);
void revert(EditableGraph& graph, const Patch& patch);

// Returns whether it only moves places.
bool only_moves(const Patch& patch);

// Returns both as one, with the second's sentence.
Patch joined(const Patch& first, const Patch& second);

// An edit in progress: a copy of the graph to change freely, and at the end the patch of its changes. The original
// graph stays the same.
class Gesture {
 public:
  explicit Gesture(const EditableGraph& before) : before_(before), graph_(before) {}

  EditableGraph& graph() { return graph_; }
  const EditableGraph& before() const { return before_; }

  // Changes one operator; its key exists.
  template <typename F>
  void change(OperatorKey key, F&& f) {
    EditOperator op = graph_.op(key);
    f(op);
    graph_.set(key, std::move(op));
  }
  template <typename F>
  void change(UnitKey key, F&& f) {
    EditUnit unit = graph_.unit(key);
    f(unit);
    graph_.set(key, std::move(unit));
  }

  // Returns the changes. Units that became empty are removed.
  Patch finish(Message sentence) &&;

 private:
  const EditableGraph& before_;
  EditableGraph graph_;
};

// Returns the patch of one change of an operator or a unit; its key exists.
template <typename F>
Patch changing(const EditableGraph& graph, auto key, Message sentence, F&& f) {
  Gesture gesture(graph);
  gesture.change(key, f);
  return std::move(gesture).finish(std::move(sentence));
}

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
