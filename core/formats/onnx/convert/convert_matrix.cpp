#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include "core/formats/onnx/convert/conversion_context.h"

namespace iosx::onnx_import {
namespace {

// Returns factor · a matrix, transposed or not.
Tensor matrix(ConversionContext& call, const HostTensor& tensor, bool transposed, float factor) {
  if (!transposed && factor == 1) return tensor.to_tensor();
  const auto rows = tensor.dims()[0];
  const auto columns = tensor.dims()[1];
  call.spend(rows * columns);
  const Tensor plain = tensor.to_tensor();
  const auto numbers = plain.elements();
  std::vector<float> made(numbers.size());
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      const std::int64_t to = transposed ? column * rows + row : row * columns + column;
      made[static_cast<std::size_t>(to)] = factor * numbers[static_cast<std::size_t>(row * columns + column)];
    }
  }
  return transposed ? Tensor({columns, rows}, std::move(made)) : Tensor({rows, columns}, std::move(made));
}

// Makes a fully connected layer on the last axis. `weights`: out x in if transposed, else in x out.
DraftValue linear(ConversionContext& call, const DraftValue& value, const HostTensor& weights, bool transposed,
                  float factor, Tensor bias) {
  const auto dims = weights.dims();
  const std::int64_t in = dims[transposed ? 1 : 0];
  const std::int64_t out = dims[transposed ? 0 : 1];
  const std::size_t axis = value.shape.rank() - 1;
  if (in != value.shape[axis] || out < 1)
    call.bad(message("its weights {} x {} do not fit an input of {} elements", dims[0], dims[1], value.shape[axis]));
  Tensor taken = matrix(call, weights, !transposed, factor);
  return call.add(Linear{.out_features = out, .axis = axis}, {value}, std::move(taken), std::move(bias));
}

bool is_row(const HostTensor& tensor) {
  const auto dims = tensor.dims();
  return dims.size() < 2 || (dims.size() == 2 && dims[0] == 1);
}

// Returns beta · C as the bias of that many features; none if it is not one for all samples.
Tensor gemm_bias(ConversionContext& call, float beta, std::int64_t features) {
  const HostTensor* const tensor = call.floats(2);
  const std::int64_t count = tensor->elements();
  if (!is_row(*tensor)) {
    call.mixes_batch(message("it adds a number for each sample"));
  } else if (count < 1 || (count != 1 && count != features)) {
    call.bad(message("its input 2 has {} elements for {} features", count, features));
  }
  call.spend(features);
  std::vector<float> bias(tensor->floats().begin(), tensor->floats().end());
  bias.resize(static_cast<std::size_t>(features), bias.front());
  for (float& each : bias) each *= beta;
  return {{features}, std::move(bias)};
}

DraftValue times(ConversionContext& call, const DraftValue& value, float factor) {
  if (factor == 1) return value;
  return call.add(Mul{}, {value, call.scalar(factor)}, "factor");
}

// Makes the product and the sum as operators of their own.
Converted general_gemm(ConversionContext& call, bool transpose_a, bool transpose_b, float alpha, float beta) {
  if (call.lead() == 1) call.mixes_batch(message("a matrix product with the batch as one side"));
  DraftValue a = call.value(0);
  DraftValue b = call.value(1);
  if (a.shape.rank() != 2 || b.shape.rank() != 2) call.bad(message("needs two matrices"));
  // A constant is transposed once, now.
  const auto turned = [&](std::size_t i, std::string_view suffix) {
    return call.as_value(call.compose("Transpose", {call.input(i)}, suffix, {{"perm", Dims{1, 0}}}));
  };
  if (transpose_a) a = turned(0, "a");
  if (transpose_b) b = turned(1, "b");
  DraftValue made = call.add(MatMul{}, {a, b}, call.given(2) || alpha != 1 ? "product" : "");
  made = times(call, made, alpha);
  if (call.given(2)) made = call.add(Add{}, {made, times(call, call.value(2), beta)});
  return {made};
}

