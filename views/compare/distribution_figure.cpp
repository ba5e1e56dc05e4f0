#include "views/compare/distribution_figure.h"

#include <QGuiApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/figures/paint.h"
#include "views/text/format.h"
#include "views/text/latency_text.h"
#include "views/text/translate.h"
#include "views/time/time_axis.h"

namespace iosx {
namespace {

constexpr double kDistributionWidth = 900;
constexpr double kWords = 18;      // pixels of the line above a histogram
constexpr double kHistogram = 44;  // of the highest bin
constexpr double kRowGap = 10;
constexpr double kAxis = 40;  // below the rows: ticks and what they are
constexpr double kKey = 18;   // below that: what the lines are
constexpr double kSide = 4;   // left and right of the axis
constexpr double kRunTickSpacing = 70;
constexpr double kViewMargin = 12;

// Returns how a percentile's line is drawn; the three differ without colours.
QPen percentile_pen(int percent, const Theme& theme) {
  const Qt::PenStyle style = percent == 50 ? Qt::SolidLine : percent == 95 ? Qt::DashLine : Qt::DotLine;
  return {theme.text, 1.6, style, Qt::FlatCap};
}

bool is_distributed(const LatencyBar& bar) { return percentiles_of(bar.samples).p50.has_value(); }

// Puts bars with a distribution first: the axis is below them.
std::vector<LatencyBar> in_order(std::vector<LatencyBar> bars) {
  std::stable_partition(bars.begin(), bars.end(), is_distributed);
  return bars;
}

class DistributionFigure final : public Figure {
 public:
  DistributionFigure(std::vector<LatencyBar> bars, QString context)
      : bars_(in_order(std::move(bars))), rows_(distribution_rows(bars_)), context_(std::move(context)) {
    std::vector<std::vector<Millis>> samples;
    for (const LatencyBar& bar : bars_) samples.push_back(is_distributed(bar) ? bar.samples : std::vector<Millis>());
    histograms_ = histograms_of(samples);
  }

