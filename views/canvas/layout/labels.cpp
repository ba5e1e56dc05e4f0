#include "views/canvas/layout/labels.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/printable.h"
#include "views/canvas/layout/frame_columns.h"
#include "views/canvas/layout/names.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx::canvas {
namespace {

constexpr double kAround = 4;     // pixels beside a figure
constexpr double kLeastName = 8;  // pixels of width
constexpr double kSpareLine = 1;  // pixels that a line may lack
constexpr double kTriangle = 18;  // width, at 100 %

// Returns a line of text in a band whose middle is at y.
Rect line_at(double x, double width, double middle, double height) { return {x, middle - height / 2, width, height}; }

QString continued_long(const std::string& name) { return Text::tr("%1, continued").arg(qstring(name)); }

}  // namespace

Rect panel_box(const FrameBox& frame, std::size_t column, double zoom) {
  const Rect row = header_row(frame, column, zoom);
  return {row.x, row.y, row.width, frame.columns[column].bottom() - row.y};
}

Rect header_row(const FrameBox& frame, std::size_t column, double zoom) {
  const Rect& panel = frame.columns[column];
  const double least = std::min(kHeaderHeight, frame.header.height);
  const double height = std::clamp(kHeaderLine / zoom, least, frame.header.height);
  return {panel.x, frame.header.bottom() - height, panel.width, height};
}

Rect header_room(const FrameBox& frame, std::size_t column, double zoom, const SmallText& text) {
  const Rect row = header_row(frame, column, zoom);
  if (!header_is_small(zoom)) return {row.x + kHeaderMargin, row.y, row.width - 2 * kHeaderMargin, row.height};
  const double line = text.ascent + text.descent;
  const double margin = kSmallHeaderMargin / zoom;
  if (row.height * zoom < line - kSpareLine || row.width * zoom < 2 * kSmallHeaderMargin + kLeastName) return {};
  return line_at(row.x + margin, row.width - 2 * margin, row.center().y, std::min(row.height, line / zoom));
}

double units_left(const Layout& layout, const FrameBox& frame, const BandBox& band) {
  double left = band.box.right();
  for (std::size_t g = frame.groups.first; g < frame.groups.second; ++g) {
    if (layout.groups[g].stage == band.stage) left = std::min(left, layout.groups[g].box.x);
  }
  return left;
}

Rect stage_room(const BandBox& band, double zoom, const SmallText& text) {
  if (band.box.height * zoom < text.digits) return {};
  return line_at(band.label.x, band.label.width + kBandLabelGap - 2, band.box.center().y, text.digits / zoom);
}

GainRooms gain_rooms(const Layout& layout, const FrameBox& frame, const BandBox& band, double zoom,
                     const SmallText& text) {
  GainRooms rooms;
  const Rect column = stage_room(band, zoom, text);
  if (column.empty()) return rooms;
  const double around = kAround / zoom;
  const double number = text.digit / zoom * static_cast<double>(std::to_string(band.stage + 1).size());
  const double units = std::max(column.right() - around, units_left(layout, frame, band) - around);
  rooms.beside = column;
  rooms.beside.x += number + around;
  rooms.beside.width = std::max(0.0, units - rooms.beside.x);
  if (band.box.height * zoom >= height_for_gain_below(text)) {
    rooms.below = column.moved(0, (text.ascent + text.descent) / zoom);
    rooms.below.width = units - column.x;
  }
  return rooms;
}

std::vector<std::vector<std::string>> header_names(const Layout& layout, double zoom, const SmallText& text,
                                                   const FontWidths& widths) {
  const bool small = header_is_small(zoom);
  std::vector<std::string> names;
  std::vector<double> room;  // a frame: of its narrowest panel
  for (const FrameBox& frame : layout.frames) {
    names.push_back(printable(frame.title));
    double least = header_room(frame, 0, zoom, text).width;
    for (std::size_t c = 1; c < frame.columns.size(); ++c) {
      least = std::min(least, header_room(frame, c, zoom, text).width);
    }
    room.push_back(small ? least * zoom : least - kTriangle);
  }
  const std::vector<std::string> shown = fit_family(names, room, widths);
  std::vector<std::vector<std::string>> result(layout.frames.size());
  for (std::size_t f = 0; f < layout.frames.size(); ++f) {
    const FrameBox& frame = layout.frames[f];
    for (std::size_t c = 0; c < frame.columns.size(); ++c) {
      const Rect place = header_room(frame, c, zoom, text);
      const double width = small ? place.width * zoom : place.width - kTriangle;
      std::string name = place.empty() ? std::string() : shown[f];
      if (frame.columns.size() > 1 && !name.empty()) {
        const std::string number = fmt::format(" {}/{}", c + 1, frame.columns.size());
        const std::string whole = frame.goes_on ? names[f] : continued_long(names[f]).toStdString();
        if (widths.width(whole) <= width) {
          if (c > 0) name = whole;
        } else {
          name = elide_around(shown[f], 0, 0, width - widths.width(number), widths) + number;
        }
      }
      result[f].push_back(std::move(name));
    }
  }
  return result;
}

}  // namespace iosx::canvas
