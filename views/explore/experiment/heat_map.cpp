#include "views/explore/experiment/heat_map.h"

#include <QFontMetricsF>
#include <QLinearGradient>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/analysis/experiment/report.h"
#include "views/explore/experiment/experiment_words.h"
#include "views/style/style.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr double kCellWidth = 150;
constexpr double kCellHeight = 66;
constexpr double kLargestCellWidth = 260;
constexpr double kLargestCellHeight = 110;
constexpr double kGap = 2;            // between cells
constexpr double kAxisTitle = 22;     // above the columns' names
constexpr double kColumnName = 24;    // above the cells
constexpr double kScaleHeight = 46;   // below the cells
constexpr double kLabelPadding = 12;  // beside the rows' names
constexpr double kScaleWidth = 640;   // of the scale and what the frame means
constexpr double kFrame = 2.5;        // of the best
constexpr double kLeastWorst = 5;     // per cent: smaller losses do not fill the scale

QColor blend(const QColor& from, const QColor& to, double share) {
  const auto mix = [share](int a, int b) { return static_cast<int>(a + (b - a) * share); };
  return {mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue())};
}

// Returns one hue from pale to dark, which every kind of colour vision orders alike.
QColor loss_color(double share, const Theme& theme) {
  const QColor pale = theme.dark ? QColor(0x2A, 0x33, 0x3E) : QColor(0xF1, 0xF5, 0xF9);
  const QColor full = theme.dark ? QColor(0xE8, 0x7A, 0x2E) : QColor(0xC8, 0x52, 0x00);
  return blend(pale, full, std::clamp(share, 0.0, 1.0));
}

// Returns "109.1 ms", "4.008 ms": cells differ by little.
QString four_digits(Millis value) {
  const double ms = value.count();
  return QStringLiteral("%1 ms").arg(ms, 0, 'f', ms < 10 ? 3 : ms < 100 ? 2 : 1);
}

QString loss_text(double percent) {
  return QString::fromUtf8("%1%2 %")
      .arg(percent < 0 ? QString::fromUtf8("\u2212") : QStringLiteral("+"))
      .arg(std::abs(percent), 0, 'f', 1);
}

}  // namespace

HeatMap::HeatMap(const ExperimentResult& result)
    : result_(result), rows_(result.levels(0)), columns_(result.levels(1)), worst_(kLeastWorst) {
  for (const Trial& trial : result.trials) {
    if (!trial.within_noise) worst_ = std::max(worst_, result.value(trial, "loss_percent").value_or(0));
  }
}

double HeatMap::label_width(const QFont& font) const {
  double widest = QFontMetricsF(sized(font, 12)).horizontalAdvance(core_words(result_.factors[0].title));
  const QFontMetricsF names(sized(font, 13, true));
  for (const std::string& row : rows_) {
    widest = std::max(widest, names.horizontalAdvance(core_words(row)));
  }
  return widest + 2 * kLabelPadding;
}

QSizeF HeatMap::natural_size(const QFont& font) const {
  return {label_width(font) + std::max(kCellWidth * static_cast<double>(columns_.size()), kScaleWidth),
          kAxisTitle + kColumnName + kCellHeight * static_cast<double>(rows_.size()) + kScaleHeight};
}

QColor HeatMap::fill(const Trial& trial, const Theme& theme) const {
  return trial.within_noise ? theme.panel
                            : loss_color(result_.value(trial, "loss_percent").value_or(0) / worst_, theme);
}

void HeatMap::paint(QPainter& painter, const QRectF& area, const Theme& theme, const QFont& font) const {
  const double left = label_width(font);
  const double top = kAxisTitle + kColumnName;
  const auto columns = static_cast<double>(columns_.size());
  const auto rows = static_cast<double>(rows_.size());
  const double width = std::min((area.width() - left) / columns, kLargestCellWidth);
  const double height = std::min((area.height() - top - kScaleHeight) / rows, kLargestCellHeight);
  const QRectF cells(area.left() + left, area.top() + top, width * columns, height * rows);
  paint_labels(painter, cells, theme, font);
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      const QRectF cell(cells.left() + width * static_cast<double>(column),
                        cells.top() + height * static_cast<double>(row), width, height);
      paint_cell(painter, cell.adjusted(kGap, kGap, -kGap, -kGap), result_.find(rows_[row], columns_[column]), theme,
                 font);
    }
  }
  paint_scale(painter, {cells.left(), cells.bottom() + 8, cells.width(), kScaleHeight - 8}, theme, font);
}

