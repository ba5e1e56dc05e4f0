#include "core/devices/cpu/winograd_error.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "core/devices/cpu/kernels/winograd.h"
#include "core/devices/cpu/team.h"
#include "core/model/layout/layout.h"

namespace iosx::cpu {
namespace {

constexpr std::int64_t kSide = 4;  // of the tile
constexpr std::int64_t kPatchSide = kSide + 2;
constexpr std::int64_t kTaps = 9;

// Returns numbers between `least` and 1.
std::vector<float> sample(std::int64_t count, float least) {
  std::minstd_rand generator;  // the same numbers everywhere, which std::uniform_real_distribution's need not be
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = least + (1 - least) * static_cast<float>(generator() % 65'536) / 65'536;
  return values;
}

// Returns the outputs of one pixel: `patch` has the channels of a pixel side by side.
std::vector<double> direct(std::span<const float> weights, std::int64_t out_channels, std::int64_t in_channels,
                           const float* patch) {
  std::vector<double> sums(static_cast<std::size_t>(out_channels));
  for (std::int64_t o = 0; o < out_channels; ++o) {
    double sum = 0;
    const float* taps = weights.data() + o * in_channels * kTaps;
    for (std::int64_t c = 0; c < in_channels; ++c) {
      for (std::int64_t t = 0; t < kTaps; ++t, ++taps) {
        sum += double{*taps} * double{patch[(t / 3 * kPatchSide + t % 3) * in_channels + c]};
      }
    }
    sums[static_cast<std::size_t>(o)] = sum;
  }
  return sums;
}

}  // namespace

namespace {

double error_of(std::span<const float> weights, std::int64_t out_channels, std::int64_t in_channels,
                std::vector<float> input) {
  std::vector<float> output(static_cast<std::size_t>(kSide * kSide * out_channels));
  std::vector<float> scratch(static_cast<std::size_t>(winograd_scratch(in_channels, Team::current().size())));
  const std::vector<float> transformed = winograd_weights(weights, out_channels, in_channels);
  const std::vector<float> bias(static_cast<std::size_t>(out_channels));
  const auto tensor = [](std::int64_t channels, std::int64_t side, std::vector<float>& values) {
    return tensor_ref(Shape{channels, side, side}, 1, DataType::kFloat32, values.data());
  };
  const WinogradConv work{transformed.data(), bias.data(), {0, 0}, Activation::kIdentity};
  winograd(tensor(in_channels, kPatchSide, input), work, {}, tensor(out_channels, kSide, output), scratch.data());
  double largest = 0;
  double error = 0;
  for (std::int64_t pixel = 0; pixel < kSide * kSide; ++pixel) {
    const float* const patch = input.data() + (pixel / kSide * kPatchSide + pixel % kSide) * in_channels;
    const std::vector<double> right = direct(weights, out_channels, in_channels, patch);
    for (std::int64_t o = 0; o < out_channels; ++o) {
      const double value = right[static_cast<std::size_t>(o)];
      largest = std::max(largest, std::abs(value));
      error = std::max(error, std::abs(value - output[static_cast<std::size_t>(pixel * out_channels + o)]));
    }
  }
  return largest > 0 ? error / largest : 0;
}

}  // namespace

double winograd_error(std::span<const float> weights, std::int64_t out_channels, std::int64_t in_channels) {
  const std::int64_t count = kPatchSide * kPatchSide * in_channels;
  return std::max(error_of(weights, out_channels, in_channels, sample(count, -1)),
                  error_of(weights, out_channels, in_channels, sample(count, 0)));  // as after an activation
}

bool WinogradLayers::accurate(const std::shared_ptr<const Parameters>& parameters,
                              std::span<const OperatorId> operators, FunctionRef<bool()> find_out) {
  std::erase_if(known_, [](const auto& each) { return each.first.expired(); });
  const std::vector<OperatorId> layer(operators.begin(), operators.end());
  if (const auto at = known_.find(parameters); at != known_.end() && at->second.contains(layer)) {
    return at->second.at(layer);
  }
  const bool accurate = find_out();  // which throws where memory is short: then nothing is known
  known_[parameters].emplace(layer, accurate);
  return accurate;
}

}  // namespace iosx::cpu