  QString title() const override { return Text::tr("Distribution of the runs: %1").arg(context_); }
  QString fileStem() const override { return QStringLiteral("distribution"); }
  QSizeF size() const override { return sizeWithin(kDistributionWidth); }
  QSizeF sizeWithin(double width) const override {
    double height = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) height += heightOf(i) + kRowGap;
    return {width, height + (histograms_.bins > 0 ? kAxis + kKey : 0)};
  }

  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    TimeAxis axis{.range = {Micros(histograms_.begin), Micros(histograms_.end())},
                  .left = area.left() + kSide,
                  .width = std::max(1.0, area.width() - 2 * kSide)};
    const bool any = histograms_.bins > 0;
    double y = area.top();
    if (any) {
      for (const DistributionRow& row : rows_) y += row.told.p50 ? kWords + kHistogram + kRowGap : 0;
      paintAxis(painter, axis, area, y - kRowGap, theme);
    }
    const double below = y + kAxis + kKey;
    y = area.top();
    bool with_histograms = any;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (with_histograms && !rows_[i].told.p50) y = below;
      with_histograms = with_histograms && rows_[i].told.p50;
      paintWords(painter, QRectF(area.left(), y, area.width(), kWords), i, theme);
      if (rows_[i].told.p50) paintHistogram(painter, axis, y + kWords, i, theme);
      y += heightOf(i) + kRowGap;
    }
  }

  QString csv() const override {
    auto text = QStringLiteral("label,origin,runs,p50_ms,p95_ms,p99_ms,from_ms,to_ms,count\n");
    const auto number = [](const std::optional<Millis>& value) {
      return value ? csv_number(value->count()) : QString();
    };
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Percentiles& told = rows_[i].told;
      const QStringList begin{rows_[i].name,
                              origin_id(bars_[i].latency.origin),
                              QString::number(told.samples),
                              number(told.p50),
                              number(told.p95),
                              number(told.p99)};
      const auto add = [&](Millis from, Millis to, std::size_t count) {
        text +=
            csv_record(begin + QStringList{csv_number(from.count()), csv_number(to.count()), QString::number(count)});
      };
      const Histograms::One& one = histograms_.of[i];
      if (one.counts.empty()) text += csv_record(begin + QStringList{QString(), QString(), QString()});
      for (std::size_t bin = 0; bin < one.counts.size(); ++bin) {
        if (one.counts[bin] > 0) add(edge(bin), edge(bin + 1), one.counts[bin]);
      }
      if (one.beyond > 0) add(histograms_.end(), one.highest, one.beyond);
    }
    return text;
  }

  QString words() const {
    QStringList lines;
    for (const DistributionRow& row : rows_) {
      lines << (row.percentiles.isEmpty() ? QStringLiteral("%1: %2").arg(row.name, row.runs)
                                          : QStringLiteral("%1: %2, %3").arg(row.name, row.percentiles, row.runs));
    }
    return lines.join(QLatin1Char('\n'));
  }

 private:
  Millis edge(std::size_t bin) const { return histograms_.begin + histograms_.width * static_cast<double>(bin); }
  double heightOf(std::size_t row) const { return kWords + (rows_[row].told.p50 ? kHistogram : 0); }

  void paintWords(QPainter& painter, const QRectF& line, std::size_t i, const Theme& theme) const {
    const QFont font = QGuiApplication::font();
    const DistributionRow& row = rows_[i];
    const QString right =
        row.percentiles.isEmpty() ? row.runs : row.percentiles + QString::fromUtf8("  \u00B7  ") + row.runs;
    painter.setFont(sized(font, 11));
    painter.setPen(row.percentiles.isEmpty() ? theme.mutedText : theme.text);
    const double most = 0.7 * line.width();
    const QString shown = painter.fontMetrics().elidedText(right, Qt::ElideRight, static_cast<int>(most));
    const double taken = painter.fontMetrics().horizontalAdvance(shown) + 8;
    painter.drawText(line.adjusted(0, 0, -kSide, 0), kAtRight, shown);
    painter.setFont(sized(font, 12, bars_[i].fastest));
    painter.setPen(theme.text);
    const double room = std::max(20.0, line.width() - taken - 2 * kSide);
    painter.drawText(line.adjusted(kSide, 0, 0, 0), kAtLeft,
                     painter.fontMetrics().elidedText(row.name, Qt::ElideMiddle, static_cast<int>(room)));
  }

  void paintHistogram(QPainter& painter, const TimeAxis& axis, double top, std::size_t i, const Theme& theme) const {
    const Histograms::One& one = histograms_.of[i];
    const double most = static_cast<double>(*std::ranges::max_element(one.counts));
    const double base = top + kHistogram;
    const bool focus = bars_[i].best;
    const QColor frame = focus ? theme.accent : theme.boxLine;
    painter.setPen(QPen(frame, 0.8));
    painter.setBrush(bars_[i].external ? QBrush(frame, Qt::BDiagPattern)
                                       : QBrush(theme.schedule(bars_[i].color, focus)));
    for (std::size_t bin = 0; bin < one.counts.size() && most > 0; ++bin) {
      if (one.counts[bin] == 0) continue;
      const double left = axis.x(Micros(edge(bin)));
      const double height = std::max(1.0, (kHistogram - 6) * static_cast<double>(one.counts[bin]) / most);
      painter.drawRect(QRectF(left, base - height, axis.x(Micros(edge(bin + 1))) - left, height));
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.outline, 1));
    painter.drawLine(QPointF(axis.left, base), QPointF(axis.right(), base));
    const auto mark = [&](const std::optional<Millis>& at, int percent) {
      if (!at) return;
      const double x = axis.x(Micros(*at));
      painter.setPen(percentile_pen(percent, theme));
      painter.drawLine(QPointF(x, top + 2), QPointF(x, base));
    };
    mark(rows_[i].told.p50, 50);
    mark(rows_[i].told.p95, 95);
    mark(rows_[i].told.p99, 99);
    if (one.beyond == 0) return;
    paint_text(painter, sized(QGuiApplication::font(), 10), theme.mutedText, QRectF(axis.left, top + 1, axis.width, 14),
               kAtRight, Text::tr("%1 longer, up to %2 ms").arg(one.beyond).arg(format::millis(one.highest)));
  }

  void paintAxis(QPainter& painter, const TimeAxis& axis, const QRectF& area, double y, const Theme& theme) const {
    const QFont font = QGuiApplication::font();
    painter.setFont(sized(font, 11));
    for (const TimeTick& tick : axis.ticks(kRunTickSpacing)) {
      const double x = axis.x(tick.time);
      painter.setPen(QPen(theme.gridLine, 1));
      painter.drawLine(QPointF(x, area.top() + kWords), QPointF(x, y));
      const double half = painter.fontMetrics().horizontalAdvance(tick.label) / 2.0 + 1;
      const double middle = std::clamp(x, axis.left + half - kSide, axis.right() - half + kSide);
      paint_text(painter, theme.mutedText, QRectF(middle - half, y + 2, 2 * half, 14), Qt::AlignCenter, tick.label);
    }
    const bool samples = std::ranges::any_of(bars_, [](const LatencyBar& bar) { return bar.whole.has_value(); });
    const QString unit = unit_text(axis.unit(kRunTickSpacing));
    paint_text(
        painter, theme.text, QRectF(area.left(), y + 18, area.width(), 16), Qt::AlignCenter,
        samples ? Text::tr("time of one run per sample (%1)").arg(unit) : Text::tr("time of one run (%1)").arg(unit));
    double x = area.left() + kSide;
    for (const int percent : {50, 95, 99}) {
      const QString name = QStringLiteral("p%1").arg(percent);
      painter.setPen(percentile_pen(percent, theme));
      painter.drawLine(QPointF(x, y + kAxis + 3), QPointF(x, y + kAxis + 15));
      painter.setPen(theme.mutedText);
      const double width = painter.fontMetrics().horizontalAdvance(name) + 2;
      painter.drawText(QRectF(x + 6, y + kAxis, width, kKey), kAtLeft, name);
      x += width + 22;
    }
    painter.drawText(
        QRectF(x, y + kAxis, std::max(0.0, area.right() - x), kKey), Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(Text::tr("each histogram has its own height; p95 needs %1 runs, p99 %2")
                                             .arg(kLeastForP95)
                                             .arg(kLeastForP99),
                                         Qt::ElideRight, static_cast<int>(std::max(0.0, area.right() - x))));
  }

  std::vector<LatencyBar> bars_;
  std::vector<DistributionRow> rows_;
  Histograms histograms_;
  QString context_;
};

