#include <fmt/format.h>

#include <array>
#include <limits>

#include "core/formats/onnx/convert/conversion_context.h"
#include "core/formats/onnx/element_functions.h"
#include "core/model/graph/shape_inference.h"

namespace iosx::onnx_import {
namespace {

// Returns the axes of a Reduce… node: all where it has none, unless that means none.
std::vector<std::size_t> reduced_axes(ConversionContext& call, const DraftValue& value) {
  const auto given = call.list(1, "axes");
  const bool none_means_none = call.integer("noop_with_empty_axes", 0) != 0;
  if (call.failed()) return {};
  const std::size_t rank = call.rank(value);
  Dims axes = given.value_or(Dims{});
  if (axes.empty() && none_means_none) return {};
  for (std::size_t i = 0; given.value_or(Dims{}).empty() && i < rank; ++i) axes.push_back(static_cast<std::int64_t>(i));
  return call.axes(axes, rank);
}

// The mean of a feature map is a global pool, which convolutional networks are known by.
std::optional<DraftValue> as_pool(ConversionContext& call, const DraftValue& value, const Reduce& reduce) {
  const std::size_t own = value.shape.rank();
  if (reduce.kind != ReduceKind::kMean || call.rank(value) != 4) return std::nullopt;
  if (reduce.axes != std::vector<std::size_t>{own - 2, own - 1}) return std::nullopt;
  const auto dims = value.shape.dims();
  const Shape map = own == 4 ? Shape{dims[0] * dims[1], dims[2], dims[3]} : value.shape;
  Pool pool;
  pool.kind = PoolKind::kGlobalAverage;
  const DraftValue pooled = call.add(pool, {call.reshape(value, map, "maps")});
  Shape shape(dims.first(own - 2));
  if (reduce.keep_dims) shape = value.shape.with(own - 2, 1).with(own - 1, 1);
  return call.reshape(pooled, shape);
}

// Makes ln Σ e^(x - m) + m, where m is the largest, but a number where that is infinite, so that ∞ - ∞ does not come
// in.
DraftValue log_of_sum_of_powers(ConversionContext& call, const DraftValue& value, const Reduce& reduce) {
  Reduce kept = reduce;
  kept.keep_dims = true;
  kept.kind = ReduceKind::kMax;
  constexpr float kLargest = std::numeric_limits<float>::max();
  const DraftValue largest = call.add(kept, {value}, {}, {}, "max");
  const DraftValue most =
      call.add(Activate{{ActivationKind::kClip, -kLargest, kLargest}}, {largest}, {}, {}, "bounded");
  const DraftValue less = call.add(Binary{BinaryFunction::kSub}, {value, most}, {}, {}, "less");
  const DraftValue powers = call.add(Activate{{ActivationKind::kExp}}, {less}, {}, {}, "exp");
  kept.kind = ReduceKind::kSum;
  const DraftValue sum = call.add(kept, {powers}, {}, {}, "sum");
  const DraftValue log = call.add(Activate{{ActivationKind::kLog}}, {sum}, {}, {}, "log");
  const DraftValue whole = call.add(Add{}, {log, most});
  if (call.failed() || reduce.keep_dims) return whole;
  Dims dims;
  for (std::size_t axis = 0, next = 0; axis < value.shape.rank(); ++axis) {
    const bool reduced = next < reduce.axes.size() && reduce.axes[next] == axis;
    next += reduced ? 1 : 0;
    if (!reduced) dims.push_back(value.shape[axis]);
  }
  return call.reshape(whole, Shape(dims));
}

Converted convert_reduce(ConversionContext& call) {
  const ReduceOperator& row = *reduce_operator(call.node().op_type);
  const DraftValue value = call.value(0);
  Reduce reduce{row.kind, {}, call.integer("keepdims", 1) != 0};
  if (call.failed()) return {};
  reduce.axes = reduced_axes(call, value);
  if (call.failed()) return {};
  if (row.exponential) return {log_of_sum_of_powers(call, value, reduce)};
  const bool changes = row.kind == ReduceKind::kL1 || row.kind == ReduceKind::kL2 ||
                       row.kind == ReduceKind::kSumOfSquares || row.logarithm;
  if (reduce.axes.empty() && !changes) return {value};
  if (const auto pooled = as_pool(call, value, reduce)) return {*pooled};
  const bool truncates = row.kind == ReduceKind::kMean && !is_float(value.type);
  const DraftValue made = call.add(reduce, {value}, {}, {}, row.logarithm || truncates ? "reduced" : "");
  if (truncates) return {call.activate(made, {ActivationKind::kTruncate})};
  return {row.logarithm ? call.activate(made, {ActivationKind::kLog}) : made};
}

Converted convert_arg(ConversionContext& call, ReduceKind kind) {
  const DraftValue value = call.value(0);
  const std::int64_t axis = call.integer("axis", 0);
  Reduce reduce{kind, {}, call.integer("keepdims", 1) != 0, call.integer("select_last_index", 0) != 0};
  if (call.failed()) return {};
  reduce.axes = {call.axis(axis, call.rank(value))};
  return {call.add(reduce, {value})};
}
Converted convert_arg_max(ConversionContext& call) { return convert_arg(call, ReduceKind::kArgMax); }
Converted convert_arg_min(ConversionContext& call) { return convert_arg(call, ReduceKind::kArgMin); }

constexpr std::int64_t kMostSummed = 4096;  // a matrix of so many rows and columns

// Makes a product with a matrix of ones above its diagonal, or below.
Converted convert_cum_sum(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const auto given = call.list(1);
  const bool exclusive = call.integer("exclusive", 0) != 0;
  const bool reverse = call.integer("reverse", 0) != 0;
  if (!given || given->size() != 1) call.bad(message("its axis is not one number"));
  if (call.failed()) return {};
  const std::size_t axis = call.axis(given->front(), call.rank(value));
  if (call.failed()) return {};
  const std::int64_t size = value.shape[axis];
  if (size > kMostSummed) call.unsupported(message("the sums of {} elements", size));
  if (!call.spend(size * size)) return {};
  std::vector<float> ones(static_cast<std::size_t>(size * size), 0.0F);
  for (std::int64_t from = 0; from < size; ++from) {
    for (std::int64_t to = 0; to < size; ++to) {
      const bool counts = (from == to && !exclusive) || (reverse ? from > to : from < to);
      if (counts) ones[static_cast<std::size_t>(from * size + to)] = 1;
    }
  }
  // outer × size × inner, turned to outer × inner × size.
  std::int64_t outer = 1;
  for (std::size_t i = 0; i < axis; ++i) outer *= value.shape[i];
  const std::int64_t inner = value.shape.elements() / outer / size;
  const DraftValue apart = call.reshape(value, Shape{outer, size, inner}, "apart");
  const DraftValue turned = call.add(Transpose{{0, 2, 1}}, {apart}, {}, {}, "turned");
  const DraftValue matrix = call.constant_value(Tensor({size, size}, std::move(ones)), "ones");
  const DraftValue sums = call.add(MatMul{.sparse = true}, {turned, matrix}, {}, {}, "sums");
  return {call.reshape(call.add(Transpose{{0, 2, 1}}, {sums}), value.shape, "together")};
}

}  // namespace

std::span<const Converter> reduce_converters() {
  static const std::vector<Converter> kConverters = [] {
    std::vector<Converter> all{{"ArgMax", convert_arg_max, ElementType::kInt64},
                               {"ArgMin", convert_arg_min, ElementType::kInt64},
                               {"CumSum", convert_cum_sum}};
    for (const ReduceOperator& row : reduce_operators()) all.push_back({row.op_type, convert_reduce});
    return all;
  }();
  return kConverters;
}

}  // namespace iosx::onnx_import
