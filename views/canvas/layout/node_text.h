#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/graph/graph.h"
#include "views/canvas/layout/geometry.h"

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
double low_box_height(const TextStyle& style);  // of a box with its name and one line
// A port stands for a tensor from elsewhere: a part's or the network's input.
std::string port_text(const Graph& graph, OperatorId source);
Size port_size(const Graph& graph, OperatorId source, const TextStyle& style);

}  // namespace iosx::canvas
