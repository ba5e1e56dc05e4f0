#pragma once

#include <QFont>
#include <QRectF>

#include "views/explore/timeline/idle_machine.h"
#include "views/style/theme.h"

class QPainter;

namespace iosx {

inline constexpr double kIdleLine = 21;     // pixels, of the closed panel with its sentence
inline constexpr double kIdleLeast = 76;    // the least for a readable open one
inline constexpr double kIdleHeight = 118;  // with enough room

// Draws the panel below the tracks, on their axis. Closed, it is a line with the sentence. `controls`: with its fold
// arrow.
void paint_idle_machine(QPainter& painter, const QRectF& area, const IdleMachine& machine, const TimelineScene& scene,
                        const TimeAxis& axis, const Theme& theme, const QFont& font, bool open, bool controls);

}  // namespace iosx
