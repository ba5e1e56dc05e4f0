#include "core/formats/onnx/draft/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <queue>
#include <unordered_map>
#include <unordered_set>

#include "core/model/graph/builder.h"
#include "core/model/graph/operator_table.h"
#include "core/model/graph/shape_inference.h"

namespace iosx::onnx_import {

Result<DraftValue> Draft::add(std::string name, Attributes attributes, std::vector<DraftValue> inputs, Tensor weights,
                              Tensor bias) {
  std::vector<Shape> shapes;
  shapes.reserve(inputs.size());
  for (const DraftValue& input : inputs) shapes.push_back(input.shape);
  IOS_TRY(auto shape, infer_shape(attributes, shapes));
  operators.push_back(
      {std::move(name), std::move(attributes), std::move(inputs), shape, std::move(weights), std::move(bias), node});
  return whole(operators.size() - 1);
}

DraftValue Draft::whole(std::size_t producer) const {
  const Shape& shape = operators[producer].output;
  return {producer, 0, shape.channels(), shape, ElementType::kFloat32};
}

bool Draft::is_whole(const DraftValue& value) const {
  return value.begin == 0 && value.end == operators[value.producer].output.channels();
}

DraftValue Draft::channels(const DraftValue& value, std::int64_t begin, std::int64_t end) {
  return {value.producer, value.begin + begin, value.begin + end, value.shape.with(0, end - begin), value.type};
}

Result<DraftValue> Draft::reshape(const std::string& name, const DraftValue& value, const Shape& shape) {
  if (value.shape == shape) return value;
  const DraftOperator& producer = operators[value.producer];
  if (std::holds_alternative<Reshape>(producer.attributes) && is_whole(value)) {
    const DraftValue before = producer.inputs.front();
    return reshape(name, before, shape);
  }
  return add(name, Reshape{shape}, {value});
}

Result<void> Draft::spend(std::int64_t elements, std::int64_t element_bytes) {
  if (elements >= 0 && elements <= memory_left_ / element_bytes) {
    memory_left_ -= elements * element_bytes;
    return {};
  }
  return fail(
      message("{} more numbers must be computed to read the model, and all together need too much memory", elements),
      "", message("simplify the model (constant folding) when it is exported"));
}

bool same_computation(const Draft& a, const Draft& b) {
  const auto same_numbers = [](const Tensor& one, const Tensor& other) {
    const auto x = one.elements();
    const auto y = other.elements();
    if (!std::ranges::equal(one.dims(), other.dims()) || x.size() != y.size()) return false;
    return x.data() == y.data() || std::memcmp(x.data(), y.data(), x.size_bytes()) == 0;  // NaN is itself here
  };
  // Samples may share weights, so the cost of one depends on their number.
  const auto without_cost = [](Attributes attributes) {
    if (auto* const opaque = std::get_if<Opaque>(&attributes)) {
      *opaque = {.type = opaque->type, .place = opaque->place, .shape = opaque->shape};
    }
    return attributes;
  };
  const auto same_operator = [&](const DraftOperator& one, const DraftOperator& other) {
    return without_cost(one.attributes) == without_cost(other.attributes) && one.inputs == other.inputs &&
           one.output == other.output && same_numbers(one.weights, other.weights) && same_numbers(one.bias, other.bias);
  };
  return a.outputs == b.outputs && std::ranges::equal(a.operators, b.operators, same_operator);
}

std::vector<bool> needed(const Draft& draft) {
  std::vector<bool> marks(draft.operators.size(), false);
  for (const auto& [name, value] : draft.outputs) marks[value.producer] = true;
  for (std::size_t i = draft.operators.size(); i-- > 0;) {
    if (!marks[i]) continue;
    for (const DraftValue& input : draft.operators[i].inputs) marks[input.producer] = true;
  }
  return marks;
}

namespace {

template <typename... Kinds>
bool is_one_of(const DraftOperator& op) {
  return (std::holds_alternative<Kinds>(op.attributes) || ...);
}

// The most operators between a matrix product and the softmax.
constexpr int kMaxBetween = 8;

// Finds attention that exporters wrote out, softmax(scale · Q Kᵀ + mask) V, by structure. Returns the operators of
// each, in order: the two matrix products, the operators between them (constant factors and divisors, masks, soft caps,
// the softmax, reshapes), and those that only prepare their inputs (reshapes, transpositions, slices, repetitions and
// constant factors without other readers). The last operator is the second product, and only it has other readers.
// `readers` counts the input slots and outputs that read each operator; 0 where it is not needed.
class AttentionFinder {
 public:
  AttentionFinder(const Draft& draft, const std::vector<std::size_t>& readers)
      : draft_(draft), readers_(readers), taken_(draft.operators.size(), false) {}

