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
inline constexpr double kHead = 92;  // height of the lines that say what it is

// Holds the network as one schedule runs it, laid out.
struct Laid {
  std::shared_ptr<const canvas::Model> model;
  std::shared_ptr<const canvas::Drawing> drawing;
};
// Lays the network out to be about as wide and high as that, with room for texts of `figure` pixels that say what
// stages save. That takes seconds for large ones. It runs on any thread that may measure fonts.
Laid laid_out(const Rivals& rivals, std::size_t result, const QSizeF& room, double figure = 0);

// Shows both runs on one clock, the other one above: with a line at a time, or else with what the shown one leaves idle
// of the machine.
std::unique_ptr<Figure> timelines(const Rivals& rivals, TimeRange range, std::optional<Micros> at = {});

// Paints a figure into the middle of the area, as large as it fits.
void paint_within(QPainter& painter, const QRectF& area, const Figure& figure, const Theme& theme);

// Paints how many times as fast, the sentence, and which network on which device; a badge says whether that was
// simulated or measured.
void paint_head(QPainter& painter, const QRectF& area, const Rivals& rivals, const Theme& theme);

}  // namespace iosx::card
