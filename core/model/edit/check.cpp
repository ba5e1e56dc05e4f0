#include "core/model/edit/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/model/edit/edit_index.h"
#include "core/model/edit/path_text.h"
#include "core/model/graph/operator_table.h"
#include "core/model/graph/shape_inference.h"

namespace iosx {
namespace {

std::optional<Shape> sliced(const Shape& whole, const std::optional<ChannelRange>& channels) {
  if (!channels) return whole;
  if (channels->begin < 0 || channels->begin >= channels->end || channels->end > whole.channels()) return std::nullopt;
  return whole.rank() == 0 ? whole : whole.with(0, channels->end - channels->begin);
}

bool has_dims(const Tensor& tensor, const std::vector<std::int64_t>& dims) {
  return std::ranges::equal(tensor.dims(), dims);
}

class Checker {
 public:
  explicit Checker(const EditableGraph& graph) : graph_(graph), index_(graph) {}

  GraphCheck run() && {
    const std::vector<std::size_t> order = index_.order();
    for (const std::size_t i : order) found_.order.push_back(index_.key(i));
    if (order.size() < index_.size()) report_circles(order);
    shapes_.resize(index_.size());
    for (const std::size_t i : order) shapes_[i] = shape_of(i);
    for (std::size_t i = 0; i < index_.size(); ++i) {
      if (shapes_[i]) found_.shapes.set(index_.key(i), *shapes_[i]);
    }
    found_.units = order_units(graph_, index_, order, found_.problems);
    check_names();
    return std::move(found_);
  }

 private:
  const EditOperator& op(std::size_t i) const { return index_.op(i); }

  void report(ProblemKind kind, std::size_t i, Message wording, std::optional<std::size_t> slot = {}) {
    Problem problem{.kind = kind, .wording = std::move(wording), .operators = {index_.key(i)}};
    problem.slot = slot;
    found_.problems.push_back(std::move(problem));
  }
  std::string kind_of(std::size_t i) const { return std::string(kind_name(op(i).attributes)); }

  // Follows the first slot between remaining operators from each of them to the circle where this ends. Each
  // remaining one is on a circle or after one.
  void report_circles(const std::vector<std::size_t>& order) {
    std::vector<std::size_t> round(index_.size(), 0);  // in which it was seen; 1: it is ordered
    for (const std::size_t i : order) round[i] = 1;
    std::size_t now = 1;
    for (std::size_t i = 0; i < round.size(); ++i) {
      if (round[i] != 0) continue;
      ++now;
      std::vector<std::size_t> walk;
      std::size_t at = i;
      for (; round[at] == 0; at = next_on_circle(at, round)) {
        round[at] = now;
        walk.push_back(at);
      }
      if (round[at] == now) report_circle(std::vector(std::find(walk.begin(), walk.end(), at), walk.end()));
    }
  }
  std::size_t next_on_circle(std::size_t i, const std::vector<std::size_t>& round) const {
    const auto producers = index_.producers(i);
    return *std::ranges::find_if(producers, [&](std::size_t p) { return p != EditIndex::kNone && round[p] != 1; });
  }
  void report_circle(std::vector<std::size_t> circle) {  // each reads the next
    std::ranges::reverse(circle);
    std::rotate(circle.begin(), std::min_element(circle.begin(), circle.end()), circle.end());
    Problem problem{.kind = ProblemKind::kCircle, .wording = {}};
    std::vector<std::string> names;
    for (const std::size_t i : circle) {
      names.push_back(op(i).name);
      problem.operators.push_back(index_.key(i));
    }
    names.push_back(names.front());
    problem.wording = message("{} is a cycle; an operator cannot read its own result", path_text(names));
    found_.problems.push_back(std::move(problem));
  }

  std::optional<Shape> shape_of(std::size_t i) {
    const EditOperator& op = this->op(i);
    const bool connected = check_slots(i);
    if (!check_count(i) || !connected) return std::nullopt;
    std::vector<Shape> read;
    for (std::size_t slot = 0; slot < op.inputs.size(); ++slot) {
      read.push_back(*sliced(*shapes_[index_.producers(i)[slot]], op.inputs[slot].channels));
    }
    auto shape = infer_shape(op.attributes, read);
    if (!shape) {
      report_shape(i, shape.error().what, read);
      return std::nullopt;
    }
    if (std::holds_alternative<Constant>(op.attributes) && shape->rank() == 0 && op.weights.empty()) {
      report(ProblemKind::kShape, i, message("'{}' is a scalar constant without a value", op.name));
      return std::nullopt;
    }
    const bool as_made = op.weights.empty() && op.bias.empty();
    if (!as_made && !fits(op, parameter_dims(op.attributes, read))) {
      report(
          ProblemKind::kWeights, i,
          message("the weights given to '{}' do not fit its current sizes; made-up weights are used instead", op.name));
    }
    return *shape;
  }

