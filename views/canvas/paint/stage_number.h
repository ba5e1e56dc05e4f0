#pragma once

#include <QFont>
#include <QRectF>
#include <QString>
#include <cstddef>
#include <optional>

namespace iosx::canvas {

// A stage's number in the narrow column left of its units.
struct StageNumber {
  QString text;  // from 1
  QFont font;
  QRectF box;  // of the text, in the middle of the column's height
};

// The number is at the left of the column, reduced down to seven pixels if necessary; the smallest one may extend
// four pixels to the left, to the band's edge. None where that is not enough.
std::optional<StageNumber> stage_number(std::size_t stage, const QRectF& column, const QFont& usual);

}  // namespace iosx::canvas
