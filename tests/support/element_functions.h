#pragma once

#include <vector>

#include "core/model/graph/activation.h"

// The element-wise functions in double precision, implemented separately for comparison.
namespace iosx::test {

double activated(const Activation& activation, double x);
double applied(BinaryFunction function, double a, double b);

// Returns one of each kind, with usual parameters.
std::vector<Activation> every_activation();
// Returns whether its value jumps somewhere, so that rounding the input may change it much.
bool jumps(ActivationKind kind);
bool jumps(BinaryFunction function);
// Returns whether it is finite, and not steep, from -1 to 1.
bool tame(ActivationKind kind);

}  // namespace iosx::test
