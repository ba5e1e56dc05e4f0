#pragma once

#include <span>

#include "core/model/graph/activation.h"
#include "core/model/graph/attributes.h"
#include "core/model/layout/tensor_ref.h"

// The device's own kernels, for tensors with any strides and either data type; arithmetic is in float. They are fastest
// where inputs and output have stride 1 along the same axis, which is the channel axis of feature maps.
//
// Each kernel runs on the calling thread's team (small work on the calling thread alone) and writes its whole output.
// Attributes count axes of one sample: their axis a is axis a + 1 of a TensorRef, whose axis 0 is the batch. Inputs and
// outputs do not overlap, except where a function works in place. Mismatched dims are bugs of the caller, which
// IOS_CHECK finds.
namespace iosx::cpu {

// Copies the elements to other strides and another data type. views.h has broadcast, transposed and sliced
// inputs.
void copy(const TensorRef& in, const TensorRef& out);

// Copies the elements in row-major order to other dims with the same product.
void reshape_copy(const TensorRef& in, const TensorRef& out);

void fill(const TensorRef& out, float value);
void pad(const TensorRef& in, const TensorRef& out, const Pad& pad);

// The rank is 0 to 8 without the batch; linear interpolation works along any number of axes.
void resize(const TensorRef& in, const TensorRef& out, const Resize& resize);

// Keep or drop the reduced axes as the attributes say. reduce() writes values, arg_reduce() their places.
void reduce(const TensorRef& in, const TensorRef& out, const Reduce& reduce);
void arg_reduce(const TensorRef& in, const TensorRef& out, const Reduce& reduce);

// Indices outside the axis count as its nearest end.
void gather(const TensorRef& data, const TensorRef& indices, const TensorRef& out, const Gather& gather);

// scale and shift are row-major over the normalised axes, or both empty. It works in place.
void normalize(const TensorRef& in, std::span<const float> scale, std::span<const float> shift, const TensorRef& out,
               const Normalize& normalize);

// All tensors have out's dims, with stride 0 where they broadcast.
void select(const TensorRef& condition, const TensorRef& yes, const TensorRef& no, const TensorRef& out);

// Writes the largest elements along an axis or their places, as the attributes say.
void top_k(const TensorRef& in, const TensorRef& out, const TopK& top);

// The axes of in are batch, channels, height, width; those of grid are batch, height, width, 2.
void grid_sample(const TensorRef& in, const TensorRef& grid, const TensorRef& out, const GridSample& sample);

void softmax(const TensorRef& in, const TensorRef& out, const Softmax& softmax);

// Normalises over all channels, the axis after the batch. It works in place.
void lrn(const TensorRef& in, const TensorRef& out, const Lrn& lrn);

// The axes of both are batch, channels, height, width.
void pool(const TensorRef& in, const TensorRef& out, const Pool& pool);

// Computes after(a op b). Both inputs have out's dims, with stride 0 where they broadcast. It works in place where
// an input has out's strides and type.
void binary(BinaryFunction op, const TensorRef& a, const TensorRef& b, const TensorRef& out,
            const Activation& after = Activation::kIdentity);

// Does the same for one or more inputs, from left to right.
void combine(BinaryFunction op, std::span<const TensorRef> inputs, const TensorRef& out,
             const Activation& after = Activation::kIdentity);

// Computes the affine with a scale and a shift for each channel. It works in place.
void affine(const TensorRef& in, std::span<const float> scale, std::span<const float> shift, const TensorRef& out,
            const Affine& affine);

// It works in place.
void activate(const TensorRef& in, const TensorRef& out, const Activation& function);

// The last two axes are m x k, k x n and m x n. The other axes are equal, with stride 0 where an input broadcasts.
void matmul(const TensorRef& a, const TensorRef& b, const TensorRef& out);
// Does the same, but skips products with a 0.
void sparse_matmul(const TensorRef& a, const TensorRef& b, const TensorRef& out);

}  // namespace iosx::cpu
