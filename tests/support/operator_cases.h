#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "core/model/graph/graph.h"

// Every kind of operator, in the variants that devices may get wrong, as networks of that one operator.
namespace iosx::test {

struct OperatorCase {
  std::string name;
  Attributes attributes;
  std::vector<Shape> inputs;
  bool exact = false;  // inputs are few numbers that every precision holds: the operator jumps between them
};
void PrintTo(const OperatorCase& one, std::ostream* out);

std::vector<OperatorCase> operator_cases();

// Returns the same for kinds that the GPU cannot execute.
std::vector<OperatorCase> host_operator_cases();

// The place of the operator's inputs and output in memory.
enum class Placement { kWhole, kSliced };

// Returns a network of the one operator. Sliced: it reads the middle channels of larger tensors and its output
// becomes a part of a concatenation.
Graph network_of(const OperatorCase& one, Placement placement);

}  // namespace iosx::test
