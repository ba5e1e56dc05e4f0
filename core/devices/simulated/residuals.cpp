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
  const double z = normal(operator_seed(form), draw);
  return std::exp(residual_spread(residual_kind(form.attributes), microseconds) * z);
}

double normal(std::uint64_t seed, std::uint64_t draw) {
  const std::uint64_t mixed = seed ^ (draw * 0xD6E8FEB86659FD93ULL);
  const double radius = std::sqrt(-2 * std::log(uniform(mixed)));
  return radius * std::cos(2 * std::numbers::pi * uniform(~mixed));
}

}  // namespace iosx::simulated
