#pragma once

#include <vector>

#include "core/model/graph/activation.h"

// The element-wise functions in double precision, written down once more, for tests to compare with.
namespace iosx::test {

double activated(const Activation& activation, double x);
double applied(BinaryFunction function, double a, double b);

// One of each kind, with usual parameters.
std::vector<Activation> every_activation();
// Its value jumps somewhere, so that rounding the input may change it much.
bool jumps(ActivationKind kind);
bool jumps(BinaryFunction function);
// Finite, and not steep, for all numbers from -1 to 1.
bool tame(ActivationKind kind);

}  // namespace iosx::test