Converted convert_gemm(ConversionContext& call) {
  const float alpha = call.number("alpha", 1);
  const float beta = call.number("beta", 1);
  const bool transpose_a = call.integer("transA", 0) != 0;
  const bool transpose_b = call.integer("transB", 0) != 0;
  const DraftValue* const value = call.computed(0);
  const HostTensor* const added = call.constant(2);
  const bool one_bias = added == nullptr || is_row(*added);
  const bool layer = value != nullptr && !transpose_a && call.constant(1) != nullptr && (call.lead() == 1 || one_bias);
  if (!layer) return general_gemm(call, transpose_a, transpose_b, alpha, beta);
  const HostTensor* const weights = call.floats(1);
  if (weights->rank() != 2 || call.rank(*value) != 2) call.bad(message("needs two matrices"));
  const std::int64_t features = weights->dims()[transpose_b ? 0 : 1];
  if (!call.given(2)) return {linear(call, *value, *weights, transpose_b, alpha, {})};
  if (call.constant(2) != nullptr) {
    Tensor bias = gemm_bias(call, beta, features);
    return {linear(call, *value, *weights, transpose_b, alpha, std::move(bias))};
  }
  DraftValue sum = call.value(2);
  if (call.rank(sum) > 2) call.bad(message("its input 2 is not a matrix"));
  return {call.add(Add{}, {linear(call, *value, *weights, transpose_b, alpha, {}), times(call, sum, beta)})};
}

// A factor of a product: a vector is a matrix of one row (left) or one column (right).
DraftValue factor(ConversionContext& call, std::size_t i, std::size_t other_rank) {
  const auto as_matrix = [&](std::int64_t size) { return i == 0 ? Dims{1, size} : Dims{size, 1}; };
  if (const HostTensor* const tensor = call.constant(i)) {
    const bool vector = tensor->rank() == 1 && !tensor->is_opaque();
    return call.operand(vector ? tensor->with_dims(as_matrix(tensor->dims()[0])) : *tensor,
                        std::max<std::size_t>(other_rank, 3));
  }
  const DraftValue value = call.value(i);
  if (value.shape.rank() != 1) return value;
  return call.reshape(value, Shape(as_matrix(value.shape[0])));
}

std::size_t rank_of(const ConversionContext& call, std::size_t i) {
  if (const DraftValue* const value = call.computed(i)) return call.rank(*value);
  const HostTensor* const tensor = call.constant(i);
  return tensor == nullptr ? 0 : tensor->dims().size();
}

Converted convert_matmul(ConversionContext& call) {
  const std::size_t left = rank_of(call, 0);
  const std::size_t right = rank_of(call, 1);
  if (left == 0 || right == 0) call.bad(message("needs two matrices"));
  const DraftValue* const samples = call.computed(0);
  if (samples != nullptr && call.constant(1) != nullptr && right == 2 && left > call.lead()) {
    const HostTensor* const weights = call.numbers(1);
    return Converted{linear(call, *samples, *weights, false, 1, {})};
  }
  // The batch must be an axis that products are done side by side along.
  const bool apart = left != 2 && (call.computed(0) == nullptr || (left >= 3 && left >= right)) &&
                     (call.computed(1) == nullptr || (right >= 3 && right >= left)) &&
                     (call.computed(0) == nullptr || call.computed(1) == nullptr || left == right);
  if (call.lead() == 1 && !apart) call.mixes_batch(message("a matrix product with the batch as one side"));
  const DraftValue a = factor(call, 0, right);
  const DraftValue b = factor(call, 1, left);
  const DraftValue product = call.add(MatMul{}, {a, b});
  if (left > 1 && right > 1) return {product};
  Dims dims(product.shape.dims().begin(), product.shape.dims().end());
  if (right == 1) dims.pop_back();
  if (left == 1) dims.erase(dims.end() - (right == 1 ? 1 : 2));
  return {call.reshape(product, Shape(dims))};
}

// Attention is softmax(scale · Q Kᵀ + mask) V for each head: it becomes its matrix products.

// Added to the scores of masked keys: its exponential is 0, and unlike infinity its differences are numbers.
constexpr float kMasked = -1e30F;

// Heads of queries, keys or values: ... x heads x positions x features, where the axes before are the batch if that is
// part of the shapes.
struct Heads {
  DraftValue value;
  std::int64_t axis(std::size_t from_end) const { return value.shape[value.shape.rank() - from_end]; }
  std::int64_t heads() const { return axis(3); }
  std::int64_t positions() const { return axis(2); }
  std::int64_t features() const { return axis(1); }
};

