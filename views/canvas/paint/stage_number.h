#pragma once

#include <QFont>
#include <QRectF>
#include <QString>
#include <cstddef>
#include <optional>

namespace iosx::canvas {

// A stage's number as it stands in the narrow column left of the stage's units.
struct StageNumber {
  QString text;  // from 1
  QFont font;
  QRectF box;  // of the text, in the middle of the column's height
};

// The number stands at the left of the column, smaller where it must be, down to seven pixels; the smallest one may
// stand out at the left by four pixels, where the band has its edge. None where that is not enough.
std::optional<StageNumber> stage_number(std::size_t stage, const QRectF& column, const QFont& usual);

}  // namespace iosx::canvas
