#pragma once

#include <vector>

#include "core/graph/operator.h"
#include "views/models/describe.h"

namespace iosx {

// What the operator computes with: kernel, padding, axes, scales, activation with its parameters. What has its usual
// value (no dilation, one channel group) is left out.
std::vector<Property> attribute_properties(const Operator& op);

}  // namespace iosx
