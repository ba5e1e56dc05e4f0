#pragma once

#include <concepts>
#include <variant>

#include "core/model/graph/activation.h"
#include "core/model/graph/tensor.h"

// These types say what operators compute. Axes count those of one sample (tensor.h), from 0; ONNX's definitions hold
// where a comment does not say otherwise.
namespace iosx {

// A size along the two spatial axes, in pixels.
struct Extent {
  std::int64_t height = 1;
  std::int64_t width = 1;
  friend bool operator==(const Extent&, const Extent&) = default;
};

// A graph input (placeholder).
struct Input {
  Shape shape;
  friend bool operator==(const Input&, const Input&) = default;
};

// A tensor that is part of the model: the operator's weights (parameters.h). The same for every sample of a batch.
struct Constant {
  Shape shape;
  friend bool operator==(const Constant&, const Constant&) = default;
};

// Convolution with bias and a fused activation. Weights out_channels × channels / groups × kernel.
struct Conv {
  std::int64_t out_channels = 0;
  Extent kernel;
  Extent stride;
  Extent padding{0, 0};  // on both sides of an axis
  Extent dilation;
  std::int64_t groups = 1;
  Activation activation = Activation::kIdentity;
  // Names of the convolutions that this one replaced, in channel order; empty unless it was merged.
  std::vector<std::string> merged_from;
  Extent end_padding{0, 0};  // added to the padding below and to the right; may be negative
  friend bool operator==(const Conv&, const Conv&) = default;
};

// Transposed convolution with bias. Weights channels × out_channels / groups × kernel.
struct ConvTranspose {
  std::int64_t out_channels = 0;
  Extent kernel;
  Extent stride;
  Extent padding{0, 0};  // cropped on both sides of an axis
  Extent dilation;
  std::int64_t groups = 1;
  Activation activation = Activation::kIdentity;
  Extent end_padding{0, 0};     // cropped further below and to the right; may be negative
  Extent output_padding{0, 0};  // added to the output's size below and to the right
  friend bool operator==(const ConvTranspose&, const ConvTranspose&) = default;
};

enum class PoolKind { kMax, kAverage, kGlobalMax, kGlobalAverage };

// Global pooling ignores the window and keeps the rank.
struct Pool {
  PoolKind kind = PoolKind::kMax;
  Extent kernel;
  Extent stride;
  Extent padding{0, 0};
  bool ceil_mode = false;     // round the output size up instead of down
  Extent dilation{1, 1};      // of max pooling
  bool count_padding = true;  // average pooling counts the padding in its mean
  Extent end_padding{0, 0};   // added to the padding below and to the right; may be negative
  friend bool operator==(const Pool&, const Pool&) = default;
};

// A separate activation (a fused one belongs to its Conv, Linear or Affine).
struct Activate {
  Activation function = Activation::kRelu;
  friend bool operator==(const Activate&, const Activate&) = default;
};

// scale · x + shift per channel (axis 0), then the activation: a batch normalisation that no convolution took in. With
// shift_first it is scale · (x + shift), exactly in this order: numbers of a quantised tensor, whose zero point then
// gives 0. Weights: scale; bias: shift.
struct Affine {
  Activation activation = Activation::kIdentity;
  bool shift_first = false;
  friend bool operator==(const Affine&, const Affine&) = default;
};

// Element-wise, of two or more shapes that broadcast as numpy's.
struct Add {
  friend bool operator==(const Add&, const Add&) = default;
};
struct Mul {
  friend bool operator==(const Mul&, const Mul&) = default;
};

// The same of two, by any other function: sums and products are Add and Mul.
struct Binary {
  BinaryFunction function = BinaryFunction::kSub;
  friend bool operator==(const Binary&, const Binary&) = default;
};

// Inputs condition, x and y, which broadcast: x where the condition is not 0, otherwise y.
struct Where {
  friend bool operator==(const Where&, const Where&) = default;
};

struct Concat {
  std::size_t axis = 0;
  friend bool operator==(const Concat&, const Concat&) = default;
};

// Copy of one value.
struct Identity {
  friend bool operator==(const Identity&, const Identity&) = default;
};

// Fully connected layer, with bias: of the whole input, flattened, or of every place of the axes before `axis` by
// itself (a token's features). Output: the axes before, then one of out_features. Weights out_features × input
// features.
struct Linear {
  std::int64_t out_features = 0;
  Activation activation = Activation::kIdentity;
  std::size_t axis = 0;
  friend bool operator==(const Linear&, const Linear&) = default;
};

// Matrix product over the last two axes, as numpy's matmul.
struct MatMul {
  // What meets a 0 does not count, NaN and infinities neither: the matrix says which elements are added up at all.
  bool sparse = false;
  friend bool operator==(const MatMul&, const MatMul&) = default;
};

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

// An operator that no device of ours can execute. It can be shown and scheduled. Unless its cost is known, nobody knows
// the latency of what contains it, and unless its shape is, of what follows from it either.
struct Opaque {
  std::string type = {};          // "LSTM", "com.example.Foo"
  std::string place = {};         // where it stands in its file
  Shape shape = {};               // of the output
  bool costed = false;            // the next three are known
  std::int64_t flops = 0;         // of one sample
  std::int64_t parameters = 0;    // of its weights, in elements
  std::int64_t weight_bytes = 0;  // as its file packs those of them that one run reads
  bool guessed = false;           // the shape is not known: it stands for any
  friend bool operator==(const Opaque&, const Opaque&) = default;
};

template <typename Kind, typename... Kinds>
concept OneOf = (std::same_as<Kind, Kinds> || ...);

// A new kind is one more of these; operator_table.h leads to everything else that it needs.
using Attributes = std::variant<Input, Constant, Conv, ConvTranspose, Pool, Activate, Affine, Add, Mul, Binary, Where,
                                Concat, Identity, Linear, MatMul, Recurrent, TopK, GridSample, Reshape, Expand,
                                Transpose, Slice, Pad, Resize, Gather, Softmax, Normalize, Lrn, Reduce, Opaque>;

}  // namespace iosx
