#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/ios/ios_format.h"
#include "core/model/graph/graph.h"

namespace iosx {

// Says where the file keeps a unit's output: in channels of this node's output from `channel_begin` on.
struct UnitPlace {
  std::string node;
  std::int64_t channel_begin = 0;
};

// Returns a value that another unit or the network's input made, as the file names it. `places` is indexed by unit.
IosValue value_in_file(const Graph& graph, const Value& value, const std::vector<UnitPlace>& places);

// Returns the unit as the file's node. Sums and concatenations that only feed another operator of the unit become terms
// of its inputs; if one operator is left it is the node, otherwise the node is a sequential. What the format cannot say
// is an error that names the operator.
Result<IosNode> unit_to_ios(const Graph& graph, UnitId id, const std::vector<UnitPlace>& places);

}  // namespace iosx
