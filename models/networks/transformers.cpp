#include <fmt/format.h>

#include <cmath>

#include "models/networks/layers.h"
#include "models/networks/zoo.h"

// Transformers on tokens × features.
namespace iosx {
namespace {

constexpr Activation kGelu{ActivationKind::kGelu};
constexpr std::int64_t kPatch = 16;  // pixels each way that become a token
constexpr std::int64_t kImage = 224;

struct Sizes {
  std::int64_t features;  // of a token
  std::int64_t heads;
  int blocks;
  float epsilon;  // of normalisations
  std::int64_t hidden() const { return 4 * features; }
  std::int64_t head_features() const { return features / heads; }
};
constexpr Sizes kVitBase{768, 12, 12, 1e-6F};
constexpr Sizes kVitSmall{384, 6, 12, 1e-6F};
constexpr Sizes kBertBase{768, 12, 12, 1e-12F};

// Adds a linear layer of each token by itself.
Value add_linear(GraphBuilder& builder, const std::string& name, const Value& tokens, std::int64_t features,
                 Activation activation = Activation::kIdentity) {
  return builder.add(name, Linear{features, activation, 1}, {tokens});
}

Value add_norm(GraphBuilder& builder, const std::string& name, const Value& tokens, const Sizes& sizes) {
  return builder.add(name, Normalize{.axis = 1, .epsilon = sizes.epsilon}, {tokens});
}

// Adds one unit: a linear layer, its features shared out to the heads: heads × tokens × features, in the order of
// `axes`.
Value add_heads(GraphBuilder& builder, const std::string& name, const Value& tokens, const Sizes& sizes,
                std::vector<std::size_t> axes) {
  builder.begin_unit(name, "HeadsLinear");
  Value value = add_linear(builder, name + ".linear", tokens, sizes.features);
  const std::int64_t count = builder.shape(tokens)[0];
  value = builder.add(name + ".split", Reshape{Shape{count, sizes.heads, sizes.head_features()}}, {value});
  builder.add(name + ".turn", Transpose{std::move(axes)}, {value});
  return builder.end_unit();
}

// Adds the operators of a unit: softmax(query · key / √features) · value. The key's last two axes are turned.
Value add_attention(GraphBuilder& builder, const std::string& name, const Value& query, const Value& key,
                    const Value& value, const Sizes& sizes) {
  const float factor = 1 / std::sqrt(static_cast<float>(sizes.head_features()));
  const Value scale = builder.constant(name + ".factor", Tensor({1}, {factor}));
  Value scores = builder.add(name + ".scores", MatMul{}, {query, key});
  scores = builder.add(name + ".scale", Mul{}, {scores, scale});
  scores = builder.add(name + ".softmax", Softmax{builder.shape(scores).rank() - 1}, {scores});
  return builder.add(name + ".context", MatMul{}, {scores, value});
}

// Computes all heads at once.
Value add_self_attention(GraphBuilder& builder, const std::string& name, const Value& tokens, const Sizes& sizes) {
  const Value query = add_heads(builder, name + ".query", tokens, sizes, {1, 0, 2});
  const Value key = add_heads(builder, name + ".key", tokens, sizes, {1, 2, 0});
  const Value value = add_heads(builder, name + ".value", tokens, sizes, {1, 0, 2});
  builder.begin_unit(name + ".attention", "Attention");
  Value context = add_attention(builder, name + ".attention", query, key, value, sizes);
  context = builder.add(name + ".attention.turn", Transpose{{1, 0, 2}}, {context});
  builder.add(name + ".attention.join", Reshape{builder.shape(tokens)}, {context});
  context = builder.end_unit();
  return add_linear(builder, name + ".output", context, sizes.features);
}

Value add_mlp(GraphBuilder& builder, const std::string& name, const Value& tokens, const Sizes& sizes) {
  const Value hidden = add_linear(builder, name + ".fc1", tokens, sizes.hidden(), kGelu);
  return add_linear(builder, name + ".fc2", hidden, sizes.features);
}

Value add_vit_block(GraphBuilder& builder, const std::string& name, const Value& tokens, const Sizes& sizes) {
  Value value = add_norm(builder, name + ".norm1", tokens, sizes);
  value = add_self_attention(builder, name, value, sizes);
  const Value middle = builder.add(name + ".add1", Add{}, {value, tokens});
  value = add_norm(builder, name + ".norm2", middle, sizes);
  value = add_mlp(builder, name + ".mlp", value, sizes);
  return builder.add(name + ".add2", Add{}, {value, middle});
}

// Adds one unit: a linear layer for one head, and its normalisation.
Value add_head_linear(GraphBuilder& builder, const std::string& name, const Value& tokens, const Sizes& sizes,
                      bool turned) {
  builder.begin_unit(name, "LinearNorm");
  Value value = add_linear(builder, name + ".linear", tokens, sizes.head_features());
  value = add_norm(builder, name + ".norm", value, sizes);
  if (turned) builder.add(name + ".turn", Transpose{{1, 0}}, {value});
  return builder.end_unit();
}

// As in ViT-22B, attention and MLP read the same input, and queries and keys are normalised. Each head is a separate
// branch.
Value add_parallel_block(GraphBuilder& builder, const std::string& name, const Value& tokens, const Sizes& sizes) {
  const Value in = add_norm(builder, name + ".norm", tokens, sizes);
  std::vector<Value> contexts;
  for (std::int64_t head = 0; head < sizes.heads; ++head) {
    const std::string of = fmt::format("{}.head{}", name, head);
    const Value query = add_head_linear(builder, of + ".query", in, sizes, false);
    const Value key = add_head_linear(builder, of + ".key", in, sizes, true);
    const Value value = add_linear(builder, of + ".value", in, sizes.head_features());
    builder.begin_unit(of + ".attention", "Attention");
    add_attention(builder, of + ".attention", query, key, value, sizes);
    contexts.push_back(builder.end_unit());
  }
  const Value all = builder.add(name + ".concat", Concat{1}, std::move(contexts));
  const Value attention = add_linear(builder, name + ".output", all, sizes.features);
  const Value mlp = add_mlp(builder, name + ".mlp", in, sizes);
  return builder.add(name + ".add", Add{}, {attention, mlp, tokens});
}

// There is a token for each patch of the image, after one for the whole image, whose output is classified.
Graph build_vision(std::string graph_name, const Sizes& sizes,
                   Value (*add_block)(GraphBuilder&, const std::string&, const Value&, const Sizes&)) {
  constexpr std::int64_t kPatches = (kImage / kPatch) * (kImage / kPatch);
  GraphBuilder builder(std::move(graph_name));
  Value value = builder.input("input", {3, kImage, kImage});
  builder.begin_part("patches");
  value = builder.add("patches", linear_conv(sizes.features, kPatch, kPatch), {value});
  const Value class_token = builder.constant("class_token", Shape{1, sizes.features});
  const Value positions = builder.constant("positions", Shape{kPatches + 1, sizes.features});
  builder.begin_unit("tokens", "Tokens");
  value = builder.add("tokens.flatten", Reshape{Shape{sizes.features, kPatches}}, {value});
  value = builder.add("tokens.turn", Transpose{{1, 0}}, {value});
  value = builder.add("tokens.concat", Concat{0}, {class_token, value});
  builder.add("tokens.add", Add{}, {value, positions});
  value = builder.end_unit();
  for (int i = 0; i < sizes.blocks; ++i) {
    const std::string name = fmt::format("block{}", i);
    builder.begin_part(name);
    value = add_block(builder, name, value, sizes);
  }
  builder.begin_part("head");
  value = add_norm(builder, "norm", value, sizes);
  value.end = 1;  // the first token
  builder.add("fc", Linear{1000, Activation::kIdentity}, {value});
  return finish(std::move(builder));
}

// Adds one unit: the sum, then its normalisation.
Value add_sum_norm(GraphBuilder& builder, const std::string& name, std::vector<Value> values, const Sizes& sizes) {
  builder.begin_unit(name, "AddNorm");
  const Value sum = builder.add(name + ".add", Add{}, std::move(values));
  add_norm(builder, name + ".norm", sum, sizes);
  return builder.end_unit();
}

}  // namespace

Graph build_vit_b16() { return build_vision("vit_b16", kVitBase, add_vit_block); }
Graph build_parallel_vit_s16() { return build_vision("parallel_vit_s16", kVitSmall, add_parallel_block); }

Graph build_bert_base() {
  constexpr std::int64_t kTokens = 128;
  GraphBuilder builder("bert_base");
  Value value = builder.input("embeddings", {kTokens, kBertBase.features});
  for (int i = 0; i < kBertBase.blocks; ++i) {
    const std::string name = fmt::format("layer{}", i);
    builder.begin_part(name);
    const Value attention = add_self_attention(builder, name, value, kBertBase);
    const Value middle = add_sum_norm(builder, name + ".sum1", {attention, value}, kBertBase);
    value =
        add_sum_norm(builder, name + ".sum2", {add_mlp(builder, name + ".mlp", middle, kBertBase), middle}, kBertBase);
  }
  return finish(std::move(builder));
}

// The layer of Switch-Base with 8 experts, without biases, which it does not have. A router gives each token a share
// of each expert; here every expert computes every token, because a graph's shapes must be known beforehand.
Graph build_mixture_of_experts() {
  constexpr std::int64_t kTokens = 128;
  constexpr std::int64_t kFeatures = 768;
  constexpr std::int64_t kHidden = 3072;
  constexpr std::int64_t kExperts = 8;
  GraphBuilder builder("mixture_of_experts");
  const Value input = builder.input("tokens", {kTokens, kFeatures});

  builder.begin_unit("norm", "RmsNorm");
  Value in =
      builder.add("norm.norm", Normalize{.axis = 1, .epsilon = 1e-6F, .centred = false, .scaled = false}, {input});
  builder.add("norm.scale", Mul{}, {in, builder.constant("norm.weight", Shape{1, kFeatures})});
  in = builder.end_unit();
  builder.begin_unit("router", "Router");
  builder.add("router.softmax", Softmax{1}, {add_linear(builder, "router.linear", in, kExperts)});
  const Value shares = builder.end_unit();

  std::vector<Value> sum{input};
  for (std::int64_t expert = 0; expert < kExperts; ++expert) {
    const std::string name = fmt::format("expert{}", expert);
    const Value hidden = add_linear(builder, name + ".fc1", in, kHidden, Activation::kRelu);
    builder.begin_unit(name + ".fc2", "LinearScaled");
    const Value share = builder.add(name + ".fc2.share", Slice{{0, expert}, {1, 1}, Shape{kTokens, 1}}, {shares});
    builder.add(name + ".fc2.scale", Mul{}, {add_linear(builder, name + ".fc2.linear", hidden, kFeatures), share});
    sum.push_back(builder.end_unit());
  }
  builder.add("sum", Add{}, std::move(sum));
  return finish(std::move(builder));
}

}  // namespace iosx
