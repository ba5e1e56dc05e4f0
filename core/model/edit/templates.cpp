#include "core/model/edit/templates.h"

#include <initializer_list>
#include <string>
#include <utility>

namespace iosx {
namespace {

Conv conv(std::int64_t channels, std::int64_t kernel, Activation activation = Activation::kRelu) {
  Conv made;
  made.out_channels = channels;
  made.kernel = {kernel, kernel};
  made.padding = {kernel / 2, kernel / 2};
  made.activation = activation;
  return made;
}

Conv line(std::int64_t channels, std::int64_t height, std::int64_t width) {
  Conv made = conv(channels, 1);
  made.kernel = {height, width};
  made.padding = {height / 2, width / 2};
  return made;
}

Conv depthwise(std::int64_t channels, std::int64_t kernel) {
  Conv made = conv(channels, kernel, Activation::kIdentity);
  made.groups = channels;
  return made;
}

Linear linear(std::int64_t features, std::size_t axis, Activation activation = Activation::kIdentity) {
  Linear made;
  made.out_features = features;
  made.axis = axis;
  made.activation = activation;
  return made;
}

// Draws a piece. Readers of an invalid key have an open slot.
class Pen {
 public:
  explicit Pen(std::string name) : graph_(std::move(name)) {}

  static constexpr OperatorKey kOpen = {};

  OperatorKey add(std::string name, Attributes attributes, std::initializer_list<OperatorKey> reads) {
    const UnitKey unit = graph_.add(EditUnit{name, {}, graph_.parts().front().key});
    return add_to(unit, std::move(name), std::move(attributes), reads);
  }
  // As one unit, named after the last.
  UnitKey unit(std::string name) { return graph_.add(EditUnit{std::move(name), {}, graph_.parts().front().key}); }
  OperatorKey add_to(UnitKey unit, std::string name, Attributes attributes, std::initializer_list<OperatorKey> reads) {
    EditOperator op{.name = std::move(name), .attributes = std::move(attributes), .inputs = {}};
    for (const OperatorKey key : reads) op.inputs.push_back({key, std::nullopt});
    op.unit = unit;
    return graph_.add(std::move(op));
  }

  Fragment finish() && { return {std::move(graph_), {}}; }

