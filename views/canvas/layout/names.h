#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/graph/graph.h"
#include "views/canvas/layout/node_text.h"
#include "views/text/name_fit.h"

// These make what names look like on the canvas. Files may hold names of any length: nothing here takes longer than the
// name is long, and what is drawn again and again is short. How names are shortened says views/text/name_fit.h.
namespace iosx::canvas {

// Returns the name on one line, printable; of one longer than `most` bytes the first and last half, with "…" between.
std::string short_name(std::string_view name, std::size_t most = 200);

// Returns what all names have in front, up to the last '/', '.' or ':' that they share; empty for fewer than three
// names.
std::string shared_prefix(const Graph& graph);

// Returns each unit's name without what all units' names have in front and without its part's name, which the frame
// around it says; with the unit's hint where both are short. There is one a unit. Of several networks, `of_networks`
// says that the frame says the network's name too.
std::vector<std::string> unit_titles(const Graph& graph, bool of_networks = false);

// These shorten names by the rule of views/text/name_fit.h, with the widths of one font.
std::string elide_around(std::string_view text, std::size_t from, std::size_t to, double width,
                         const FontWidths& widths);
std::vector<std::string> fit_names(std::span<const std::string> names, std::span<const double> room,
                                   const FontWidths& widths);
std::vector<std::string> fit_family(std::span<const std::string> names, std::span<const double> room,
                                    const FontWidths& widths);

}  // namespace iosx::canvas
