#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/host_tensor.h"
#include "core/formats/onnx/model.h"
#include "core/formats/onnx/sizes.h"

namespace iosx::onnx_import {

// Returns whether fold() knows the operator of ONNX's own domain.
bool foldable(std::string_view op_type);
bool foldable(const Node&);  // checks the domain too

// Evaluates a node by the rules of numpy and ONNX. `inputs` has an entry per input: null for an absent optional one,
// otherwise a tensor, which may be opaque if the operator only needs its dims (Shape, Size). `opset` is the model's.
// Returns one result per output of the node. Floating-point arithmetic is float32 for every declared type. `most`
// limits the elements of one result, and is checked before computing. Errors: operators that are not foldable, shapes
// and types that do not fit, malformed attributes, integer division by zero, results that are too large.
Result<std::vector<HostTensor>> fold(const Node&, std::span<const HostTensor* const> inputs, std::int64_t opset,
                                     std::int64_t most = kMaxFoldedElements);

}  // namespace iosx::onnx_import

// Shared by the evaluators of single operators (fold_*.cpp).
namespace iosx::onnx_import::folding {

using Outputs = std::vector<HostTensor>;

inline Dims dims_of(const HostTensor& tensor) { return {tensor.dims().begin(), tensor.dims().end()}; }

// One node to evaluate, with at least the required inputs of its operator; these are present, and not opaque unless
// the operator allows that.
struct ConversionContext {
  const Node& node;
  std::span<const HostTensor* const> inputs;
  std::int64_t opset;
  std::int64_t most;  // elements of a result

  const HostTensor& operator[](std::size_t i) const { return *inputs[i]; }
  // Returns the input, or null where it is absent.
  const HostTensor* optional(std::size_t i) const { return i < inputs.size() ? inputs[i] : nullptr; }
  tl::unexpected<Error> error(Message what, Message remedy = kExportAgain) const {
    return fail(std::move(what), node.where(), std::move(remedy));
  }
};

struct Operator {
  std::string_view name;
  std::size_t required;  // inputs: the minimum, all present
  std::size_t most;      // inputs: the maximum
  bool takes_opaque;     // uses dims only
  Result<Outputs> (*evaluate)(const ConversionContext&);
};

inline constexpr std::size_t kAnyNumber = static_cast<std::size_t>(-1);

std::span<const Operator> element_operators();
std::span<const Operator> layout_operators();
std::span<const Operator> reducing_operators();
std::span<const Operator> select_operators();
std::span<const Operator> source_operators();

// Returns the product of a result's dims; an error where it is negative or too large.
Result<std::int64_t> checked_count(const ConversionContext&, std::span<const std::int64_t> dims);
// Checks an axis of a tensor of this rank, counted from the end where negative. Returns 0 to rank-1.
Result<std::int64_t> checked_axis(const ConversionContext&, std::int64_t axis, std::int64_t rank);
// Does the same for several distinct axes and returns them sorted.
Result<Dims> checked_axes(const ConversionContext&, std::span<const std::int64_t> axes, std::int64_t rank);
// Returns the integers of an input that is a list or a scalar.
Result<Dims> list_input(const ConversionContext&, std::size_t input);
// Returns the list that newer opsets have as an input and older ones as an attribute; none without both.
Result<std::optional<Dims>> list_input_or_attribute(const ConversionContext&, std::size_t input,
                                                    std::string_view attribute);
// Checks that all present inputs have the first one's type.
Result<void> same_types(const ConversionContext&, std::size_t from = 0);

// Returns row-major strides, in elements.
Dims strides_of(std::span<const std::int64_t> dims);
// Returns the dims of numpy's broadcasting; an error where they do not fit or have too many elements.
Result<Dims> broadcast_dims(const ConversionContext&, std::span<const Dims> shapes);
// Returns the strides of a tensor in broadcast dims: 0 along the axes that it repeats.
Dims broadcast_strides(std::span<const std::int64_t> dims, std::span<const std::int64_t> broadcast);

// How a walk over `dims` reads a tensor: element `offset` + the sum of index * stride.
struct View {
  Dims strides;
  std::int64_t offset = 0;
};

// Calls visit(k, positions) for element k = 0, 1, ... of `dims` with the position in each of the N views.
template <std::size_t N, typename Visit>
void walk(std::span<const std::int64_t> dims, const View (&views)[N], Visit visit) {
  const std::int64_t count = element_count(dims).value_or(0);
  Dims index(dims.size(), 0);
  std::int64_t at[N];
  for (std::size_t v = 0; v < N; ++v) at[v] = views[v].offset;
  for (std::int64_t k = 0; k < count; ++k) {
    visit(static_cast<std::size_t>(k), at);
    for (std::size_t axis = dims.size(); axis-- > 0;) {
      for (std::size_t v = 0; v < N; ++v) at[v] += views[v].strides[axis];
      if (++index[axis] < dims[axis]) break;
      for (std::size_t v = 0; v < N; ++v) at[v] -= views[v].strides[axis] * dims[axis];
      index[axis] = 0;
    }
  }
}

// Returns the elements of `tensor` in a view of these dims, as a tensor of its type.
HostTensor copy_view(const HostTensor& tensor, Dims dims, const View& view);

// Makes a tensor of the vector's element type: float or std::int64_t.
template <typename T>
HostTensor make_tensor(Dims dims, std::vector<T> values, ElementType type) {
  if constexpr (std::is_same_v<T, float>) {
    return HostTensor::of_floats(std::move(dims), std::move(values), type);
  } else {
    return HostTensor::of_integers(std::move(dims), std::move(values), type);
  }
}

template <typename T>
std::span<const T> values_of(const HostTensor& tensor) {
  if constexpr (std::is_same_v<T, float>) {
    return tensor.floats();
  } else {
    return tensor.integers();
  }
}

// Returns a value as a type holds it: integers wrap around at the type's width, floats are rounded to its precision.
std::int64_t narrowed(std::int64_t value, ElementType type);
float narrowed(float value, ElementType type);

}  // namespace iosx::onnx_import::folding