  std::vector<std::vector<std::size_t>> run() {
    std::vector<std::vector<std::size_t>> found;
    for (std::size_t i = 0; i < draft_.operators.size(); ++i) {
      if (readers_[i] == 0 || !is_one_of<MatMul>(at(i))) continue;
      std::vector<std::size_t> core = core_of(i);
      if (core.empty()) continue;
      found.push_back(with_preparation(std::move(core)));
      for (const std::size_t op : found.back()) taken_[op] = true;
    }
    return found;
  }

 private:
  const DraftOperator& at(std::size_t i) const { return draft_.operators[i]; }
  bool inside(std::size_t i) const { return readers_[i] == 1 && !at(i).is_source() && !taken_[i]; }

  // Returns the operators from the second matrix product up to the first; it is empty where there is none.
  std::vector<std::size_t> core_of(std::size_t second) const {
    std::vector<std::size_t> core{second};
    std::size_t i = at(second).inputs.front().producer;
    while (inside(i) && is_one_of<Reshape, Identity>(at(i))) {
      core.push_back(i);
      i = at(i).inputs.front().producer;
    }
    const Softmax* const softmax = std::get_if<Softmax>(&at(i).attributes);
    if (!inside(i) || softmax == nullptr || softmax->axis + 1 != at(i).output.rank()) return {};
    core.push_back(i);
    if (!reaches_product(at(i).inputs.front().producer, kMaxBetween, core)) return {};
    return core;
  }

  // Appends the way from operator i to the product that its scores come from.
  bool reaches_product(std::size_t i, int steps, std::vector<std::size_t>& way) const {
    if (steps == 0 || !inside(i)) return false;
    way.push_back(i);
    if (is_one_of<MatMul>(at(i))) return true;
    if (is_one_of<Affine, Activate, Reshape, Add, Mul, Binary, Where>(at(i))) {
      for (const DraftValue& input : at(i).inputs) {
        if (reaches_product(input.producer, steps - 1, way)) return true;
      }
    }
    way.pop_back();
    return false;
  }

  // Returns whether the operator only changes the form or size of one tensor.
  bool prepares(std::size_t i) const {
    if (is_one_of<Reshape, Transpose, Slice, Expand, Affine>(at(i))) return true;
    if (!is_one_of<Mul, Binary>(at(i))) return false;
    const auto& inputs = at(i).inputs;
    const auto constant = [&](const DraftValue& input) { return is_one_of<Constant>(at(input.producer)); };
    return std::count_if(inputs.begin(), inputs.end(), constant) + 1 == static_cast<std::ptrdiff_t>(inputs.size());
  }

  // Goes through the operators latest first, so that all of an operator's readers are decided before it.
  std::vector<std::size_t> with_preparation(std::vector<std::size_t> unit) const {
    std::map<std::size_t, std::size_t> reads;  // by the unit, of each candidate
    std::priority_queue<std::size_t> candidates;
    const auto look_at_inputs = [&](std::size_t i) {
      for (const DraftValue& input : at(i).inputs) {
        if (++reads[input.producer] == 1) candidates.push(input.producer);
      }
    };
    std::sort(unit.begin(), unit.end());
    const std::vector<std::size_t> core = unit;
    for (const std::size_t i : core) look_at_inputs(i);
    while (!candidates.empty()) {
      const std::size_t i = candidates.top();
      candidates.pop();
      if (at(i).is_source() || taken_[i] || !prepares(i) || reads[i] != readers_[i]) continue;
      if (std::binary_search(core.begin(), core.end(), i)) continue;
      unit.push_back(i);
      look_at_inputs(i);
    }
    std::sort(unit.begin(), unit.end());
    return unit;
  }

