#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/ios/ios_format.h"
#include "core/model/graph/graph.h"

namespace iosx {

// Where the file keeps a unit's output: in channels of this node's output from `channel_begin` on.
struct UnitPlace {
  std::string node;
  std::int64_t channel_begin = 0;
};

// Returns a value of another unit or of the network's input by its name in the file. `places` is indexed by unit.
IosValue value_in_file(const Graph& graph, const Value& value, const std::vector<UnitPlace>& places);

// Returns the unit as a node of the file. Sums and concatenations that only feed another operator of the unit become
// terms of its inputs; a single remaining operator is the node, several are a sequential. Returns an error that names
// the operator for what the format cannot express.
Result<IosNode> unit_to_ios(const Graph& graph, UnitId id, const std::vector<UnitPlace>& places);

}  // namespace iosx