Dims with_last(const DraftValue& value, std::size_t kept, std::initializer_list<std::int64_t> last) {
  Dims dims(value.shape.dims().begin(), value.shape.dims().begin() + static_cast<std::ptrdiff_t>(kept));
  dims.insert(dims.end(), last);
  return dims;
}

// Splits positions x (heads · features) as heads.
Heads apart(ConversionContext& call, const DraftValue& value, std::int64_t heads, std::string_view suffix) {
  if (call.rank(value) != 3) call.bad(message("needs tensors of samples x positions x features"));
  const std::size_t rank = value.shape.rank();
  const std::int64_t width = value.shape[rank - 1];
  if (heads < 1 || width % heads != 0) call.bad(message("cannot divide {} features among {} heads", width, heads));
  const Dims dims = with_last(value, rank - 1, {heads, width / heads});
  return {call.transpose(call.reshape(value, Shape(dims), suffix), {1, 0, 2}, suffix)};
}

// Goes the other way round: makes the node's output.
DraftValue together(ConversionContext& call, const DraftValue& value) {
  const DraftValue turned = call.transpose(value, {1, 0, 2}, "together");
  const std::size_t rank = turned.shape.rank();
  const Dims dims = with_last(turned, rank - 2, {turned.shape[rank - 2] * turned.shape[rank - 1]});
  return call.reshape(turned, Shape(dims), "");
}

// The keys that a query may attend to by distance: the number before it and after it.
struct Reach {
  std::int64_t before = -1;  // -1: all
  std::int64_t after = -1;
  std::int64_t offset = 0;  // a query's own position among the keys is so much larger

  bool everything() const { return before < 0 && after < 0; }
  bool holds(std::int64_t query, std::int64_t key) const {
    const std::int64_t distance = query + offset - key;
    return (before < 0 || distance <= before) && (after < 0 || -distance <= after);
  }
};

// Returns what is added to the scores, for queries x keys.
std::vector<float> bias_of(const Reach& reach, std::int64_t queries, std::int64_t keys) {
  std::vector<float> bias;
  bias.reserve(static_cast<std::size_t>(queries * keys));
  for (std::int64_t query = 0; query < queries; ++query) {
    for (std::int64_t key = 0; key < keys; ++key) bias.push_back(reach.holds(query, key) ? 0 : kMasked);
  }
  return bias;
}

struct Task {
  Heads query;
  Heads key;
  Heads value;
  float scale = 0;    // 0: one over the square root of the features
  float softcap = 0;  // 0: none
  Reach reach;
  std::vector<DraftValue> biases;  // added to the scores, heads x queries x keys, as they broadcast
  bool guarded = false;            // they may hide every key from a query
};

// Returns whether some query may attend to no key: that is a row of the mask that hides every key.
bool hides_all(std::span<const float> bias, std::int64_t keys) {
  const auto hidden = [](float x) { return x <= kMasked / 2; };
  for (std::size_t row = 0; row < bias.size() / static_cast<std::size_t>(keys); ++row) {
    const auto one = bias.subspan(row * static_cast<std::size_t>(keys), static_cast<std::size_t>(keys));
    if (std::all_of(one.begin(), one.end(), hidden)) return true;
  }
  return false;
}

// Adds a mask to the task: numbers that are added to scores, or true where a key may be attended to. It must have every
// key.
void take_mask(ConversionContext& call, std::size_t input, Task& task) {
  const std::int64_t keys = task.key.positions();
  const HostTensor* const tensor = call.constant(input);
  DraftValue made;
  if (tensor != nullptr && !tensor->is_opaque()) {
    call.spend(tensor->elements());
    std::vector<float> bias;
    for (const std::int64_t attended : tensor->integers()) bias.push_back(attended != 0 ? 0 : kMasked);
    for (const float added : tensor->floats()) bias.push_back(std::max(added, kMasked));
    task.guarded = task.guarded || hides_all(bias, keys);
    made = call.operand(HostTensor::of_floats({tensor->dims().begin(), tensor->dims().end()}, std::move(bias)), 4);
  } else {
    made = call.value(input);
    if (made.type != ElementType::kBool && !is_float(made.type)) call.unsupported(message("a mask of integers"));
    if (call.lead() == 1 && call.rank(made) != 4)
      call.mixes_batch(message("its mask does not begin with the batch axis"));
    if (made.type == ElementType::kBool) {
      const auto number = [&](float x) { return call.scalar(x, "masked"); };
      const DraftValue scaled = call.add(Mul{}, {made, number(-kMasked)}, "mask");
      made = call.add(Add{}, {scaled, number(kMasked)}, "mask");
      task.guarded = true;
    }
  }
  if (made.shape.rank() == 0 || made.shape[made.shape.rank() - 1] != keys)
    call.unsupported(message("a mask with fewer positions than keys"));
  task.biases.push_back(made);
}

