#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/onnx/convert/conversion_context.h"

// Converts operators of ONNX's machine learning domain to ONNX's own: pre- and postprocessing, linear classifiers, and
// ensembles of decision trees.
namespace iosx::onnx_import {
namespace {

using Numbers = std::vector<float>;

HostTensor integer_constant(Dims numbers) {
  const auto count = static_cast<std::int64_t>(numbers.size());
  return HostTensor::of_integers({count}, std::move(numbers), ElementType::kInt64);
}

HostTensor row_constant(Numbers numbers) {
  const auto count = static_cast<std::int64_t>(numbers.size());
  return HostTensor::of_floats({count}, std::move(numbers));
}

// Returns the input as numbers of float32.
Known number_input(ConversionContext& call) {
  if (!call.given(0)) call.bad(message("its input 0 is absent"));
  return call.compose("Cast", {call.input(0)}, "number", {{"to", std::int64_t{1}}});
}

Numbers numbers_of(ConversionContext& call, std::string_view name) {
  return call.take(floats_attribute(call.node(), name)).value_or(Numbers());
}

// Returns an attribute's numbers as a constant of the last axis: one for all, or one for each; none where it is absent.
std::optional<HostTensor> numbers_attribute(ConversionContext& call, std::string_view name) {
  Numbers numbers = numbers_of(call, name);
  if (numbers.empty()) return std::nullopt;
  return numbers.size() == 1 ? HostTensor::of_floats({}, std::move(numbers)) : row_constant(std::move(numbers));
}

// Makes (x - offset) · scale, one of each for all features or one a feature.
Converted convert_scaler(ConversionContext& call) {
  const auto offset = numbers_attribute(call, "offset");
  const auto scale = numbers_attribute(call, "scale");
  Known made = number_input(call);
  if (offset) made = call.compose("Sub", {made, *offset}, scale ? "centred" : "");
  if (scale) made = call.compose("Mul", {made, *scale}, "");
  return {call.as_value(made)};
}

Converted convert_normalizer(ConversionContext& call) {
  const std::string norm = call.text("norm", "MAX");
  if (norm != "L1" && norm != "L2") call.unsupported(message("the norm {}", name_text(norm)));
  return {call.as_value(call.compose("LpNormalization", {number_input(call)}, "",
                                     {{"p", norm == "L1" ? std::int64_t{1} : std::int64_t{2}}}))};
}

// A map for each sample from labels to numbers becomes the numbers.
Converted convert_zip_map(ConversionContext& call) { return {call.as_value(number_input(call))}; }

// The final transformation of scores.
Known transformed(ConversionContext& call, const Known& scores) {
  const std::string transform = call.text("post_transform", "NONE");
  if (transform == "NONE") return scores;
  if (transform == "LOGISTIC") return call.compose("Sigmoid", {scores}, "probability");
  if (transform == "SOFTMAX") return call.compose("Softmax", {scores}, "probability", {{"axis", std::int64_t{-1}}});
  call.unsupported(message("the transform {}", name_text(transform)));
}

// Returns the labels of classes, which are numbers.
Dims class_labels(ConversionContext& call, std::string_view name) {
  Dims labels = call.integers(name).value_or(Dims{});
  if (labels.empty()) call.unsupported(message("text labels"));
  return labels;
}

// Returns each sample's label, by the index of its class.
DraftValue labelled(ConversionContext& call, const Known& place, const Dims& labels) {
  const Known made = call.compose("Gather", {integer_constant(labels), place}, "label");
  return call.as_value(made).of_type(ElementType::kInt64);
}

// Returns the label of the largest score, and the scores.
Converted classified(ConversionContext& call, const Known& scores, const Dims& labels) {
  const Known place =
      call.compose("ArgMax", {scores}, "place", {{"axis", std::int64_t{1}}, {"keepdims", std::int64_t{0}}});
  return {labelled(call, place, labels), call.as_value(transformed(call, scores))};
}

// With more coefficients than features the first ones count, as in ONNX Runtime.
Converted convert_linear_classifier(ConversionContext& call) {
  const Dims labels = class_labels(call, "classlabels_ints");
  const Numbers rows = numbers_of(call, "coefficients");
  const Numbers shifts = numbers_of(call, "intercepts");
  const DraftValue read = call.as_value(number_input(call));
  const std::size_t classes = labels.size();
  const auto features = static_cast<std::size_t>(call.rank(read) == 2 ? call.dims(read)[1] : 0);
  if (features == 0 || shifts.size() != classes || rows.size() / classes < features)
    call.unsupported(message("{} coefficients and {} intercepts for {} classes of {} features", rows.size(),
                             shifts.size(), classes, features));
  Numbers columns(features * classes);
  for (std::size_t c = 0; c < classes; ++c) {
    for (std::size_t f = 0; f < features; ++f) columns[f * classes + c] = rows[c * features + f];
  }
  const Dims dims{static_cast<std::int64_t>(features), static_cast<std::int64_t>(classes)};
  const Known product = call.compose("MatMul", {read, HostTensor::of_floats(dims, std::move(columns))}, "product");
  return classified(call, call.compose("Add", {product, row_constant(shifts)}, "scores"), labels);
}

// An ensemble of trees as products: the results of the conditions, 0 or 1, times a matrix that counts for each leaf how
// many fit its path from the root. A leaf where all fit is reached, and its weights count.
class Ensemble {
 public:
  explicit Ensemble(ConversionContext& call) : call_(call) {
    read_nodes();
    lead_down();
  }

