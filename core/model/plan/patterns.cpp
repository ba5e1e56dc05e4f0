#include "core/model/plan/patterns.h"

#include <algorithm>
#include <cmath>

#include "core/model/graph/operator_table.h"

namespace iosx {
namespace {

// Returns the number that all elements are; none if they differ or there are none.
std::optional<float> same_everywhere(const Tensor& tensor) {
  const auto elements = tensor.elements();
  if (elements.empty() || !std::ranges::all_of(elements, [&](float x) { return x == elements.front(); })) return {};
  return elements.front();
}

// Goes from a value to the operators before it, as long as these have no other readers.
class Backwards {
 public:
  Backwards(const Graph& graph, OperatorId last) : graph_(graph), operators_{last} {}

  // Returns the operator that makes the whole value for what was found so far; null if it is read a second time.
  const Operator* maker(const Value& value) const {
    const OperatorId id = value.producer;
    if (graph_.consumers(id).size() != 1 || value != graph_.whole(id) || graph_.op(id).is_source()) return nullptr;
    const std::vector<Value>& reads = graph_.op(graph_.consumers(id).front()).inputs;
    return std::ranges::count(reads, id, &Value::producer) == 1 ? &graph_.op(id) : nullptr;
  }
  void take(OperatorId id) { operators_.push_back(id); }
  // Returns those found, in order.
  std::vector<OperatorId> operators() && {
    std::ranges::sort(operators_);
    return std::move(operators_);
  }

