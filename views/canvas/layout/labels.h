#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "views/canvas/layout/layout.h"

// Places names of parts, numbers of stages and their savings at any zoom without overlapping boxes, bands or one
// another. Rectangles are in the layout's coordinates; a thing of constant size has that many pixels divided by the
// zoom.
//
// A part's name has its own row above the rest of the part. The layout reserves the room of a line of text at the zoom
// that shows the whole network. Zoomed in, the row takes less of that room, and the panel begins lower; zoomed out
// further, row and name disappear.
namespace iosx::canvas {

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

// Returns the left side of a stage's groups in its frame, or else the end of its band.
double units_left(const Layout& layout, const FrameBox& frame, const BandBox& band);

// Returns the room for a stage's number, at the left of its band; empty where the band is too low.
Rect stage_room(const BandBox& band, double zoom, const SmallText& text);

// Returns the rooms for a stage's saving, which is at the left of the first one that is wide enough: beside the
// stage's number, or below it. Both may be empty.
struct GainRooms {
  Rect beside;
  Rect below;
};
// Returns the band height, in pixels, from which there is room below the number.
constexpr double height_for_gain_below(const SmallText& text) { return 2 * (text.ascent + text.descent) + text.digits; }
GainRooms gain_rooms(const Layout& layout, const FrameBox& frame, const BandBox& band, double zoom,
                     const SmallText& text);

// Returns the parts' names at this zoom, one per column of each frame: by the rule of views/text/name_fit.h; a further
// panel of a part adds "continued", or "2/3" where that is too wide. Names without room are empty. `widths` are those
// of the font in pixels, at 100 % where names grow with the zoom.
std::vector<std::vector<std::string>> header_names(const Layout& layout, double zoom, const SmallText& text,
                                                   const FontWidths& widths);

}  // namespace iosx::canvas
