#pragma once

#include "app/cli/command_line.h"

namespace iosx::cli {

// Declares "frameworks", the experiment with several networks and other engines.
void add_frameworks(Command& experiments);

}  // namespace iosx::cli
