#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "core/formats/onnx/fold/fold.h"

// Folds operators that select elements by other elements.
namespace iosx::onnx_import::folding {
namespace {

// Returns an index counted from the end where negative, or none outside the axis.
std::optional<std::int64_t> checked_index(std::int64_t index, std::int64_t size) {
  if (index < -size || index >= size) return std::nullopt;
  return index < 0 ? index + size : index;
}

// The axis and the indices of Gather and GatherElements.
struct Gathering {
  std::size_t axis = 0;
  std::vector<std::int64_t> indices;  // from 0
};

Result<Gathering> gathering(const ConversionContext& call) {
  IOS_TRY(const auto written, int_attribute(call.node, "axis", 0));
  IOS_TRY(const auto axis, checked_axis(call, written, call[0].rank()));
  if (!call[1].holds_integers()) return call.error(message("its indices are not integers"));
  Gathering result{static_cast<std::size_t>(axis), {}};
  const std::int64_t size = call[0].dims()[result.axis];
  for (const std::int64_t index : call[1].integers()) {
    const auto checked = checked_index(index, size);
    if (!checked) return call.error(message("asks for element {} of an axis with {} elements", index, size));
    result.indices.push_back(*checked);
  }
  return result;
}

template <typename T>
HostTensor gathered(const ConversionContext& call, const Gathering& what, Dims dims, std::int64_t count) {
  const auto from = values_of<T>(call[0]);
  const auto given = call[0].dims();
  std::vector<T> to;
  to.reserve(static_cast<std::size_t>(count));
  if (count > 0) {
    const std::int64_t inner = *element_count(given.subspan(what.axis + 1));
    const std::int64_t outer = *element_count(given.first(what.axis));
    for (std::int64_t o = 0; o < outer; ++o) {
      for (const std::int64_t index : what.indices) {
        const auto row = from.begin() + (o * given[what.axis] + index) * inner;
        to.insert(to.end(), row, row + inner);
      }
    }
  }
  return make_tensor(std::move(dims), std::move(to), call[0].type());
}

Result<Outputs> gather(const ConversionContext& call) {
  IOS_TRY(const auto what, gathering(call));
  Dims dims = dims_of(call[0]);
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(what.axis));
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(what.axis), call[1].dims().begin(), call[1].dims().end());
  IOS_TRY(const auto count, checked_count(call, dims));
  return Outputs{call[0].holds_floats() ? gathered<float>(call, what, std::move(dims), count)
                                        : gathered<std::int64_t>(call, what, std::move(dims), count)};
}

template <typename T>
HostTensor gathered_elements(const ConversionContext& call, const Gathering& what) {
  const auto from = values_of<T>(call[0]);
  const Dims strides = strides_of(call[0].dims());
  std::vector<T> to(what.indices.size());
  View view{strides, 0};
  view.strides[what.axis] = 0;  // the index says where on this axis
  const View views[] = {view};
  walk(call[1].dims(), views, [&](std::size_t k, const std::int64_t(&at)[1]) {
    to[k] = from[static_cast<std::size_t>(at[0] + what.indices[k] * strides[what.axis])];
  });
  return make_tensor(dims_of(call[1]), std::move(to), call[0].type());
}

Result<Outputs> gather_elements(const ConversionContext& call) {
  IOS_TRY(const auto what, gathering(call));
  if (call[1].rank() != call[0].rank())
    return call.error(message("its indices and its data have different numbers of axes"));
  for (std::size_t i = 0; i < call[0].dims().size(); ++i) {
    if (i != what.axis && call[1].dims()[i] > call[0].dims()[i])
      return call.error(message("has more indices than data"));
  }
  return Outputs{call[0].holds_floats() ? gathered_elements<float>(call, what)
                                        : gathered_elements<std::int64_t>(call, what)};
}

// Returns data with slices, each given by the leading part of its place, replaced by `combine` of old and new, one
// after another.
template <typename T, typename Combine>
HostTensor scattered(const ConversionContext& call, const std::vector<std::int64_t>& begins, std::int64_t size,
                     Combine combine) {
  const auto from = values_of<T>(call[0]);
  std::vector<T> to(from.begin(), from.end());
  auto update = values_of<T>(call[2]).begin();
  for (const std::int64_t begin : begins) {
    for (auto at = to.begin() + begin; at != to.begin() + begin + size; ++at) *at = combine(*at, *update++);
  }
  return make_tensor(dims_of(call[0]), std::move(to), call[0].type());
}

template <typename T>
Result<Outputs> scattered_by(const ConversionContext& call, const std::vector<std::int64_t>& begins, std::int64_t size,
                             std::string_view reduction) {
  using Wide = std::conditional_t<std::is_same_v<T, std::int64_t>, std::uint64_t, T>;  // wraps, as integers do
  const auto kept = [type = call[0].type()](Wide value) { return narrowed(static_cast<T>(value), type); };
  const auto with = [&](auto combine) { return Outputs{scattered<T>(call, begins, size, combine)}; };
  if (reduction == "none") return with([](T /*old*/, T next) { return next; });
  if (reduction == "add")
    return with([&](T old, T next) { return kept(static_cast<Wide>(old) + static_cast<Wide>(next)); });
  if (reduction == "mul")
    return with([&](T old, T next) { return kept(static_cast<Wide>(old) * static_cast<Wide>(next)); });
  if (reduction == "max") return with([](T old, T next) { return std::max(old, next); });
  if (reduction == "min") return with([](T old, T next) { return std::min(old, next); });
  return call.error(message("combines by '{}'", reduction));
}

