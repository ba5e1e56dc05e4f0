#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/model/graph/graph.h"

namespace iosx::test {

// Where the two graphs first differ in structure, "" if nowhere. Compared are the units in order, their operators'
// attributes and output shapes, what each operator reads, position by position, and hints (where `actual` has one);
// names are not. A sum's inputs are compared as a set if `unordered_sums`.
struct CompareOptions {
  bool unordered_sums = false;
};
std::string first_difference(const Graph& expected, const Graph& actual, const CompareOptions& options = {});

}  // namespace iosx::test