  // True if all that it reads is known.
  bool check_slots(std::size_t i) {
    bool known = true;
    for (std::size_t slot = 0; slot < op(i).inputs.size(); ++slot) {
      const std::size_t producer = index_.producers(i)[slot];
      if (producer == EditIndex::kNone) {
        report_open(i, slot);
        known = false;
      } else if (!shapes_[producer]) {
        known = false;
      } else if (const auto& channels = op(i).inputs[slot].channels; !sliced(*shapes_[producer], channels)) {
        report(ProblemKind::kSlice, i,
               message("'{}' reads channels {} to {} of '{}', which has {} channels", op(i).name, channels->begin,
                       channels->end, op(producer).name, shapes_[producer]->channels()),
               slot);
        known = false;
      }
    }
    return known;
  }

  void report_open(std::size_t i, std::size_t slot) {
    const std::size_t count = op(i).inputs.size();
    if (count == 1)
      return report(ProblemKind::kOpenInput, i, message("'{}' ({}) has no inputs yet", op(i).name, kind_of(i)), slot);
    report(ProblemKind::kOpenInput, i,
           message("nothing is connected to input {} of {} of '{}' ({})", slot + 1, count, op(i).name, kind_of(i)),
           slot);
  }

  bool check_count(std::size_t i) {
    const OperatorRow& row = operator_row(op(i).attributes);
    const std::size_t count = op(i).inputs.size();
    if (count >= row.least_inputs && count <= row.most_inputs) return true;
    const bool too_few = count < row.least_inputs;
    report(ProblemKind::kArity, i,
           too_few ? message("'{}' ({}) has inputs: {}; it needs at least {}", op(i).name, kind_of(i), count,
                             row.least_inputs)
                   : message("'{}' ({}) has inputs: {}; it accepts at most {}", op(i).name, kind_of(i), count,
                             row.most_inputs));
    return false;
  }

  void report_shape(std::size_t i, const Message& what, const std::vector<Shape>& read) {
    if (read.empty()) return report(ProblemKind::kShape, i, message("'{}' ({}): {}", op(i).name, kind_of(i), what));
    constexpr std::size_t kMostNamed = 4;
    std::string inputs;
    for (std::size_t slot = 0; slot < read.size() && slot < kMostNamed; ++slot) {
      inputs +=
          fmt::format("{}'{}' {}", slot == 0 ? "" : ", ", op(index_.producers(i)[slot]).name, shape_text(read[slot]));
    }
    if (read.size() > kMostNamed) inputs += ", …";
    report(ProblemKind::kShape, i, message("'{}' ({}): {}; it reads {}", op(i).name, kind_of(i), what, inputs));
  }

  // Operators and units share one space of names; only a unit's last operator may be called as the unit.
  void check_names() {
    std::unordered_map<std::string_view, std::size_t> owners;
    owners.reserve(2 * index_.size());
    for (std::size_t i = 0; i < index_.size(); ++i) {
      const std::string& name = op(i).name;
      if (name.empty()) {
        report(ProblemKind::kName, i, message("an operator ({}) has no name", kind_of(i)));
        continue;
      }
      const auto [owner, is_new] = owners.emplace(name, i);
      if (is_new) continue;
      report(ProblemKind::kName, i, message("the name '{}' is used twice", name));
      found_.problems.back().operators.push_back(index_.key(owner->second));
    }
    check_unit_names(owners);
  }

  void check_unit_names(const std::unordered_map<std::string_view, std::size_t>& owners) {
    std::unordered_map<std::string_view, UnitKey> units;
    units.reserve(found_.units.size());
    for (const OrderedUnit& ordered : found_.units) {
      if (!ordered.whole) continue;
      const std::string& name = graph_.unit(ordered.unit).name;
      Problem problem{.kind = ProblemKind::kName, .wording = {}, .units = {ordered.unit}};
      const auto owner = owners.find(name);
      if (name.empty()) {
        problem.wording = message("the unit of '{}' has no name", graph_.op(ordered.operators.back()).name);
        problem.operators = {ordered.operators.back()};
      } else if (const auto [other, is_new] = units.emplace(name, ordered.unit); !is_new) {
        problem.wording = message("two units are called '{}'", name);
        problem.units.push_back(other->second);
      } else if (owner != owners.end() && index_.key(owner->second) != ordered.operators.back()) {
        problem.wording = message("a unit has the name '{}' of an operator that is not its last one", name);
        problem.operators = {index_.key(owner->second)};
      } else {
        continue;
      }
      found_.problems.push_back(std::move(problem));
    }
  }

  const EditableGraph& graph_;
  EditIndex index_;
  std::vector<std::optional<Shape>> shapes_;
  GraphCheck found_;
};

}  // namespace

std::optional<Shape> GraphCheck::shape_of(const EditInput& input) const {
  const Shape* const whole = shapes.find(input.producer);
  return whole == nullptr ? std::nullopt : sliced(*whole, input.channels);
}

bool fits(const EditOperator& op, const ParameterDims& dims) {
  if (op.weights.empty()) return op.bias.empty();
  if (dims.weights.empty() && !std::holds_alternative<Constant>(op.attributes)) return false;
  return has_dims(op.weights, dims.weights) &&
         (op.bias.empty() || (!dims.bias.empty() && has_dims(op.bias, dims.bias)));
}

GraphCheck check(const EditableGraph& graph) { return Checker(graph).run(); }

}  // namespace iosx
