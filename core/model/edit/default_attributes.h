#pragma once

#include <cstddef>
#include <optional>

#include "core/model/graph/operator.h"

namespace iosx {

// Returns what an operator of a kind (an index in Attributes) begins with when somebody draws it: what networks most
// often have, and, where it is known what the operator will read, what takes that and keeps its shape if the kind can.
Attributes default_attributes(std::size_t kind, const std::optional<Shape>& input = {});

// So many slots an operator of these attributes is drawn with.
std::size_t default_inputs(const Attributes& attributes);

}  // namespace iosx
