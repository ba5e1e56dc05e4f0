#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>

#include "core/model/graph/attributes.h"
#include "core/model/layout/tensor_ref.h"
#include "core/model/layout/views.h"

// Launches of our own kernels, as values. Tensors are device memory; in and out have one element type unless a comment
// says otherwise; sums are float32. An input may repeat (stride 0), `out` may be any strided view, and neither overlaps
// the other; but an input of Combine, Affine, Normalize and Softmax and the residual of Depthwise may be the same view
// as out. Feature maps are channels-last, so channels are contiguous for speed, but any strides are computed correctly.
namespace iosx::gpu {

// The types may differ: it also converts.
struct CopyCall {
  TensorRef in;
  TensorRef out;
};

// Joins the inputs along the axis into `out`.
struct ConcatCall {
  static constexpr std::size_t kMaxInputs = 8;  // longer concatenations are several calls, each for a part of the axis
  std::size_t count = 0;
  std::array<TensorRef, kMaxInputs> in;
  TensorRef out;
  std::size_t axis = 1;  // of the TensorRefs
};

// Fills with uniform numbers in (-1, 1) from seed and element index alone, because timing on zeros misleads.
struct FillCall {
  TensorRef out;
  std::uint32_t seed = 0;
};

// Computes activation(in[0] op in[1] op …). Inputs are already broadcast to out's dims.
struct CombineCall {
  static constexpr std::size_t kMaxInputs = 4;  // longer sums are several calls, with the output among their inputs
  BinaryFunction op = BinaryFunction::kAdd;
  std::size_t count = 0;
  std::array<TensorRef, kMaxInputs> in;
  TensorRef out;
  Activation activation = Activation::kIdentity;
};

// Computes activation(in · scale + shift) per channel (axis 1), or activation((in + shift) · scale) with shift_first;
// scale may be null for 1. With in = the output of a
// convolution, a null scale and shift = its bias, it computes what a library did not fuse.
struct AffineCall {
  TensorRef in;
  const float* scale = nullptr;
  const float* shift = nullptr;
  TensorRef out;
  Activation activation = Activation::kIdentity;
  bool shift_first = false;
};

// Here groups = channels = out channels. Weights are kernel × channels, in the tensors' type, like bias (may be null).
struct DepthwiseCall {
  TensorRef in;
  const void* weights = nullptr;
  const void* bias = nullptr;
  TensorRef residual;  // data null: none
  TensorRef out;
  Extent kernel;
  Extent stride;
  Extent dilation;
  Extent padding{0, 0};                       // before the first pixel; the end follows from out's size
  Activation before = Activation::kIdentity;  // of the numbers of `in`, not of padding: a rectifier or clip
  Activation activation = Activation::kIdentity;
};

// Pools in windows. Global pooling is a ReduceCall.
struct PoolCall {
  TensorRef in;
  TensorRef out;
  Pool pool;
};

// Computes out = condition is not 0 ? yes : no. All are already broadcast to out's dims.
struct WhereCall {
  TensorRef condition;
  TensorRef yes;
  TensorRef no;
  TensorRef out;
};

// See GatherViews; indices outside the axis count as its nearest end.
struct GatherCall {
  GatherViews from;
  TensorRef out;
};

// out has in's rank, with size 1 along the reduced axes. No kArgMax or kArgMin.
//
// A long reduction may be two calls (reduce_parts.h). The first reduces the elements of each result in `parts` runs to
// unfinished float32 sums: `out` is dense and followed by one more tensor per further part. The second reads them as
// `in` and makes results of `joined` elements each.
struct ReduceCall {
  ReduceKind reduction = ReduceKind::kMean;
  TensorRef in;
  TensorRef out;
  std::int64_t parts = 1;
  std::int64_t joined = 0;  // 0: in has the elements themselves
};

// Finds the place of the largest or smallest element along the axis. out has in's rank, with size 1 along the axis.
struct ArgCall {
  TensorRef in;
  TensorRef out;
  std::size_t axis = 1;  // of the TensorRef
  bool largest = true;
  bool last = false;  // among equal elements
};

// Normalises over all axes from `axis` on. scale and shift are row-major over them, or both null.
struct NormalizeCall {
  TensorRef in;
  const float* scale = nullptr;
  const float* shift = nullptr;
  TensorRef out;
  std::size_t axis = 1;  // of the TensorRef
  float epsilon = 0;
  bool centred = true;
};

// Computes the softmax of scale · in.
struct SoftmaxCall {
  TensorRef in;
  TensorRef out;
  std::size_t axis = 1;  // of the TensorRef
  float scale = 1;
};

struct LrnCall {
  TensorRef in;
  TensorRef out;
  Lrn lrn;
};

// begins[axis] for the TensorRef's axes (0 for the batch); the mode gives the values outside `in`.
struct PadCall {
  TensorRef in;
  TensorRef out;
  PadMode mode = PadMode::kConstant;
  float value = 0;
  std::array<std::int64_t, TensorRef::kMaxRank> begins{};
};

struct ResizeCall {
  TensorRef in;
  TensorRef out;
  ResizeMode mode = ResizeMode::kNearest;
  ResizeCoordinates coordinates = ResizeCoordinates::kHalfPixel;
  ResizeRounding rounding = ResizeRounding::kPreferFloor;
  std::array<float, TensorRef::kMaxRank> scales{};  // by the TensorRef's axes
};

// Writes the same elements in row-major order of the dims, for any order in memory.
struct ReshapeCall {
  TensorRef in;
  TensorRef out;
};

// Computes scale · a b of matrices of the last two axes. All ranks are equal; outer axes broadcast to out's.
struct MatMulCall {
  TensorRef a;
  TensorRef b;
  TensorRef out;
  float scale = 1;
};

// The second step of squeeze and excitation (Excitation): computes out = in · gate, a number for every channel of each
// sample. At most 2048 channels, 256 squeezed.
struct ExciteCall {
  TensorRef sums;  // float32, dense, samples × channels: of the first part of the pixels; those of others follow
  std::int64_t parts = 1;
  const void* squeeze = nullptr;  // squeezed × channels, in the tensors' type
  const float* squeeze_bias = nullptr;
  const void* excite = nullptr;  // channels × squeezed
  const float* excite_bias = nullptr;
  std::int64_t squeezed = 0;
  Activation inner = Activation::kIdentity;
  Activation gate = Activation::kIdentity;
  TensorRef in;
  TensorRef out;
};

using KernelCall = std::variant<CopyCall, ConcatCall, FillCall, CombineCall, AffineCall, DepthwiseCall, PoolCall,
                                ReduceCall, SoftmaxCall, LrnCall, PadCall, ResizeCall, ReshapeCall, MatMulCall,
                                WhereCall, GatherCall, ArgCall, NormalizeCall, ExciteCall>;

}  // namespace iosx::gpu