  const Draft& draft_;
  const std::vector<std::size_t>& readers_;
  std::vector<bool> taken_;
};

class Grouping {
 public:
  explicit Grouping(const Draft& draft)
      : draft_(draft),
        live_(needed(draft)),
        readers_(draft.operators.size(), 0),
        depth_(draft.operators.size(), 0),
        unit_(draft.operators.size(), kNone),
        leaving_(draft.node + 1, 0),
        unit_of_node_(draft.node + 1, kNone),
        apart_(draft.node + 1, false) {
    std::vector<bool> leaves(draft.operators.size(), false);
    for (std::size_t i = 0; i < draft.operators.size(); ++i) {
      if (!live_[i]) continue;
      for (const DraftValue& input : draft.operators[i].inputs) {
        ++readers_[input.producer];
        depth_[i] = std::max(depth_[i], depth_[input.producer] + 1);
        if (at(input.producer).node != at(i).node) leaves[input.producer] = true;
      }
    }
    for (const auto& [name, value] : draft.outputs) {
      ++readers_[value.producer];
      leaves[value.producer] = true;
    }
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (leaves[i] && !at(i).is_source()) ++leaving_[at(i).node];
    }
  }

  std::vector<std::vector<std::size_t>> run() {
    for (const auto& attention : AttentionFinder(draft_, readers_).run()) add_attention(attention);
    for (std::size_t i = 0; i < draft_.operators.size(); ++i) {
      if (unit_[i] != kNone && unit_of_node_[at(i).node] == kNone) apart_[at(i).node] = true;
    }
    for (std::size_t i = 0; i < draft_.operators.size(); ++i) {
      if (live_[i] && !at(i).is_source() && unit_[i] == kNone) put(i, unit_for(i));
    }
    for (auto& unit : units_) std::sort(unit.begin(), unit.end());
    // A unit reads operators of another unit that are before its own last, and none of that is after it.
    std::sort(units_.begin(), units_.end(), [](const auto& a, const auto& b) { return a.back() < b.back(); });
    return std::move(units_);
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  const DraftOperator& at(std::size_t i) const { return draft_.operators[i]; }

  std::size_t new_unit() {
    units_.emplace_back();
    return units_.size() - 1;
  }
  void put(std::size_t i, std::size_t unit) {
    unit_[i] = unit;
    units_[unit].push_back(i);
  }

  // With both products from one node, it has all operators of that node.
  void add_attention(const std::vector<std::size_t>& attention) {
    const std::size_t node = at(attention.back()).node;
    const bool of_node =
        std::ranges::all_of(attention, [&](std::size_t i) { return !is_one_of<MatMul>(at(i)) || at(i).node == node; });
    const bool joins = of_node && unit_of_node_[node] != kNone;
    const std::size_t unit = joins ? unit_of_node_[node] : new_unit();
    if (of_node) unit_of_node_[node] = unit;
    for (const std::size_t i : attention) put(i, unit);
  }

  std::size_t unit_for(std::size_t i) {
    const std::size_t node = at(i).node;
    if (unit_of_node_[node] != kNone) return unit_of_node_[node];
    const auto host = apart_[node] || rest_follows(i) ? host_of(i) : std::nullopt;
    const std::size_t unit = host ? *host : new_unit();
    if (!apart_[node]) unit_of_node_[node] = unit;
    return unit;
  }

  // Returns whether the later operators of its node follow the operator one by one.
  bool rest_follows(std::size_t i) const {
    std::size_t last = i;
    for (std::size_t next = i + 1; next < draft_.operators.size() && at(next).node == at(i).node; ++next) {
      if (!live_[next] || at(next).is_source()) continue;
      if (!may_follow(next) || at(next).inputs.front().producer != last || readers_[last] != 1) return false;
      last = next;
    }
    return true;
  }

  bool may_follow(std::size_t i) const {
    return is_one_of<Activate, Affine, Reshape, Transpose>(at(i)) && at(i).inputs.size() == 1;
  }

  // The unit that operator i continues, if any: one whose only output nothing else reads.
  std::optional<std::size_t> host_of(std::size_t i) const {
    const DraftOperator& op = at(i);
    if (std::holds_alternative<Add>(op.attributes)) return host_of_sum(i);
    if (op.inputs.size() != 1) return std::nullopt;
    const std::size_t source = op.inputs.front().producer;
    if (!extensible(source)) return std::nullopt;
    const bool follows = may_follow(i) && !is_one_of<Concat>(at(source));
    const bool is_layer = operator_row(op.attributes).role == OperatorRole::kLayer;
    const bool prepared = is_layer && only_prepares(unit_[source]);
    return follows || prepared ? std::optional(unit_[source]) : std::nullopt;
  }

  // The convolution at the end of the longest path, because the sum waits for it anyway; or the matrix product whose
  // bias it adds.
  std::optional<std::size_t> host_of_sum(std::size_t i) const {
    std::optional<std::size_t> best;
    const auto& inputs = at(i).inputs;
    for (std::size_t one = 0; inputs.size() == 2 && one < 2; ++one) {
      const std::size_t source = inputs[one].producer;
      const bool bias = std::holds_alternative<Constant>(at(inputs[1 - one].producer).attributes);
      if (bias && is_one_of<MatMul>(at(source)) && extensible(source)) return unit_[source];
    }
    for (const DraftValue& input : at(i).inputs) {
      const std::size_t source = input.producer;
      if (!is_one_of<Conv, ConvTranspose>(at(source)) || !extensible(source)) continue;
      if (!best || depth_[source] >= depth_[*best]) best = source;
    }
    return best ? std::optional(unit_[*best]) : std::nullopt;
  }

  bool extensible(std::size_t source) const {
    const std::size_t node = at(source).node;
    return !at(source).is_source() && readers_[source] == 1 && (apart_[node] || leaving_[node] == 1);
  }

  bool only_prepares(std::size_t unit) const {
    return std::all_of(units_[unit].begin(), units_[unit].end(),
                       [&](std::size_t i) { return is_one_of<Activate, Affine, Pad>(at(i)); });
  }

  const Draft& draft_;
  std::vector<bool> live_;
  std::vector<std::size_t> readers_;       // input slots and outputs
  std::vector<std::size_t> depth_;         // operators on the longest path to it
  std::vector<std::size_t> unit_;          // index in units_; kNone: not yet
  std::vector<std::size_t> leaving_;       // by node: operators that others read
  std::vector<std::size_t> unit_of_node_;  // by node: the unit of all its operators that are in none yet; kNone: none
  std::vector<bool> apart_;                // by node: some operators belong to an attention of several nodes
  std::vector<std::vector<std::size_t>> units_;
};

// Returns each name once.
class Names {
 public:
  std::string unique(const std::string& name) {
    std::string made = name;
    while (made.empty() || !taken_.insert(made).second) made = fmt::format("{}_{}", name, ++numbers_[name]);
    return made;
  }

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::size_t> numbers_;  // last one tried, by name
};

class Emitter {
 public:
  Emitter(Draft draft, std::string name) : draft_(std::move(draft)), builder_(std::move(name)) {}

