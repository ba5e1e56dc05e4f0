#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/graph/shape_inference.h"
#include "core/import/onnx/call.h"

namespace iosx::onnx_import {
namespace {

// Elements first, first + step, ... of one axis.
struct Range {
  std::int64_t first = 0;
  std::int64_t step = 1;
  std::int64_t count = 1;
};

// One range an axis of the value's shape. Whole channels are a part of the value itself.
DraftValue sliced(Call& call, const DraftValue& value, const std::vector<Range>& ranges) {
  if (call.failed()) return {};
  Slice slice;
  Shape shape = value.shape;
  bool whole_channels = true;
  for (std::size_t axis = 0; axis < ranges.size(); ++axis) {
    const auto [first, step, count] = ranges[axis];
    if (count < 1) {
      call.unsupported("an empty slice");
      return {};
    }
    slice.begins.push_back(first);
    slice.steps.push_back(count == 1 ? 1 : step);
    shape = shape.with(axis, count);
    if (axis > 0 && count != value.shape[axis]) whole_channels = false;
    if (slice.steps.back() != 1) whole_channels = false;
  }
  if (shape == value.shape && whole_channels) return value;
  if (whole_channels) return Draft::channels(value, ranges[0].first, ranges[0].first + ranges[0].count);
  slice.shape = shape;
  return call.add(std::move(slice), {value});
}

std::vector<Range> everything(const Shape& shape) {
  std::vector<Range> ranges;
  for (const std::int64_t size : shape.dims()) ranges.push_back({0, 1, size});
  return ranges;
}

// ONNX's start, end and step along an axis of this size.
Range range_of(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size) {
  step = std::clamp(step, -kMaxExtent, kMaxExtent);
  if (start < 0) start += size;
  if (end < 0) end += size;
  if (step > 0) {
    start = std::clamp<std::int64_t>(start, 0, size);
    end = std::clamp<std::int64_t>(end, 0, size);
    return {start, step, end > start ? (end - start + step - 1) / step : 0};
  }
  start = std::clamp<std::int64_t>(start, 0, size - 1);
  end = std::clamp<std::int64_t>(end, -1, size - 1);
  return {start, step, start > end ? (start - end - step - 1) / -step : 0};
}

Converted convert_slice(Call& call) {
  const DraftValue value = call.value(0);
  const auto starts = call.list(1, "starts");
  const auto ends = call.list(2, "ends");
  auto axes = call.list(3, "axes");
  auto steps = call.list(4);
  if (!starts || !ends) call.bad("its starts or ends are missing");
  if (call.failed()) return {};
  if (!axes) {
    axes.emplace();
    for (std::size_t i = 0; i < starts->size(); ++i) axes->push_back(static_cast<std::int64_t>(i));
  }
  if (!steps) steps = Dims(starts->size(), 1);
  if (ends->size() != starts->size() || axes->size() != starts->size() || steps->size() != starts->size()) {
    call.bad("its starts, ends, axes and steps are not equally many");
    return {};
  }
  const std::size_t rank = call.rank(value);
  const Dims sizes = call.dims(value);
  std::vector<Range> ranges = everything(value.shape);
  for (std::size_t i = 0; i < starts->size(); ++i) {
    const std::int64_t step = (*steps)[i];
    const std::int64_t given = (*axes)[i];
    if (step == 0) call.bad("its step is 0");
    if (call.lead() == 1 && (given == 0 || given == -static_cast<std::int64_t>(rank))) {
      const Range range = range_of((*starts)[i], (*ends)[i], step, sizes[0]);
      if (step != 1 || range.count != sizes[0]) call.mixes_batch("it takes some samples out of the batch");
      continue;
    }
    const std::size_t axis = call.axis(given, rank);
    if (call.failed()) return {};
    ranges[axis] = range_of((*starts)[i], (*ends)[i], step, value.shape[axis]);
  }
  return {sliced(call, value, ranges)};
}

// Sizes of the parts of an axis.
Dims part_sizes(Call& call, std::int64_t size) {
  const auto given = call.list(1, "split");
  const auto outputs = static_cast<std::int64_t>(call.node().outputs.size());
  const std::int64_t parts = call.integer("num_outputs", outputs);
  if (call.failed()) return {};
  if (given) {
    std::int64_t left = size;
    for (const std::int64_t each : *given) {
      if (each < 0 || each > left) {
        call.bad(fmt::format("its parts are larger than the {} elements of the axis", size));
        return {};
      }
      left -= each;
    }
    if (static_cast<std::int64_t>(given->size()) < outputs || left != 0) call.bad("its parts do not fit its outputs");
    return *given;
  }
  if (parts != outputs || parts < 1) {
    call.bad(fmt::format("has {} outputs for {} parts", outputs, parts));
    return {};
  }
  const std::int64_t chunk = (size + parts - 1) / parts;
  Dims sizes(static_cast<std::size_t>(parts), chunk);
  sizes.back() = size - chunk * (parts - 1);
  if (sizes.back() < 1) call.bad(fmt::format("cannot split {} elements into {} parts", size, parts));
  return sizes;
}

Converted convert_split(Call& call) {
  const DraftValue value = call.value(0);
  const std::int64_t given = call.integer("axis", 0);
  if (call.failed()) return {};
  const std::size_t axis = call.axis(given, call.rank(value));
  if (call.failed()) return {};
  const Dims sizes = part_sizes(call, value.shape[axis]);
  if (call.failed()) return {};
  Converted parts;
  std::int64_t first = 0;
  for (std::size_t i = 0; i < call.node().outputs.size(); ++i) {
    std::vector<Range> ranges = everything(value.shape);
    ranges[axis] = {first, 1, sizes[i]};
    first += sizes[i];
    parts.push_back(call.used(i) ? sliced(call, value, ranges) : DraftValue{});
  }
  return parts;
}

// Indices that are evenly spaced, as a range; a count of 0 where they are not.
Range range_of(Call& call, std::span<const std::int64_t> indices, std::int64_t size) {
  Dims at;
  for (const std::int64_t index : indices) {
    at.push_back(index < 0 ? index + size : index);
    if (at.back() >= 0 && at.back() < size) continue;
    call.bad(fmt::format("its index {} is not one of {} elements", index, size));
    return {};
  }
  if (at.empty()) return {0, 1, 0};
  const std::int64_t step = at.size() > 1 ? at[1] - at[0] : 1;
  for (std::size_t i = 1; i < at.size(); ++i) {
    if (step == 0 || at[i] - at[i - 1] != step) return {0, 1, 0};
  }
  return {at[0], step, static_cast<std::int64_t>(at.size())};
}

Converted convert_gather(Call& call) {
  const DraftValue value = call.value(0);
  const HostTensor* const indices = call.constant(1);
  const std::int64_t given = call.integer("axis", 0);
  if (indices == nullptr || !indices->holds_integers()) call.unsupported("indices that are not constant");
  if (call.failed()) return {};
  const std::size_t axis = call.axis(given, call.rank(value));
  if (call.failed()) return {};
  std::vector<Range> ranges = everything(value.shape);
  ranges[axis] = range_of(call, indices->integers(), value.shape[axis]);
  if (ranges[axis].count == 0) call.unsupported("indices that are not evenly spaced");
  const DraftValue taken = sliced(call, value, ranges);
  if (call.failed()) return {};
  Dims dims = call.dims(taken);
  const auto place = dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis + call.lead()));
  dims.insert(place, indices->dims().begin(), indices->dims().end());
  const Shape shape = call.shape(dims);
  return {call.reshape(taken, shape)};
}

