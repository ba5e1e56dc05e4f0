#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/formats/onnx/convert/conversion_context.h"

namespace iosx::onnx_import {
namespace {

// Takes one range per axis of the value's shape. Whole channels are a part of the value itself.
DraftValue sliced(ConversionContext& call, const DraftValue& value, const std::vector<Range>& ranges) {
  Slice slice;
  Shape shape = value.shape;
  bool whole_channels = true;
  for (std::size_t axis = 0; axis < ranges.size(); ++axis) {
    const auto [first, step, count] = ranges[axis];
    if (count < 1) call.unsupported(message("an empty slice"));
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

Converted convert_slice(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const auto starts = call.list(1, "starts");
  const auto ends = call.list(2, "ends");
  auto axes = call.list(3, "axes");
  auto steps = call.list(4);
  if (!starts || !ends) call.bad(message("its starts or ends are missing"));
  if (!axes) {
    axes.emplace();
    for (std::size_t i = 0; i < starts->size(); ++i) axes->push_back(static_cast<std::int64_t>(i));
  }
  if (!steps) steps = Dims(starts->size(), 1);
  if (ends->size() != starts->size() || axes->size() != starts->size() || steps->size() != starts->size())
    call.bad(message("its starts, ends, axes and steps differ in number"));
  const std::size_t rank = call.rank(value);
  const Dims sizes = call.dims(value);
  std::vector<Range> ranges = everything(value.shape);
  for (std::size_t i = 0; i < starts->size(); ++i) {
    const std::int64_t step = (*steps)[i];
    const std::int64_t given = (*axes)[i];
    if (step == 0) call.bad(message("its step is 0"));
    if (call.lead() == 1 && (given == 0 || given == -static_cast<std::int64_t>(rank))) {
      const Range range = slice_range((*starts)[i], (*ends)[i], step, sizes[0]);
      if (step != 1 || range.count != sizes[0]) call.mixes_batch(message("it selects some samples of the batch"));
      continue;
    }
    const std::size_t axis = call.axis(given, rank);
    ranges[axis] = slice_range((*starts)[i], (*ends)[i], step, value.shape[axis]);
  }
  return {sliced(call, value, ranges)};
}

Converted convert_split(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const std::int64_t given = call.integer("axis", 0);
  const std::size_t axis = call.axis(given, call.rank(value));
  const auto list = call.list(1, "split");
  const std::size_t outputs = call.node().outputs.size();
  const std::int64_t count = call.integer("num_outputs", static_cast<std::int64_t>(outputs));
  const Dims sizes = call.take(split_sizes(list, count, outputs, call.opset(), value.shape[axis]));
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
Range range_of(ConversionContext& call, std::span<const std::int64_t> indices, std::int64_t size) {
  Dims at;
  for (const std::int64_t index : indices) {
    at.push_back(index < 0 ? index + size : index);
    if (at.back() >= 0 && at.back() < size) continue;
    call.bad(message("its index {} is not one of {} elements", index, size));
  }
  if (at.empty()) return {0, 1, 0};
  const std::int64_t step = at.size() > 1 ? at[1] - at[0] : 1;
  for (std::size_t i = 1; i < at.size(); ++i) {
    if (step == 0 || at[i] - at[i - 1] != step) return {0, 1, 0};
  }
  return {at[0], step, static_cast<std::int64_t>(at.size())};
}

// Gathers by constant indices that are evenly spaced.
Converted gather_range(ConversionContext& call, const DraftValue& value, const HostTensor& indices, std::size_t axis,
                       const Range& range) {
  std::vector<Range> ranges = everything(value.shape);
  ranges[axis] = range;
  const DraftValue taken = sliced(call, value, ranges);
  Dims dims = call.dims(taken);
  const auto place = dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis + call.lead()));
  dims.insert(place, indices.dims().begin(), indices.dims().end());
  const Shape shape = call.shape(dims);
  return {call.reshape(taken, shape)};
}

Converted convert_gather(ConversionContext& call) {
  const std::int64_t given = call.integer("axis", 0);
  const HostTensor* const data = call.constant(0);
  const HostTensor* const indices = call.constant(1);
  if (data != nullptr && call.computed(1) != nullptr) {  // a table
    const std::int64_t rank = data->rank();
    if (given < -rank || given >= rank) call.bad(message("its axis {} is not one of {}", given, rank));
    const auto axis = static_cast<std::size_t>(given < 0 ? given + rank : given);
    if (axis != 0 && call.lead() == 1) call.mixes_batch(message("it puts axes before the batch"));
    const DraftValue table = call.operand(*data, static_cast<std::size_t>(rank) + 1);
    return {call.add(Gather{GatherKind::kSlices, axis}, {table, call.value(1)})};
  }
  const DraftValue value = call.value(0);
  if (indices == nullptr) {
    const std::size_t axis = call.axis(given, call.rank(value));
    if (call.lead() == 1) call.mixes_batch(message("it looks up in each sample the indices of all samples"));
    return {call.add(Gather{GatherKind::kSlices, axis}, {value, call.value(1)})};
  }
  if (!indices->holds_integers()) call.bad(message("its indices are not integers"));
  const std::size_t axis = call.axis(given, call.rank(value));
  const Range range = range_of(call, indices->integers(), value.shape[axis]);
  if (range.count > 0) return gather_range(call, value, *indices, axis, range);
  if (indices->elements() == 0) call.unsupported(message("an empty slice"));
  return {call.add(Gather{GatherKind::kSlices, axis}, {value, call.operand(*indices, indices->dims().size() + 1)})};
}

Converted convert_gather_elements(ConversionContext& call) {
  const std::int64_t given = call.integer("axis", 0);
  const DraftValue* const known = call.computed(0) != nullptr ? call.computed(0) : call.computed(1);
  if (known == nullptr) call.bad(message("has no inputs"));
  const std::size_t rank = call.rank(*known);
  const std::size_t axis = call.axis(given, rank);
  const DraftValue data = call.of_each_sample(0, rank);
  const DraftValue indices = call.of_each_sample(1, rank);
  return {call.add(Gather{GatherKind::kElements, axis}, {data, indices})};
}

// Gathers where each tuple of indices points in the data, whose leading axes are made one. The first `batch_dims` axes
// of both go along with each other: a place in them adds to that in the data what lies before it.
Converted convert_gather_nd(ConversionContext& call) {
  const std::int64_t given = call.integer("batch_dims", 0);
  const HostTensor* const table = call.constant(0);
  const auto rank_of = [&](std::size_t i) {
    const HostTensor* const tensor = call.constant(i);
    const DraftValue* const value = call.computed(i);
    return tensor != nullptr ? tensor->dims().size() : value != nullptr ? call.rank(*value) : 0;
  };
  const std::size_t ranks = std::min(rank_of(0), rank_of(1));
  if (given < 0 || given >= static_cast<std::int64_t>(ranks))
    call.bad(message("its batch_dims {} do not fit its inputs", given));
  const auto axes = static_cast<std::size_t>(given);
  const bool shared = call.lead() == 1 && axes == 0;  // all samples look at the same
  if (shared && table == nullptr) call.mixes_batch(message("it looks up in each sample the indices of all samples"));
  const DraftValue data =
      shared && table != nullptr ? call.operand(*table, rank_of(0) + 1) : call.of_each_sample(0, rank_of(0));
  const DraftValue indices = shared ? call.value(1) : call.of_each_sample(1, rank_of(1));
  const std::size_t rank = indices.shape.rank();
  const std::size_t own = shared ? 0 : axes - call.lead();  // of batch_dims, in shapes of ours
  const std::int64_t width = rank == 0 ? 0 : indices.shape[rank - 1];
  if (width < 1 || width + static_cast<std::int64_t>(own) > static_cast<std::int64_t>(data.shape.rank()) ||
      !std::ranges::equal(data.shape.dims().first(own), indices.shape.dims().first(std::min(own, rank))))
    call.bad(message("its indices do not fit its data"));
  const auto depth = static_cast<std::size_t>(width);
  const Shape places(indices.shape.dims().first(rank - 1));
  const auto number = [&](std::int64_t value) {
    return call.scalar(static_cast<float>(value), fmt::format("is_{}", value));
  };
  DraftValue at;
  std::int64_t each = 1;  // places in what goes along with one place of the leading axes
  for (std::size_t i = 0; i < depth; ++i) {
    std::vector<Range> ranges = everything(indices.shape);
    ranges[rank - 1] = {static_cast<std::int64_t>(i), 1, 1};
    const DraftValue part = call.reshape(sliced(call, indices, ranges), places, fmt::format("index_{}", i));
    const DraftValue size = number(data.shape[own + i]);
    each *= data.shape[own + i];
    const DraftValue place = call.add(Binary{BinaryFunction::kMod}, {part, size}, fmt::format("place_{}", i));
    at = i == 0
             ? place
             : call.add(Add{}, {call.add(Mul{}, {at, size}, fmt::format("row_{}", i)), place}, fmt::format("at_{}", i));
  }
  std::int64_t before = 1;
  for (std::size_t axis = 0; axis < own; ++axis) before *= data.shape[axis];
  if (before > 1) {
    call.spend(before);
    std::vector<float> begins;
    for (std::int64_t i = 0; i < before; ++i) begins.push_back(static_cast<float>(i * each));
    Dims along(rank - 1, 1);
    std::copy_n(data.shape.dims().begin(), own, along.begin());
    at = call.add(Add{}, {at, call.constant_value(Tensor(std::move(along), std::move(begins)), "begins")}, "at_all");
  }
  Dims dims{before * each};
  for (std::size_t axis = own + depth; axis < data.shape.rank(); ++axis) dims.push_back(data.shape[axis]);
  return {call.add(Gather{GatherKind::kSlices, 0}, {call.reshape(data, Shape(dims), "rows"), at})};
}

Converted convert_concat(ConversionContext& call) {
  std::vector<DraftValue> values;
  const std::int64_t given = call.integer("axis", 1);
  for (std::size_t i = 0; i < call.node().inputs.size(); ++i) {
    const HostTensor* const tensor = call.constant(i);
    if (tensor == nullptr || tensor->elements() > 0) values.push_back(call.value(i));
  }
  if (values.size() == 1) return {values.front()};
  if (values.empty()) call.bad(message("has no inputs"));
  const std::size_t axis = call.axis(given, call.rank(values.front()));
  return {call.add(Concat{axis}, std::move(values))};
}

// Returns pads of all axes of ONNX's: those before, then those after.
Dims pads(ConversionContext& call, std::size_t rank) {
  const auto given = call.opset() < 11 ? call.integers("pads") : call.list(1);
  const auto some = call.list(3);
  if (!given) call.bad(message("its pads are missing"));
  const std::size_t axes = some ? some->size() : rank;
  if (given->size() != 2 * axes) call.bad(message("has {} pads for {} axes", given->size(), axes));
  Dims all(2 * rank, 0);
  for (std::size_t i = 0; i < axes; ++i) {
    const std::int64_t axis = some ? (*some)[i] : static_cast<std::int64_t>(i);
    const bool is_batch = call.lead() == 1 && (axis == 0 || axis == -static_cast<std::int64_t>(rank));
    if (is_batch && (*given)[i] == 0 && (*given)[axes + i] == 0) continue;
    const std::size_t place = call.axis(axis, rank) + call.lead();
    all[place] = (*given)[i];
    all[rank + place] = (*given)[axes + i];
  }
  return all;
}

Converted convert_pad(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const std::string mode = call.text("mode", "constant");
  const std::size_t rank = call.rank(value);
  const Dims amounts = pads(call, rank);
  Pad pad;
  if (call.opset() < 11) {
    pad.value = call.number("value", 0);
  } else if (call.given(2)) {
    const HostTensor* const number = call.numbers(2);
    if (number->elements() != 1) call.bad(message("its value is not one number"));
    pad.value = number->to_tensor().elements()[0];
  }
  if (mode == "reflect") {
    pad.mode = PadMode::kReflect;
  } else if (mode == "edge") {
    pad.mode = PadMode::kEdge;
  } else if (mode != "constant") {
    call.unsupported(message("padding of mode '{}'", mode));
  }
  const auto at = [&](std::size_t i) { return amounts.begin() + static_cast<std::ptrdiff_t>(i); };
  pad.begins.assign(at(call.lead()), at(rank));
  pad.ends.assign(at(rank + call.lead()), at(2 * rank));
  if (std::all_of(amounts.begin(), amounts.end(), [](std::int64_t amount) { return amount == 0; })) return {value};
  return {call.add(std::move(pad), {value})};
}

Converted convert_where(ConversionContext& call) {
  const std::vector<DraftValue> values = operands(call);
  if (values.size() != 3) call.bad(message("needs a condition and two values"));
  DraftValue made = call.add(Where{}, values);
  made.type = values[1].type;
  return {made};
}

// The triangle above or below a diagonal stays, the rest is 0.
Converted convert_trilu(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const auto given = call.list(1);
  const bool upper = call.integer("upper", 1) != 0;
  const std::size_t rank = value.shape.rank();
  if (rank < 2) call.mixes_batch(message("its matrices are not whole samples"));
  if (given && given->size() != 1) call.bad(message("its diagonal is not one number"));
  const std::int64_t diagonal = given ? given->front() : 0;
  const std::int64_t rows = value.shape[rank - 2];
  const std::int64_t columns = value.shape[rank - 1];
  call.spend(rows * columns);
  std::vector<float> stays(static_cast<std::size_t>(rows * columns), 0.0F);
  const std::int64_t shift = std::clamp(diagonal, -rows, columns);
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto begin = stays.begin() + row * columns;
    const std::int64_t edge = std::clamp<std::int64_t>(row + shift + (upper ? 0 : 1), 0, columns);
    if (upper) std::fill(begin + edge, begin + columns, 1.0F);
    if (!upper) std::fill(begin, begin + edge, 1.0F);
  }
  const DraftValue mask = call.constant_value(Tensor({rows, columns}, std::move(stays)), "mask");
  const DraftValue zero = call.scalar(0, "zero");
  return {call.add(Where{}, {mask, value, zero}).of_type(value.type)};
}

// A number among 0 … depth - 1 becomes as many, all off but one; negative ones count from the end.
Converted convert_one_hot(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const HostTensor* const sizes = call.numbers(1);
  const HostTensor* const levels = call.numbers(2);
  const std::int64_t given = call.integer("axis", -1);
  const Tensor size = sizes->to_tensor();
  if (size.elements().size() != 1 || levels->elements() != 2) call.bad(message("needs one depth and two values"));
  const float depth = std::trunc(size.elements()[0]);
  if (!(depth >= 1 && depth <= static_cast<float>(1 << 20))) call.bad(message("has a depth of {}", depth));
  const std::size_t axis = call.axis(given, call.rank(value) + 1);
  Dims dims(value.shape.dims().begin(), value.shape.dims().end());
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  if (dims.size() > Shape::kMaxRank) call.unsupported(message("its output has too many axes"));
  const DraftValue apart = call.reshape(value, Shape(dims), "apart");
  const DraftValue zero = call.scalar(0, "zero");
  const DraftValue low = call.add(Binary{BinaryFunction::kLess}, {apart, zero}, "negative");
  const DraftValue from_end = call.add(Add{}, {apart, call.scalar(depth, "depth")}, "from_end");
  const DraftValue place = call.add(Where{}, {low, from_end, apart}, "place");
  dims[axis] = static_cast<std::int64_t>(depth);
  const DraftValue hot = call.add(Binary{BinaryFunction::kEqual}, {place, call.places(Shape(dims), axis)}, "hot");
  const Tensor numbers = levels->to_tensor();
  const DraftValue on = call.scalar(numbers.elements()[1], "on");
  const DraftValue off = call.scalar(numbers.elements()[0], "off");
  return {call.add(Where{}, {hot, on, off}).of_type(levels->type())};
}

constexpr std::array kSelectConverters{
    Converter{"Concat", convert_concat},
    Converter{"Gather", convert_gather},
    Converter{"GatherElements", convert_gather_elements},
    Converter{"GatherND", convert_gather_nd},
    Converter{"OneHot", convert_one_hot},
    Converter{"Pad", convert_pad},
    Converter{"Slice", convert_slice},
    Converter{"Split", convert_split},
    Converter{"Trilu", convert_trilu},
    Converter{"Where", convert_where},
};

}  // namespace

std::span<const Converter> select_converters() { return kSelectConverters; }

}  // namespace iosx::onnx_import
