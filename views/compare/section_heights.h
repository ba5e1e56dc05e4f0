#pragma once

#include <array>
#include <cstddef>

namespace iosx {

// The comparison page has three sections below its head: timelines; bars, matrix and tables; the two canvases.
// Heights are pixels and add up to the room for all of them.
enum class CompareSection { kTimelines, kDetails, kGraphs };
inline constexpr std::size_t kCompareSections = static_cast<std::size_t>(CompareSection::kGraphs) + 1;
using SectionHeights = std::array<int, kCompareSections>;
// The user's division of the room; 0: collapsed.
using SectionShares = std::array<double, kCompareSections>;

// Returns the initial heights: timelines and details have their preferred size, while the canvases keep the
// largest share. An `absent` section has none.
SectionHeights first_heights(int room, int timelines, int details, bool absent_timelines = false);
// Returns the heights of a choice; the last open section takes the rounding. Without any open one it is no choice:
// use first_heights().
SectionHeights chosen_heights(int room, const SectionShares& shares);
// Returns the choice of these heights; all zero where their sum is zero.
SectionShares shares_of(const SectionHeights& heights);
// Collapses a section, or opens it at its initial share; the last open one stays.
SectionShares with_section(SectionShares shares, CompareSection section, bool open);

}  // namespace iosx
