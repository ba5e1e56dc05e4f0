#pragma once

#include <string>

#include "core/base/result.h"

namespace iosx {

// The error that nothing may be called so: empty, or too long.
Result<void> check_name(const std::string& name);

}  // namespace iosx
