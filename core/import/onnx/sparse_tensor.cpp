#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/import/onnx/fold.h"
#include "core/import/onnx/tensor_data.h"

namespace iosx::onnx_import {
namespace {

constexpr const char* kDamaged = "the file is damaged: export the model again";

// Where the i-th stored value is in the dense tensor: given as one number, or as one for each axis.
std::optional<std::size_t> position(const HostTensor& indices, std::size_t i, const std::vector<std::int64_t>& dims,
                                    std::int64_t elements) {
  std::int64_t linear = 0;
  if (indices.rank() == 1) {
    linear = indices.integers()[i];
  } else {
    for (std::size_t axis = 0; axis < dims.size(); ++axis) {
      const std::int64_t index = indices.integers()[i * dims.size() + axis];
      if (index < 0 || index >= dims[axis]) return std::nullopt;
      linear = linear * dims[axis] + index;
    }
  }
  if (linear < 0 || linear >= elements) return std::nullopt;
  return static_cast<std::size_t>(linear);
}

template <typename T>
Result<std::vector<T>> scatter(std::span<const T> values, const HostTensor& indices,
                               const std::vector<std::int64_t>& dims, std::int64_t elements, const std::string& where) {
  std::vector<T> dense(static_cast<std::size_t>(elements));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto at = position(indices, i, dims, elements);
    if (!at) return fail(fmt::format("its sparse value {} is outside of its dims", i), where, kDamaged);
    dense[*at] = values[i];
  }
  return dense;
}

}  // namespace

Result<HostTensor> take_sparse_tensor(onnx::SparseTensorProto& tensor, ExternalFolder& folder,
                                      const std::string& where) {
  std::vector<std::int64_t> dims(tensor.dims().begin(), tensor.dims().end());
  const auto elements = element_count(dims);
  if (!elements) return fail("its dims are negative or too large", where, kDamaged);
  if (*elements > kMaxGrownElements) {
    return fail(fmt::format("it is sparse and has {} elements", *elements), where,
                fmt::format("at most {} are supported: export the model with dense weights", kMaxGrownElements));
  }
  auto values = take_tensor(*tensor.mutable_values(), folder, where);
  if (!values) return values;
  auto indices = take_tensor(*tensor.mutable_indices(), folder, where);
  if (!indices) return indices;
  if (values->is_opaque())
    return HostTensor::opaque(std::move(dims), values->type(), std::string(values->why_opaque()));
  const std::int64_t per_value = indices->rank() == 1 ? 1 : static_cast<std::int64_t>(dims.size());
  const bool fits = indices->holds_integers() && (indices->rank() == 1 || indices->rank() == 2) &&
                    (indices->rank() == 1 || indices->dims()[1] == per_value) &&
                    indices->dims()[0] == values->elements();
  if (!fits) return fail("its sparse values and their indices do not fit each other", where, kDamaged);
  if (values->holds_floats()) {
    auto dense = scatter(values->floats(), *indices, dims, *elements, where);
    if (!dense) return tl::unexpected(std::move(dense.error()));
    return HostTensor::of_floats(std::move(dims), std::move(*dense), values->type());
  }
  auto dense = scatter(values->integers(), *indices, dims, *elements, where);
  if (!dense) return tl::unexpected(std::move(dense.error()));
  return HostTensor::of_integers(std::move(dims), std::move(*dense), values->type());
}

}  // namespace iosx::onnx_import
