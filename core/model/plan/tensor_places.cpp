#include "core/model/plan/tensor_places.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/components.h"
#include "core/model/graph/operator_table.h"
#include "core/model/schedule/merge.h"

namespace iosx {

TensorPlaces::TensorPlaces(const Graph& graph, std::int64_t batch, const LowerOptions& wishes)
    : graph_(graph),
      concats_(wishes.concat_in_place ? ConcatPlaces(graph) : ConcatPlaces()),
      seen_(wishes.strided_products ? SeenTensors(graph, batch, concats_, wishes.fuse_attention) : SeenTensors()) {
  const std::vector<bool> row_major = row_major_outputs(graph);
  for (std::size_t i = 0; i < graph.operators().size(); ++i) {
    const OperatorId id(i);
    const Operator& op = graph.op(id);
    const ChannelPlace place = concats_.of(id);
    places_.push_back({RegionId(place.root.index()), place.begin});
    regions_.push_back({op.name, op.output, id, op.is_constant(), row_major[i], 0, 0});
  }
  pad_inputs(wishes.input_channel_multiple);
  const bool free_slices =
      wishes.free_slices == FreeSlices::kAlways || (wishes.free_slices == FreeSlices::kOneSample && batch == 1);
  place_siblings(free_slices, wishes.free_columns);
  for (std::size_t i = 0; i < places_.size(); ++i) places_[i] = places_[seen_.stored(OperatorId(i)).index()];
}

Place TensorPlaces::of(const Value& value) const {
  Place place = of(value.producer);
  if (seen_.stored(value.producer) != value.producer) return place;
  IOS_CHECK(region(place.region).axis == 0 || value == graph_.whole(value.producer));
  place.begin += value.begin;
  return place;
}

std::int64_t TensorPlaces::channels(const Value& value) const {
  const OperatorId stored = seen_.stored(value.producer);
  const Value held = stored == value.producer ? value : graph_.whole(stored);
  const std::size_t axis = region(of(stored).region).axis;
  return axis == 0 ? held.channels() : graph_.op(stored).output[axis];
}

// See LowerOptions::input_channel_multiple.
void TensorPlaces::pad_inputs(std::int64_t multiple) {
  IOS_CHECK(multiple >= 1 && multiple <= kMostInputChannelMultiple);
  for (const OperatorId input : graph_.inputs()) {
    Region& region = regions_[input.index()];
    const std::int64_t surplus = region.shape.is_feature_map() ? region.shape.channels() % multiple : 0;
    const auto takes_blank = [&](OperatorId reader) {
      const Operator& op = graph_.op(reader);
      const Conv* const conv = op.as<Conv>();
      if (conv == nullptr || conv->groups != 1 || op.inputs.front() != graph_.whole(input)) return false;
      return op.inputs.front().channels() > 1 || conv->out_channels > 1;  // from one to one it is depthwise
    };
    const std::span<const OperatorId> readers = graph_.consumers(input);
    if (surplus == 0 || readers.empty() || !std::ranges::all_of(readers, takes_blank)) continue;
    IOS_CHECK(!region.row_major);  // what a convolution reads is made of pixels
    region.blank = multiple - surplus;
    region.shape = region.shape.with(0, region.shape.channels() + region.blank);
  }
}

// Not what a concatenation has already placed. Slices along another axis than the first are of whole outputs, and lie
// as columns do.
bool TensorPlaces::may_lie_side_by_side(OperatorId layer, std::size_t axis) const {
  if (concats_.of(layer).root != layer || concats_.shared(layer)) return false;
  if (axis == 0) return true;
  const Region& own = regions_[layer.index()];
  if (own.shape.is_feature_map() && !own.row_major) return false;
  return std::ranges::all_of(graph_.consumers(layer), [&](OperatorId reader) {
    return std::ranges::all_of(graph_.op(reader).inputs, [&](const Value& value) {
      return value.producer != layer || value == graph_.whole(layer);
    });
  });
}

// A region for every set of layers that can be merged with one another, in the order of the graph.
void TensorPlaces::place_siblings(bool free_slices, bool free_columns) {
  if (!free_slices && !free_columns) return;
  for (const std::vector<UnitId>& siblings : mergeable_sets(graph_)) {
    const auto* const linear = merging_layer(graph_, siblings.front())->as<Linear>();
    if (linear == nullptr ? !free_slices : !free_columns) continue;
    const std::size_t axis = linear == nullptr ? 0 : linear->axis;
    std::vector<OperatorId> free;
    for (const UnitId unit : siblings) {
      const OperatorId op = graph_.unit(unit).operators.front();
      if (may_lie_side_by_side(op, axis)) free.push_back(op);
    }
    if (free.size() < 2) continue;
    const RegionId region(regions_.size());
    std::int64_t channels = 0;
    std::string name;
    for (const OperatorId op : free) {
      places_[op.index()] = {region, channels};
      channels += graph_.op(op).output[axis];
      name += (name.empty() ? "" : " + ") + graph_.op(op).name;
    }
    const Region& first = regions_[free.front().index()];
    const bool row_major = axis != 0 && first.row_major;
    regions_.push_back({std::move(name), first.shape.with(axis, channels), free.front(), false, row_major, 0, axis});
  }
}

namespace {

// How an operator treats its tensors.
enum class Look {
  kPixels,  // as channels of pixels
  kAlike,   // at elements, or along any axis: inputs and output had better lie alike
  kApart,   // its output lies as it likes
};

struct LookOf {
  Look operator()(const OneOf<Conv, ConvTranspose, Pool, Resize, Lrn, GridSample> auto& /*pixels*/) const {
    return Look::kPixels;
  }
  Look otherwise() const { return Look::kAlike; }
  Look operator()(
      const OneOf<Input, Constant, Linear, MatMul, Recurrent, TopK, Reshape, Transpose, Gather> auto& /*apart*/) const {
    return Look::kApart;
  }
};

}  // namespace

std::vector<bool> row_major_outputs(const Graph& graph) {
  const auto& operators = graph.operators();
  Components alike(operators.size());  // in the order of memory
  std::vector<bool> pixels(operators.size(), false);
  for (std::size_t i = 0; i < operators.size(); ++i) {
    const Look look = visit_kind(LookOf{}, operators[i].attributes);
    pixels[i] = pixels[i] || look == Look::kPixels;
    if (look == Look::kApart) continue;
    for (const Value& input : operators[i].inputs) {
      const std::size_t producer = input.producer.index();
      if (!operators[producer].output.is_feature_map()) continue;
      pixels[producer] = pixels[producer] || look == Look::kPixels;
      if (operators[i].output.is_feature_map()) alike.connect(producer, i);
    }
  }
  for (std::size_t i = 0; i < operators.size(); ++i) {
    if (pixels[i]) pixels[alike.lowest(i)] = true;
  }
  std::vector<bool> row_major(operators.size());
  for (std::size_t i = 0; i < operators.size(); ++i) {
    row_major[i] = operators[i].output.is_feature_map() && !pixels[alike.lowest(i)];
  }
  return row_major;
}

}  // namespace iosx
