#pragma once

#include <string>

#include "core/analysis/validate/operators.h"

namespace iosx {

// Returns an SVG drawing of the operators of one kind: the simulated latency over the measured one, both in µs from 10
// to 10⁶ on logarithmic axes, with the diagonal and lines 25 % above and below. Close points are one square, darker
// for more points (1 to 2, 3 to 9, 10 and more), so that the drawing stays small.
std::string operators_svg(const OperatorValidation& validation, MeasuredKind kind);

}  // namespace iosx
