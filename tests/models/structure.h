#pragma once

#include "core/model/graph/graph.h"
#include "tests/support/prelude.h"

namespace iosx::test {

// Returns the first structural difference of two graphs, or "". It compares the units in order, their operators'
// attributes and output shapes, inputs by position, and hints (where `actual` has one), but not names. With
// `unordered_sums` a sum's inputs are compared as a set.
struct CompareOptions {
  bool unordered_sums = false;
};
std::string first_difference(const Graph& expected, const Graph& actual, const CompareOptions& options = {});

}  // namespace iosx::test
