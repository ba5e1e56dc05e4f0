#include "core/devices/simulated/residuals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/model/graph/operator_table.h"

namespace iosx::simulated {
namespace {

constexpr double kOfMeanError = 1.2533;  // standard deviation over mean absolute value, of a normal distribution

// Float32 products below 20 µs have 15 rows in whole µs, too few to use. Mean absolute errors up to 20, 50, 100, 300
// and 1000 µs, and above, by kind. A test compares them with validation.
constexpr std::array<double, 5> kUpTo{20, 50, 100, 300, 1000};
constexpr std::array<std::array<double, 6>, 4> kMeanErrors{{
    {0.169, 0.154, 0.146, 0.115, 0.080, 0.084},  // convolutions; the first of float16 on tensor cores
    {0.229, 0.137, 0.168, 0.120, 0.112, 0.075},  // matrix products; the first of float16 on tensor cores
    {0.026, 0.026, 0.017, 0.009, 0.010, 0.010},  // streams
    {0.061, 0.061, 0.066, 0.068, 0.087, 0.086},  // rows
}};

struct Sorter {
  ResidualKind operator()(const OneOf<Conv, ConvTranspose> auto& /*convolution*/) { return ResidualKind::kConvolution; }
  ResidualKind operator()(const OneOf<MatMul, Linear, Recurrent> auto& /*product*/) { return ResidualKind::kMatrix; }
  ResidualKind operator()(const OneOf<Softmax, Normalize, Reduce> auto& /*rows*/) { return ResidualKind::kRows; }
  ResidualKind otherwise() { return ResidualKind::kStream; }
};

// Returns a number in (0, 1) for every number, as if drawn (SplitMix64).
double uniform(std::uint64_t number) {
  number += 0x9E3779B97F4A7C15ULL;
  number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9ULL;
  number = (number ^ (number >> 27)) * 0x94D049BB133111EBULL;
  number ^= number >> 31;
  return (static_cast<double>(number >> 11) + 0.5) * 0x1p-53;
}

// Returns a number for the operator that the kernel computes, whatever is fused into it: a convolution with a residual
// sum and an activation is off as the one without is.
std::uint64_t seed_of(const KernelForm& form) {
  std::uint64_t seed = 0x9E3779B97F4A7C15ULL;
  const auto add = [&](std::int64_t part) {
    seed = (seed ^ static_cast<std::uint64_t>(part)) * 0xFF51AFD7ED558CCDULL;
    seed ^= seed >> 32;
  };
  const auto add_extent = [&](const Extent& extent) {
    add(extent.height);
    add(extent.width);
  };
  add(static_cast<std::int64_t>(form.attributes.index()));
  add(form.batch);
  for (const std::int64_t size : form.output.dims()) add(size);
  const auto* conv = std::get_if<Conv>(&form.attributes);
  const bool may_hold_residual = conv != nullptr || std::holds_alternative<Linear>(form.attributes);
  for (std::size_t i = 0; i < form.reads.size() && (i == 0 || !may_hold_residual); ++i) {
    for (const std::int64_t size : form.reads[i].shape.dims()) add(size);
  }
  if (conv != nullptr) {
    add_extent(conv->kernel);
    add_extent(conv->stride);
    add_extent(conv->dilation);
    add(conv->groups);
  }
  if (const auto* pool = std::get_if<Pool>(&form.attributes)) {
    add(static_cast<std::int64_t>(pool->kind));
    add_extent(pool->kernel);
    add_extent(pool->stride);
  }
  return seed;
}

}  // namespace

ResidualKind residual_kind(const Attributes& attributes) {
  Sorter sorter;
  return visit_kind(sorter, attributes);
}

double residual_spread(ResidualKind kind, double microseconds) {
  const auto size = static_cast<std::size_t>(std::ranges::upper_bound(kUpTo, microseconds) - kUpTo.begin());
  return kOfMeanError * kMeanErrors.at(static_cast<std::size_t>(kind)).at(size);
}

double residual_factor(const KernelForm& form, double microseconds, std::uint64_t draw) {
  const std::uint64_t seed = seed_of(form) ^ (draw * 0xD6E8FEB86659FD93ULL);
  const double radius = std::sqrt(-2 * std::log(uniform(seed)));
  const double z = radius * std::cos(2 * std::numbers::pi * uniform(~seed));
  return std::exp(residual_spread(residual_kind(form.attributes), microseconds) * z);
}

}  // namespace iosx::simulated
