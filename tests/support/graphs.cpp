#include "tests/support/graphs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/base/check.h"

namespace iosx::test {
namespace {

constexpr Shape kInput{8, 16, 16};

std::string unit_name(std::size_t i) {
  return i < 26 ? std::string(1, static_cast<char>('a' + i)) : fmt::format("u{}", i);
}

Conv conv(std::int64_t out_channels, std::int64_t kernel) {
  Conv made{.out_channels = out_channels,
            .kernel = {kernel, kernel},
            .padding = {kernel / 2, kernel / 2},
            .activation = Activation::kRelu};
  return made;
}

// One unit that convolves the sum of the values.
Value add_unit(GraphBuilder& builder, std::size_t i, std::vector<Value> values, const Conv& attributes = conv(8, 3)) {
  const std::string name = unit_name(i);
  if (values.size() == 1) return builder.add(name, attributes, std::move(values));
  builder.begin_unit(name);
  const Value sum = builder.add(name + ".add1", Add{}, std::move(values));
  builder.add(name, attributes, {sum});
  return builder.end_unit();
}

Graph built(GraphBuilder builder) {
  auto graph = std::move(builder).build();
  IOS_CHECK(graph.has_value());
  return *std::move(graph);
}

}  // namespace

Graph chain(std::size_t n) {
  auto [builder, last] = test::sketch("chain", kInput);
  for (std::size_t i = 0; i < n; ++i) last = add_unit(builder, i, {last});
  return built(std::move(builder));
}

Graph fork(std::size_t n) {
  auto [builder, in] = test::sketch("fork", kInput);
  for (std::size_t i = 0; i < n; ++i) add_unit(builder, i, {in});
  return built(std::move(builder));
}

Graph bipartite(std::size_t n) {
  auto [builder, in] = test::sketch("bipartite", kInput);
  std::vector<Value> first;
  for (std::size_t i = 0; i < n; ++i) first.push_back(add_unit(builder, i, {in}));
  for (std::size_t i = n; i < 2 * n; ++i) add_unit(builder, i, first);
  return built(std::move(builder));
}

Graph fork_join(std::size_t n) {
  GraphBuilder builder("fork_join");
  const Value first = add_unit(builder, 0, {builder.input("in", kInput)});
  std::vector<Value> branches;
  for (std::size_t i = 1; i <= n; ++i) branches.push_back(add_unit(builder, i, {first}));
  builder.add(unit_name(n + 1), Concat{}, branches);
  return built(std::move(builder));
}

Graph diamond() {
  GraphBuilder builder("diamond");
  const Value a = add_unit(builder, 0, {builder.input("in", kInput)});
  const Value b = add_unit(builder, 1, {a});
  const Value c = add_unit(builder, 2, {a});
  builder.add("d", Add{}, {b, c});
  return built(std::move(builder));
}

Graph whole_unit() {
  auto [builder, in] = test::sketch("whole", kInput);
  const Conv conv{.out_channels = 8, .kernel = {3, 3}, .padding = {1, 1}, .activation = Activation::kRelu};
  builder.begin_unit("u", {}, true);
  const Value a = builder.add("a", conv, {in});
  builder.add("b", conv, {in});
  builder.end_unit();
  builder.add("c", conv, {a});
  return built(std::move(builder));
}

Graph clique(std::size_t n) {
  auto [builder, in] = test::sketch("clique", kInput);
  std::vector<Value> made;
  for (std::size_t i = 0; i < n; ++i) made.push_back(add_unit(builder, i, made.empty() ? std::vector{in} : made));
  return built(std::move(builder));
}

Graph random_dag(std::uint64_t seed, std::size_t n) {
  std::mt19937_64 random(seed);  // used without distributions: those differ between standard libraries
  GraphBuilder builder(fmt::format("random_{}_{}", seed, n));
  const Value in = builder.input("in", Shape{12, 16, 16});
  std::vector<Value> made;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t begin = static_cast<std::int64_t>(random() % 2) * 4;
    const std::int64_t width = static_cast<std::int64_t>(random() % 2 + 1) * 4;
    const auto slice = [&](const Value& value) { return Value{value.producer, begin, begin + width}; };
    std::vector<Value> inputs;
    for (const Value& value : made) {
      if (random() % 10 < 3) inputs.push_back(slice(value));
    }
    if (inputs.empty()) inputs.push_back(random() % 2 == 0 ? in : slice(in));
    made.push_back(add_unit(builder, i, std::move(inputs), conv(12, random() % 2 == 0 ? 1 : 3)));
  }
  return built(std::move(builder));
}

