#pragma once

#include "core/base/result.h"
#include "core/model/edit/check.h"
#include "core/model/edit/editable_graph.h"
#include "core/model/edit/history.h"

// Add, remove and change operators. Errors are sentences for the user who draws. Keys are of the graph.
namespace iosx {

struct AddedOperator {
  Patch patch;
  OperatorKey key;
};

// Adds an operator without connections, named after its kind, as its own unit in a part (default: the last).
AddedOperator add_operator(const EditableGraph& graph, Attributes attributes, std::optional<CanvasPlace> place = {},
                           PartKey part = {});

// Does the same and connects these operators to it, in order and where possible.
AddedOperator add_reader(const EditableGraph& graph, Attributes attributes, std::span<const OperatorKey> sources,
                         std::optional<CanvasPlace> place = {}, PartKey part = {});

// Inserts an operator between a slot and its producer. Returns an error if it cannot accept that.
Result<AddedOperator> insert_operator(const EditableGraph& graph, const GraphCheck& check, Attributes attributes,
                                      OperatorKey reader, std::size_t slot, std::optional<CanvasPlace> place = {});

enum class Healing {
  kNone,  // readers of a removed operator get an open slot
  kHeal,  // readers get the removed operator's first input; without one, a sum or a concatenation loses the slot
};
Patch remove_operators(const EditableGraph& graph, std::span<const OperatorKey> keys, Healing healing);

// Returns an error for a name that is empty, too long or taken. A unit named after the operator is renamed with it.
Result<Patch> rename_operator(const EditableGraph& graph, OperatorKey key, std::string name);

// Returns an error for attributes of another kind and for those that are invalid for any input.
Result<Patch> set_attributes(const EditableGraph& graph, OperatorKey key, Attributes attributes);
// Sets whether an operator of a kind that may have a bias has one.
Patch set_biased(const EditableGraph& graph, OperatorKey key, bool biased);

struct PlacedOperator {
  OperatorKey key;
  CanvasPlace place;
};

// Moves operators to dragged places, from any place.
Patch place_operators(const EditableGraph& graph, std::span<const PlacedOperator> placed);
// Returns their placement to the layout.
Patch release_places(const EditableGraph& graph, std::span<const OperatorKey> keys);

enum class Alignment { kLeft, kCentre, kRight, kTop, kMiddle, kBottom };

// `placed`: the operators' current places, by hand or by the layout. Aligns centres, which also aligns boxes of one
// size.
Patch align(const EditableGraph& graph, std::span<const PlacedOperator> placed, Alignment alignment);

}  // namespace iosx
