#include "app/cli/quantity.h"

#include <fmt/format.h>

#include <array>

namespace iosx::cli {
namespace {

std::string scaled(double value, std::string_view unit) {
  constexpr std::array prefixes{"", "k", "M", "G", "T", "P", "E"};
  std::size_t i = 0;
  while (value >= 999.5 && i + 1 < prefixes.size()) {
    value /= 1000;
    ++i;
  }
  const int decimals = i == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  const std::string suffix = prefixes[i] + std::string(unit);
  return fmt::format("{:.{}f}{}{}", value, decimals, suffix.empty() ? "" : " ", suffix);
}

}  // namespace

std::string flops_text(double flops) { return scaled(flops, "FLOP"); }
std::string count_text(std::int64_t count) { return scaled(static_cast<double>(count), ""); }
std::string bytes_text(std::int64_t bytes) { return scaled(static_cast<double>(bytes), "B"); }

}  // namespace iosx::cli
