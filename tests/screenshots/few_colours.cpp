#include "tests/screenshots/few_colours.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace iosx {

QImage of_few_colours(const QImage& picture) {
  constexpr std::size_t kMost = 256;
  constexpr std::size_t kFrequent = 192;
  constexpr std::size_t kArea = 64;  // pixels, from which on more of them count no more
  const QImage source = picture.convertToFormat(QImage::Format_RGB32);
  std::map<QRgb, std::size_t> counts;
  for (int y = 0; y < source.height(); ++y) {
    for (int x = 0; x < source.width(); ++x) ++counts[source.pixel(x, y)];
  }
  std::vector<std::pair<std::size_t, QRgb>> colours;
  for (const auto& [colour, count] : counts) colours.emplace_back(count, colour);
  std::ranges::sort(colours, std::greater<>());
  const auto distance = [](QRgb a, QRgb b) {
    return std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) + std::abs(qBlue(a) - qBlue(b));
  };
  std::vector<int> nearest_of(colours.size(), std::numeric_limits<int>::max());  // its distance to what was chosen
  std::size_t chosen = 0;
  const auto choose = [&](std::size_t which) {
    std::swap(colours[which], colours[chosen]);
    std::swap(nearest_of[which], nearest_of[chosen]);
    for (std::size_t i = chosen; i < colours.size(); ++i) {
      nearest_of[i] = std::min(nearest_of[i], distance(colours[i].second, colours[chosen].second));
    }
    ++chosen;
  };
  while (chosen < std::min(kFrequent, colours.size())) choose(chosen);
  while (chosen < std::min(kMost, colours.size())) {
    std::size_t best = chosen;
    std::size_t most = 0;
    for (std::size_t i = chosen; i < colours.size(); ++i) {
      const std::size_t loss = static_cast<std::size_t>(nearest_of[i]) * std::min(kArea, colours[i].first);
      if (loss > most) best = i;
      most = std::max(most, loss);
    }
    choose(best);
  }
  colours.resize(chosen);
  std::map<QRgb, uint> index;
  for (const auto& [colour, count] : counts) {
    const auto nearest = std::ranges::min_element(
        colours, {}, [&, own = colour](const auto& other) { return distance(own, other.second); });
    index[colour] = static_cast<uint>(nearest - colours.begin());
  }
  QImage few(source.size(), QImage::Format_Indexed8);
  few.setColorCount(static_cast<int>(colours.size()));
  for (std::size_t i = 0; i < colours.size(); ++i) few.setColor(static_cast<int>(i), colours[i].second);
  for (int y = 0; y < source.height(); ++y) {
    for (int x = 0; x < source.width(); ++x) few.setPixel(x, y, index[source.pixel(x, y)]);
  }
  return few;
}

}  // namespace iosx
