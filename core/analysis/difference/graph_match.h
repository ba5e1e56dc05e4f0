#pragma once

#include <vector>

#include "core/model/graph/graph.h"

namespace iosx {

// The counterparts of graph A's operators and units in graph B. One entry per operator or unit; invalid: no
// counterpart. Each is the counterpart of at most one.
struct GraphMatch {
  bool identical = false;  // the same operators, names and units; parts may differ
  std::vector<OperatorId> operators_in_b;
  std::vector<OperatorId> operators_in_a;
  std::vector<UnitId> units_in_b;
  std::vector<UnitId> units_in_a;
  // Operators of A, by id, whose counterpart has another name; and those whose counterpart has other attributes or
  // another shape.
  std::vector<OperatorId> renamed;
  std::vector<OperatorId> changed;

  std::vector<OperatorId> missing() const;  // of A, by id: not in B
  std::vector<OperatorId> added() const;    // of B, by id: not in A
};

// Matches by structure and name. Operators with the same ancestors and descendants in both graphs match, whatever their
// names; names decide between several, and for operators with only the same ancestors or only the same descendants.
// From there the match grows along edges to equal operators, then to operators with an equal neighbourhood of three
// edges. All this is done for operators with equal attributes and shapes, then with equal attributes, then with equal
// kinds: those have changed. Names count less where structure contradicts most of them, as after an exporter renumbered
// operators. Takes n log n; deterministic.
//
// A unit's counterpart is the one with most operators in common.
//
// Example: A was exported again with other names, one more operator and a smaller last layer.
//
//   A   in → conv (16 channels) → relu                → out (4 channels)
//   B   in → n1   (16 channels) → n2 (relu) → n3 (sigmoid) → out (6 channels)
//
// conv and n1 have the same ancestors and equal attributes, so they match, and then relu and n2. The two named out
// agree only in their kind, so they match last and have changed. Nothing is left for n3. So `renamed` has conv and
// relu, `changed` has out, missing() is empty, and added() is n3.
GraphMatch match_graphs(const Graph& a, const Graph& b);

}  // namespace iosx