  // Returns the sums of the leaves' weights, from the attributes with these names, for each target.
  Known scores(const std::string& prefix, std::size_t targets) {
    const Dims trees = integers(prefix + "treeids");
    const Dims nodes = integers(prefix + "nodeids");
    const Dims ids = integers(prefix + "ids");
    const Numbers weights = numbers_of(call_, prefix + "weights");
    const bool fit = trees.size() == weights.size() && nodes.size() == weights.size() && ids.size() == weights.size();
    if (!fit) call_.bad(message("its lists of weights differ in length"));
    call_.spend(count(leaves_.size() * (values_.size() + targets)));
    Numbers matrix(leaves_.size() * targets, 0.0F);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const auto node = at_.find({trees[i], nodes[i]});
      const bool there = node != at_.end() && nodes_[node->second].leaf && ids[i] >= 0 && ids[i] < count(targets);
      if (!there) call_.bad(message("weight {} belongs to no existing leaf or target", i));
      matrix[nodes_[node->second].number * targets + static_cast<std::size_t>(ids[i])] += weights[i];
    }
    const HostTensor counts = HostTensor::of_floats({count(leaves_.size()), count(targets)}, std::move(matrix));
    const Known sums = call_.compose("MatMul", {reached(), counts}, "sums");
    const auto base = numbers_attribute(call_, "base_values");
    return base ? call_.compose("Add", {sums, *base}, "scores") : sums;
  }

 private:
  struct Node {
    bool leaf = false;
    std::size_t number = 0;           // among leaves or among conditions
    std::optional<std::size_t> from;  // the node above
    bool says = false;                // what that one says of a sample that comes here
  };

  static std::int64_t count(std::size_t n) { return static_cast<std::int64_t>(n); }
  Dims integers(const std::string& name) { return call_.integers(name).value_or(Dims{}); }

  void read_nodes() {
    trees_ = integers("nodes_treeids");
    const Dims ids = integers("nodes_nodeids");
    const Dims features = integers("nodes_featureids");
    const Numbers values = numbers_of(call_, "nodes_values");
    const auto* const modes = std::get_if<std::vector<std::string>>(find_attribute(call_.node(), "nodes_modes"));
    const std::size_t size = trees_.size();
    const bool fit = modes != nullptr && modes->size() == size && ids.size() == size && features.size() == size &&
                     values.size() == size;
    if (!fit) call_.bad(message("its lists of nodes differ in length"));
    for (const std::int64_t tracks : integers("nodes_missing_value_tracks_true")) {
      if (tracks != 0) call_.unsupported(message("trees with a direction for NaN"));
    }
    for (std::size_t i = 0; i < size; ++i) {
      if (!at_.emplace(std::pair(trees_[i], ids[i]), i).second) call_.bad(message("two of its nodes have the same id"));
      const bool leaf = (*modes)[i] == "LEAF";
      nodes_.push_back({.leaf = leaf, .number = leaf ? leaves_.size() : values_.size(), .from = {}});
      if (leaf) {
        leaves_.push_back(i);
        continue;
      }
      if (values_.empty()) mode_ = (*modes)[i];
      if (mode_ != (*modes)[i]) call_.unsupported(message("trees with conditions of several kinds"));
      features_.push_back(features[i]);
      values_.push_back(values[i]);
    }
    if (values_.empty()) call_.unsupported(message("trees without conditions"));
  }

