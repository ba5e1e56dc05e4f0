#pragma once

#include <array>
#include <cstddef>

namespace iosx {

// The page that compares has three sections below its head, one above the other: timelines; bars, matrix and tables;
// the two canvases. Heights are pixels, and add up to the room that there is for all of them.
enum class CompareSection { kTimelines, kDetails, kGraphs };
inline constexpr std::size_t kCompareSections = static_cast<std::size_t>(CompareSection::kGraphs) + 1;
using SectionHeights = std::array<int, kCompareSections>;
// Says how the user has shared out the room; a section with 0 is collapsed.
using SectionShares = std::array<double, kCompareSections>;

// Returns the heights before anybody has chosen any: timelines and details have what they wish for, as far as the
// canvases keep the largest share. A section that is `absent` has none.
SectionHeights first_heights(int room, int timelines, int details, bool absent_timelines = false);
// Returns the heights of a choice; in the order of the sections, the last one that is not collapsed has what rounding
// leaves. A choice in which all are collapsed is none: first_heights() are for that.
SectionHeights chosen_heights(int room, const SectionShares& shares);
// Returns the choice that these heights are; none has a share where they add up to nothing.
SectionShares shares_of(const SectionHeights& heights);
// Collapses a section, or opens it at the share that it has at first; the last one that is open stays.
SectionShares with_section(SectionShares shares, CompareSection section, bool open);

}  // namespace iosx
