#pragma once

#include <vector>

#include "core/model/graph/graph.h"

namespace iosx {

// Which operators and units of graph A are which of graph B. One entry an operator or unit; invalid: it has no
// counterpart. Each is the counterpart of at most one.
struct GraphMatch {
  bool identical = false;  // the same operators, names and units; parts may differ
  std::vector<OperatorId> operators_in_b;
  std::vector<OperatorId> operators_in_a;
  std::vector<UnitId> units_in_b;
  std::vector<UnitId> units_in_a;
  // Operators of A, by id, whose counterpart has another name; whose counterpart has other attributes or makes another
  // shape.
  std::vector<OperatorId> renamed;
  std::vector<OperatorId> changed;

  std::vector<OperatorId> missing() const;  // of A, by id: not in B
  std::vector<OperatorId> added() const;    // of B, by id: not in A
};

// By structure and name. What has the same ancestors and descendants in both graphs is the same, whatever it is called;
// of several such, and of what has only the same ancestors or only the same descendants, names decide. From there the
// match grows along edges to what is alike, then to what is alike with its neighbourhood three edges around. All that
// is done with operators that agree in attributes and shapes, then in attributes, then in their kind alone: those have
// changed. Names are heeded less where structure contradicts most of them, as after an exporter numbered operators
// anew. In order of n log n; deterministic.
//
// A unit's counterpart is the one with most operators in common.
//
// Example: A was exported again with other names, one more operator and a smaller last layer.
//
//   A   in → conv (16 channels) → relu                → out (4 channels)
//   B   in → n1   (16 channels) → n2 (relu) → n3 (sigmoid) → out (6 channels)
//
// conv and n1 have the same ancestors and agree in attributes, so they match, and relu and n2 after them. The two
// called out agree in their kind alone, so they match last and have changed. Nothing is left for n3. So `renamed` has
// conv and relu, `changed` has out, missing() is empty, and added() is n3.
GraphMatch match_graphs(const Graph& a, const Graph& b);

}  // namespace iosx
