#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/formats/onnx/conversion_context.h"
#include "core/formats/onnx/fold_operator.h"
#include "core/model/graph/shape_inference.h"

// Elements at constant places that give way to others, or are combined with them: a gathering of both side by side.
namespace iosx::onnx_import {
namespace {

using folding::strides_of;

// Has for each element of the updates its place in the data, both in row-major order.
using Targets = std::vector<std::int64_t>;

std::int64_t place(ConversionContext& call, std::int64_t index, std::int64_t size) {
  if (index < -size || index >= size) call.bad(message("names element {} of an axis of {}", index, size));
  return index < 0 ? index + size : index;
}

// Returns the indices, as whole numbers that are known.
const HostTensor* indices_of(ConversionContext& call) {
  const HostTensor* const indices = call.constant(1);
  if (indices == nullptr) {
    call.unsupported(message("places that are computed"));
  } else if (!indices->holds_integers()) {
    call.bad(message("its indices are no whole numbers"));
  }
  return call.failed() ? nullptr : indices;
}

// Each index names an element, or a slice of what follows its axes.
Targets targets_nd(ConversionContext& call, const HostTensor& indices, const Dims& data, const Dims& updates) {
  const Dims places(indices.dims().begin(), indices.dims().end());
  const std::int64_t last = places.empty() ? -1 : places.back();
  if (last < 1 || last > static_cast<std::int64_t>(data.size())) {
    call.bad(message("its indices do not name places of its data"));
    return {};
  }
  const auto named = static_cast<std::size_t>(last);
  Dims expected(places.begin(), places.end() - 1);
  expected.insert(expected.end(), data.begin() + last, data.end());
  if (updates != expected) call.bad(message("its updates do not have the dims that its indices ask for"));
  if (call.failed()) return {};
  const Dims strides = strides_of(data);
  const auto numbers = indices.integers();
  const std::int64_t size = element_count(std::span(data).subspan(named)).value_or(0);
  Targets targets;
  for (std::size_t i = 0; i < numbers.size() / named; ++i) {
    std::int64_t begin = 0;
    for (std::size_t axis = 0; axis < named; ++axis) {
      begin += place(call, numbers[i * named + axis], data[axis]) * strides[axis];
    }
    for (std::int64_t k = 0; k < size; ++k) targets.push_back(begin + k);
  }
  return targets;
}

// Each index is the place along one axis, the element's own place that along the others.
Targets targets_along(ConversionContext& call, const HostTensor& indices, const Dims& data, const Dims& updates) {
  const std::int64_t given = call.integer("axis", 0);
  if (call.failed()) return {};
  const auto rank = static_cast<std::int64_t>(data.size());
  if (given < -rank || given >= rank) {
    call.bad(message("its axis {} is not one of the {} of its input", given, rank));
    return {};
  }
  const auto axis = static_cast<std::size_t>(given < 0 ? given + rank : given);
  if (!std::ranges::equal(indices.dims(), updates) || updates.size() != data.size()) {
    call.bad(message("its updates do not have the dims of its indices"));
    return {};
  }
  const Dims strides = strides_of(data);
  Dims at(data.size(), 0);
  Targets targets;
  for (const std::int64_t index : indices.integers()) {
    std::int64_t target = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      target += place(call, i == axis ? index : at[i], data[i]) * strides[i];
    }
    targets.push_back(target);
    for (std::size_t i = at.size(); i-- > 0;) {
      if (++at[i] < updates[i]) break;
      at[i] = 0;
    }
  }
  return targets;
}

Converted scattered(ConversionContext& call,
                    Targets (*targets_of)(ConversionContext&, const HostTensor&, const Dims&, const Dims&)) {
  const HostTensor* const indices = indices_of(call);
  const std::string reduction = call.text("reduction", "none");
  if (call.lead() == 1) call.mixes_batch(message("it places elements of the whole batch"));
  const DraftValue data = call.value(0);
  const DraftValue updates = call.value(2);
  if (call.failed()) return {};
  const std::int64_t size = data.shape.elements();
  const std::int64_t count = updates.shape.elements();
  if (size + count > kMaxExtent) call.unsupported(message("places among {} elements", size + count));
  if (!call.spend(2 * (size + count))) return {};
  const Targets targets = targets_of(call, *indices, call.dims(data), call.dims(updates));
  if (call.failed()) return {};
  // This is what each element reads: itself, or what takes its place.
  std::vector<float> reads;
  for (std::int64_t i = 0; i < size; ++i) reads.push_back(static_cast<float>(i));
  for (std::size_t i = 0; i < targets.size(); ++i) {
    float& read = reads[static_cast<std::size_t>(targets[i])];
    if (read >= static_cast<float>(size) && reduction != "none") {
      call.unsupported(message("places that are combined with several others"));
      return {};
    }
    read = static_cast<float>(size + static_cast<std::int64_t>(i));
  }
  const DraftValue flat = call.reshape(data, Shape{size}, "data");
  const auto gathered = [&](const DraftValue& others, std::string_view suffix) {
    const DraftValue both =
        call.add(Concat{0}, {others, call.reshape(updates, Shape{count}, "updates")}, {}, {}, "both");
    const DraftValue places = call.constant_value(Tensor({size}, std::move(reads)), "places");
    return call.add(Gather{GatherKind::kSlices, 0}, {both, places}, {}, {}, suffix);
  };
  DraftValue made;
  if (reduction == "none") {
    made = gathered(flat, "scattered");
  } else if (reduction == "max" || reduction == "min") {
    const auto function = reduction == "max" ? BinaryFunction::kMax : BinaryFunction::kMin;
    made = call.add(Binary{function}, {flat, gathered(flat, "scattered")}, {}, {}, reduction);
  } else if (reduction == "add" || reduction == "mul") {
    const float neutral = reduction == "add" ? 0.0F : 1.0F;
    const DraftValue nothing =
        call.constant_value(Tensor({size}, std::vector<float>(static_cast<std::size_t>(size), neutral)), "neutral");
    const DraftValue other = gathered(nothing, "scattered");
    made = reduction == "add" ? call.add(Add{}, {flat, other}, {}, {}, reduction)
                              : call.add(Mul{}, {flat, other}, {}, {}, reduction);
  } else {
    call.bad(message("combines by '{}'", reduction));
  }
  if (call.failed()) return {};
  made = call.reshape(made, data.shape);
  made.type = data.type;
  return {made};
}

Converted convert_scatter_nd(ConversionContext& call) { return scattered(call, targets_nd); }
Converted convert_scatter_elements(ConversionContext& call) { return scattered(call, targets_along); }

constexpr std::array kScatterConverters{
    Converter{"Scatter", convert_scatter_elements},  // until opset 10
    Converter{"ScatterElements", convert_scatter_elements},
    Converter{"ScatterND", convert_scatter_nd},
};

}  // namespace

std::span<const Converter> scatter_converters() { return kScatterConverters; }

}  // namespace iosx::onnx_import
