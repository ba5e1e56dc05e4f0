#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/model/trace/unit_spans.h"
#include "views/canvas/layout/frame_plan.h"

namespace iosx::canvas {

struct NodeBox {
  Rect box;  // of a woven unit: around the pieces and stems in the panel of its largest piece
  UnitId unit;
  NodeShape shape = {};
};

struct EdgePath {
  std::size_t from = 0;  // indices of nodes
  std::size_t to = 0;
  Curve curve;
  Rect bounds;
  bool corners = false;  // far out it is drawn around its corners, not straight
  bool across = false;   // from one part of a woven section to another
};

// A section of the weave, of a part or of several: a panel with a header, or several panels beside one another
// for a long part. A collapsed one is only its header.
struct FrameBox {
  Rect box;
  Rect header;                // its room at the top inside box; the zoom decides how much is used
  std::vector<Rect> columns;  // its panels from left to right, as high as box; at least one
  PartId part;
  std::string title;
  std::vector<UnitId> units;  // by id
  bool collapsed = false;
  // These are the ranges [first, last) of this frame in the lists of the Layout.
  std::pair<std::size_t, std::size_t> nodes, edges, bands, merged, rows, parts;
};

// A whole drawing. Lists are in the order of the frames.
struct Layout {
  std::vector<FrameBox> frames;
  std::vector<NodeBox> nodes;
  std::vector<EdgePath> edges;
  std::vector<BandBox> bands;
  std::vector<MergedBox> merged;
  std::vector<RowBox> rows;
  std::vector<PartBox> parts;
  std::vector<std::vector<Point>> links;            // right-angled lines from a frame to the one that runs next
  std::vector<std::optional<std::size_t>> node_of;  // per unit: its node; none inside a collapsed frame
  Rect bounds;

  // Returns the unit's box; null inside a collapsed frame, and for a unit that the layout lacks.
  const Rect* box_of(UnitId unit) const {
    const auto node = unit.index() < node_of.size() ? node_of[unit.index()] : std::nullopt;
    return node ? &nodes[*node].box : nullptr;
  }
};

// The run that a layout shows.
struct Weave {
  // Of the schedule's run; null: no run traced it, and rows are the order of the schedule, or of the graph.
  std::shared_ptr<const UnitSpans> spans = nullptr;
  bool tracks = false;        // the run has a schedule without barriers, so parts may overlap
  bool barrier_free = false;  // this schedule has none
};

struct LayoutRequest {
  std::shared_ptr<const Graph> graph;        // never null
  std::shared_ptr<const Schedule> schedule;  // legal for the graph; null: no stages
  // The window's pixels that all is to fit into: the frames take its shape, and their headers are
  // so high that names can be read there.
  Size room{1600, 1000};
  std::optional<PartId> expanded;  // lays out only the frame that begins with this part, and collapses the others
  Weave weave = {};
};

// Stacks frames with layouts in columns of frames, so that the whole fits the room at the largest scale.
Layout arrange(const LayoutRequest& request, const std::vector<FramePlan>& plans,
               const std::vector<FrameLayout>& layouts);

// Places names of frames at any zoom without overlapping boxes or one another. Rectangles are in the layout's
// coordinates; a thing of constant size has that many pixels divided by the zoom.
//
// A part's name has its own row above the rest of the part. The layout reserves the room of a line
// of text at the zoom that shows the whole network. Zoomed in, the row takes less of that room, and
// the panel begins lower; zoomed out further, row and name disappear.

// The measures, in pixels, of the font that keeps its size while the canvas is zoomed out.
struct SmallText {
  double ascent = 9;
  double descent = 2;
  double digits = 8;  // the height of a number
  double digit = 8;   // the largest width of a digit
};

inline constexpr double kHeaderLine = 16;        // pixels of a part's row, at least
inline constexpr double kLeastFontPixels = 10;   // above this a part's name grows with the zoom
inline constexpr double kHeaderFont = 13;        // pixels of a part's name at 100 %
inline constexpr double kHeaderMargin = 12;      // beside the name, at 100 %
inline constexpr double kSmallHeaderMargin = 3;  // pixels beside it, zoomed out

// Returns whether a part's name keeps its size in the window; otherwise it grows with the zoom.
inline bool header_is_small(double zoom) { return kHeaderFont * zoom < kLeastFontPixels; }

// Return a panel of the part, with its row, and the row. `column` is one of frame.columns.
Rect panel_box(const FrameBox& frame, std::size_t column, double zoom);
Rect header_row(const FrameBox& frame, std::size_t column, double zoom);

// Returns the room for the name in a row: empty where a line of text is too high for it.
Rect header_room(const FrameBox& frame, std::size_t column, double zoom, const SmallText& text);

// Returns the parts' names at this zoom, one per column of each frame: by the rule of views/text/name_fit.h; a further
// panel of a part adds "continued", or "2/3" where that is too wide. Names without room are empty. `widths` are those
// of the font in pixels, at 100 % where names grow with the zoom.
std::vector<std::vector<std::string>> header_names(const Layout& layout, double zoom, const SmallText& text,
                                                   const FontWidths& widths);

}  // namespace iosx::canvas
