#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/graph/graph.h"
#include "views/canvas/layout/geometry.h"
#include "views/text/name_fit.h"

namespace iosx::canvas {

// The advance widths of one font, in pixels, so that boxes can be sized on any thread. Kerning is left out.
struct FontWidths {
  std::array<double, 128> ascii{};
  double times = 0;  // ×
  double dot = 0;    // ·
  double other = 0;  // any other character outside ASCII, of two bytes or an arrow
  double wide = 0;   // Chinese, Japanese and Korean characters and their punctuation
  double line_height = 0;

  double width(std::string_view utf8) const;
};

struct TextStyle {
  FontWidths name;  // first line of a box, and headers
  FontWidths body;  // everything else
};

// The texts of a unit's box, in UTF-8.
struct NodeText {
  std::string name;  // from unit_titles()
  std::vector<std::string>
      lines;          // one per operator, from operator_text, with equal neighbours joined; at most kMaxOperatorLines
  std::string shape;  // of the unit's output
  std::string brief;  // two or three characters for its main operation, for small boxes
};
inline constexpr std::size_t kMaxOperatorLines = 6;

// The measures of a box, in pixels at 100 % zoom.
inline constexpr double kBoxPadding = 8;
inline constexpr double kBoxStripe = 16;  // coloured left edge with the kind's letter
inline constexpr double kMaxBoxWidth = 240;
inline constexpr double kMinBoxWidth = 96;

// Returns, for example, "conv 3×3 /2 · 384→448", "max pool 3×3 /2", "add".
std::string operator_text(const Graph& graph, const Operator& op);
// Returns the same for an operator with that many inputs, the first of this shape if known.
std::string operator_text(const Attributes& attributes, std::size_t inputs, const std::optional<Shape>& first);

// `title` is the unit's in unit_titles().
NodeText node_text(const Graph& graph, UnitId unit, std::string title);
Size box_size(const NodeText& text, const TextStyle& style);

// Texts of names on the canvas. Files may have names of any length: nothing here takes longer than the length of the
// name, and texts that are drawn repeatedly are short. views/text/name_fit.h shortens names.

// Returns the name on one line, printable; of one longer than `most` bytes the two ends, with "…" between.
std::string short_name(std::string_view name, std::size_t most = 200);

// Returns the common beginning of all names, up to the last shared '/', '.' or ':'; empty for fewer than three
// names.
std::string shared_prefix(const Graph& graph);

// Returns whether a name holds more than digits and joints.
bool has_letter(std::string_view name);

// Returns each unit's name without the common beginning of all units' names and without its part's name, which its
// frame shows, unless only numbers would be left; with the unit's hint where both are short. One per unit.
// `of_networks`: for several networks, the frame also shows the network's name.
std::vector<std::string> unit_titles(const Graph& graph, bool of_networks = false);

// Shorten names by the rule of views/text/name_fit.h, with the widths of one font.
std::string elide_around(std::string_view text, std::size_t from, std::size_t to, double width,
                         const FontWidths& widths);
std::vector<std::string> fit_names(std::span<const std::string> names, std::span<const double> room,
                                   const FontWidths& widths);
std::vector<std::string> fit_family(std::span<const std::string> names, std::span<const double> room,
                                    const FontWidths& widths);

}  // namespace iosx::canvas