// 1 for queries that may attend to some key, 0 for others, whose outputs are zeros.
DraftValue guard(ConversionContext& call, const DraftValue& bias) {
  const DraftValue most = call.add(Reduce{ReduceKind::kMax, {bias.shape.rank() - 1}, true}, {bias}, "guard");
  const DraftValue scaled = call.affine(most, {-10 / kMasked}, {1});
  return call.activate(scaled, {ActivationKind::kClip, 0, 1});
}

void check(ConversionContext& call, const Task& task) {
  const bool fits = task.query.features() == task.key.features() && task.key.positions() == task.value.positions() &&
                    task.key.heads() == task.value.heads() && task.query.heads() % task.key.heads() == 0;
  if (!fits)
    call.bad(message("its queries {}, keys {} and values {} do not fit together", shape_text(task.query.value.shape),
                     shape_text(task.key.value.shape), shape_text(task.value.value.shape)));
}

// Several heads of queries may share one of keys and values: their queries then stand one after another in one matrix.
DraftValue attend(ConversionContext& call, const Task& task) {
  check(call, task);
  const DraftValue& query = task.query.value;
  const std::size_t before = query.shape.rank() - 3;
  const std::int64_t heads = task.query.heads();
  const std::int64_t queries = task.query.positions();
  const std::int64_t shared = task.key.heads();
  const std::int64_t rows = heads / shared * queries;
  const float scale = task.scale != 0 ? task.scale : 1 / std::sqrt(static_cast<float>(task.query.features()));

  DraftValue rows_of_queries =
      call.reshape(query, Shape(with_last(query, before, {shared, rows, task.query.features()})), "queries");
  rows_of_queries = call.affine(rows_of_queries, {scale}, {0});
  const DraftValue turned = call.transpose(task.key.value, {0, 2, 1}, "keys");
  DraftValue scores = call.add(MatMul{}, {rows_of_queries, turned}, "scores");
  const Shape grouped = scores.shape;
  const std::int64_t keys = task.key.positions();
  scores = call.reshape(scores, Shape(with_last(scores, before, {heads, queries, keys})), "scores");
  if (task.softcap > 0) {
    scores = call.activate(call.affine(scores, {1 / task.softcap}, {0}), Activation::kTanh);
    scores = call.affine(scores, {task.softcap}, {0});
  }
  std::vector<DraftValue> biases = task.biases;
  if (!task.reach.everything()) {
    call.spend(queries * keys);
    biases.push_back(call.constant_value(Tensor({queries, keys}, bias_of(task.reach, queries, keys)), "reach"));
  }
  const Shape wanted = scores.shape;
  if (biases.size() > 1) biases = {call.add(Add{}, std::move(biases), "mask")};
  if (!biases.empty()) scores = call.add(Add{}, {scores, biases.front()}, "masked");
  if (scores.shape != wanted) call.bad(message("its mask does not fit the scores {}", shape_text(wanted)));
  const DraftValue weights = call.add(Softmax{wanted.rank() - 1}, {scores}, "weights");
  const DraftValue mixed = call.add(MatMul{}, {call.reshape(weights, grouped, "weights"), task.value.value}, "heads");
  const Shape shape(with_last(query, before, {heads, queries, task.value.features()}));
  const DraftValue made = call.reshape(mixed, shape, "heads");
  if (!task.guarded) return made;
  return call.add(Mul{}, {made, guard(call, biases.front())}, "guarded");
}

// Keys or values after those of earlier calls.
Heads after(ConversionContext& call, std::size_t past, const Heads& heads, std::string_view suffix) {
  if (!call.given(past)) return heads;
  const DraftValue before = call.value(past);
  if (before.shape.rank() != heads.value.shape.rank())
    call.bad(message("its past keys or values are not samples x heads x positions x features"));
  return {call.add(Concat{heads.value.shape.rank() - 2}, {before, heads.value}, suffix)};
}

