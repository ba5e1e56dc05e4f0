#pragma once

#include <string>
#include <vector>

#include "core/base/message.h"

namespace iosx {

// The names in single quotes with arrows between; of many, the first and last ones.
Message path_text(const std::vector<std::string>& names);

}  // namespace iosx