Converted convert_concat(Call& call) {
  std::vector<DraftValue> values;
  const std::int64_t given = call.integer("axis", 1);
  for (std::size_t i = 0; i < call.node().inputs.size() && !call.failed(); ++i) {
    const HostTensor* const tensor = call.constant(i);
    if (tensor == nullptr || tensor->elements() > 0) values.push_back(call.value(i));
  }
  if (call.failed()) return {};
  if (values.size() == 1) return {values.front()};
  if (values.empty()) {
    call.bad("has no inputs");
    return {};
  }
  const std::size_t axis = call.axis(given, call.rank(values.front()));
  return {call.add(Concat{axis}, std::move(values))};
}

// Pads of all axes of ONNX's: those before, then those after.
Dims pads(Call& call, std::size_t rank) {
  const auto given = call.opset() < 11 ? call.integers("pads") : call.list(1);
  const auto some = call.list(3);
  if (!given) call.bad("its pads are missing");
  if (call.failed()) return {};
  const std::size_t axes = some ? some->size() : rank;
  if (given->size() != 2 * axes) {
    call.bad(fmt::format("has {} pads for {} axes", given->size(), axes));
    return {};
  }
  Dims all(2 * rank, 0);
  for (std::size_t i = 0; i < axes; ++i) {
    const std::int64_t axis = some ? (*some)[i] : static_cast<std::int64_t>(i);
    const bool is_batch = call.lead() == 1 && (axis == 0 || axis == -static_cast<std::int64_t>(rank));
    if (is_batch && (*given)[i] == 0 && (*given)[axes + i] == 0) continue;
    const std::size_t place = call.axis(axis, rank) + call.lead();
    if (call.failed()) return {};
    all[place] = (*given)[i];
    all[rank + place] = (*given)[axes + i];
  }
  return all;
}

Converted convert_pad(Call& call) {
  const DraftValue value = call.value(0);
  const std::string mode = call.text("mode", "constant");
  if (call.failed()) return {};
  const std::size_t rank = call.rank(value);
  const Dims amounts = pads(call, rank);
  Pad pad;
  if (call.opset() < 11) {
    pad.value = call.number("value", 0);
  } else if (call.given(2)) {
    const HostTensor* const number = call.floats(2);
    if (number != nullptr && number->elements() != 1) call.bad("its value is not one number");
    if (!call.failed()) pad.value = number->floats()[0];
  }
  if (mode == "reflect") {
    pad.mode = PadMode::kReflect;
  } else if (mode == "edge") {
    pad.mode = PadMode::kEdge;
  } else if (mode != "constant") {
    call.unsupported(fmt::format("padding of mode '{}'", mode));
  }
  if (call.failed()) return {};
  const auto at = [&](std::size_t i) { return amounts.begin() + static_cast<std::ptrdiff_t>(i); };
  pad.begins.assign(at(call.lead()), at(rank));
  pad.ends.assign(at(rank + call.lead()), at(2 * rank));
  if (std::all_of(amounts.begin(), amounts.end(), [](std::int64_t amount) { return amount == 0; })) return {value};
  return {call.add(std::move(pad), {value})};
}

constexpr std::array kSliceConverters{
    Converter{"Concat", convert_concat}, Converter{"Gather", convert_gather}, Converter{"Pad", convert_pad},
    Converter{"Slice", convert_slice},   Converter{"Split", convert_split},
};

}  // namespace

std::span<const Converter> slice_converters() { return kSliceConverters; }

}  // namespace iosx::onnx_import
