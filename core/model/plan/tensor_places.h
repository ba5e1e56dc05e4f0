#pragma once

#include "core/model/graph/concat_places.h"
#include "core/model/graph/graph.h"
#include "core/model/plan/lower_options.h"
#include "core/model/plan/seen_tensors.h"

namespace iosx {

using RegionId = Id<struct RegionTag>;

// The memory of one buffer in every plan of a graph.
struct Region {
  std::string name;
  Shape shape;  // includes blank channels
  // The operator whose output lies in it from channel 0 on: its own, or the first of layers that share it.
  OperatorId owner;
  bool constant = false;
  bool row_major = false;  // see Buffer
  std::int64_t blank = 0;  // see Buffer
  std::size_t axis = 0;    // see Buffer
};

struct Place {
  RegionId region;
  std::int64_t begin = 0;  // channel, along the region's axis
  friend bool operator==(const Place&, const Place&) = default;
};

// The place of every operator's output: the contract between stages. It depends on the graph, the batch and the
// device's requirements, never on a schedule, so that a stage reads and writes the same strides by itself and in every
// run. An output lies
// - in its place of a concatenation (ConcatPlaces), if the device wants that;
// - in another tensor in which matrix products see it (SeenTensors), if the device multiplies so;
// - side by side with the layers that it could be merged with, if the device reads slices of channels for free, or
//   columns if they are linear: merging neighbours then needs no copy;
// - otherwise densely in its own region; an input's may end in blank channels.
class TensorPlaces {
 public:
  TensorPlaces(const Graph& graph, std::int64_t batch, const LowerOptions& wishes);

  Place of(OperatorId id) const { return places_[id.index()]; }
  Place of(const Value& value) const;
  // Returns how many channels of its region a value takes, without blank ones.
  std::int64_t channels(const Value& value) const;
  const Region& region(RegionId id) const { return regions_[id.index()]; }
  std::size_t region_count() const { return regions_.size(); }
  // Returns the axes in which the value is seen in the channels of its place; empty: its own.
  std::vector<SeenAxis> seen(const Value& value) const { return seen_.seen(value); }
  // Returns whether a kernel computes the operator.
  bool has_kernel(OperatorId id) const { return seen_.has_kernel(id); }
  // Returns whether input i of a concatenation along axis 0 needs no copy once computed.
  bool in_place(OperatorId concat, std::size_t i) const { return concats_.in_place(graph_, concat, i); }

 private:
  void pad_inputs(std::int64_t multiple);
  bool may_lie_side_by_side(OperatorId layer, std::size_t axis) const;
  void place_siblings(bool free_slices, bool free_columns);

  const Graph& graph_;
  ConcatPlaces concats_;
  SeenTensors seen_;
  std::vector<Place> places_;    // by operator
  std::vector<Region> regions_;  // by operator; then those of siblings
};

// Returns by operator whether its output has three axes but is no feature map, because no reader, also after
// elementwise operators, treats it as channels of pixels: rows of heads, windows of tokens. Devices store such
// tensors in the order of their axes. It depends on the graph alone.
std::vector<bool> row_major_outputs(const Graph& graph);

}  // namespace iosx
