#pragma once

#include <QString>
#include <QStringList>

#include "views/canvas/paint/scene.h"

namespace iosx::canvas {

// Returns what ran beside a unit, a line each in HTML, the longest first; nothing where no run was traced.
QStringList partner_lines(const Model& model, UnitId id);

// Returns in HTML what is in flight at the instant of a row; empty without a schedule.
QString row_tip(const Model& model, const RowBox& row);

}  // namespace iosx::canvas