  void lead_down() {
    for (const bool says : {true, false}) {
      const Dims to = integers(says ? "nodes_truenodeids" : "nodes_falsenodeids");
      if (to.size() != nodes_.size()) call_.bad(message("its lists of nodes differ in length"));
      for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (nodes_[i].leaf) continue;
        const auto next = at_.find({trees_[i], to[i]});
        if (next == at_.end() || nodes_[next->second].from) call_.bad(message("its nodes do not form trees"));
        nodes_[next->second].from = i;
        nodes_[next->second].says = says;
      }
    }
  }

  // Returns for each leaf 1 where a sample reaches it, else 0.
  Known reached() {
    constexpr std::array kModes{
        std::pair{std::string_view("BRANCH_LEQ"), "LessOrEqual"}, std::pair{std::string_view("BRANCH_LT"), "Less"},
        std::pair{std::string_view("BRANCH_GTE"), "GreaterOrEqual"},
        std::pair{std::string_view("BRANCH_GT"), "Greater"}, std::pair{std::string_view("BRANCH_EQ"), "Equal"}};
    const auto* const mode = std::ranges::find(kModes, mode_, [](const auto& row) { return row.first; });
    if (mode == kModes.end()) call_.unsupported(message("the condition {}", name_text(mode_)));
    Numbers ways(values_.size() * leaves_.size(), 0.0F);
    Numbers wanted(leaves_.size(), 0.0F);
    for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
      std::size_t steps = 0;
      for (const Node* node = &nodes_[leaves_[leaf]]; node->from; node = &nodes_[*node->from]) {
        if (++steps > values_.size()) call_.bad(message("its nodes do not form trees"));  // they lead in a circle
        ways[nodes_[*node->from].number * leaves_.size() + leaf] = node->says ? 1.0F : -1.0F;
        wanted[leaf] += node->says ? 1.0F : 0.0F;
      }
    }
    const NodeAttributes to_float{{"to", std::int64_t{1}}};
    const Known read = call_.compose("Gather", {number_input(call_), integer_constant(features_)}, "features",
                                     {{"axis", std::int64_t{1}}});
    const Known says = call_.compose(mode->second, {read, row_constant(values_)}, "conditions");
    const HostTensor matrix = HostTensor::of_floats({count(values_.size()), count(leaves_.size())}, std::move(ways));
    const Known met = call_.compose("MatMul", {call_.compose("Cast", {says}, "said", to_float), matrix}, "ways");
    const Known all = call_.compose("Equal", {met, row_constant(std::move(wanted))}, "leaves");
    return call_.compose("Cast", {all}, "reached", to_float);
  }

  ConversionContext& call_;
  Dims trees_;  // by node, in the attributes' order
  std::vector<Node> nodes_;
  std::vector<std::size_t> leaves_;  // nodes
  std::string mode_;
  Dims features_;  // by condition
  Numbers values_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> at_;  // nodes by tree and id
};

Converted convert_tree_regressor(ConversionContext& call) {
  if (call.text("aggregate_function", "SUM") != "SUM") call.unsupported(message("trees whose results are not summed"));
  const std::int64_t targets = call.integer("n_targets", 1);
  if (targets < 1 || targets > 4096) call.unsupported(message("trees for {} targets", targets));
  const Known scores = Ensemble(call).scores("target_", static_cast<std::size_t>(targets));
  return {call.as_value(transformed(call, scores))};
}

