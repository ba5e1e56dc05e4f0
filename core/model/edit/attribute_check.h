#pragma once

#include "core/base/result.h"
#include "core/model/graph/operator.h"

namespace iosx {

// Returns the error of attributes that are invalid for any input: a kernel of 0, groups that do not divide the
// channels. Its place is empty.
Result<void> check_attributes(const Attributes& attributes);

}  // namespace iosx
