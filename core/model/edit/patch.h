#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/message.h"
#include "core/model/edit/editable_graph.h"

namespace iosx {

// Says what became of one operator or unit; null where there was or is none.
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

// One edit, to be done and undone: what it changed, by key, and nothing that it did not change.
struct Patch {
  Message sentence;  // "Connect conv1 to relu2"
  std::vector<ItemChange<OperatorKey, EditOperator>> operators = {};
  std::vector<ItemChange<UnitKey, EditUnit>> units = {};
  std::optional<Replacement<std::vector<EditPart>>> parts = {};
  std::optional<Replacement<std::string>> name = {};

  bool empty() const { return operators.empty() && units.empty() && !parts && !name; }
};

// Returns what leads from one state of a graph to another.
Patch difference(const EditableGraph& before, const EditableGraph& after, Message sentence);

// True if what the patch changes is in the graph as it was before the patch. apply() is for such graphs, revert() for
// what that makes of them.
bool fits(const EditableGraph& graph, const Patch& patch);
void apply(EditableGraph& graph, const Patch& patch);
void revert(EditableGraph& graph, const Patch& patch);

// It changes only where things stand.
bool only_moves(const Patch& patch);

// Both as one, with the second's sentence.
Patch joined(const Patch& first, const Patch& second);

// An edit while it is made: a copy of the graph to change at will, and at the end what that changed. The graph it was
// made from stays as it is.
class Gesture {
 public:
  explicit Gesture(const EditableGraph& before) : before_(before), graph_(before) {}

  EditableGraph& graph() { return graph_; }
  const EditableGraph& before() const { return before_; }

  // Changes one operator; its key is there.
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

  // Returns what changed. Units that nothing is left of go with what they lost.
  Patch finish(Message sentence) &&;

 private:
  const EditableGraph& before_;
  EditableGraph graph_;
};

}  // namespace iosx
