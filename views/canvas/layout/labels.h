#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "views/canvas/layout/layout.h"

// This says where names of parts, numbers of stages and what these save stand at any zoom, so that none lies on a box,
// on a band or on another one. Rectangles are in the layout's coordinates; what has the same size at every zoom is that
// many pixels divided by the zoom.
//
// A part's name has a row of its own above all else of the part. The layout keeps as much room free for it as a line of
// text takes when all of the network is in sight. Zoomed in, the row takes less of that room, and the panel begins
// lower; zoomed out further, there is no row, and no name.
namespace iosx::canvas {

// Holds the measures of the font that keeps its size while the canvas is zoomed out, in pixels.
struct SmallText {
  double ascent = 9;
  double descent = 2;
  double digits = 8;  // the height of a number
  double digit = 8;   // the width of one, at most
};

inline constexpr double kHeaderLine = 16;        // pixels of a part's row, at least
inline constexpr double kLeastFontPixels = 10;   // from which on a part's name grows with the zoom
inline constexpr double kHeaderFont = 13;        // pixels of a part's name at 100 %
inline constexpr double kHeaderMargin = 12;      // beside the name, at 100 %
inline constexpr double kSmallHeaderMargin = 3;  // pixels beside it, zoomed out

// Says whether a part's name has the size it has in the window, or grows with the zoom.
inline bool header_is_small(double zoom) { return kHeaderFont * zoom < kLeastFontPixels; }

// Return a panel of the part, with its row, and the row. `column` is one of frame.columns.
Rect panel_box(const FrameBox& frame, std::size_t column, double zoom);
Rect header_row(const FrameBox& frame, std::size_t column, double zoom);

// Returns the room for the name in a row: empty where a line of text is too high for it.
Rect header_room(const FrameBox& frame, std::size_t column, double zoom, const SmallText& text);

// Returns where the groups of a stage begin in its frame, or else where its band ends.
double units_left(const Layout& layout, const FrameBox& frame, const BandBox& band);

// Returns the room for a stage's number, left in its band; empty where the band is too low for one.
Rect stage_room(const BandBox& band, double zoom, const SmallText& text);

// Returns the rooms for what a stage saves, which stands at the left of the first that is wide enough: beside the
// stage's number, or below it. Both may be empty.
struct GainRooms {
  Rect beside;
  Rect below;
};
// Returns from which height of a band on, in pixels, there is a room below the number.
constexpr double height_for_gain_below(const SmallText& text) { return 2 * (text.ascent + text.descent) + text.digits; }
GainRooms gain_rooms(const Layout& layout, const FrameBox& frame, const BandBox& band, double zoom,
                     const SmallText& text);

// Returns the names of the parts as they are shown at this zoom, one a column of each frame: by the rule of
// views/text/name_fit.h, and where a part goes on in a further panel with "continued", or "2/3" where that is too wide.
// Names without room are empty. `widths` are those of the font in pixels, at 100 % where names grow with the zoom.
std::vector<std::vector<std::string>> header_names(const Layout& layout, double zoom, const SmallText& text,
                                                   const FontWidths& widths);

}  // namespace iosx::canvas
