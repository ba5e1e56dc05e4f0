#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The one rule for shortening names: on the canvas, below the waterfall, in the breadcrumb, on boards.
//
//   1. A name that fits its room is whole.
//   2. Where a name of a family does not fit, all of the family go without what they share in front. A family is most
//      of the names, and at least three: "mixed_5b", "mixed_5c", … are "5b", "5c", …; "block1", "block2", … are "1",
//      "2", …. "stem" beside them stays, and pieces of one part, "stem (1/3)", keep its name. What is left never begins
//      with a joint: "branch_pool" beside "branch1", "branch2", … stays.
//   3. What still does not fit is elided in the middle, around what tells it apart from the name most like it:
//      "neck.down4" beside "neck.down5" is "n…down4", never "neck.d…" or "…wn4".
//
// The whole name is always in the tool tip and for screen readers. Files may have names of any length: nothing here
// takes longer than the length of the names. All text is UTF-8 and printable.
namespace iosx {

// Returns a text's width, in the unit of the room.
using TextWidth = std::function<double(std::string_view)>;

std::size_t common_length(std::string_view a, std::string_view b);  // in bytes, of the common beginning

// Returns the longest text that fits, with "…" in the middle, or before and after bytes [from, to), which stay as far
// as they fit.
std::string elide_around(std::string_view text, std::size_t from, std::size_t to, double width,
                         const TextWidth& width_of);

// Shortens neighbouring names by step 3, each to its own room; different names stay different. Where necessary a name
// ends in its number ("conv… #17"; from 1).
std::vector<std::string> fit_names(std::span<const std::string> names, std::span<const double> room,
                                   const TextWidth& width_of);

// Returns the common beginning of most of the names, and at least three, up to a joint ("_", "/", ".", "-", ":")
// or a number; empty without such a family, or where a shortened name would equal another one's.
std::string family_prefix(std::span<const std::string> names);
std::string without_family(std::string_view name, std::string_view prefix);  // the name itself for a non-member

// Shortens names by all three steps.
std::vector<std::string> fit_family(std::span<const std::string> names, std::span<const double> room,
                                    const TextWidth& width_of);

}  // namespace iosx
