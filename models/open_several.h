#pragma once

#include <string>
#include <vector>

#include "core/formats/document.h"

namespace iosx {

// Opens several networks by name or file as one graph, for open_graph(), which says what that means.
Result<Document> open_several(const std::vector<std::string>& names, const InputSizes& sizes);

}  // namespace iosx