Graph sample() {
  auto [builder, in] = test::sketch("sample", Shape{375, 15, 15});
  const Value a = builder.add("a", conv(375, 3), {in});
  const Value b = builder.add("b", conv(750, 3), {in});
  const Value c = builder.add("c", conv(375, 3), {in});
  const Value d = builder.add("d", conv(750, 3), {a});
  builder.add("concat", Concat{}, {b, c, d});
  return built(std::move(builder));
}

Graph linear_layers() {
  GraphBuilder builder("linear layers");
  const auto layer = [](std::int64_t features, std::size_t axis, Activation activation = Activation::kIdentity) {
    return Linear{features, activation, axis};
  };
  const auto plus_own_input = [&](const std::string& name, const Value& in, std::size_t axis) {
    builder.begin_unit(name, "Linear");
    const Value made = builder.add(name + ".linear", layer(builder.shape(in)[axis], axis), {in});
    builder.add(name + ".relu", Activate{}, {builder.add(name + ".add", Add{}, {made, in})});
    return builder.end_unit();
  };
  const Value in = builder.input("in", {6, 8});
  const Value all = builder.add("all", layer(12, 1, Activation::kRelu), {in});
  Value last = in;
  last.begin = 2;
  const Value some = builder.add("some", layer(12, 1), {last});
  const Value joined = builder.add("concat", Concat{}, {all, some});
  Value value = plus_own_input("a", joined, 1);
  value = builder.add("windows", Reshape{Shape{2, 5, 12}}, {value});
  value = plus_own_input("b", builder.add("narrow", layer(8, 2, Activation::kRelu), {value}), 2);
  builder.add("fc", layer(3, 0), {value});
  return built(std::move(builder));
}

Graph activated_sums() {
  auto [builder, in] = test::sketch("activated sums", Shape{6, 4, 5});
  const auto conv = [](ActivationKind kind) { return Conv{.out_channels = 6, .activation = {kind}}; };
  const Value row = builder.input("row", Shape{6, 1, 1});
  builder.begin_unit("all");
  const auto activated = [&, &b = builder](const std::string& name, const Activation& function,
                                           std::vector<Value> inputs) {
    return b.add(name, Activate{function}, {b.add(name + ".sum", Add{}, std::move(inputs))});
  };
  const Value erf = builder.add("erf", conv(ActivationKind::kGelu), {in});
  const Value tanh = builder.add("tanh", conv(ActivationKind::kGeluTanh), {in});
  const Value two = activated("two", Activation::kRelu, {in, erf});
  const Value three = activated("three", Activation::kSwish, {two, row, tanh});
  const Value six = activated("six", {ActivationKind::kGelu}, {in, erf, tanh, two, three, row});
  const Value shared = builder.add("shared", Add{}, {in, six});
  builder.add("out", Add{}, {builder.add("act", Activate{Activation::kRelu}, {shared}), shared});
  builder.end_unit();
  return built(std::move(builder));
}

Graph activated_inputs() {
  auto [builder, in] = test::sketch("activated inputs", Shape{14, 9, 8});
  builder.begin_unit("all");
  const Activation clip{ActivationKind::kClip, 0.25F, 0.75F};
  const auto layer = [&, &b = builder](const std::string& name, const Activation& function, const Value& input,
                                       const Conv& conv) {
    return b.add(name, conv, {b.add(name + ".before", Activate{function}, {input})});
  };
  const auto depthwise = [](std::int64_t channels, std::int64_t kernel, std::int64_t stride = 1) {
    return Conv{.out_channels = channels,
                .kernel = {kernel, kernel},
                .stride = {stride, stride},
                .padding = {kernel / 2, kernel / 2},
                .groups = channels};
  };
  const Conv pixel{.out_channels = 8};
  const Value slice{in.producer, 2, 10};
  layer("taken 3x3", clip, in, depthwise(14, 3));
  layer("taken 5x5", Activation::kRelu, slice, depthwise(8, 5));
  layer("taken, strided", clip, slice, depthwise(8, 7, 2));
  const Value own = layer("taken 1x1", Activation::kRelu, in, pixel);
  // Takes a sum and another activation after itself.
  const Value sum = builder.add("sum", Add{}, {layer("taken, summed", clip, slice, pixel), own});
  builder.add("after", Activate{Activation::kTanh}, {sum});
  layer("taken 1x1, strided", clip, slice, {.out_channels = 8, .stride = {2, 2}});
  layer("padded", clip, in, {.out_channels = 8, .padding = {1, 1}});
  layer("dense", clip, in, {.out_channels = 8, .kernel = {3, 3}, .padding = {1, 1}});
  layer("smooth", Activation::kTanh, slice, depthwise(8, 3));
  const Value shared = builder.add("shared", Activate{Activation::kRelu}, {in});
  builder.add("shared 1", depthwise(14, 3), {shared});
  builder.add("shared 2", pixel, {shared});
  builder.end_unit();
  return built(std::move(builder));
}

