#pragma once

#include <QRectF>
#include <memory>
#include <vector>

#include "views/canvas/paint/graph_figure.h"
#include "views/share/rivals.h"
#include "views/time/time_axis.h"

class QPainter;

namespace iosx::card {

inline constexpr double kMargin = 24;
inline constexpr double kHead = 92;  // height of the title lines

// The network as one schedule runs it, with its layout.
struct Laid {
  std::shared_ptr<const canvas::Model> model;
  std::shared_ptr<const canvas::Drawing> drawing;
};
// Lays out the network for about that width and height, with room for saving texts of `figure` pixels. Takes
// seconds for large ones. Any thread that may measure fonts may call it.
Laid laid_out(const Rivals& rivals, std::size_t result, const QSizeF& room, double figure = 0);

// Makes a figure of both runs on one time axis, the other one above: with a line at a time, or else with the idle
// device of the shown one.
std::unique_ptr<Figure> timelines(const Rivals& rivals, TimeRange range, std::optional<Micros> at = {});

// Paints a figure into the middle of the area, as large as it fits.
void paint_within(QPainter& painter, const QRectF& area, const Figure& figure, const Theme& theme);

// Paints how many times as fast, the sentence, and which network on which device; a badge shows whether that
// was simulated or measured.
void paint_head(QPainter& painter, const QRectF& area, const Rivals& rivals, const Theme& theme);

}  // namespace iosx::card
