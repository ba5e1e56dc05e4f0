#pragma once

#include <QString>
#include <vector>

#include "core/model/graph/operator.h"

namespace iosx {

// Holds one line of a description. A heading has no value.
struct Property {
  QString name;
  QString value;
  bool heading = false;
  friend bool operator==(const Property&, const Property&) = default;
};

// Returns what the operator computes with: kernel, padding, axes, scales, activation with its parameters. What has its
// usual value (no dilation, one channel group) is left out.
std::vector<Property> attribute_properties(const Operator& op);

}  // namespace iosx