Graph single_heads() {
  auto [builder, in] = test::sketch("single heads", Shape{5, 12});
  const auto add = [&b = builder](const std::string& name, Attributes kind, std::vector<Value> inputs) {
    return b.add(name, std::move(kind), std::move(inputs));
  };
  const Value split =
      add("split", Reshape{Shape{5, 3, 3, 4}}, {add("all", Linear{36, Activation::kIdentity, 1}, {in})});
  const Value all = add("turn all", Transpose{{1, 2, 0, 3}}, {split});
  const Value query = add("query", Reshape{Shape{3, 5, 4}}, {Value{all.producer, 0, 1}});
  const Value key = add("key", Reshape{Shape{3, 5, 4}}, {Value{all.producer, 1, 2}});
  for (const std::int64_t head : {0, 1, 2}) {
    const std::string name = fmt::format("head {}", head);
    const auto one = [&](const std::string& what, const Value& heads) {
      return add(name + what, Reshape{Shape{5, 4}}, {Value{heads.producer, head, head + 1}});
    };
    const Value turned = add(name + ".turn", Transpose{{1, 0}}, {one(".key", key)});
    add(name, MatMul{}, {one(".query", query), turned});
  }
  return built(std::move(builder));
}

Graph attention_forms() {
  auto [builder, in] = test::sketch("attention forms", Shape{5, 16});
  const auto add = [&b = builder](const std::string& name, Attributes kind, std::vector<Value> inputs) {
    return b.add(name, std::move(kind), std::move(inputs));
  };
  const auto number = [&b = builder](const std::string& name, float value) {
    return b.constant(name, Tensor({1}, {value}));
  };
  const auto rows = [&add, &tokens = in](const std::string& name, std::int64_t features = 16) {
    return add(name, Linear{features, Activation::kIdentity, 1}, {tokens});
  };
  const auto heads = [&](const std::string& name, const Value& value, std::vector<std::size_t> axes) {
    return add(name + ".turn", Transpose{std::move(axes)}, {add(name + ".split", Reshape{Shape{5, 2, 8}}, {value})});
  };
  std::vector<Value> results;
  for (const std::string form : {"plain", "scaled", "divided", "both", "masked", "shared", "across"}) {
    const Value query = rows(form + ".query");
    const Value key = rows(form + ".key");
    const Value value = rows(form + ".value");
    builder.begin_unit(form);
    Value q = heads(form + ".query", query, {1, 0, 2});
    Value k = heads(form + ".key", key, {1, 2, 0});
    const Value v = heads(form + ".value", value, {1, 0, 2});
    if (form == "both") {
      q = add(form + ".query.factor", Mul{}, {q, number(form + ".first", 0.5F)});
      k = add(form + ".key.factor", Mul{}, {number(form + ".second", -0.75F), k});
    }
    Value scores = add(form + ".scores", MatMul{}, {q, k});
    if (form == "scaled") scores = add(form + ".scale", Mul{}, {scores, number(form + ".factor", 0.25F)});
    if (form == "divided") {
      scores = add(form + ".scale", Binary{BinaryFunction::kDiv}, {scores, number(form + ".divisor", 4)});
    }
    if (form == "masked")
      scores = add(form + ".mask", Add{}, {scores, builder.constant(form + ".numbers", Shape{5, 5})});
    const Value shares = add(form + ".softmax", Softmax{form == "across" ? std::size_t{1} : 2}, {scores});
    Value context = add(form + ".context", MatMul{}, {shares, v});
    if (form == "shared") context = add(form + ".sum", Add{}, {context, add(form + ".again", MatMul{}, {shares, v})});
    context = add(form + ".join.turn", Transpose{{1, 0, 2}}, {context});
    add(form + ".join", Reshape{Shape{5, 16}}, {context});
    results.push_back(builder.end_unit());
  }
  const Value query = rows("single.query", 8);
  builder.begin_unit("single.turned");
  add("single.key.turn", Transpose{{1, 0}}, {rows("single.key", 8)});
  const Value key = builder.end_unit();
  const Value value = rows("single.value", 8);
  builder.begin_unit("single");
  const Value scores =
      add("single.scale", Mul{}, {add("single.scores", MatMul{}, {query, key}), number("third", 0.5F)});
  add("single.context", MatMul{}, {add("single.softmax", Softmax{1}, {scores}), value});
  results.push_back(builder.end_unit());
  add("concat", Concat{1}, std::move(results));
  return built(std::move(builder));
}

