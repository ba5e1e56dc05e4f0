#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/shape.h"

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

struct ReduceMean {
  std::vector<std::size_t> axes;  // ascending
  bool keep_dims = true;
  friend bool operator==(const ReduceMean&, const ReduceMean&) = default;
};

// An operator that no device of ours can execute. It can be shown and scheduled; its cost is an estimate.
struct Opaque {
  std::string type;   // "LSTM", "com.example.Foo"
  std::string place;  // where it stands in its file
  Shape shape;        // of the output, as the file declares it
  friend bool operator==(const Opaque&, const Opaque&) = default;
};

}  // namespace iosx
