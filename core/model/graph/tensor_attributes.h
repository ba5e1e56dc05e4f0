#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/graph/shape.h"

// Operators on tensors of any rank. Axes count those of one sample (shape.h), from 0.
namespace iosx {

// The same elements in row-major order under other dims: also ONNX's Flatten, Squeeze and Unsqueeze.
struct Reshape {
  Shape shape;
  friend bool operator==(const Reshape&, const Reshape&) = default;
};

// Axis i of the output is axis axes[i] of the input.
struct Transpose {
  std::vector<std::size_t> axes;
  friend bool operator==(const Transpose&, const Transpose&) = default;
};

// Element i along an axis of the output is element begins[axis] + i * steps[axis] of the input. Steps may be negative.
// Slices of whole channels with step 1 need no operator: they are Values.
struct Slice {
  std::vector<std::int64_t> begins;
  std::vector<std::int64_t> steps;
  Shape shape;  // of the output
  friend bool operator==(const Slice&, const Slice&) = default;
};

enum class PadMode { kConstant, kReflect, kEdge };

// Adds begins[axis] elements before and ends[axis] after; negative ones crop.
struct Pad {
  PadMode mode = PadMode::kConstant;
  std::vector<std::int64_t> begins;
  std::vector<std::int64_t> ends;
  float value = 0;
  friend bool operator==(const Pad&, const Pad&) = default;
};

enum class ResizeMode { kNearest, kLinear };
enum class ResizeCoordinates { kHalfPixel, kPytorchHalfPixel, kAlignCorners, kAsymmetric };
enum class ResizeRounding { kPreferFloor, kPreferCeil, kFloor, kCeil };

struct Resize {
  ResizeMode mode = ResizeMode::kNearest;
  ResizeCoordinates coordinates = ResizeCoordinates::kHalfPixel;
  ResizeRounding rounding = ResizeRounding::kPreferFloor;  // of kNearest
  std::vector<float> scales;  // one an axis; output size / input size where it was not given
  Shape shape;                // of the output
  friend bool operator==(const Resize&, const Resize&) = default;
};

enum class GridMode { kNearest, kLinear, kCubic };
enum class GridPadding { kZeros, kBorder, kReflection };

// Inputs: a feature map, and for each output pixel where it lies in the map, -1 to 1 from left to right and from top to
// bottom (height × width × 2): ONNX's GridSample.
struct GridSample {
  GridMode mode = GridMode::kLinear;
  GridPadding padding = GridPadding::kZeros;
  bool align_corners = false;  // -1 and 1 are the centres of the outermost pixels, not their outer edges
  friend bool operator==(const GridSample&, const GridSample&) = default;
};

enum class TopKOutput { kValues, kIndices };

// The k largest (or smallest) elements along an axis in descending (ascending) order, or their places; of equal
// elements the first comes first.
struct TopK {
  std::int64_t k = 1;
  std::size_t axis = 0;
  bool largest = true;
  TopKOutput output = TopKOutput::kValues;
  friend bool operator==(const TopK&, const TopK&) = default;
};

enum class RecurrentKind { kRnn, kGru, kLstm };
enum class RecurrentDirection { kForward, kReverse, kBoth };

// ONNX's RNN, GRU and LSTM with their own activations, over positions × sequences × features: the sequences of a batch
// are an axis like any other. Further inputs: none, or the first hidden state (and an LSTM's first cell state), each
// directions × sequences × hidden. Output: positions × directions × sequences × hidden, the hidden states; with
// last_cell one position more, which is no hidden state but the cell state that each direction ends with. Weights: a
// row for each direction, gate (in ONNX's order) and hidden unit, over features and hidden units. Bias: for each
// direction those of the features, those of the hidden state, and three peepholes an LSTM's unit if it has such.
struct Recurrent {
  RecurrentKind kind = RecurrentKind::kLstm;
  RecurrentDirection direction = RecurrentDirection::kForward;
  std::int64_t hidden = 1;
  bool linear_before_reset = false;  // of a GRU
  bool peepholes = false;            // of an LSTM
  bool last_cell = false;            // of an LSTM
  friend bool operator==(const Recurrent&, const Recurrent&) = default;
};

constexpr std::int64_t gates_of(RecurrentKind kind) {
  return kind == RecurrentKind::kLstm ? 4 : kind == RecurrentKind::kGru ? 3 : 1;
}
constexpr std::int64_t directions_of(RecurrentDirection direction) {
  return direction == RecurrentDirection::kBoth ? 2 : 1;
}

struct Softmax {
  std::size_t axis = 0;
  friend bool operator==(const Softmax&, const Softmax&) = default;
};

// Local response normalisation across channels (axis 0).
struct Lrn {
  std::int64_t size = 1;
  float alpha = 1e-4F;
  float beta = 0.75F;
  float bias = 1;
  friend bool operator==(const Lrn&, const Lrn&) = default;
};

enum class ReduceKind {
  kMean,
  kSum,
  kMax,
  kMin,
  kProduct,
  kL1,  // sum of magnitudes
  kL2,  // root of the sum of squares
  kSumOfSquares,
  kArgMax,  // place of the largest element along the only axis
  kArgMin,
};
// "mean", "sum", …
std::string_view reduce_name(ReduceKind kind);
inline bool is_arg(ReduceKind kind) { return kind == ReduceKind::kArgMax || kind == ReduceKind::kArgMin; }

struct Reduce {
  ReduceKind kind = ReduceKind::kMean;
  std::vector<std::size_t> axes;  // ascending
  bool keep_dims = true;
  bool last = false;  // kArgMax, kArgMin: of equal elements the last, not the first
  friend bool operator==(const Reduce&, const Reduce&) = default;
};

// Over all axes from `axis` on together, (x - mean) / √(variance + epsilon), or x / √(mean of x² + epsilon) where not
// centred: layer normalisation and its relatives. Where scaled, then times weights plus bias, both of the shape of the
// axes normalised.
struct Normalize {
  std::size_t axis = 0;
  float epsilon = 1e-5F;
  bool centred = true;
  bool scaled = true;
  friend bool operator==(const Normalize&, const Normalize&) = default;
};

enum class GatherKind {
  kSlices,    // the axis makes way for the axes of the indices: ONNX's Gather
  kElements,  // indices of as many axes as the data, one for each element of the output: GatherElements
};

// Inputs data and indices: what lies at these places of the data's axis. Negative indices count from its end; devices
// read no place outside of the axis, whatever the indices say. Indices are numbers like all others, so that they are
// exact to 2^24 in float32.
struct Gather {
  GatherKind kind = GatherKind::kSlices;
  std::size_t axis = 0;
  friend bool operator==(const Gather&, const Gather&) = default;
};

// Repeats axes of size 1, and the whole along new leading ones, as numpy broadcasts to a shape.
struct Expand {
  Shape shape;
  friend bool operator==(const Expand&, const Expand&) = default;
};

// An operator that no device of ours can execute. It can be shown and scheduled; its cost is an estimate.
struct Opaque {
  std::string type;   // "LSTM", "com.example.Foo"
  std::string place;  // where it stands in its file
  Shape shape;        // of the output, as the file declares it
  friend bool operator==(const Opaque&, const Opaque&) = default;
};

}  // namespace iosx
