#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/model/graph/activation.h"
#include "core/model/graph/attributes.h"
#include "core/model/layout/tensor_ref.h"

// This computes convolutions with a kernel of 3 x 3, stride 1, no dilation and one group by Winograd's F(4 x 4, 3 x 3):
// 4 x 4 pixels of the output take 36 products for each pair of channels instead of 144. Integers do not stay exact.
namespace iosx::cpu {

inline constexpr const char* kWinogradName = "winograd F(4x4, 3x3)";

// Says whether winograd() computes this convolution. It takes tensors of float32 with the channels side by side.
bool winograd_fits(const Conv& conv);
bool winograd_fits(const TensorRef& tensor);

// Puts weights of out channels x in channels x 3 x 3 into the form and order in which winograd() reads them.
std::int64_t winograd_weight_count(std::int64_t out_channels, std::int64_t in_channels);
std::vector<float> winograd_weights(std::span<const float> weights, std::int64_t out_channels,
                                    std::int64_t in_channels);

struct WinogradConv {
  const float* weights = nullptr;  // of winograd_weights()
  const float* bias = nullptr;     // one an output channel
  Extent padding;  // above and to the left; zeros beyond the input's end as far as the output asks for them
  Activation activation;
};

// Returns how many floats winograd() needs besides its tensors, on a team of so many threads.
std::int64_t winograd_scratch(std::int64_t in_channels, int threads);

// Computes out = activation(conv(in) + bias + residual). The residual may be the output, otherwise they do not overlap.
// The numbers are the same whatever the team.
void winograd(const TensorRef& in, const WinogradConv& conv, const std::optional<TensorRef>& residual,
              const TensorRef& out, float* scratch);

}  // namespace iosx::cpu