 private:
  const Graph& graph_;
  std::vector<OperatorId> operators_;
};

// A tensor times a number.
struct Factor {
  Value of;
  float number = 1;
};

std::optional<Factor> factor_of(const Graph& graph, OperatorId id) {
  const Operator& op = graph.op(id);
  const Parameters& parameters = *graph.parameters();
  if (const Affine* const affine = op.as<Affine>()) {
    const auto number = same_everywhere(parameters.weights(id));
    const bool plain = affine->activation == Activation::kIdentity && same_everywhere(parameters.bias(id)) == 0.0F;
    return number && plain ? std::optional(Factor{op.inputs.front(), *number}) : std::nullopt;
  }
  const Binary* const binary = op.as<Binary>();
  const bool divides = binary != nullptr && binary->function == BinaryFunction::kDiv;
  if ((op.as<Mul>() == nullptr && !divides) || op.inputs.size() != 2) return std::nullopt;
  for (const std::size_t constant : {std::size_t{1}, std::size_t{0}}) {
    const Value& value = op.inputs[1 - constant];
    const OperatorId number = op.inputs[constant].producer;
    if (!graph.op(number).is_constant() || (divides && constant == 0) || graph.shape(value) != op.output) continue;
    const auto same = same_everywhere(parameters.weights(number));
    if (same && op.inputs[constant] == graph.whole(number)) return Factor{value, divides ? 1 / *same : *same};
  }
  return std::nullopt;
}

bool is_product(const Operator& op) {
  const MatMul* const product = op.as<MatMul>();
  return product != nullptr && !product->sparse;
}

// Returns the layer's channels before and after, where each result depends on one pixel: of a 1 × 1 convolution, or of
// a linear layer of all that there is.
struct LayerChannels {
  std::int64_t in = 0;
  std::int64_t out = 0;
};
std::optional<LayerChannels> pixel_layer(const Graph& graph, const Operator& op) {
  constexpr Extent kPixel{1, 1};
  constexpr Extent kNone{0, 0};
  const Shape in = op.inputs.empty() ? Shape{} : graph.shape(op.inputs.front());
  if (in.rank() == 0 || in.elements() != in.channels() || op.inputs.size() != 1) return std::nullopt;
  if (const Conv* const conv = op.as<Conv>()) {
    const bool plain = conv->groups == 1 && conv->kernel == kPixel && conv->padding == kNone &&
                       conv->end_padding == kNone && !is_merged(op.attributes);
    return plain ? std::optional(LayerChannels{in.channels(), conv->out_channels}) : std::nullopt;
  }
  const Linear* const linear = op.as<Linear>();
  if (linear == nullptr || linear->axis != 0 || is_merged(op.attributes)) return std::nullopt;
  return LayerChannels{in.channels(), linear->out_features};
}

}  // namespace

bool may_excite(const Shape& map, std::int64_t squeezed) {
  constexpr std::int64_t kMostChannels = 2048;
  constexpr std::int64_t kMostSqueezed = 256;
  constexpr std::int64_t kMostProducts = 65536;  // of a layer: both have half a megabyte of float32
  const std::int64_t channels = map.channels();
  return map.is_feature_map() && map.elements() > channels && channels <= kMostChannels && squeezed <= kMostSqueezed &&
         channels * squeezed <= kMostProducts;
}

std::optional<Attention> attention_at(const Graph& graph, OperatorId product) {
  const Operator& last = graph.op(product);
  if (!is_product(last)) return std::nullopt;
  Attention attention;
  Backwards found(graph, product);
  const auto maker = [&](const Value& value) {
    const Operator* const op = found.maker(value);
    return op != nullptr && op->unit == last.unit ? op : nullptr;
  };
  // Takes the factors of a value into the scale and returns what they multiply.
  const auto without_factors = [&](Value value, bool before_scores) {
    while (maker(value) != nullptr) {
      const auto factor = factor_of(graph, value.producer);
      if (!factor) break;
      attention.scale *= factor->number;
      found.take(value.producer);
      if (before_scores) attention.factors.push_back(value.producer);
      value = factor->of;
    }
    return value;
  };
  const Operator* const softmax = maker(last.inputs[0]);
  if (softmax == nullptr || softmax->as<Softmax>() == nullptr) return std::nullopt;
  if (softmax->as<Softmax>()->axis + 1 != softmax->output.rank()) return std::nullopt;
  found.take(last.inputs[0].producer);
  const Value scores = without_factors(softmax->inputs.front(), false);
  const Operator* const first = maker(scores);
  if (first == nullptr || !is_product(*first)) return std::nullopt;
  found.take(scores.producer);
  attention.reads = {without_factors(first->inputs[0], true), without_factors(first->inputs[1], true), last.inputs[1]};
  if (!std::isfinite(attention.scale)) return std::nullopt;
  attention.operators = std::move(found).operators();
  return attention;
}

std::optional<ExcitationPattern> excitation_at(const Graph& graph, OperatorId product) {
  const Operator& last = graph.op(product);
  if (last.as<Mul>() == nullptr || last.inputs.size() != 2 || !may_excite(last.output, 0)) return std::nullopt;
  const std::size_t gate = graph.shape(last.inputs[1]) == last.output ? 0 : 1;
  const Value& map = last.inputs[1 - gate];
  const std::int64_t channels = last.output.channels();
  if (graph.op(map.producer).is_constant() || graph.shape(map) != last.output ||
      graph.shape(last.inputs[gate]) != Shape{channels, 1, 1})
    return std::nullopt;
  Backwards found(graph, product);
  // Takes the reshapes that make a value and returns what they read.
  const auto without_reshapes = [&](Value value) {
    for (const Operator* op = found.maker(value); op != nullptr && op->as<Reshape>() != nullptr;
         op = found.maker(value)) {
      found.take(value.producer);
      value = op->inputs.front();
    }
    return value;
  };
  // Takes the layer that makes the value, and what follows it. Returns it with its activation; none if there is none.
  const auto layer = [&](const Value& made) -> std::optional<std::pair<OperatorId, Activation>> {
    Value value = without_reshapes(made);
    const Operator* op = found.maker(value);
    Activation function;
    if (op != nullptr && op->as<Activate>() != nullptr) {
      function = op->as<Activate>()->function;
      found.take(value.producer);
      value = without_reshapes(op->inputs.front());
      op = found.maker(value);
    }
    if (op == nullptr || !pixel_layer(graph, *op)) return std::nullopt;
    const Activation own = fused_activation(op->attributes);
    if (own != Activation::kIdentity && function != Activation::kIdentity) return std::nullopt;
    found.take(value.producer);
    return std::pair(value.producer, own == Activation::kIdentity ? function : own);
  };
  const auto excite = layer(last.inputs[gate]);
  const auto squeeze = excite ? layer(graph.op(excite->first).inputs.front()) : std::nullopt;
  if (!squeeze) return std::nullopt;
  const Value mean = without_reshapes(graph.op(squeeze->first).inputs.front());
  const Operator* const pool = found.maker(mean);
  if (pool == nullptr || pool->as<Pool>() == nullptr || pool->inputs.front() != map) return std::nullopt;
  if (pool->as<Pool>()->kind != PoolKind::kGlobalAverage) return std::nullopt;
  found.take(mean.producer);
  const LayerChannels down = pixel_layer(graph, graph.op(squeeze->first)).value();
  const LayerChannels up = pixel_layer(graph, graph.op(excite->first)).value();
  if (down.in != channels || up.out != channels || down.out != up.in) return std::nullopt;
  if (!may_excite(last.output, down.out)) return std::nullopt;
  return ExcitationPattern{map,
                           {.squeeze = squeeze->first,
                            .excite = excite->first,
                            .squeezed = down.out,
                            .inner = squeeze->second,
                            .gate = excite->second},
                           std::move(found).operators()};
}

GroupPatterns::GroupPatterns(const Graph& graph, const Group& group, const LowerOptions& wishes) {
  if (!wishes.fuse_attention && !wishes.fuse_excitation) return;
  const auto part = [&](OperatorId id) { return graph.unit(graph.op(id).unit).part; };
  std::unordered_set<OperatorId> apart;  // so far, in no merged step
  for (const Step& step : group.steps) {
    for (const UnitId unit : step.units) {
      for (const OperatorId op : graph.unit(unit).operators) {
        if (!step.merged()) apart.insert(op);
        const auto attention = wishes.fuse_attention ? attention_at(graph, op) : std::nullopt;
        if (attention) add(*attention, attentions_);
        const auto excitation = wishes.fuse_excitation ? excitation_at(graph, op) : std::nullopt;
        const auto beside = [&](OperatorId other) { return apart.contains(other) && part(other) == part(op); };
        if (excitation && std::ranges::all_of(excitation->operators, beside)) add(*excitation, excitations_);
      }
    }
  }
}

}  // namespace iosx
