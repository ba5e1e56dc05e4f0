#include "core/model/edit/editable_graph.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace iosx {
namespace {

bool same_tensor(const Tensor& a, const Tensor& b) {
  if (a.empty() != b.empty() || !std::ranges::equal(a.dims(), b.dims())) return false;
  return a.elements().data() == b.elements().data() || std::ranges::equal(a.elements(), b.elements());
}

}  // namespace

bool operator==(const EditOperator& a, const EditOperator& b) {
  return a.name == b.name && a.attributes == b.attributes && a.inputs == b.inputs && a.biased == b.biased &&
         a.unit == b.unit && a.network == b.network && a.place == b.place && same_tensor(a.weights, b.weights) &&
         same_tensor(a.bias, b.bias);
}

EditableGraph::EditableGraph(std::string name) : name_(std::move(name)) { parts_.push_back({new_part_key(), name_}); }

const EditOperator* EditableGraph::find(OperatorKey key) const {
  const auto* const found = operators_.find(key);
  return found == nullptr ? nullptr : found->get();
}
const EditUnit* EditableGraph::find(UnitKey key) const {
  const auto* const found = units_.find(key);
  return found == nullptr ? nullptr : found->get();
}
const EditPart* EditableGraph::find(PartKey key) const {
  const auto found = std::ranges::find(parts_, key, &EditPart::key);
  return found == parts_.end() ? nullptr : &*found;
}

const EditOperator& EditableGraph::op(OperatorKey key) const {
  const EditOperator* const found = find(key);
  IOS_CHECK(found != nullptr);
  return *found;
}
const EditUnit& EditableGraph::unit(UnitKey key) const {
  const EditUnit* const found = find(key);
  IOS_CHECK(found != nullptr);
  return *found;
}

std::optional<OperatorKey> EditableGraph::find_operator(std::string_view name) const {
  for (const auto& [key, op] : operators_) {
    if (op->name == name) return key;
  }
  return std::nullopt;
}

std::vector<OperatorKey> EditableGraph::operators_of(UnitKey unit) const {
  std::vector<OperatorKey> found;
  for (const auto& [key, op] : operators_) {
    if (op->unit == unit) found.push_back(key);
  }
  return found;
}

OperatorKey EditableGraph::add(EditOperator op) {
  const OperatorKey key(next_operator_);
  set(key, std::move(op));
  return key;
}
UnitKey EditableGraph::add(EditUnit unit) {
  const UnitKey key(next_unit_);
  set(key, std::move(unit));
  return key;
}

void EditableGraph::set(OperatorKey key, EditOperator op) {
  set(key, std::make_shared<const EditOperator>(std::move(op)));
}
void EditableGraph::set(UnitKey key, EditUnit unit) { set(key, std::make_shared<const EditUnit>(std::move(unit))); }

void EditableGraph::set(OperatorKey key, std::shared_ptr<const EditOperator> op) {
  IOS_CHECK(key.valid());
  if (op == nullptr) return remove(key);
  next_operator_ = std::max(next_operator_, key.index() + 1);
  operators_.set(key, std::move(op));
}
void EditableGraph::set(UnitKey key, std::shared_ptr<const EditUnit> unit) {
  IOS_CHECK(key.valid());
  if (unit == nullptr) return remove(key);
  next_unit_ = std::max(next_unit_, key.index() + 1);
  units_.set(key, std::move(unit));
}

void EditableGraph::set_parts(std::vector<EditPart> parts) {
  IOS_CHECK(!parts.empty());
  for (const EditPart& part : parts) next_part_ = std::max(next_part_, part.key.index() + 1);
  parts_ = std::move(parts);
}

}  // namespace iosx
