#pragma once

#include <QColor>
#include <QLineF>
#include <QPixmap>
#include <QRectF>
#include <cstddef>
#include <vector>

#include "views/style/theme.h"

class QPainter;

namespace iosx {

// Returns the lines of a hatching, `step` apart and cut at the box by hand: SVG has neither clipping nor patterns.
std::vector<QLineF> hatch_lines(const QRectF& box, Hatch hatch, double step);

// Paints the lines in a colour that is readable on the fill; nothing for Hatch::kNone.
void paint_hatch(QPainter& painter, const QRectF& box, Hatch hatch, const QColor& fill);

// Fills like QPainter::fillRect(), without antialiasing. Qt divides a translucent fill of more than 95 rows of
// pixels among threads, which takes ten times as long for a narrow one. So this fills it in pieces.
void fill_translucent(QPainter& painter, const QRectF& box, const QColor& color);

// The colours of saved and lost time: blue and orange, which are easy to tell apart. Lost time also has a hatching,
// so that colour is never the only sign.

QColor gain_color(bool saved, const Theme& theme);  // on canvas and panels, at least 3 : 1
// Returns the fill of the n-th stage's band, tinted by the stage's loss, from -1, the largest saving or loss of any,
// saved, to 1. It is translucent and as readable as Theme::stageBand().
QColor gain_band(double lost, std::size_t stage, const Theme& theme);

// Returns the square before a schedule's name in lists: its fill with an outline that is visible on every
// background.
QPixmap schedule_swatch(const Theme& theme, ScheduleKind kind, bool focus);

}  // namespace iosx
