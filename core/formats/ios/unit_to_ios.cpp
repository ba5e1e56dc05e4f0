#include "core/formats/ios/unit_to_ios.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "core/model/graph/operator_table.h"
#include "core/model/graph/shape_inference.h"

namespace iosx {
namespace {

constexpr Sentence kNoCounterpart{"no counterpart in this format"};

// The attributes of an operator that the format cannot express; empty if it can express all.
struct Beyond {
  const Graph& graph;
  const Operator& op;

  static Message activation(const Activation& function) {
    const bool known = function == Activation::kIdentity || function == Activation::kRelu ||
                       function == Activation::kSigmoid || function == Activation::kTanh;
    return known ? Message() : message("another activation");
  }

  Message operator()(const OneOf<Input, Identity> auto& /*plain*/) const { return {}; }
  Message operator()(const Conv& conv) const {
    if (conv.dilation != Extent{}) return message("dilation");
    if (conv.end_padding != Extent{0, 0}) return message("uneven padding");
    return activation(conv.activation);
  }
  Message operator()(const Pool& pool) const {
    if (pool.dilation != Extent{}) return message("dilation");
    if (pool.end_padding != Extent{0, 0}) return message("uneven padding");
    const bool padded = pool.padding != Extent{0, 0};
    return pool.kind == PoolKind::kAverage && padded && !pool.count_padding ? message("an average without padding")
                                                                            : Message();
  }
  Message operator()(const Activate& activate) const { return activation(activate.function); }
  Message operator()(const Linear& linear) const {
    return linear.axis == 0 ? activation(linear.activation) : message("axes that it does not change");
  }
  Message operator()(const OneOf<Add, Mul> auto& /*element*/) const {
    const bool one_shape =
        std::ranges::all_of(op.inputs, [&](const Value& value) { return graph.shape(value) == op.output; });
    return one_shape ? Message() : message("inputs of different shapes");
  }
  Message operator()(const Concat& concat) const { return concat.axis == 0 ? Message() : message("another axis"); }
  Message otherwise() const { return kNoCounterpart; }
};

class UnitWriter {
 public:
  UnitWriter(const Graph& graph, UnitId id, const std::vector<UnitPlace>& places)
      : graph_(graph), unit_(graph.unit(id)), id_(id), places_(places) {}

  Result<IosNode> run() {
    for (const OperatorId op : unit_.operators) {
      if (can_fold(op)) folded_.insert(op);
    }
    std::vector<IosNode> nodes;
    for (const OperatorId op : unit_.operators) {
      if (folded_.contains(op)) continue;
      auto node = node_of(op);
      if (!node) return node;
      nodes.push_back(*std::move(node));
    }
    const std::string& hint = unit_.hint.empty() ? unit_.name : unit_.hint;
    if (nodes.size() == 1) {
      IosNode& only = nodes.front();
      if (only.hint_name == only.name) only.hint_name = hint;
      only.name = unit_.name;
      return std::move(only);
    }
    const Shape shape = graph_.op(unit_.output()).output;
    return IosNode{unit_.name, hint, Identity{}, {}, std::move(nodes), shape, {}};
  }

 private:
  template <typename Kind>
  bool is(OperatorId id) const {
    return graph_.op(id).as<Kind>() != nullptr;
  }
  bool folded(const Value& value) const { return folded_.contains(value.producer); }

  bool reads_concatenated(OperatorId id) const {
    return is<Conv>(id) || is<Pool>(id) || is<Activate>(id) || is<Linear>(id);
  }

  // Returns whether it is a sum or concatenation that exactly one input of exactly one operator of the unit reads
  // whole, and that this input can express as terms. It is called in order, so that the operator's inputs are decided.
  bool can_fold(OperatorId id) const {
    if (id == unit_.output() || graph_.consumers(id).size() != 1 || !(is<Add>(id) || is<Concat>(id))) return false;
    const OperatorId reader = graph_.consumers(id).front();
    const Operator& reading = graph_.op(reader);
    if (reading.unit != id_) return false;
    const auto reads = std::count_if(reading.inputs.begin(), reading.inputs.end(),
                                     [&](const Value& value) { return value.producer == id; });
    const auto whole = std::count(reading.inputs.begin(), reading.inputs.end(), graph_.whole(id));
    if (reads != 1 || whole != 1) return false;
    const auto& inputs = graph_.op(id).inputs;
    if (is<Concat>(id)) return inputs.size() > 1 && reads_concatenated(reader);
    if (std::any_of(inputs.begin(), inputs.end(), [&](const Value& value) { return folded(value); })) return false;
    return reads_concatenated(reader) || is<Add>(reader) || is<Mul>(reader) ||
           (is<Concat>(reader) && reading.inputs.size() > 1);
  }

