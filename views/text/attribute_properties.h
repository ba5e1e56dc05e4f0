#pragma once

#include <QString>
#include <cstddef>
#include <vector>

#include "core/model/graph/operator.h"

namespace iosx {

// One line of a description. A heading has no value.
struct Property {
  // The form of a line without name and value, over the whole width.
  enum class Form {
    kPair,
    kSentence,     // the name alone
    kProse,        // the name, and a value of a sentence or more, too long for one column
    kAlternative,  // an alternative in the name, its cost in the value, with a bar
    kFold,         // the name, which opens or closes the lines below
  };
  QString name = {};
  QString value = {};
  bool heading = false;
  Form form = Form::kPair;
  double bar = 0;               // of an alternative, -1 to 1: below 0 is better than the current one
  std::size_t alternative = 0;  // index among the stage's
  friend bool operator==(const Property&, const Property&) = default;
};

// Returns the operator's attributes: kernel, padding, axes, scales, activation with its parameters. Usual values (no
// dilation, one channel group) are left out.
std::vector<Property> attribute_properties(const Operator& op);

}  // namespace iosx
