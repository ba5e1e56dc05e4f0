#include "core/analysis/validate/published.h"

namespace iosx::published {

std::span<const NetworkRow> schedules() {
  static constexpr std::array<NetworkRow, 4> kRows{{
      {"inception_v3", {6.51, 4.62, 5.39, 4.11, 4.03}},
      {"randwire", {8.49, 6.27, 8.54, 6.02, 6.02}},
      {"nasnet", {22.95, 16.78, 22.94, 16.04, 16.04}},
      {"squeezenet", {0.86, 0.98, 0.74, 0.82, 0.73}},
  }};
  return kRows;
}

std::span<const BatchRow> inception_batches() {
  static constexpr std::array<BatchRow, 5> kRows{
      {{1, 6.2, 3.94}, {16, 17.95, 15.17}, {32, 30.54, 27.0}, {64, 55.67, 51.11}, {128, 108.55, 102.74}}};
  return kRows;
}

}  // namespace iosx::published
