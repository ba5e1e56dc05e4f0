#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/edit/keys.h"
#include "core/model/graph/operator.h"
#include "core/model/graph/tensor.h"

// An editable graph is made of these. All are values; none knows another but by its key.
namespace iosx {

// Where an operator stands on the canvas: its centre, in canvas units.
struct CanvasPlace {
  double x = 0;
  double y = 0;
  friend bool operator==(const CanvasPlace&, const CanvasPlace&) = default;
};

// [begin, end) of a producer's channels.
struct ChannelRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  friend bool operator==(const ChannelRange&, const ChannelRange&) = default;
};

// One slot of an operator: what it reads. Open while nothing is connected to it.
struct EditInput {
  OperatorKey producer;                  // invalid: open
  std::optional<ChannelRange> channels;  // none: all, however many there are

  bool open() const { return !producer.valid(); }
  friend bool operator==(const EditInput&, const EditInput&) = default;
};

struct EditOperator {
  std::string name;
  Attributes attributes;
  std::vector<EditInput> inputs;
  // As Parameters has them; empty: made up. They may have stopped fitting since attributes changed: kept all the same,
  // for they fit again when that is undone.
  Tensor weights = {};
  Tensor bias = {};
  bool biased = true;                     // of a kind that may have a bias
  UnitKey unit = {};                      // invalid for a source
  std::optional<CanvasPlace> place = {};  // none: the layout's choice

  bool is_source() const {
    return std::holds_alternative<Input>(attributes) || std::holds_alternative<Constant>(attributes);
  }
  friend bool operator==(const EditOperator& a, const EditOperator& b);
};

struct EditUnit {
  std::string name;
  std::string hint;
  PartKey part;
  friend bool operator==(const EditUnit&, const EditUnit&) = default;
};

struct EditPart {
  PartKey key;
  std::string name;
  bool continued = false;
  friend bool operator==(const EditPart&, const EditPart&) = default;
};

}  // namespace iosx
