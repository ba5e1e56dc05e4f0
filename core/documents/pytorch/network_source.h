#pragma once

#include <span>
#include <string>

#include "core/base/result.h"
#include "core/documents/pytorch/python_text.h"
#include "core/model/schedule/schedule.h"

namespace iosx::pytorch {

// Writes the module network.py: the network as a class with a method for each stage of a legal schedule. `found` is a
// sentence about the schedule; it may be empty. `first` names the outputs that come first. The error names an operator
// that cannot be written.
Result<std::string> network_source(const Graph& graph, const Schedule& schedule, const PythonNames& names,
                                   const std::string& found, std::span<const std::string> first);

// Returns, for example, "8 stages, up to 3 streams, 1 merged layer".
std::string schedule_summary(const Schedule& schedule);

}  // namespace iosx::pytorch
