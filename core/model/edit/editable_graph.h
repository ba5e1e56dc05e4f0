#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/id.h"
#include "core/model/edit/key_map.h"
#include "core/model/graph/operator.h"
#include "core/model/graph/tensor.h"

namespace iosx {

// Keys are what edits, views and undo steps call things by: a key stays with its operator, unit or part whatever comes
// and goes, and is never given out twice in a document. Ids (OperatorId, …) are places in a Graph and last as long as
// that.
using OperatorKey = Id<struct OperatorKeyTag>;
using UnitKey = Id<struct UnitKeyTag>;
using PartKey = Id<struct PartKeyTag>;

// An editable graph is made of what follows. All are values; none knows another but by its key.

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
  std::string network = {};               // of several the one that it is of; empty: see GraphBuilder::set_network()
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

// A graph that is being drawn: anything may be open, wrong or missing, and check() says what. A value; copies share
// their operators, which nobody changes in place. Actions make patches (patch.h) of it, EditHistory keeps one with its
// undo steps, to_graph() makes what can be computed of it.
//
// It has at least one part. An operator that is no source is in a unit, which is there, and a unit in a part, which is
// there.
class EditableGraph {
 public:
  // Nothing in one part, which is called as the graph.
  explicit EditableGraph(std::string name = "graph");

  const std::string& name() const { return name_; }
  const KeyMap<OperatorKey, std::shared_ptr<const EditOperator>>& operators() const { return operators_; }
  const KeyMap<UnitKey, std::shared_ptr<const EditUnit>>& units() const { return units_; }
  const std::vector<EditPart>& parts() const { return parts_; }  // one after another

  // Null for keys that are not there.
  const EditOperator* find(OperatorKey key) const;
  const EditUnit* find(UnitKey key) const;
  const EditPart* find(PartKey key) const;
  // For keys that are there.
  const EditOperator& op(OperatorKey key) const;
  const EditUnit& unit(UnitKey key) const;

  std::optional<OperatorKey> find_operator(std::string_view name) const;  // the first of that name
  std::vector<OperatorKey> operators_of(UnitKey unit) const;              // by key

  // Changes. What is added gets a key that nothing here ever had.
  OperatorKey add(EditOperator op);
  UnitKey add(EditUnit unit);
  PartKey new_part_key() { return PartKey(next_part_++); }
  void set(OperatorKey key, EditOperator op);
  void set(UnitKey key, EditUnit unit);
  // Null removes.
  void set(OperatorKey key, std::shared_ptr<const EditOperator> op);
  void set(UnitKey key, std::shared_ptr<const EditUnit> unit);
  void remove(OperatorKey key) { operators_.erase(key); }
  void remove(UnitKey key) { units_.erase(key); }
  void set_parts(std::vector<EditPart> parts);
  void set_name(std::string name) { name_ = std::move(name); }

 private:
  std::string name_;
  KeyMap<OperatorKey, std::shared_ptr<const EditOperator>> operators_;
  KeyMap<UnitKey, std::shared_ptr<const EditUnit>> units_;
  std::vector<EditPart> parts_;
  std::size_t next_operator_ = 0;
  std::size_t next_unit_ = 0;
  std::size_t next_part_ = 0;
};

}  // namespace iosx