Graph excited_maps() {
  auto [builder, in] = test::sketch("excited maps", Shape{24, 6, 5});
  const auto add = [&b = builder](const std::string& name, Attributes kind, std::vector<Value> inputs) {
    return b.add(name, std::move(kind), std::move(inputs));
  };
  const auto pool = [](PoolKind kind) {
    Pool made;
    made.kind = kind;
    return made;
  };
  constexpr Activation kGate{ActivationKind::kHardSigmoid, 0.25F, 0.5F};
  Value map = in;
  for (const std::string form : {"convolved", "linear", "apart", "shared", "other", "largest"}) {
    map = add(form + ".map", Conv{.out_channels = 24, .activation = Activation::kRelu}, {map});
    if (form != "apart") builder.begin_unit(form);
    Value gate = add(form + ".pool", pool(form == "largest" ? PoolKind::kGlobalMax : PoolKind::kGlobalAverage), {map});
    const Value mean = gate;
    if (form == "linear") {
      gate = add(form + ".squeeze", Linear{6, Activation::kIdentity, 0}, {gate});
      gate = add(form + ".inner", Activate{Activation::kTanh}, {gate});
      gate = add(form + ".excite", Linear{24, Activation::kSigmoid, 0}, {gate});
      gate = add(form + ".reshape", Reshape{Shape{24, 1, 1}}, {gate});
    } else {
      gate = add(form + ".squeeze", Conv{.out_channels = 6, .activation = Activation::kRelu}, {gate});
      gate = add(form + ".excite", Conv{.out_channels = 24}, {gate});
      gate = add(form + ".gate", Activate{kGate}, {gate});
    }
    if (form == "shared") gate = add(form + ".sum", Add{}, {gate, mean});
    const Value multiplied = form == "other" ? in : map;
    const Value made = add(form + ".scale", Mul{}, {gate, multiplied});
    map = form == "apart" ? made : builder.end_unit();
  }
  return built(std::move(builder));
}

Graph interleaved_heads() {
  auto [builder, in] = test::sketch("interleaved heads", Shape{5, 12});
  const auto add = [&b = builder](const std::string& name, Attributes kind, std::vector<Value> inputs) {
    return b.add(name, std::move(kind), std::move(inputs));
  };
  const auto linear = [&](const std::string& name, const Value& input, std::int64_t features) {
    return add(name, Linear{features, Activation::kIdentity, 1}, {input});
  };
  const auto attention = [&](const std::string& name, const Value& query, const Value& key, const Value& value) {
    const Value scores = add(name + ".scores", MatMul{}, {query, key});
    Value made = add(name + ".context", MatMul{}, {add(name + ".softmax", Softmax{2}, {scores}), value});
    made = add(name + ".join", Reshape{Shape{5, 12}}, {add(name + ".turn", Transpose{{1, 0, 2}}, {made})});
    return linear(name + ".output", made, 12);
  };
  const auto heads = [&](const std::string& name, const Value& input, std::vector<std::size_t> axes) {
    const Value split = add(name + ".split", Reshape{Shape{5, 3, 4}}, {linear(name, input, 12)});
    return add(name + ".turn", Transpose{std::move(axes)}, {split});
  };
  const Value query = heads("a.query", in, {1, 0, 2});
  const Value key = heads("a.key", in, {1, 2, 0});
  const Value first = attention("a", query, key, heads("a.value", in, {1, 0, 2}));
  const Value split = add("b.split", Reshape{Shape{5, 3, 3, 4}}, {linear("b.all", first, 36)});
  const Value all = add("b.turn all", Transpose{{1, 2, 0, 3}}, {split});
  const auto third = [&](const std::string& name, std::int64_t index) {
    return add(name, Reshape{Shape{3, 5, 4}}, {Value{all.producer, index, index + 1}});
  };
  const Value turned = add("b.key.turn", Transpose{{0, 2, 1}}, {third("b.key", 1)});
  const Value second = attention("b", third("b.query", 0), turned, third("b.value", 2));
  const Value square = add("square", MatMul{}, {add("turned", Transpose{{1, 0}}, {second}), first});
  add("sum", Add{}, {square, add("turned again", Transpose{{1, 0}}, {square})});
  return built(std::move(builder));
}

