#pragma once

#include <span>
#include <string>

#include "core/formats/document.h"

namespace iosx {

// Makes one document of several: the graph of unite() (core/model/graph/networks.h), with inputs, outputs and open
// dimensions of all, each called as its operator is, a dimension with the network's name before it. `names` are what
// they were opened by, for warnings. Schedules are left aside, with a warning. They run with one batch: the largest
// that one of them has by itself, 1 where one runs with no other; a warning says so where they differ. Errors are those
// of unite().
Result<Document> unite(std::span<const Document> documents, std::span<const std::string> names);

}  // namespace iosx