// With two classes only the first has weights, which count for the second; the first gets the rest: of a probability,
// or of a score around 0. ONNX's text does not specify this; it is what ONNX Runtime does and exporters expect.
Converted of_two_classes(ConversionContext& call, const Known& score, const Dims& labels, bool probability) {
  const auto number = [](float value) { return HostTensor::of_floats({}, {value}); };
  const std::string transform = call.text("post_transform", "NONE");
  const bool usual = transform == "NONE" || (transform == "LOGISTIC" && !probability);
  if (!usual || find_attribute(call.node(), "base_values") != nullptr)
    call.unsupported(message("two classes with this transform or with base values"));
  const Known first = call.compose("Greater", {score, number(probability ? 0.5F : 0.0F)}, "first");
  const Known place = call.compose(
      "Squeeze", {call.compose("Cast", {first}, "number", {{"to", std::int64_t{7}}}), integer_constant({1})}, "place");
  const Known other =
      probability ? call.compose("Sub", {number(1), score}, "other") : call.compose("Neg", {score}, "other");
  const Known both = call.compose("Concat", {other, score}, "both", {{"axis", std::int64_t{1}}});
  return {labelled(call, place, labels), call.as_value(transformed(call, both))};
}

Converted convert_tree_classifier(ConversionContext& call) {
  const Dims labels = class_labels(call, "classlabels_int64s");
  Dims ids = call.integers("class_ids").value_or(Dims{});
  const Numbers weights = numbers_of(call, "class_weights");
  std::ranges::sort(ids);
  const bool two = labels.size() == 2;
  if (two && (ids.empty() || ids.back() != 0))
    call.unsupported(message("two classes, of which not only the first has weights"));
  const bool probability = std::ranges::all_of(weights, [](float weight) { return weight >= 0; });
  const Known scores = Ensemble(call).scores("class_", two ? 1 : labels.size());
  return two ? of_two_classes(call, scores, labels, probability) : classified(call, scores, labels);
}

// Fused operators of ONNX Runtime's optimiser become several again.

Known plus(ConversionContext& call, const Known& x, std::size_t input) {
  return call.given(input) ? call.compose("Add", {x, call.input(input)}, "sum") : x;
}

Known first_input(ConversionContext& call) { return call.as_value(call.input(0).value_or(DraftValue{})); }

Converted gelu(ConversionContext& call, const char* approximation) {
  if (!call.given(0)) call.bad(message("its input 0 is absent"));
  const Known sum = plus(call, first_input(call), 1);
  return {call.as_value(call.compose("Gelu", {sum}, "", {{"approximate", std::string(approximation)}}))};
}
Converted convert_bias_gelu(ConversionContext& call) { return gelu(call, "none"); }
Converted convert_fast_gelu(ConversionContext& call) { return gelu(call, "tanh"); }

// Makes x · sigmoid(alpha · x).
Converted convert_quick_gelu(ConversionContext& call) {
  const DraftValue x = call.value(0);
  const Known scaled = call.compose("Mul", {x, HostTensor::of_floats({}, {call.number("alpha", 1.702F)})}, "scaled");
  return {call.as_value(call.compose("Mul", {x, call.compose("Sigmoid", {scaled}, "gate")}, ""))};
}

// The inputs are input, skip, scale, shift (of layer normalisation only), bias. The last output is what is normalised.
Converted skip_norm(ConversionContext& call, std::string_view op_type, bool shifts) {
  if (!call.given(0) || !call.given(1)) call.bad(message("its first two inputs are absent"));
  if (call.used(1) || call.used(2)) call.unsupported(message("the statistics of a normalisation"));
  const Known sum = plus(call, plus(call, first_input(call), 1), shifts ? 4 : 3);
  std::vector<std::optional<Known>> inputs{sum, call.input(2)};
  if (shifts && call.given(3)) inputs.push_back(call.input(3));
  const float epsilon = call.number("epsilon", 1e-12F);  // ONNX's own have 1e-5
  const Known made = call.compose(op_type, inputs, "", {{"axis", std::int64_t{-1}}, {"epsilon", epsilon}});
  return {call.as_value(made), {}, {}, call.as_value(sum)};
}
Converted convert_skip_layer_norm(ConversionContext& call) { return skip_norm(call, "LayerNormalization", true); }
Converted convert_skip_rms_norm(ConversionContext& call) { return skip_norm(call, "RMSNormalization", false); }