Graph linear_siblings() {
  auto [builder, in] = test::sketch("linear siblings", Shape{5, 8});
  const auto layer = [](std::int64_t features, std::size_t axis, Activation activation = Activation::kIdentity) {
    return Linear{features, activation, axis};
  };
  builder.begin_unit("query");
  builder.add("query.norm", Normalize{.axis = 1, .epsilon = 1e-5F}, {builder.add("query.linear", layer(6, 1), {in})});
  const Value query = builder.end_unit();
  builder.begin_unit("key");
  const Value key_features = builder.add("key.linear", layer(6, 1), {in});
  builder.add("key.turn", Transpose{{1, 0}}, {key_features});
  const Value key = builder.end_unit();
  const Value value = builder.add("value", layer(7, 1), {in});
  const Value gate = builder.add("gate", layer(12, 1, Activation::kRelu), {in});
  Value up = builder.add("up", layer(4, 1, Activation::kRelu), {in});
  up.begin = 1;
  up.end = 3;
  builder.add("context", MatMul{}, {builder.add("scores", MatMul{}, {query, key}), value});
  builder.add("some", layer(3, 1), {up});
  const Value windows = builder.add("windows", Reshape{Shape{5, 3, 4}}, {gate});
  builder.add("left", layer(2, 2), {windows});
  builder.add("right", layer(5, 2), {windows});
  builder.add("first", layer(3, 0), {in});
  builder.add("all", Activate{Activation::kTanh}, {builder.add("second", layer(4, 0), {in})});
  return built(std::move(builder));
}

Graph two_parts() {
  auto [builder, last] = test::sketch("two_parts", kInput);
  for (std::size_t i = 0; i < 4; ++i) {
    if (i % 2 == 0) builder.begin_part(i == 0 ? "first" : "second");
    last = add_unit(builder, i, {last});
  }
  return built(std::move(builder));
}

std::filesystem::path reference_folder() {
  const std::filesystem::path folder = IOS_REFERENCE_FOLDER;
  std::error_code error;
  return std::filesystem::is_directory(folder, error) ? folder : std::filesystem::path{};
}

std::vector<std::size_t> part_sizes(const Graph& graph) {
  std::vector<std::size_t> sizes;
  for (const Part& part : graph.parts()) sizes.push_back(part.units.size());
  return sizes;
}

namespace {

std::string text(const Extent& extent) { return fmt::format("{}x{}", extent.height, extent.width); }
std::string text(const Shape& shape) {
  return fmt::format("{}x{}x{}", shape.channels(), shape.height(), shape.width());
}

std::string attributes(const Operator& op) {
  if (const auto* conv = op.as<Conv>()) {
    return fmt::format(" out {} kernel {} stride {} padding {} dilation {} groups {} {} merged [{}]",
                       conv->out_channels, text(conv->kernel), text(conv->stride), text(conv->padding),
                       text(conv->dilation), conv->groups, activation_name(conv->activation),
                       fmt::join(conv->merged_from, " "));
  }
  if (const auto* pool = op.as<Pool>()) {
    return fmt::format(" kernel {} stride {} padding {} ceil {}", text(pool->kernel), text(pool->stride),
                       text(pool->padding), pool->ceil_mode);
  }
  if (const auto* linear = op.as<Linear>()) {
    return fmt::format(" out {} {}", linear->out_features, activation_name(linear->activation));
  }
  return {};
}

std::string line(const Graph& graph, const Operator& op) {
  std::string inputs;
  for (const Value& value : op.inputs) {
    inputs += fmt::format(" {}[{},{})", graph.op(value.producer).name, value.begin, value.end);
  }
  return fmt::format("    {} = {}{} of{} -> {}\n", op.name, kind_name(op.attributes), attributes(op), inputs,
                     text(op.output));
}

}  // namespace

std::string describe(const Graph& graph) {
  std::string all = graph.name() + "\n";
  for (const OperatorId id : graph.inputs()) all += line(graph, graph.op(id));
  for (const Part& part : graph.parts()) {
    all += fmt::format("part {}\n", part.name);
    for (const UnitId unit : part.units) {
      all += fmt::format("  unit {} hint '{}'\n", graph.unit(unit).name, graph.unit(unit).hint);
      for (const OperatorId op : graph.unit(unit).operators) all += line(graph, graph.op(op));
    }
  }
  return all;
}

}  // namespace iosx::test
