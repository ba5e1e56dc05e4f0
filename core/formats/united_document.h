#pragma once

#include <span>
#include <string>

#include "core/formats/document.h"

namespace iosx {

// Joins several documents: the graph of unite() (core/model/graph/networks.h), with inputs, outputs and open dimensions
// of all. Inputs and outputs have their operators' names, dimensions are prefixed with the network's name. `names` are
// the opened names, for warnings. Schedules are dropped with a warning. They run with one batch: the largest of their
// own, or 1 where a network runs with no other; a warning says so where they differ. Errors are those of unite().
Result<Document> unite(std::span<const Document> documents, std::span<const std::string> names);

}  // namespace iosx
