#include "core/model/edit/editable_graph.h"

#include <queue>

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
  const std::size_t at = place(key);
  return at == parts_.size() ? nullptr : &parts_[at];
}
std::size_t EditableGraph::place(PartKey key) const {
  return static_cast<std::size_t>(std::ranges::find(parts_, key, &EditPart::key) - parts_.begin());
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

EditIndex::EditIndex(const EditableGraph& graph) : graph_(&graph) {
  const std::size_t count = size();
  first_producer_.reserve(count + 1);
  first_reader_.assign(count + 1, 0);
  units_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    first_producer_.push_back(producers_.size());
    for (const EditInput& input : op(i).inputs) {
      const std::size_t producer = input.open() ? count : position(input.producer);
      producers_.push_back(producer < count ? producer : kNone);
      if (producer < count) ++first_reader_[producer + 1];
    }
    const std::size_t unit = graph.units().position(op(i).unit);
    units_.push_back(op(i).is_source() || unit == graph.units().size() ? kNone : unit);
  }
  first_producer_.push_back(producers_.size());
  for (std::size_t i = 0; i < count; ++i) first_reader_[i + 1] += first_reader_[i];
  readers_.resize(first_reader_.back());
  std::vector<std::size_t> next(first_reader_.begin(), first_reader_.end() - 1);
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::size_t producer : producers(i)) {
      if (producer != kNone) readers_[next[producer]++] = i;
    }
  }
}

std::vector<std::size_t> EditIndex::order() const {
  std::vector<std::size_t> waits(size(), 0);
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < size(); ++i) {
    for (const std::size_t producer : producers(i)) waits[i] += producer != kNone ? 1 : 0;
    if (waits[i] == 0) ready.push(i);
  }
  std::vector<std::size_t> order;
  order.reserve(size());
  while (!ready.empty()) {
    const std::size_t next = ready.top();
    ready.pop();
    order.push_back(next);
    for (const std::size_t reader : readers(next)) {
      if (--waits[reader] == 0) ready.push(reader);
    }
  }
  return order;
}

std::vector<std::size_t> EditIndex::path(std::size_t from, std::size_t to) const {
  std::vector<std::size_t> came_from(size(), kNone);
  std::vector<std::size_t> seen{from};
  came_from[from] = from;
  for (std::size_t next = 0; next < seen.size() && came_from[to] == kNone; ++next) {
    for (const std::size_t reader : readers(seen[next])) {
      if (came_from[reader] != kNone) continue;
      came_from[reader] = seen[next];
      seen.push_back(reader);
    }
  }
  if (came_from[to] == kNone) return {};
  std::vector<std::size_t> path{to};
  while (path.back() != from) path.push_back(came_from[path.back()]);
  std::ranges::reverse(path);
  return path;
}

}  // namespace iosx
