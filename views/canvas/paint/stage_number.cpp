#include "views/canvas/paint/stage_number.h"

#include <QFontMetricsF>
#include <algorithm>

namespace iosx::canvas {
namespace {

constexpr int kSmallestNumber = 7;  // pixels
constexpr double kMostOutside = 4;

}  // namespace

std::optional<StageNumber> stage_number(std::size_t stage, const QRectF& column, const QFont& usual) {
  const QString text = QString::number(stage + 1);
  const auto width = [&](const QFont& font) { return QFontMetricsF(font).horizontalAdvance(text); };
  QFont font = usual;
  while (width(font) > column.width() && font.pixelSize() > kSmallestNumber) font.setPixelSize(font.pixelSize() - 1);
  const double outside = std::max(0.0, width(font) - column.width());
  if (column.isEmpty() || outside > kMostOutside) return std::nullopt;
  const QFontMetricsF metrics(font);
  const double height = metrics.ascent() + metrics.descent();
  return StageNumber{text, font, {column.left() - outside, column.center().y() - height / 2, width(font), height}};
}

}  // namespace iosx::canvas