void HeatMap::paint_labels(QPainter& painter, const QRectF& cells, const Theme& theme, const QFont& font) const {
  painter.setPen(theme.mutedText);
  painter.setFont(sized(font, 12));
  painter.drawText(QRectF(cells.left(), cells.top() - kColumnName - kAxisTitle, cells.width(), kAxisTitle),
                   Qt::AlignCenter, core_words(result_.factors[1].title));
  const double left = cells.left() - label_width(font);
  painter.drawText(QRectF(left, cells.top() - kColumnName, label_width(font) - kLabelPadding, kColumnName),
                   Qt::AlignRight | Qt::AlignVCenter, core_words(result_.factors[0].title));
  painter.setPen(theme.text);
  painter.setFont(sized(font, 13, true));
  const double width = cells.width() / static_cast<double>(columns_.size());
  const double height = cells.height() / static_cast<double>(rows_.size());
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    painter.drawText(
        QRectF(cells.left() + width * static_cast<double>(column), cells.top() - kColumnName, width, kColumnName),
        Qt::AlignCenter, level_words(result_, columns_[column]));
  }
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    painter.drawText(
        QRectF(left, cells.top() + height * static_cast<double>(row), label_width(font) - kLabelPadding, height),
        Qt::AlignRight | Qt::AlignVCenter, core_words(rows_[row]));
  }
}

void HeatMap::paint_cell(QPainter& painter, const QRectF& cell, const Trial* trial, const Theme& theme,
                         const QFont& font) const {
  if (trial == nullptr) {
    painter.setPen(QPen(theme.outline, 1, Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(cell);
    painter.setPen(theme.mutedText);
    painter.setFont(sized(font, 12));
    painter.drawText(cell, Qt::AlignCenter, Text::tr("not run"));
    return;
  }
  const QColor color = fill(*trial, theme);
  painter.setPen(trial->best ? QPen(theme.text, kFrame) : QPen(Qt::NoPen));
  painter.setBrush(color);
  painter.drawRect(cell);
  painter.setPen(Theme::readableOn(color));
  painter.setFont(sized(font, 16, trial->best));
  const Latency latency{.value = Millis{result_.value(*trial, "latency_ms").value_or(0)},
                        .spread = Millis{result_.value(*trial, "spread_ms").value_or(0)},
                        .origin = trial->origin};
  const QRectF upper(cell.left(), cell.center().y() - 22, cell.width(), 22);
  const QRectF lower(cell.left(), cell.center().y() + 2, cell.width(), 18);
  const QString value = latency.spread > Millis(0) ? latency_text(latency) : four_digits(latency.value);
  if (QFontMetricsF(painter.font()).horizontalAdvance(value) > cell.width() - 8)
    painter.setFont(sized(font, 12, trial->best));
  painter.drawText(upper, Qt::AlignCenter, value);
  painter.setFont(sized(font, 12));
  const bool own = trial->levels[0] == trial->levels[1];
  const QString loss = loss_text(result_.value(*trial, "loss_percent").value_or(0));
  QString second = own ? Text::tr("its own") : trial->within_noise ? Text::tr("%1, within noise").arg(loss) : loss;
  if (trial->best && !trial->within_noise) second += Text::tr(" · best");
  painter.drawText(lower, Qt::AlignCenter, second);
}

void HeatMap::paint_scale(QPainter& painter, const QRectF& area, const Theme& theme, const QFont& font) const {
  constexpr double kBar = 180;
  constexpr double kThick = 12;
  painter.setFont(sized(font, 12));
  painter.setPen(theme.mutedText);
  const QFontMetricsF metrics(painter.font());
  const QString least = Text::tr("loss 0 %");
  const QString most = QStringLiteral("%1 %").arg(worst_, 0, 'f', 1);
  const QString best = result_.measured() ? Text::tr("no value in its column is better beyond the noise")
                                          : Text::tr("best of its column");
  // In two lines where one has no room.
  constexpr double kOthers = kBar + 1.6 * kThick + 60;
  const bool wide = metrics.horizontalAdvance(least + most + best) + kOthers <= area.width();
  const double line_height = wide ? area.height() : area.height() / 2;
  double middle = area.top() + line_height / 2;
  double x = area.left() + 2;
  const auto text = [&](const QString& word) {
    const double width = metrics.horizontalAdvance(word) + 4;
    painter.setPen(theme.mutedText);
    painter.drawText(QRectF(x, middle - line_height / 2, width, line_height), Qt::AlignLeft | Qt::AlignVCenter, word);
    x += width + 4;
  };
  text(least);
  const QRectF bar(x, middle - kThick / 2, kBar, kThick);
  QLinearGradient gradient(bar.topLeft(), bar.topRight());
  gradient.setColorAt(0, loss_color(0, theme));
  gradient.setColorAt(1, loss_color(1, theme));
  painter.fillRect(bar, gradient);
  x += kBar + 8;
  text(most);
  if (wide) {
    x += 24;
  } else {
    x = area.left() + 2;
    middle += line_height;
  }
  const QRectF frame(x, middle - kThick / 2, 1.6 * kThick, kThick);
  painter.setPen(QPen(theme.text, kFrame));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(frame);
  x = frame.right() + 8;
  text(best);
}

}  // namespace iosx