 private:
  EditableGraph graph_;
};

constexpr OperatorKey kOpen = Pen::kOpen;

Fragment inception_branches() {
  Pen pen("inception");
  const auto one = pen.add("branch1x1", conv(64, 1), {kOpen});
  const auto five_in = pen.add("branch5x5_1", conv(48, 1), {kOpen});
  const auto five = pen.add("branch5x5_2", conv(64, 5), {five_in});
  const auto three_in = pen.add("branch3x3_1", conv(64, 1), {kOpen});
  const auto three_mid = pen.add("branch3x3_2", conv(96, 3), {three_in});
  const auto three = pen.add("branch3x3_3", conv(96, 3), {three_mid});
  Pool average;
  average.kind = PoolKind::kAverage;
  average.kernel = {3, 3};
  average.padding = {1, 1};
  const auto pool = pen.add("branch_pool_1", average, {kOpen});
  const auto pooled = pen.add("branch_pool_2", conv(32, 1), {pool});
  pen.add("inception", Concat{}, {one, five, three, pooled});
  return std::move(pen).finish();
}

Fragment inception_line() {
  Pen pen("inception 7x7");
  const auto in = pen.add("branch7x7_1", conv(128, 1), {kOpen});
  const auto wide = pen.add("branch7x7_2", line(128, 1, 7), {in});
  pen.add("branch7x7_3", line(192, 7, 1), {wide});
  return std::move(pen).finish();
}

// Two separable convolutions, each relu, depthwise, pointwise, as one unit.
Fragment separable() {
  Pen pen("separable");
  const UnitKey unit = pen.unit("separable");
  OperatorKey value = kOpen;
  for (const char* const half : {"1", "2"}) {
    const std::string name = std::string("separable_") + half;
    value = pen.add_to(unit, name + ".relu", Activate{}, {value});
    value = pen.add_to(unit, name + ".depthwise", depthwise(64, 5), {value});
    value = pen.add_to(unit, *half == '2' ? "separable" : name, conv(64, 1, Activation::kIdentity), {value});
  }
  return std::move(pen).finish();
}

Fragment residual() {
  Pen pen("residual");
  const auto first = pen.add("residual_1", conv(64, 3), {kOpen});
  const auto second = pen.add("residual_2", conv(64, 3, Activation::kIdentity), {first});
  const auto sum = pen.add("residual_sum", Add{}, {second, kOpen});
  pen.add("residual", Activate{}, {sum});
  return std::move(pen).finish();
}

Fragment squeeze_expand() {
  Pen pen("fire");
  const auto squeeze = pen.add("squeeze", conv(16, 1), {kOpen});
  const auto small = pen.add("expand1x1", conv(64, 1), {squeeze});
  const auto large = pen.add("expand3x3", conv(64, 3), {squeeze});
  pen.add("fire", Concat{}, {small, large});
  return std::move(pen).finish();
}

Fragment squeeze_excite() {
  Pen pen("excite");
  Pool mean;
  mean.kind = PoolKind::kGlobalAverage;
  const auto pooled = pen.add("excite_mean", mean, {kOpen});
  const auto less = pen.add("excite_reduce", conv(16, 1), {pooled});
  const auto gates = pen.add("excite_gate", conv(64, 1, Activation::kSigmoid), {less});
  pen.add("excite", Mul{}, {kOpen, gates});
  return std::move(pen).finish();
}

// Four heads of 16 features side by side over tokens of 64: what concurrency is good for.
Fragment attention() {
  constexpr std::int64_t kHead = 16;
  Pen pen("attention");
  std::vector<OperatorKey> heads;
  for (const char* const head : {"1", "2", "3", "4"}) {
    const std::string name = std::string("head") + head;
    const auto query = pen.add(name + ".query", linear(kHead, 1), {kOpen});
    const auto key = pen.add(name + ".key", linear(kHead, 1), {kOpen});
    const auto value = pen.add(name + ".value", linear(kHead, 1), {kOpen});
    const UnitKey unit = pen.unit(name);
    const auto turned = pen.add_to(unit, name + ".turned", Transpose{{1, 0}}, {key});
    const auto scores = pen.add_to(unit, name + ".scores", MatMul{}, {query, turned});
    const auto shares = pen.add_to(unit, name + ".shares", Softmax{1}, {scores});
    heads.push_back(pen.add_to(unit, name, MatMul{}, {shares, value}));
  }
  const auto joined = pen.add("heads", Concat{1}, {heads[0], heads[1], heads[2], heads[3]});
  pen.add("attention", linear(64, 1), {joined});
  return std::move(pen).finish();
}

// All experts compute, and a gate weighs their outputs.
Fragment experts() {
  Pen pen("experts");
  const auto scores = pen.add("gate_scores", linear(4, 1), {kOpen});
  const auto gate = pen.add("gate", Softmax{1}, {scores});
  std::vector<OperatorKey> weighed;
  for (int e = 0; e < 4; ++e) {
    const std::string name = "expert" + std::to_string(e + 1);
    const auto hidden = pen.add(name + ".hidden", linear(256, 1, Activation{ActivationKind::kGelu}), {kOpen});
    const auto given = pen.add(name, linear(64, 1), {hidden});
    // Column e of the gate as a column.
    const UnitKey unit = pen.unit(name + ".weighed");
    Linear pick = linear(1, 1);
    const auto share = pen.add_to(unit, name + ".share", pick, {gate});
    weighed.push_back(pen.add_to(unit, name + ".weighed", Mul{}, {given, share}));
  }
  pen.add("experts", Add{}, {weighed[0], weighed[1], weighed[2], weighed[3]});
  return std::move(pen).finish();
}

}  // namespace

const std::vector<GraphTemplate>& graph_templates() {
  static const std::vector<GraphTemplate> kAll{
      {"inception", said("Inception branches"), said("1×1, 5×5, two 3×3 and pooling in parallel, concatenated"),
       "a feature map", inception_branches},
      {"inception-line", said("Inception branch 1×7, 7×1"), said("A 7×7 convolution as 1×7 and 7×1"), "a feature map",
       inception_line},
      {"separable", said("NASNet separable unit"),
       said("relu, depthwise and pointwise convolution, twice, in one unit"), "a feature map of 64 channels",
       separable},
      {"residual", said("Residual"), said("Two 3×3 convolutions and a shortcut around them"),
       "a feature map of 64 channels", residual},
      {"fire", said("Squeeze-expand"), said("A 1×1 convolution, read by 1×1 and 3×3 ones, concatenated"),
       said("a feature map"), squeeze_expand},
      {"excite", said("Squeeze-and-excitation"), said("Channels scaled by weights from their means"),
       said("a feature map of 64 channels"), squeeze_excite},
      {"attention", said("Attention heads"), said("Four heads in parallel"), "tokens × 64 features", attention},
      {"experts", said("Mixture of experts"), said("Four experts in parallel, weighted by a gate"),
       said("tokens × 64 features"), experts},
  };
  return kAll;
}

}  // namespace iosx
