#pragma once

#include <QString>
#include <cstddef>
#include <vector>

#include "core/model/graph/operator.h"

namespace iosx {

// Holds one line of a description. A heading has no value.
struct Property {
  // How a line that is none of a name and a value is shown, over the whole width.
  enum class Form {
    kPair,
    kSentence,     // the name alone
    kProse,        // the name, and a value of a sentence or more, which one column is too narrow for
    kAlternative,  // what else could be, by the name, and what it costs, by the value, with a bar
    kFold,         // the name, which opens or closes what follows
  };
  QString name = {};
  QString value = {};
  bool heading = false;
  Form form = Form::kPair;
  double bar = 0;               // of an alternative, -1 to 1: below 0 is better than what there is
  std::size_t alternative = 0;  // which of the stage's it is
  friend bool operator==(const Property&, const Property&) = default;
};

// Returns what the operator computes with: kernel, padding, axes, scales, activation with its parameters. What has its
// usual value (no dilation, one channel group) is left out.
std::vector<Property> attribute_properties(const Operator& op);

}  // namespace iosx
