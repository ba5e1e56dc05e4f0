#pragma once

#include <span>

#include "core/base/result.h"

namespace iosx {

// Refuses a command line (with the program's name first) that holds an empty value: `--save ""`, `--save=`, `compare
// ""`. An unset variable of a script is a mistake, not a request for the default. The error names the option.
Result<void> check_no_empty_values(std::span<const char* const> arguments);

}  // namespace iosx
