#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

}  // namespace iosx