  Result<Graph> run(std::vector<OnnxOutput>& outputs) {
    give_names(outputs);
    values_.resize(draft_.operators.size());
    const auto live = needed(draft_);
    for (std::size_t i = 0; i < draft_.operators.size(); ++i) {
      DraftOperator& op = draft_.operators[i];
      if (const auto* const input = std::get_if<Input>(&op.attributes)) {
        values_[i] = builder_.input(op.name, input->shape);
      } else if (live[i] && std::holds_alternative<Constant>(op.attributes)) {
        values_[i] = builder_.constant(op.name, std::move(op.weights));
      }
    }
    for (const auto& unit : units_of(draft_)) {
      const std::vector<Copy>& last = copies_[unit.back()];
      builder_.begin_unit(last.empty() ? draft_.operators[unit.back()].name : last.back().name, {}, is_whole(unit));
      for (const std::size_t i : unit) {
        add(i);
        add_copies(i);
      }
      builder_.end_unit();
    }
    for (std::size_t i = 0; i < draft_.operators.size(); ++i) {
      if (copies_[i].empty() || !draft_.operators[i].is_source()) continue;
      builder_.begin_unit(copies_[i].back().name, {}, copies_[i].size() > 1);
      add_copies(i);
      builder_.end_unit();
    }
    return std::move(builder_).build();
  }

