#pragma once

#include <QString>
#include <QStringList>

#include "views/canvas/paint/scene.h"

namespace iosx::canvas {

// Returns in HTML what is one kernel with a unit, and, where a run was traced, what ran beside it, a line a kernel, the
// longest first.
QStringList partner_lines(const Model& model, UnitId id);

// Returns in HTML what is in flight at the instant of a row; empty without a schedule.
QString row_tip(const Model& model, const RowBox& row);

}  // namespace iosx::canvas