Converted convert_attention(ConversionContext& call) {
  const DraftValue query = call.value(0);
  const DraftValue key = call.value(1);
  const DraftValue value = call.value(2);
  const std::int64_t query_heads = call.integer("q_num_heads", 0);
  const std::int64_t key_heads = call.integer("kv_num_heads", 0);
  const std::size_t rank = call.rank(query);
  if ((rank != 3 && rank != 4) || call.rank(key) != rank || call.rank(value) != rank)
    call.bad(message("needs queries, keys and values with three axes each, or with four"));
  Task task;
  task.query = rank == 4 ? Heads{query} : apart(call, query, query_heads, "query");
  task.key = rank == 4 ? Heads{key} : apart(call, key, key_heads, "key");
  task.value = rank == 4 ? Heads{value} : apart(call, value, key_heads, "value");
  const std::int64_t own = task.key.positions();
  task.key = after(call, 4, task.key, "keys");
  task.value = after(call, 5, task.value, "values");
  if (call.given(6)) call.unsupported(message("sequences of their own lengths"));
  if (call.used(3)) call.unsupported(message("attention scores as an output"));
  task.scale = call.number("scale", 0);
  task.softcap = call.number("softcap", 0);
  task.reach = {call.integer("left_window_size", -1), call.integer("right_window_size", -1),
                task.key.positions() - own};
  if (call.integer("is_causal", 0) != 0) task.reach.after = 0;
  if (call.given(3)) take_mask(call, 3, task);
  const DraftValue mixed = attend(call, task);
  return {rank == 4 ? mixed : together(call, mixed), task.key.value, task.value.value};
}

// A part of a bias that queries, keys and values have in common.
DraftValue biased(ConversionContext& call, const DraftValue& value, std::size_t input, std::int64_t from) {
  if (!call.given(input)) return value;
  const HostTensor* const bias = call.floats(input);
  const std::int64_t width = value.shape[value.shape.rank() - 1];
  if (bias->elements() < from + width) call.bad(message("its bias is too short"));
  call.spend(width);
  const auto part = bias->floats().subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(width));
  const DraftValue numbers = call.constant_value(Tensor({width}, std::vector<float>(part.begin(), part.end())), "bias");
  return call.add(Add{}, {value, numbers}, "biased");
}

// Converts ONNX Runtime's: its inputs are query, key, value (each samples x positions x width), bias, key padding mask,
// attention bias.
Converted convert_multi_head_attention(ConversionContext& call) {
  const std::int64_t heads = call.integer("num_heads", 0);
  if (!call.given(1) || !call.given(2)) call.unsupported(message("queries, keys and values packed in one tensor"));
  if (call.given(4)) call.unsupported(message("a key padding mask"));
  for (std::size_t i = 6; i < 10; ++i) {
    if (call.given(i)) call.unsupported(message("keys and values of earlier calls"));
  }
  if (call.used(3)) call.unsupported(message("attention scores as an output"));
  DraftValue query = call.value(0);
  DraftValue key = call.value(1);
  DraftValue value = call.value(2);
  if (call.rank(query) != 3 || call.rank(key) != 3 || call.rank(value) != 3)
    call.unsupported(message("queries, keys or values that are not samples x positions x features"));
  const std::int64_t width = query.shape[query.shape.rank() - 1];
  query = biased(call, query, 3, 0);
  key = biased(call, key, 3, width);
  value = biased(call, value, 3, 2 * width);
  Task task;
  task.query = apart(call, query, heads, "query");
  task.key = apart(call, key, heads, "key");
  task.value = apart(call, value, heads, "value");
  task.scale = call.number("scale", 0);
  if (call.integer("unidirectional", 0) != 0) task.reach.after = 0;
  if (call.given(5)) take_mask(call, 5, task);
  return {together(call, attend(call, task)), task.key.value, task.value.value};
}

constexpr std::array kMatrixConverters{
    Converter{"Gemm", convert_gemm},
    Converter{"MatMul", convert_matmul},
    Converter{"Attention", convert_attention},
    Converter{"MultiHeadAttention", convert_multi_head_attention, ElementType::kUndefined, kMicrosoft},
};

}  // namespace

std::span<const Converter> matrix_converters() { return kMatrixConverters; }

}  // namespace iosx::onnx_import