 private:
  struct Copy {
    std::string name;
    DraftValue of;
  };

  // Returns whether several operators of the unit come from one node.
  bool is_whole(const std::vector<std::size_t>& unit) const {
    std::unordered_set<std::size_t> nodes;
    return std::ranges::any_of(
        unit, [&](std::size_t i) { return !nodes.insert(draft_.operators[i].node).second || !copies_[i].empty(); });
  }

  // Returns by operator how many operators and outputs read it.
  std::vector<std::size_t> readers() const {
    std::vector<std::size_t> readers(draft_.operators.size(), 0);
    const auto live = needed(draft_);
    for (std::size_t i = 0; i < live.size(); ++i) {
      if (!live[i]) continue;
      for (const DraftValue& input : draft_.operators[i].inputs) ++readers[input.producer];
    }
    for (const auto& [name, value] : draft_.outputs) ++readers[value.producer];
    return readers;
  }

  // Inputs keep their names, then outputs theirs, then operators in order. An output that is a source, a part of an
  // operator's output, or read by operators or other outputs too, becomes a copy: a graph's outputs are what nothing
  // reads.
  void give_names(std::vector<OnnxOutput>& outputs) {
    Names names;
    std::vector<bool> named(draft_.operators.size(), false);
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (!std::holds_alternative<Input>(draft_.operators[i].attributes)) continue;
      draft_.operators[i].name = names.unique(draft_.operators[i].name);
      named[i] = true;
    }
    const auto live = needed(draft_);
    std::unordered_map<std::size_t, std::size_t> place_of;  // by node: what its copies of sources come after
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (live[i] && !draft_.operators[i].is_source()) place_of[draft_.operators[i].node] = i;
    }
    const std::vector<std::size_t> readers = this->readers();
    copies_.resize(draft_.operators.size());
    for (std::size_t o = 0; o < draft_.outputs.size(); ++o) {
      const auto& [name, value] = draft_.outputs[o];
      DraftOperator& op = draft_.operators[value.producer];
      outputs.push_back({name, names.unique(name)});
      if (!op.is_source() && readers[value.producer] == 1 && draft_.is_whole(value)) {
        if (op.name != outputs.back().op) op.aliases.push_back(std::exchange(op.name, outputs.back().op));
        named[value.producer] = true;
        continue;
      }
      const std::size_t node = op.is_source() ? draft_.output_nodes[o] : 0;
      const std::size_t place = node == 0 ? value.producer : place_of.try_emplace(node, value.producer).first->second;
      copies_[place].push_back({outputs.back().op, value});
    }
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (live[i] && !named[i]) draft_.operators[i].name = names.unique(draft_.operators[i].name);
    }
  }

  Value value_of(const DraftValue& value) const { return {values_[value.producer].producer, value.begin, value.end}; }

  void add(std::size_t i) {
    DraftOperator& op = draft_.operators[i];
    std::vector<Value> inputs;
    for (const DraftValue& input : op.inputs) inputs.push_back(value_of(input));
    values_[i] = builder_.add(op.name, op.attributes, std::move(inputs));
    if (!op.weights.empty()) builder_.set_parameters(values_[i], std::move(op.weights), std::move(op.bias));
    if (!op.aliases.empty()) builder_.set_aliases(values_[i], std::move(op.aliases));
  }

  void add_copies(std::size_t i) {
    for (const Copy& copy : copies_[i]) builder_.add(copy.name, Identity{}, {value_of(copy.of)});
  }

  Draft draft_;
  GraphBuilder builder_;
  std::vector<Value> values_;              // by index in the draft
  std::vector<std::vector<Copy>> copies_;  // by the operator that they come after: outputs of the model
};

}  // namespace

std::vector<std::vector<std::size_t>> units_of(const Draft& draft) { return Grouping(draft).run(); }

Result<Graph> emit(Draft draft, std::string name, std::vector<OnnxOutput>& outputs) {
  return Emitter(std::move(draft), std::move(name)).run(outputs);
}

}  // namespace iosx::onnx_import
