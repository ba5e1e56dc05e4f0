#pragma once

#include "core/base/result.h"
#include "core/model/graph/operator.h"

namespace iosx {

// The error that an operator has with these attributes whatever it reads: a kernel of 0, groups that do not divide its
// channels. Its place is empty.
Result<void> check_attributes(const Attributes& attributes);

}  // namespace iosx
