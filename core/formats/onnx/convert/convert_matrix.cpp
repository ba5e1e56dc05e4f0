#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/formats/onnx/convert/conversion_context.h"

namespace iosx::onnx_import {
namespace {

// Returns factor · a matrix, transposed or not.
Tensor matrix(ConversionContext& call, const HostTensor& tensor, bool transposed, float factor) {
  if (!transposed && factor == 1) return tensor.to_tensor();
  const auto rows = tensor.dims()[0];
  const auto columns = tensor.dims()[1];
  if (!call.spend(rows * columns)) return {};
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
  if (in != value.shape[axis] || out < 1) {
    call.bad(message("its weights {} x {} do not fit an input of {} elements", dims[0], dims[1], value.shape[axis]));
    return {};
  }
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
  if (call.failed()) return {};
  const std::int64_t count = tensor->elements();
  if (!is_row(*tensor)) {
    call.mixes_batch(message("it adds a number for each sample"));
  } else if (count < 1 || (count != 1 && count != features)) {
    call.bad(message("its input 2 has {} elements for {} features", count, features));
  }
  if (!call.spend(features)) return {};
  std::vector<float> bias(tensor->floats().begin(), tensor->floats().end());
  bias.resize(static_cast<std::size_t>(features), bias.front());
  for (float& each : bias) each *= beta;
  return {{features}, std::move(bias)};
}

DraftValue times(ConversionContext& call, const DraftValue& value, float factor) {
  if (factor == 1 || call.failed()) return value;
  return call.add(Mul{}, {value, call.constant_value(Tensor({}, std::vector<float>{factor}))}, {}, {}, "factor");
}

// Makes the product and the sum as operators of their own.
Converted general_gemm(ConversionContext& call, bool transpose_a, bool transpose_b, float alpha, float beta) {
  if (call.lead() == 1) {
    call.mixes_batch(message("a matrix product with the batch as one side"));
    return {};
  }
  DraftValue a = call.value(0);
  DraftValue b = call.value(1);
  if (call.failed()) return {};
  if (a.shape.rank() != 2 || b.shape.rank() != 2) call.bad(message("needs two matrices"));
  // A constant is transposed once, now.
  const auto turned = [&](std::size_t i, std::string_view suffix) {
    return call.as_value(call.compose("Transpose", {call.input(i)}, suffix, {{"perm", Dims{1, 0}}}));
  };
  if (transpose_a) a = turned(0, "a");
  if (transpose_b) b = turned(1, "b");
  DraftValue made = call.add(MatMul{}, {a, b}, {}, {}, call.given(2) || alpha != 1 ? "product" : "");
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
  if (!layer || call.failed()) return general_gemm(call, transpose_a, transpose_b, alpha, beta);
  const HostTensor* const weights = call.floats(1);
  if (call.failed()) return {};
  if (weights->rank() != 2 || call.rank(*value) != 2) {
    call.bad(message("needs two matrices"));
    return {};
  }
  const std::int64_t features = weights->dims()[transpose_b ? 0 : 1];
  if (!call.given(2)) return {linear(call, *value, *weights, transpose_b, alpha, {})};
  if (call.constant(2) != nullptr) {
    Tensor bias = gemm_bias(call, beta, features);
    if (call.failed()) return {};
    return {linear(call, *value, *weights, transpose_b, alpha, std::move(bias))};
  }
  DraftValue sum = call.value(2);
  if (!call.failed() && call.rank(sum) > 2) call.bad(message("its input 2 is not a matrix"));
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
  if (call.failed() || value.shape.rank() != 1) return value;
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
  if (left == 0 || right == 0) {
    call.bad(message("needs two matrices"));
    return {};
  }
  const DraftValue* const samples = call.computed(0);
  if (samples != nullptr && call.constant(1) != nullptr && right == 2 && left > call.lead()) {
    const HostTensor* const weights = call.numbers(1);
    return call.failed() ? Converted{} : Converted{linear(call, *samples, *weights, false, 1, {})};
  }
  if (call.lead() == 1 && left == 2) {
    call.mixes_batch(message("a matrix product with the batch as one side"));
    return {};
  }
  if (call.lead() == 1) {
    // The batch must be an axis that products are done side by side along.
    const bool apart = (call.computed(0) == nullptr || (left >= 3 && left >= right)) &&
                       (call.computed(1) == nullptr || (right >= 3 && right >= left)) &&
                       (call.computed(0) == nullptr || call.computed(1) == nullptr || left == right);
    if (!apart) {
      call.mixes_batch(message("a matrix product with the batch as one side"));
      return {};
    }
  }
  const DraftValue a = factor(call, 0, right);
  const DraftValue b = factor(call, 1, left);
  const DraftValue product = call.add(MatMul{}, {a, b});
  if (call.failed() || (left > 1 && right > 1)) return {product};
  Dims dims(product.shape.dims().begin(), product.shape.dims().end());
  if (right == 1) dims.pop_back();
  if (left == 1) dims.erase(dims.end() - (right == 1 ? 1 : 2));
  return {call.reshape(product, Shape(dims))};
}

constexpr std::array kMatrixConverters{Converter{"Gemm", convert_gemm}, Converter{"MatMul", convert_matmul}};

}  // namespace

std::span<const Converter> matrix_converters() { return kMatrixConverters; }

}  // namespace iosx::onnx_import
