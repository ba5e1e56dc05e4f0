#pragma once

#include <string_view>
#include <vector>

#include "core/model/edit/fragment.h"

namespace iosx {

// A frequent piece of networks, in usual sizes. Its open slots read the operator after which it is inserted.
struct GraphTemplate {
  std::string_view id;
  std::string_view title;
  std::string_view summary;
  std::string_view input;  // its intended input: "a feature map of 64 channels"
  Fragment (*make)();
};

// In display order.
const std::vector<GraphTemplate>& graph_templates();

}  // namespace iosx
