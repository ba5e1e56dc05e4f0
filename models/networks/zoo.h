#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/graph/graph.h"

namespace iosx {

// The groups of networks in lists of the zoo.
enum class ZooGroup {
  kPaper,  // published with IOS
  kClassification,
  kDetection,  // and segmentation: maps of many sizes
  kTransformer,
};

struct ZooNetwork {
  ZooGroup group = ZooGroup::kPaper;
  std::string_view name;     // "inception_v3"
  std::string_view title;    // "Inception V3"
  std::string_view summary;  // one line: source, input size
  Graph (*build)();
};

// Returns the built-in networks, in display order: group by group.
std::span<const ZooNetwork> zoo();

// Returns "Classification", …
std::string_view zoo_group_title(ZooGroup group);

// The error lists the names.
Result<Graph> zoo_network(std::string_view name);

}  // namespace iosx
