#pragma once

#include "core/base/result.h"
#include "core/model/graph/operator.h"

namespace iosx {

// Returns the initial attributes of an operator of a kind (an index in Attributes): the usual ones in networks, and,
// where the input is known, ones that accept it and keep its shape if possible.
Attributes default_attributes(std::size_t kind, const std::optional<Shape>& input = {});

// Returns the initial number of slots of an operator with these attributes.
std::size_t default_inputs(const Attributes& attributes);

// Returns the error of attributes that are invalid for any input: a kernel of 0, groups that do not divide the
// channels. Its place is empty.
Result<void> check_attributes(const Attributes& attributes);

}  // namespace iosx
