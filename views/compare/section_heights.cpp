#include "views/compare/compare_page.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace iosx {
namespace {

constexpr SectionShares kMostOfRoom{0.28, 0.31, 1.0};  // at first; the canvases have the rest
constexpr int kLeastSection = 96;                      // pixels, of what is open at first
constexpr int kLowRoom = 660;                          // too low for three sections
constexpr double kTimelinesOfLow = 0.45;               // of a low room

std::size_t place_of(CompareSection section) { return static_cast<std::size_t>(section); }

int first_height(int room, int wish, double most) {
  const int least = std::min(kLeastSection, room / 4);
  return std::clamp(wish, least, std::max(least, static_cast<int>(most * room)));
}

}  // namespace

SectionHeights first_heights(int room, int timelines, int details, int tabs, bool absent_timelines) {
  room = std::max(room, 0);
  if (room < kLowRoom && !absent_timelines) {
    const int above = first_height(room, timelines, kTimelinesOfLow);
    const int between = std::min(tabs, room / 4);
    return {above, between, room - above - between};
  }
  const int above = absent_timelines ? 0 : first_height(room, timelines, kMostOfRoom[0]);
  const int below = first_height(room, details, kMostOfRoom[1]);
  return {above, below, room - above - below};
}

SectionHeights chosen_heights(int room, const SectionShares& shares) {
  const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
  SectionHeights heights{};
  int left = std::max(room, 0);
  for (std::size_t i = 0; i < shares.size() && all > 0; ++i) {
    heights[i] = std::min(left, static_cast<int>(std::lround(room * shares[i] / all)));
    left -= heights[i];
  }
  for (std::size_t i = shares.size(); i-- > 0 && left > 0;) {
    if (shares[i] > 0) heights[i] += std::exchange(left, 0);
  }
  return heights;
}

SectionShares shares_of(const SectionHeights& heights) {
  const int all = std::accumulate(heights.begin(), heights.end(), 0);
  SectionShares shares{};
  for (std::size_t i = 0; i < heights.size() && all > 0; ++i) shares[i] = static_cast<double>(heights[i]) / all;
  return shares;
}

SectionShares with_section(SectionShares shares, CompareSection section, bool open) {
  const double before = std::exchange(shares[place_of(section)], 0);
  const double others = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (!open && others > 0) return shares;
  // Relative to the whole, as initially; the others keep their proportions.
  const double wish =
      section == CompareSection::kGraphs ? 1 - kMostOfRoom[0] - kMostOfRoom[1] : kMostOfRoom[place_of(section)];
  shares[place_of(section)] = before > 0 ? before : others > 0 ? others * wish / (1 - wish) : 1;
  return shares;
}

}  // namespace iosx