// Returns why something has no distribution.
QString without_distribution(const LatencyBar& bar) {
  if (is_modelled(bar.latency.origin))
    return Text::tr("%1: one run without noise, no distribution").arg(origin_text(bar.latency.origin));
  if (bar.latency.samples <= 1) return Text::tr("only one time is known, no distribution");
  return Text::tr("the single runs are not known, no distribution");
}

}  // namespace

std::vector<DistributionRow> distribution_rows(std::span<const LatencyBar> bars) {
  std::vector<DistributionRow> rows;
  for (const LatencyBar& bar : bars) {
    DistributionRow& row = rows.emplace_back();
    row.name = bar.label;
    row.told = percentiles_of(bar.samples);
    if (!row.told.p50) {
      row.runs = without_distribution(bar);
      continue;
    }
    const auto told = [](const QString& name, const std::optional<Millis>& value) {
      return value ? QStringLiteral("%1 %2").arg(name, format::millis(*value)) : Text::tr("%1: too few runs").arg(name);
    };
    QStringList words{told(QStringLiteral("p50"), row.told.p50), told(QStringLiteral("p95"), row.told.p95)};
    if (row.told.p95) words << told(QStringLiteral("p99"), row.told.p99);
    row.percentiles = words.join(QString::fromUtf8(" \u00B7 "));
    const auto kept = static_cast<std::int64_t>(row.told.samples);
    const QString count = kept < bar.latency.samples
                              ? Text::tr("%1 of %2 runs").arg(format::count(kept), format::count(bar.latency.samples))
                              : Text::tr("%1 runs").arg(format::count(kept));
    row.runs = QStringLiteral("%1, %2").arg(
        count, bar.external && !bar.source.isEmpty() ? bar.source : origin_text(bar.latency.origin));
  }
  return rows;
}

bool has_distribution(std::span<const LatencyBar> bars) { return std::ranges::any_of(bars, is_distributed); }

std::unique_ptr<Figure> make_distribution_figure(std::vector<LatencyBar> bars, const QString& context) {
  return std::make_unique<DistributionFigure>(std::move(bars), context);
}

DistributionView::DistributionView(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Distribution of the runs"));
  setObjectName(QStringLiteral("compare-distribution"));
  follow_theme(this, theme_, [this] { update(); });
}

void DistributionView::setBars(std::vector<LatencyBar> bars) {
  auto figure = std::make_unique<DistributionFigure>(std::move(bars), QString());
  setAccessibleDescription(figure->words());
  setMinimumHeight(static_cast<int>(std::ceil(figure->size().height() + 2 * kViewMargin)));
  figure_ = std::move(figure);
  update();
}

void DistributionView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  painter.fillRect(rect(), theme_.canvas);
  if (figure_) {
    figure_->paint(painter, QRectF(rect()).adjusted(kViewMargin, kViewMargin, -kViewMargin, -kViewMargin), theme_);
  }
}

}  // namespace iosx

#include "moc_distribution_figure.cpp"
