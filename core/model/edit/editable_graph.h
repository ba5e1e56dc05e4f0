#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/edit/edit_operator.h"
#include "core/model/edit/key_map.h"

namespace iosx {

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
