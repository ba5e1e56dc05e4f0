#pragma once

#include <span>

#include "core/base/result.h"

namespace iosx {

// Refuses a command line, its program's name included, with an empty value: `--save ""`, `--save=`, `compare ""`. A
// script's variable that is not set is a mistake, not the wish for what is usual. The error names the option.
Result<void> check_no_empty_values(std::span<const char* const> arguments);

}  // namespace iosx
