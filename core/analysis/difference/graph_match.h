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
// Of units: the one with most operators in common.
GraphMatch match_graphs(const Graph& a, const Graph& b);

}  // namespace iosx