// Makes alpha · A B, of matrices that may be transposed first.
Converted convert_fused_matmul(ConversionContext& call) {
  if (call.integer("transBatchA", 0) != 0 || call.integer("transBatchB", 0) != 0)
    call.unsupported(message("batch axes that are transposed"));
  const float alpha = call.number("alpha", 1);
  const auto side = [&](std::size_t i, std::string_view transposes) -> std::optional<Known> {
    auto known = call.input(i);
    if (!known) call.bad(message("one of its inputs is absent"));
    if (call.integer(transposes, 0) == 0) return known;
    const auto* const tensor = std::get_if<HostTensor>(&*known);
    const std::size_t rank = tensor != nullptr ? tensor->dims().size() : call.rank(std::get<DraftValue>(*known));
    if (rank < 2) return known;
    Dims order;
    for (std::size_t axis = 0; axis < rank; ++axis) order.push_back(static_cast<std::int64_t>(axis));
    std::swap(order[rank - 1], order[rank - 2]);
    return call.compose("Transpose", {known}, "turned", {{"perm", order}});
  };
  const auto a = side(0, "transA");
  const auto b = side(1, "transB");
  Known made = call.compose("MatMul", {a, b}, alpha == 1 ? "" : "product");
  if (alpha != 1) made = call.compose("Mul", {made, HostTensor::of_floats({}, {alpha})}, "");
  return {call.as_value(made)};
}

// Makes a convolution, a sum where there is one, and an activation.
Converted convert_fused_conv(ConversionContext& call) {
  const std::string activation = call.text("activation", "");
  if (!activation.empty() && activation != "Relu" && activation != "Sigmoid" && activation != "Tanh")
    call.unsupported(message("the activation {}", name_text(activation)));
  std::vector<std::optional<Known>> inputs{call.input(0), call.input(1)};
  if (call.given(2)) inputs.push_back(call.input(2));
  Known made = call.compose("Conv", inputs, activation.empty() ? "" : "conv", call.node().attributes);
  made = plus(call, made, 3);
  if (!activation.empty()) made = call.compose(activation, {made}, "");
  return {call.as_value(made)};
}

constexpr std::string_view kMachineLearning = "ai.onnx.ml";
constexpr ElementType kAny = ElementType::kUndefined;
constexpr std::array kDomainConverters{
    Converter{"LinearClassifier", convert_linear_classifier, kAny, kMachineLearning},
    Converter{"Normalizer", convert_normalizer, ElementType::kFloat32, kMachineLearning},
    Converter{"Scaler", convert_scaler, ElementType::kFloat32, kMachineLearning},
    Converter{"TreeEnsembleClassifier", convert_tree_classifier, kAny, kMachineLearning},
    Converter{"TreeEnsembleRegressor", convert_tree_regressor, ElementType::kFloat32, kMachineLearning},
    Converter{"ZipMap", convert_zip_map, ElementType::kFloat32, kMachineLearning},
    Converter{"BiasGelu", convert_bias_gelu, kAny, kMicrosoft},
    Converter{"FastGelu", convert_fast_gelu, kAny, kMicrosoft},
    Converter{"FusedConv", convert_fused_conv, kAny, kMicrosoft},
    Converter{"FusedMatMul", convert_fused_matmul, kAny, kMicrosoft},
    Converter{"Gelu", convert_bias_gelu, kAny, kMicrosoft},
    Converter{"QuickGelu", convert_quick_gelu, kAny, kMicrosoft},
    Converter{"SkipLayerNormalization", convert_skip_layer_norm, kAny, kMicrosoft},
    Converter{"SkipSimplifiedLayerNormalization", convert_skip_rms_norm, kAny, kMicrosoft},
};

}  // namespace

std::span<const Converter> domain_converters() { return kDomainConverters; }

}  // namespace iosx::onnx_import
