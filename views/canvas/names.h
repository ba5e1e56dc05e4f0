#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/graph/graph.h"
#include "views/canvas/node_text.h"

// These make what names look like on the canvas. Files may hold names of any length: nothing here takes longer than the
// name is long, and what is drawn again and again is short.
namespace iosx::canvas {

// Returns the name on one line, printable; of one longer than `most` bytes the first and last half, with "…" between.
std::string short_name(std::string_view name, std::size_t most = 200);

// Returns what all names have in front, up to the last '/', '.' or ':' that they share; empty for fewer than three
// names.
std::string shared_prefix(const Graph& graph);

// Returns each unit's name without what all units' names have in front and without its part's name, which the frame
// around it says; with the unit's hint where both are short. There is one a unit.
std::vector<std::string> unit_titles(const Graph& graph);

// Returns the longest text that fits, with "…" in the middle, or before and after bytes [from, to), which stay, or as
// many of them as fit. The text must be printable.
std::string elide_around(std::string_view text, std::size_t from, std::size_t to, double width,
                         const FontWidths& widths);

// Shortens names that stand beside one another, each to its own width: those that differ still do. Where that is not to
// be had otherwise, a name ends in its number ("conv… #17"; from 1).
std::vector<std::string> fit_names(std::span<const std::string> names, std::span<const double> room,
                                   const FontWidths& widths);

}  // namespace iosx::canvas
