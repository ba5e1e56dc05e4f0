#pragma once

#include <string>
#include <vector>

#include "core/formats/document.h"

namespace iosx {

// Opens several networks by name or file as one graph, as described at open_graph().
Result<Document> open_several(const std::vector<std::string>& names, const InputSizes& sizes);

}  // namespace iosx