Result<Outputs> scatter_nd(const ConversionContext& call) {
  IOS_TRY(const auto reduction, string_attribute(call.node, "reduction", "none"));
  if (call[0].type() != call[2].type()) return call.error(message("its updates and its data have different types"));
  const Dims data = dims_of(call[0]);
  const Dims places = dims_of(call[1]);
  if (!call[1].holds_integers() || places.empty() || places.back() < 0 ||
      places.back() > static_cast<std::int64_t>(data.size())) {
    return call.error(message("its indices do not name positions in its data"));
  }
  const auto named = static_cast<std::size_t>(places.back());
  Dims expected(places.begin(), places.end() - 1);
  expected.insert(expected.end(), data.begin() + static_cast<std::ptrdiff_t>(named), data.end());
  if (dims_of(call[2]) != expected)
    return call.error(message("its updates do not have the dims that its indices require"));
  IOS_TRY(checked_count(call, data));
  const Dims strides = strides_of(data);
  const auto indices = call[1].integers();
  std::vector<std::int64_t> begins;
  const std::size_t slices = named == 0 ? 1 : indices.size() / named;
  for (std::size_t i = 0; i < slices; ++i) {
    std::int64_t begin = 0;
    for (std::size_t axis = 0; axis < named; ++axis) {
      const std::int64_t index = indices[i * named + axis];
      const auto checked = checked_index(index, data[axis]);
      if (!checked) return call.error(message("names element {} of an axis with {} elements", index, data[axis]));
      begin += *checked * strides[axis];
    }
    begins.push_back(begin);
  }
  const std::int64_t size = *element_count(std::span(data).subspan(named));
  if (static_cast<std::int64_t>(slices) * size != call[2].elements())
    return call.error(message("its updates do not fit"));
  return call[0].holds_floats() ? scattered_by<float>(call, begins, size, reduction)
                                : scattered_by<std::int64_t>(call, begins, size, reduction);
}

template <typename T>
HostTensor chosen(const ConversionContext& call, Dims dims) {
  View views[3];
  for (std::size_t i = 0; i < 3; ++i) views[i].strides = broadcast_strides(call[i].dims(), dims);
  std::vector<T> to(static_cast<std::size_t>(*element_count(dims)));
  const auto condition = call[0].integers();
  const auto yes = values_of<T>(call[1]);
  const auto no = values_of<T>(call[2]);
  walk(dims, views, [&](std::size_t k, const std::int64_t(&at)[3]) {
    to[k] = condition[static_cast<std::size_t>(at[0])] != 0 ? yes[static_cast<std::size_t>(at[1])]
                                                            : no[static_cast<std::size_t>(at[2])];
  });
  return make_tensor(std::move(dims), std::move(to), call[1].type());
}

Result<Outputs> where(const ConversionContext& call) {
  if (call[0].type() != ElementType::kBool) return call.error(message("its condition is not of type bool"));
  IOS_TRY(same_types(call, 1));
  const std::array shapes{dims_of(call[0]), dims_of(call[1]), dims_of(call[2])};
  IOS_TRY(auto dims, broadcast_dims(call, shapes));
  return Outputs{call[1].holds_floats() ? chosen<float>(call, std::move(dims))
                                        : chosen<std::int64_t>(call, std::move(dims))};
}

Result<Outputs> non_zero(const ConversionContext& call) {
  const HostTensor& tensor = call[0];
  const auto rank = static_cast<std::size_t>(tensor.rank());
  const auto is_zero = [&](std::size_t i) {
    return tensor.holds_floats() ? tensor.floats()[i] == 0 : tensor.integers()[i] == 0;
  };
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < static_cast<std::size_t>(tensor.elements()); ++i) {
    if (!is_zero(i)) found.push_back(i);
  }
  Dims dims{tensor.rank(), static_cast<std::int64_t>(found.size())};
  IOS_TRY(checked_count(call, dims));
  const Dims strides = strides_of(tensor.dims());
  std::vector<std::int64_t> indices;
  indices.reserve(rank * found.size());
  for (std::size_t axis = 0; axis < rank; ++axis) {
    for (const std::size_t i : found) {
      indices.push_back(static_cast<std::int64_t>(i) / strides[axis] % tensor.dims()[axis]);
    }
  }
  return Outputs{HostTensor::of_integers(std::move(dims), std::move(indices))};
}

}  // namespace

std::span<const Operator> select_operators() {
  static constexpr std::array kOperators{
      Operator{"Gather", 2, 2, false, gather},    Operator{"GatherElements", 2, 2, false, gather_elements},
      Operator{"NonZero", 1, 1, false, non_zero}, Operator{"ScatterND", 3, 3, false, scatter_nd},
      Operator{"Where", 3, 3, false, where},
  };
  return kOperators;
}

}  // namespace iosx::onnx_import::folding
