#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>

#include "core/formats/onnx/convert/conversion_context.h"
#include "core/formats/onnx/fold/fold.h"

// Operators that replace elements, or combine them with others: at constant places a gathering of both side by side,
// at computed ones a comparison of every place with every change.
namespace iosx::onnx_import {
namespace {

using folding::strides_of;

// For each element of the updates its place in the data, both in row-major order.
using TargetPlaces = std::vector<std::int64_t>;

std::int64_t place(ConversionContext& call, std::int64_t index, std::int64_t size) {
  if (index < -size || index >= size) call.bad(message("names element {} of an axis with {} elements", index, size));
  return index < 0 ? index + size : index;
}

// Returns the indices, as whole numbers that are known.
const HostTensor* indices_of(ConversionContext& call) {
  const HostTensor* const indices = call.constant(1);
  if (indices == nullptr) call.unsupported(message("computed positions"));
  if (!indices->holds_integers()) call.bad(message("its indices are not whole numbers"));
  return indices;
}

// Each index names an element, or a slice of what follows its axes.
TargetPlaces targets_nd(ConversionContext& call, const HostTensor& indices, const Dims& data, const Dims& updates) {
  const Dims places(indices.dims().begin(), indices.dims().end());
  const std::int64_t last = places.empty() ? -1 : places.back();
  if (last < 1 || last > static_cast<std::int64_t>(data.size()))
    call.bad(message("its indices do not name positions in its data"));
  const auto named = static_cast<std::size_t>(last);
  Dims expected(places.begin(), places.end() - 1);
  expected.insert(expected.end(), data.begin() + last, data.end());
  if (updates != expected) call.bad(message("its updates do not have the dims that its indices require"));
  const Dims strides = strides_of(data);
  const auto numbers = indices.integers();
  const std::int64_t size = element_count(std::span(data).subspan(named)).value_or(0);
  TargetPlaces targets;
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
TargetPlaces targets_along(ConversionContext& call, const HostTensor& indices, const Dims& data, const Dims& updates) {
  const std::int64_t given = call.integer("axis", 0);
  const auto rank = static_cast<std::int64_t>(data.size());
  if (given < -rank || given >= rank) call.bad(message("its axis {} is not one of the {} of its input", given, rank));
  const auto axis = static_cast<std::size_t>(given < 0 ? given + rank : given);
  if (!std::ranges::equal(indices.dims(), updates) || updates.size() != data.size())
    call.bad(message("its updates do not have the dims of its indices"));
  const Dims strides = strides_of(data);
  Dims at(data.size(), 0);
  TargetPlaces targets;
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

// Returns nothing where several updates are combined at one place, which no gathering does.
std::optional<Converted> scattered(ConversionContext& call,
                                   TargetPlaces (*targets_of)(ConversionContext&, const HostTensor&, const Dims&,
                                                              const Dims&)) {
  const HostTensor* const indices = indices_of(call);
  const std::string reduction = call.text("reduction", "none");
  if (call.lead() == 1) call.mixes_batch(message("it places elements of the whole batch"));
  const DraftValue data = call.value(0);
  const DraftValue updates = call.value(2);
  const std::int64_t size = data.shape.elements();
  const std::int64_t count = updates.shape.elements();
  if (size + count > kMaxExtent) call.unsupported(message("positions among {} elements", size + count));
  call.spend(2 * (size + count));
  const TargetPlaces targets = targets_of(call, *indices, call.dims(data), call.dims(updates));
  // What each element reads: itself, or its replacement.
  std::vector<float> reads;
  for (std::int64_t i = 0; i < size; ++i) reads.push_back(static_cast<float>(i));
  for (std::size_t i = 0; i < targets.size(); ++i) {
    float& read = reads[static_cast<std::size_t>(targets[i])];
    if (read >= static_cast<float>(size) && reduction != "none") return std::nullopt;
    read = static_cast<float>(size + static_cast<std::int64_t>(i));
  }
  const DraftValue flat = call.reshape(data, Shape{size}, "data");
  const auto gathered = [&](const DraftValue& others, std::string_view suffix) {
    const DraftValue both = call.add(Concat{0}, {others, call.reshape(updates, Shape{count}, "updates")}, "both");
    const DraftValue places = call.constant_value(Tensor({size}, std::move(reads)), "places");
    return call.add(Gather{GatherKind::kSlices, 0}, {both, places}, suffix);
  };
  DraftValue made;
  if (reduction == "none") {
    made = gathered(flat, "scattered");
  } else if (reduction == "max" || reduction == "min") {
    const auto function = reduction == "max" ? BinaryFunction::kMax : BinaryFunction::kMin;
    made = call.add(Binary{function}, {flat, gathered(flat, "scattered")}, reduction);
  } else if (reduction == "add" || reduction == "mul") {
    const float neutral = reduction == "add" ? 0.0F : 1.0F;
    const DraftValue nothing =
        call.constant_value(Tensor({size}, std::vector<float>(static_cast<std::size_t>(size), neutral)), "neutral");
    const DraftValue other = gathered(nothing, "scattered");
    made = reduction == "add" ? call.add(Add{}, {flat, other}, reduction) : call.add(Mul{}, {flat, other}, reduction);
  } else {
    call.bad(message("combines by '{}'", reduction));
  }
  return Converted{call.reshape(made, data.shape).of_type(data.type)};
}

// The most pairs of an element of the data and one of the updates to compare.
constexpr std::int64_t kMostPairs = std::int64_t{1} << 24;

// The data as rows × places and the updates as rows × changes, with a place for each change: an element of the data is
// changed by those of its row with its place. `size` is how many numbers a place has.
struct Changes {
  DraftValue data;     // rows × places × size
  DraftValue updates;  // rows × changes × size
  DraftValue at;       // rows × 1 × changes, from 0; -1 is no place
};

// Returns the data with the changes. Without a reduction the last of several at a place counts.
DraftValue changed(ConversionContext& call, const Changes& changes, const std::string& reduction) {
  const auto& [data, updates, at] = changes;
  const std::int64_t rows = data.shape[0];
  const std::int64_t places = data.shape[1];
  const std::int64_t size = data.shape[2];
  const std::int64_t count = updates.shape[1];
  const std::int64_t each = reduction == "none" ? 1 : size;
  if (places > kMostPairs / count || places * count > kMostPairs / rows || places * count * rows > kMostPairs / each)
    call.unsupported(message("computed places of {} updates among {} elements", count, rows * places));
  const DraftValue own = call.places(Shape{1, places, 1}, 1);
  const DraftValue hits = call.add(Binary{BinaryFunction::kEqual}, {at, own}, "hits");
  if (reduction == "none") {
    call.spend(count);
    std::vector<float> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), static_cast<float>(places));
    const DraftValue order = call.constant_value(Tensor({1, 1, count}, std::move(numbers)), "order");
    const DraftValue from = call.add(Where{}, {hits, order, call.scalar(-1, "untouched")}, "changed_by");
    const DraftValue last = call.add(Reduce{ReduceKind::kMax, {2}, true}, {from}, "last");
    const DraftValue place = call.add(Binary{BinaryFunction::kMax}, {last, own}, "read_from");
    const DraftValue both = call.add(Concat{1}, {data, updates}, "both");
    if (size == 1) return call.add(Gather{GatherKind::kElements, 1}, {both, place}, "scattered");
    const DraftValue wide = call.add(Expand{Shape{rows, places, size}}, {place}, "of_each_number");
    return call.add(Gather{GatherKind::kElements, 1}, {both, wide}, "scattered");
  }
  struct Rule {
    std::string_view name;
    ReduceKind reduce;
    BinaryFunction function;
    float neutral;
  };
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr std::array kRules{Rule{"add", ReduceKind::kSum, BinaryFunction::kAdd, 0},
                              Rule{"mul", ReduceKind::kProduct, BinaryFunction::kMul, 1},
                              Rule{"max", ReduceKind::kMax, BinaryFunction::kMax, -kInfinity},
                              Rule{"min", ReduceKind::kMin, BinaryFunction::kMin, kInfinity}};
  const auto rule = std::ranges::find(kRules, reduction, &Rule::name);
  if (rule == kRules.end()) call.bad(message("combines by '{}'", reduction));
  const DraftValue hit = call.reshape(hits, Shape{rows, places, count, 1}, "hit");
  const DraftValue one = call.reshape(updates, Shape{rows, 1, count, size}, "one");
  const DraftValue those = call.add(Where{}, {hit, one, call.scalar(rule->neutral, "neutral")}, "those");
  const DraftValue all = call.add(Reduce{rule->reduce, {2}, false}, {those}, "combined");
  if (rule->function == BinaryFunction::kAdd) return call.add(Add{}, {data, all}, reduction);
  if (rule->function == BinaryFunction::kMul) return call.add(Mul{}, {data, all}, reduction);
  return call.add(Binary{rule->function}, {data, all}, reduction);
}

// Tuples of places make one, as rows of what follows their axes.
Converted scattered_at_computed(ConversionContext& call) {
  const std::string reduction = call.text("reduction", "none");
  if (call.lead() == 1) call.mixes_batch(message("it places elements of the whole batch"));
  const DraftValue data = call.value(0);
  const DraftValue at = call.value(1);
  const DraftValue updates = call.value(2);
  const std::size_t rank = at.shape.rank();
  const std::int64_t width = rank == 0 ? 0 : at.shape[rank - 1];
  if (width < 1 || width > static_cast<std::int64_t>(data.shape.rank()))
    call.bad(message("its indices do not name positions in its data"));
  const auto named = static_cast<std::size_t>(width);
  Dims expected(at.shape.dims().begin(), at.shape.dims().end() - 1);
  expected.insert(expected.end(), data.shape.dims().begin() + width, data.shape.dims().end());
  if (!std::ranges::equal(expected, updates.shape.dims()))
    call.bad(message("its updates do not have the dims that its indices require"));
  const std::int64_t count = at.shape.elements() / width;
  const std::int64_t size = updates.shape.elements() / count;
  const std::int64_t places = data.shape.elements() / size;
  std::vector<float> strides(named, 1);
  for (std::size_t axis = named; axis-- > 1;) {
    strides[axis - 1] = strides[axis] * static_cast<float>(data.shape[axis]);
  }
  // An index from the end counts as one more axis' worth, which the rest of a division takes off again.
  std::vector<float> sizes;
  for (std::size_t axis = 0; axis < named; ++axis) sizes.push_back(static_cast<float>(data.shape[axis]));
  const DraftValue tuples = call.reshape(at, Shape{count, width}, "tuples");
  const DraftValue from_start =
      call.add(Binary{BinaryFunction::kMod},
               {tuples, call.constant_value(Tensor({1, width}, std::move(sizes)), "sizes")}, "from_start");
  const DraftValue weighed =
      call.add(Mul{}, {from_start, call.constant_value(Tensor({1, width}, std::move(strides)), "strides")}, "weighed");
  const DraftValue place = call.sum(weighed, {1}, "place");
  const Changes changes{call.reshape(data, Shape{1, places, size}, "data"),
                        call.reshape(updates, Shape{1, count, size}, "updates"),
                        call.reshape(place, Shape{1, 1, count}, "at")};
  return {call.reshape(changed(call, changes, reduction), data.shape).of_type(data.type)};
}

// Along an axis, each row of which is changed by itself; rows that no update reaches stay.
Converted scattered_along_computed(ConversionContext& call) {
  const std::string reduction = call.text("reduction", "none");
  const std::int64_t given = call.integer("axis", 0);
  const DraftValue data = call.value(0);
  const DraftValue at = call.value(1);
  const DraftValue updates = call.value(2);
  const std::size_t axis = call.axis(given, call.rank(data));
  if (at.shape != updates.shape || at.shape.rank() != data.shape.rank())
    call.bad(message("its updates do not have the dims of its indices"));
  std::vector<std::size_t> order;
  Pad rest;  // of the rows that no update reaches
  Shape all = at.shape;
  for (std::size_t i = 0; i < data.shape.rank(); ++i) {
    if (i != axis) order.push_back(i);
    if (i != axis && at.shape[i] > data.shape[i]) call.bad(message("its updates are larger than its data"));
    rest.begins.push_back(0);
    rest.ends.push_back(i == axis ? 0 : data.shape[i] - at.shape[i]);
    if (i != axis) all = all.with(i, data.shape[i]);
  }
  order.push_back(axis);
  const std::int64_t places = data.shape[axis];
  const std::int64_t count = at.shape[axis];
  const std::int64_t rows = data.shape.elements() / places;
  const DraftValue size = call.scalar(static_cast<float>(places), "places_of_a_row");
  DraftValue indices = call.add(Binary{BinaryFunction::kMod}, {at, size}, "from_start");
  DraftValue changing = updates;
  if (all != at.shape) {
    changing = call.add(rest, {changing}, "all_updates");
    rest.value = -1;
    indices = call.add(rest, {indices}, "all_indices");
  }
  const DraftValue turned = call.transpose(data, order, "axis_last");
  const Changes changes{call.reshape(turned, Shape{rows, places, 1}, "data"),
                        call.reshape(call.transpose(changing, order, "updates_last"), Shape{rows, count, 1}, "updates"),
                        call.reshape(call.transpose(indices, order, "indices_last"), Shape{rows, 1, count}, "at")};
  const DraftValue made = changed(call, changes, reduction);
  std::vector<std::size_t> back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) back[order[i]] = i;
  return {call.transpose(call.reshape(made, turned.shape, "rows"), back, "in_place").of_type(data.type)};
}

Converted convert_scatter_nd(ConversionContext& call) {
  const auto made = call.computed(1) == nullptr ? scattered(call, targets_nd) : std::nullopt;
  return made ? *made : scattered_at_computed(call);
}
Converted convert_scatter_elements(ConversionContext& call) {
  const auto made = call.computed(1) == nullptr ? scattered(call, targets_along) : std::nullopt;
  return made ? *made : scattered_along_computed(call);
}

constexpr std::array kScatterConverters{
    Converter{"Scatter", convert_scatter_elements},  // until opset 10
    Converter{"ScatterElements", convert_scatter_elements},
    Converter{"ScatterND", convert_scatter_nd},
};

}  // namespace

std::span<const Converter> scatter_converters() { return kScatterConverters; }

}  // namespace iosx::onnx_import
