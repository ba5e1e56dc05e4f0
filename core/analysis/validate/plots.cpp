#include "core/analysis/validate/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

namespace iosx {
namespace {

constexpr int kDecades = 5;
constexpr double kLeast = 10;  // µs
constexpr int kDecade = 60;    // pixels
constexpr int kCell = 4;       // pixels
constexpr int kSide = kDecades * kDecade;
constexpr int kLeft = 44;
constexpr int kTop = 8;
constexpr std::array<std::string_view, kDecades + 1> kTicks{"10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s"};

// Returns how many pixels a latency lies from the axis; outside of it, on its end.
double place(double us) { return std::clamp(std::log10(us / kLeast), 0.0, kDecades - 1e-6) * kDecade; }

std::string grid() {
  std::string text;
  for (int i = 0; i <= kDecades; ++i) {
    const int x = kLeft + i * kDecade;
    const int y = kTop + kSide - i * kDecade;
    text += fmt::format("<path d='M{} {}v{}M{} {}h{}' stroke='#ccc'/>\n", x, kTop, kSide, kLeft, y, kSide);
    text += fmt::format("<text x='{}' y='{}' text-anchor='middle'>{}</text>\n", x, kTop + kSide + 14, kTicks[i]);
    text += fmt::format("<text x='{}' y='{}' text-anchor='end'>{}</text>\n", kLeft - 4, y + 3, kTicks[i]);
  }
  const double off = std::log10(1.25) * kDecade;
  text += fmt::format("<path d='M{} {}l{} -{}' stroke='#444'/>\n", kLeft, kTop + kSide, kSide, kSide);
  text += fmt::format("<path d='M{:.1f} {}L{} {:.1f}M{} {:.1f}L{:.1f} {}' stroke='#444' stroke-dasharray='3 3'/>\n",
                      kLeft + off, kTop + kSide, kLeft + kSide, kTop + off, kLeft, kTop + kSide - off,
                      kLeft + kSide - off, kTop);
  return text;
}

}  // namespace

std::string operators_svg(const OperatorValidation& validation, MeasuredKind kind) {
  std::map<std::pair<int, int>, int> cells;
  for (const OperatorPair& pair : validation.pairs) {
    if (pair.kind != kind) continue;
    ++cells[{static_cast<int>(place(pair.measured_us)) / kCell, static_cast<int>(place(pair.simulated_us)) / kCell}];
  }
  std::array<std::string, 3> squares;
  for (const auto& [cell, count] : cells) {
    const auto [x, y] = cell;
    squares[count < 3    ? 0
            : count < 10 ? 1
                         : 2] +=
        fmt::format("M{} {}h{c}v{c}h-{c}z", kLeft + x * kCell, kTop + kSide - (y + 1) * kCell, fmt::arg("c", kCell));
  }
  std::string text = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{w}' height='{h}' viewBox='0 0 {w} {h}' font-family='sans-serif' "
      "font-size='9'>\n<rect width='{w}' height='{h}' fill='#fff'/>\n",
      fmt::arg("w", kLeft + kSide + 26), fmt::arg("h", kTop + kSide + 34));
  text += grid();
  constexpr std::array<std::string_view, 3> kColours{"#9ec5e8", "#4a90c8", "#12507f"};
  for (std::size_t i = 0; i < squares.size(); ++i) {
    if (!squares[i].empty()) text += fmt::format("<path d='{}' fill='{}'/>\n", squares[i], kColours[i]);
  }
  text += fmt::format("<text x='{}' y='{}' text-anchor='middle'>measured ({})</text>\n", kLeft + kSide / 2,
                      kTop + kSide + 28, name_of(kind));
  text += fmt::format("<text x='{}' y='{}'>simulated</text>\n</svg>\n", kLeft + 4, kTop + 12);
  return text;
}

}  // namespace iosx
