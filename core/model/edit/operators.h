#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/model/edit/check.h"
#include "core/model/edit/editable_graph.h"
#include "core/model/edit/patch.h"

// Operators come, go and change. Errors are sentences for the person who draws. Keys are of the graph.
namespace iosx {

struct AddedOperator {
  Patch patch;
  OperatorKey key;
};

// An operator that reads nothing yet, called after its kind, as a unit of its own in a part: the last if none is said.
AddedOperator add_operator(const EditableGraph& graph, Attributes attributes, std::optional<CanvasPlace> place = {},
                           PartKey part = {});

// The same, which reads what these operators give, in their order and as far as it may.
AddedOperator add_reader(const EditableGraph& graph, Attributes attributes, std::span<const OperatorKey> sources,
                         std::optional<CanvasPlace> place = {}, PartKey part = {});

// Between a slot and what it reads. An error if it cannot take that.
Result<AddedOperator> insert_operator(const EditableGraph& graph, const GraphCheck& check, Attributes attributes,
                                      OperatorKey reader, std::size_t slot, std::optional<CanvasPlace> place = {});

enum class Healing {
  kNone,  // what read a removed operator has an open slot
  kHeal,  // reads what that read first; where that is nothing, a sum or a concatenation loses the slot
};
Patch remove_operators(const EditableGraph& graph, std::span<const OperatorKey> keys, Healing healing);

// An error for a name that is empty, too long or another's. A unit that has its name from the operator keeps it so.
Result<Patch> rename_operator(const EditableGraph& graph, OperatorKey key, std::string name);

// An error for other kinds of attributes and for those that are wrong whatever the operator reads.
Result<Patch> set_attributes(const EditableGraph& graph, OperatorKey key, Attributes attributes);
// Whether an operator of a kind that may have a bias has one.
Patch set_biased(const EditableGraph& graph, OperatorKey key, bool biased);

}  // namespace iosx
