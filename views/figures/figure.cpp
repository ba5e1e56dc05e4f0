#include "views/figures/figure.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/tables/render.h"
#include "views/figures/paint.h"

namespace iosx {
namespace {

constexpr double kLeastSentence = 44;  // pixels of height

QFont sentence_font() { return sized(QGuiApplication::font(), 13); }

class MadeFigure final : public Figure {
 public:
  explicit MadeFigure(FigureParts parts) : parts_(std::move(parts)) {}

  QString title() const override { return parts_.title; }
  QString fileStem() const override { return parts_.file_stem; }
  QSizeF size() const override { return parts_.size; }
  QSizeF sizeWithin(double width) const override {
    return parts_.height_within ? QSizeF(width, parts_.height_within(width)) : Figure::sizeWithin(width);
  }
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    parts_.paint(painter, area, theme);
  }
  QString csv() const override { return parts_.csv(); }
  QString recorded() const override { return parts_.recorded; }

 private:
  FigureParts parts_;
};

}  // namespace

std::unique_ptr<Figure> figure_of(FigureParts parts) { return std::make_unique<MadeFigure>(std::move(parts)); }

double sentence_height(const QString& sentence, double width) {
  const QRectF box =
      QFontMetricsF(sentence_font()).boundingRect(QRectF(0, 0, width, 1e5), Qt::AlignLeft | Qt::TextWordWrap, sentence);
  return std::max(kLeastSentence, std::ceil(box.height()) + 8);
}

void paint_sentence(QPainter& painter, const QRectF& area, const QString& sentence, const Theme& theme) {
  const QRectF box(area.left(), area.top(), area.width(), sentence_height(sentence, area.width()));
  paint_text(painter, sentence_font(), theme.text, box, Qt::AlignLeft | Qt::TextWordWrap, sentence);
}

QString csv_record(const QStringList& fields) {
  std::vector<std::string> list;
  for (const QString& field : fields) list.push_back(field.toStdString());
  return QString::fromStdString(csv_line(list));
}

QString csv_with_column(const QString& records, const QString& name, const QString& value) {
  const QString head = records.section(QLatin1Char('\n'), 0, 0);
  if (head.split(QLatin1Char(',')).contains(name)) return records;
  QString wider;
  QString field = name;
  for (const QString& record : records.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    wider += record + QLatin1Char(',') + csv_record({field});
    field = value;
  }
  return wider;
}

QString csv_number(double value) { return QString::fromStdString(shortest_digits(value)); }

}  // namespace iosx
