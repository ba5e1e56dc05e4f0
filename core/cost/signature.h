#pragma once

#include <string>

#include "core/schedule/schedule.h"

namespace iosx {

// The structure of a stage: units, shapes, attributes, wiring, sharing of inputs and channel slices, free of names,
// ids and of the order of the groups. Equal signatures mean the same measurement; the reverse may fail on rare
// symmetric stages, which costs a measurement and no correctness. A readable, lossless text, not a hash.
std::string stage_signature(const Graph& graph, const Stage& stage);

}  // namespace iosx
