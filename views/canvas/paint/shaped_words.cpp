#include "views/canvas/paint/shaped_words.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

namespace iosx::canvas {

bool ShapedWords::draw(QPainter& painter, std::size_t thing, const std::function<QStringList()>& words,
                       const QFont& font, double room, const std::function<QPointF(double width)>& place) {
  if (thing >= things_.size()) things_.resize(thing + 1);
  auto& known = things_[thing];
  if (!known) {
    known.emplace();
    const QFontMetricsF metrics(font);
    for (const QString& each : words()) known->push_back({each, metrics.horizontalAdvance(each), std::nullopt});
  }
  const auto word = std::ranges::find_if(*known, [room](const Word& each) { return each.width <= room; });
  if (word == known->end() || word->words.isEmpty()) return false;
  if (!word->shaped) {
    word->shaped.emplace(word->words);
    word->shaped->setTextFormat(Qt::PlainText);
  }
  painter.setFont(font);
  const QPointF baseline = place(word->width);
  painter.drawStaticText(baseline - QPointF(0, QFontMetricsF(font).ascent()), *word->shaped);
  return true;
}

}  // namespace iosx::canvas
