#pragma once

#include <string>
#include <vector>

#include "core/base/message.h"

namespace iosx {

// Returns the names in single quotes with arrows between; for many, the first and last ones.
Message path_text(const std::vector<std::string>& names);

}  // namespace iosx
