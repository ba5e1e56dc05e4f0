#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/model/edit/editable_graph.h"
#include "core/model/edit/wording.h"

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
  Wording sentence;  // "Connect conv1 to relu2"
  std::vector<ItemChange<OperatorKey, EditOperator>> operators = {};
  std::vector<ItemChange<UnitKey, EditUnit>> units = {};
  std::optional<Replacement<std::vector<EditPart>>> parts = {};
  std::optional<Replacement<std::string>> name = {};

  bool empty() const { return operators.empty() && units.empty() && !parts && !name; }
};

// Returns what leads from one state of a graph to another.
Patch difference(const EditableGraph& before, const EditableGraph& after, Wording sentence);

// True if what the patch changes is in the graph as it was before the patch. apply() is for such graphs, revert() for
// what that makes of them.
bool fits(const EditableGraph& graph, const Patch& patch);
void apply(EditableGraph& graph, const Patch& patch);
void revert(EditableGraph& graph, const Patch& patch);

// It changes only where things stand.
bool only_moves(const Patch& patch);

// Both as one, with the second's sentence.
Patch joined(const Patch& first, const Patch& second);

}  // namespace iosx
