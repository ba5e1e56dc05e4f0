#pragma once

#include <string_view>
#include <vector>

#include "core/model/edit/fragment.h"

namespace iosx {

// A piece of a network that people draw often, of usual sizes. Its open slots read what it is put behind.
struct GraphTemplate {
  std::string_view id;
  std::string_view title;
  std::string_view summary;
  std::string_view input;  // what it is drawn for: "a feature map of 64 channels"
  Fragment (*make)();
};

// In the order in which they are offered.
const std::vector<GraphTemplate>& graph_templates();

}  // namespace iosx
