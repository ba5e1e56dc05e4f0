#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/model/graph/activation.h"
#include "core/model/graph/attributes.h"
#include "core/model/layout/tensor_ref.h"

// Computes convolutions with 3 x 3 kernels, stride 1, no dilation and one group by Winograd's F(4 x 4, 3 x 3): 4 x 4
// output pixels take 36 products per pair of channels instead of 144. Integers do not stay exact.
namespace iosx::cpu {

inline constexpr const char* kWinogradName = "winograd F(4x4, 3x3)";

// Returns whether winograd() computes this convolution. It needs float32 tensors with contiguous channels.
bool winograd_fits(const Conv& conv);
bool winograd_fits(const TensorRef& tensor);

// Convert weights of out channels x in channels x 3 x 3 to the form and order that winograd() reads.
std::int64_t winograd_weight_count(std::int64_t out_channels, std::int64_t in_channels);
std::vector<float> winograd_weights(std::span<const float> weights, std::int64_t out_channels,
                                    std::int64_t in_channels);

struct WinogradConv {
  const float* weights = nullptr;  // from winograd_weights()
  const float* bias = nullptr;     // one per output channel
  Extent padding;                  // above and to the left; reads beyond the input's other ends give zeros
  Activation activation;
};

// Returns how many floats of scratch winograd() needs on a team of that many threads.
std::int64_t winograd_scratch(std::int64_t in_channels, int threads);

// Computes out = activation(conv(in) + bias + residual). The residual may be the output; otherwise they do not overlap.
// Team size does not change the result.
void winograd(const TensorRef& in, const WinogradConv& conv, const std::optional<TensorRef>& residual,
              const TensorRef& out, float* scratch);

}  // namespace iosx::cpu
