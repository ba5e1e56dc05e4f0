#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"

namespace iosx {

struct ZooNetwork {
  std::string_view name;     // "inception_v3"
  std::string_view title;    // "Inception V3"
  std::string_view summary;  // one line: source, input size
  Graph (*build)();
};

// The built-in networks, in the order to show them.
std::span<const ZooNetwork> zoo();

// The error lists the names there are.
Result<Graph> zoo_network(std::string_view name);

}  // namespace iosx
