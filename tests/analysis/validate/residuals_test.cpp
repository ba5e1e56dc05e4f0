// The spread by which simulated devices are redrawn is that of the model's errors.
#include "core/devices/simulated/residuals.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "core/analysis/validate/operators.h"
#include "models/devices/simulated_devices.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

simulated::ResidualKind residual_kind_of(MeasuredKind kind) {
  switch (kind) {
    case MeasuredKind::kConvolution: return simulated::ResidualKind::kConvolution;
    case MeasuredKind::kMatrix: return simulated::ResidualKind::kMatrix;
    case MeasuredKind::kRows: return simulated::ResidualKind::kRows;
    case MeasuredKind::kStream:
    case MeasuredKind::kPool:
    case MeasuredKind::kLaunches: break;
  }
  return simulated::ResidualKind::kStream;
}

TEST(ResidualSpread, IsThatOfTheMeasuredOperators) {
  const auto folder = test::reference_folder() / "gpu_operators";
  if (test::reference_folder().empty() || !std::filesystem::exists(folder))
    GTEST_SKIP() << "the folder with measured operators is not here";
  constexpr std::size_t kEnough = 100;  // rows: of fewer the mean says little
  constexpr std::array kUpTo{20.0, 50.0, 100.0, 300.0, 1000.0, 1e9};
  std::map<std::pair<simulated::ResidualKind, std::size_t>, std::pair<double, std::size_t>> errors;
  for (const char* name : {"convolutions.csv", "matrix_products.csv", "elementwise.csv"}) {
    std::ifstream stream(folder / name);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const auto operators = read_operators(text, name);
    ASSERT_TRUE(operators) << operators.error().text();
    for (const OperatorPair& pair : validate_operators(*operators, simulated_descriptions()).pairs) {
      if (pair.precision != "float32") continue;
      std::size_t size = 0;
      while (pair.measured_us >= kUpTo.at(size)) ++size;
      auto& [sum, rows] = errors[{residual_kind_of(pair.kind), size}];
      sum += std::abs(pair.simulated_us / pair.measured_us - 1);
      ++rows;
    }
  }
  std::size_t compared = 0;
  for (const auto& [key, error] : errors) {
    if (error.second < kEnough) continue;
    ++compared;
    const double mean = error.first / static_cast<double>(error.second);
    EXPECT_NEAR(simulated::residual_spread(key.first, kUpTo.at(key.second) * 0.999), 1.2533 * mean, 0.02)
        << static_cast<int>(key.first) << " up to " << kUpTo.at(key.second) << " µs: " << mean;
  }
  EXPECT_GE(compared, 15U);
}

}  // namespace
}  // namespace iosx
