#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/graph/graph.h"
#include "views/canvas/layout/node_text.h"
#include "views/text/name_fit.h"

// Texts of names on the canvas. Files may have names of any length: nothing here takes longer than the length of the
// name, and texts that are drawn repeatedly are short. views/text/name_fit.h shortens names.
namespace iosx::canvas {

// Returns the name on one line, printable; of one longer than `most` bytes the two ends, with "…" between.
std::string short_name(std::string_view name, std::size_t most = 200);

// Returns the common beginning of all names, up to the last shared '/', '.' or ':'; empty for fewer than three
// names.
std::string shared_prefix(const Graph& graph);

// Returns each unit's name without the common beginning of all units' names and without its part's name, which its
// frame shows; with the unit's hint where both are short. One per unit. `of_networks`: for several networks, the
// frame also shows the network's name.
std::vector<std::string> unit_titles(const Graph& graph, bool of_networks = false);

// Shorten names by the rule of views/text/name_fit.h, with the widths of one font.
std::string elide_around(std::string_view text, std::size_t from, std::size_t to, double width,
                         const FontWidths& widths);
std::vector<std::string> fit_names(std::span<const std::string> names, std::span<const double> room,
                                   const FontWidths& widths);
std::vector<std::string> fit_family(std::span<const std::string> names, std::span<const double> room,
                                    const FontWidths& widths);

}  // namespace iosx::canvas