  IosValue value_of(const Value& value) const {
    const Operator& producer = graph_.op(value.producer);
    if (producer.unit == id_) return {producer.name, value.begin, value.end};
    return value_in_file(graph_, value, places_);
  }

  IosTerm term_of(const Value& value) const {
    if (!folded(value)) return {value_of(value)};
    IosTerm term;
    for (const Value& summand : graph_.op(value.producer).inputs) term.push_back(value_of(summand));
    return term;
  }

  std::vector<IosTerm> terms_of(const Operator& op) const {
    std::vector<IosTerm> terms;
    for (const Value& value : op.inputs) {
      if (folded(value) && is<Concat>(value.producer)) {
        for (const Value& piece : graph_.op(value.producer).inputs) terms.push_back(term_of(piece));
      } else {
        terms.push_back(term_of(value));
      }
    }
    return terms;
  }

  Result<IosNode> node_of(OperatorId id) const {
    const Operator& op = graph_.op(id);
    if (const Message what = beyond_format(op); !what.empty()) return cannot(op, what);
    IosNode node{op.name, op.name, op.attributes, terms_of(op), {}, op.output, {}};
    if (const auto* conv = op.as<Conv>()) {
      if (!conv->merged_from.empty()) node.hint_name = fmt::format("{}", fmt::join(conv->merged_from, " "));
    } else if (const auto* pool = op.as<Pool>()) {
      if (!drops_ceil_mode(op, *pool)) return cannot(op, message("ceil_mode"));
      node.attributes = pool_in_file(op, *pool);
    } else if (const auto* linear = op.as<Linear>()) {
      node.attributes = equal_conv(op, *linear);
    } else if (op.as<Concat>() != nullptr) {
      node.attributes = Identity{};
    } else if (op.as<Add>() != nullptr &&
               std::none_of(op.inputs.begin(), op.inputs.end(), [&](const Value& value) { return folded(value); })) {
      node.attributes = Identity{};  // one long term
      IosTerm sum;
      for (const IosTerm& term : node.inputs) sum.push_back(term.front());
      node.inputs = {sum};
    }
    return node;
  }

  // Returns what the format cannot express of the operator; empty if it can express all.
  Message beyond_format(const Operator& op) const {
    const Message beyond = visit_kind(Beyond{graph_, op}, op.attributes);
    if (beyond == kNoCounterpart) return beyond;
    if (!op.output.is_feature_map() && op.as<Linear>() == nullptr)
      return message("an output that is not a feature map");
    for (const Value& value : op.inputs) {
      if (graph_.op(value.producer).is_constant()) return message("a constant input");
    }
    return beyond;
  }

  static tl::unexpected<Error> cannot(const Operator& op, const Message& what) {
    return fail(message("the {} has {}, which this file format cannot express", kind_name(op.attributes), what),
                op.name, message("save the schedule alone, as iosx-schedule JSON or CSV"));
  }

  // Returns true if rounding down gives the same output.
  bool drops_ceil_mode(const Operator& op, Pool pool) const {
    if (!pool.ceil_mode) return true;
    pool.ceil_mode = false;
    const Shape in = graph_.shape(op.inputs.front());
    const auto shape = infer_shape(pool, {&in, 1});
    return shape && *shape == op.output;
  }

  // The format gives a global pool a window as large as its input.
  Pool pool_in_file(const Operator& op, Pool pool) const {
    pool.ceil_mode = false;
    if (pool.kind != PoolKind::kGlobalMax && pool.kind != PoolKind::kGlobalAverage) return pool;
    const Shape in = graph_.shape(op.inputs.front());
    return Pool{pool.kind, {in.height(), in.width()}, {1, 1}, {0, 0}, false};
  }

  // Fully connected is a convolution as large as its input.
  Conv equal_conv(const Operator& op, const Linear& linear) const {
    const Shape in = graph_.shape(op.inputs.front());
    Conv conv;
    conv.out_channels = linear.out_features;
    conv.kernel = {in.height(), in.width()};
    conv.activation = linear.activation;
    return conv;
  }

  const Graph& graph_;
  const Unit& unit_;
  UnitId id_;
  const std::vector<UnitPlace>& places_;
  std::unordered_set<OperatorId> folded_;
};

}  // namespace

IosValue value_in_file(const Graph& graph, const Value& value, const std::vector<UnitPlace>& places) {
  const Operator& producer = graph.op(value.producer);
  if (producer.is_source()) return {producer.name, value.begin, value.end};
  const UnitPlace& place = places[producer.unit.index()];
  return {place.node, place.channel_begin + value.begin, place.channel_begin + value.end};
}

Result<IosNode> unit_to_ios(const Graph& graph, UnitId id, const std::vector<UnitPlace>& places) {
  return UnitWriter(graph, id, places).run();
}

}  // namespace iosx
