#include <qcustomplot.h>

#include <QGuiApplication>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/compare/comparison_chart.h"
#include "views/export/csv.h"
#include "views/export/plot_figure.h"
#include "views/style/style.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr double kBarWidth = 0.62;  // of the distance of two bars
constexpr double kThickest = 40;    // pixels of a bar
constexpr double kLabelGap = 8;     // pixels between a bar and its label
constexpr int kMarginBelow = 46;    // for the axis and its title
constexpr double kLeastRight = 12;  // right of the axis
constexpr double kBeyondLargest = 1.02;
constexpr double kFigureWidth = 900;
constexpr double kSummaryHeight = 44;  // at least

// Opaque, so that the grid does not show through.
QColor mixed(const QColor& color, const QColor& canvas) {
  const auto part = [](int a, int b) { return (a * 4 + b) / 5; };
  return {part(color.red(), canvas.red()), part(color.green(), canvas.green()), part(color.blue(), canvas.blue())};
}

// "6.49 ms · baseline", "4.03 ms · 1.61×".
QString bar_label(const Comparison& comparison, std::size_t index) {
  const ScheduleResult& result = comparison.results[index];
  const ScheduleResult* baseline = comparison.find(Recipe::kSequential);
  QString label = latency_text(result.latency);
  if (baseline == nullptr || comparison.results.size() < 2) return label;
  label += QString::fromUtf8("  \u00B7  ");
  if (&result == baseline) return label + Text::tr("baseline");
  if (difference(result, *baseline) == Difference::kSame) {
    return label + speed_up_text(comparison, index);
  }
  return label + speed_text(result, *baseline);
}

void add_bar(QCustomPlot& plot, const Comparison& comparison, std::size_t index, const Theme& theme, const QFont& font,
             bool emphasised) {
  const ScheduleResult& result = comparison.results[index];
  const double row = -static_cast<double>(index);
  const double value = result.latency.value.count();
  const double spread = result.latency.spread.count();
  auto* bar = new QCPBars(plot.yAxis, plot.xAxis);
  const QColor color = theme.schedule(result.recipe);
  const QColor fill = mixed(color, theme.canvas);
  const bool simulated = result.latency.origin == Origin::kSimulated;
  const QColor frame = theme.dark ? color.lighter(135) : color.darker(150);
  const double rows = static_cast<double>(comparison.results.size());
  bar->setWidth(std::min(kBarWidth, kThickest * rows / std::max(1, plot.height() - kMarginBelow)));
  bar->setBrush(fill);
  bar->setPen(emphasised ? QPen(theme.selection, 2.5) : QPen(frame, 1.25, simulated ? Qt::DashLine : Qt::SolidLine));
  bar->addData(row, value);
  if (spread > 0) {
    auto* whisker = new QCPErrorBars(plot.yAxis, plot.xAxis);
    whisker->setDataPlottable(bar);
    whisker->setErrorType(QCPErrorBars::etValueError);
    whisker->setPen(QPen(theme.text, 1.25));
    whisker->setWhiskerWidth(9);
    whisker->addData(spread);
  }
  auto* label = new QCPItemText(&plot);
  label->setClipToAxisRect(false);
  label->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  label->position->setCoords(value + spread, row);
  label->setPadding(QMargins(static_cast<int>(kLabelGap), 0, 0, 0));
  label->setFont(sized(font, 12, is_fastest(comparison, index)));
  label->setColor(theme.text);
  label->setText(bar_label(comparison, index));
}

double largest_value(const Comparison& comparison) {
  double largest = 0;
  for (const ScheduleResult& result : comparison.results) {
    largest = std::max(largest, (result.latency.value + result.latency.spread).count());
  }
  return largest > 0 ? largest : 1;
}

// Pixels of the axis, of all that lie right of the names, such that every bar and the label at its end fit.
double axis_width(const Comparison& comparison, const QFont& font, double available, double end) {
  const QFontMetricsF metrics(sized(font, 12, true));
  double width = available - kLeastRight;
  for (std::size_t i = 0; i < comparison.results.size(); ++i) {
    const Latency& latency = comparison.results[i].latency;
    const double label = metrics.horizontalAdvance(bar_label(comparison, i)) + kLabelGap + 6;
    const double share = (latency.value + latency.spread).count() / end;
    if (share > 0) width = std::min(width, (available - label) / share);
  }
  return std::max(width, 0.25 * available);
}

class ComparisonFigure final : public Figure {
 public:
  explicit ComparisonFigure(std::shared_ptr<const Comparison> comparison) : comparison_(std::move(comparison)) {}

  QString title() const override { return Text::tr("End-to-end latency: %1").arg(context_text(*comparison_)); }
  QString fileStem() const override { return QStringLiteral("comparison"); }
  QSizeF size() const override { return sizeWithin(kFigureWidth); }
  QSizeF sizeWithin(double width) const override {
    return {width, summaryHeight(width) + 70 + 46 * static_cast<double>(comparison_->results.size())};
  }

  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    const QFont font = QGuiApplication::font();
    painter.setFont(sized(font, 13));
    painter.setPen(theme.text);
    painter.drawText(QRectF(area.left(), area.top(), area.width(), summaryHeight(area.width())),
                     Qt::AlignLeft | Qt::TextWordWrap, summary_sentence(*comparison_));
    if (comparison_->results.empty()) return;
    paint_plot(painter, area.adjusted(0, summaryHeight(area.width()), 0, 0),
               [&](QCustomPlot& plot) { build_comparison_plot(plot, *comparison_, theme, font, {}); });
  }

  QString recorded() const override { return QString::fromStdString(comparison_->recorded); }
  QString csv() const override {
    QString text = csv_record({QStringLiteral("schedule"), QStringLiteral("origin"), QStringLiteral("device"),
                               QStringLiteral("batch"), QStringLiteral("latency_ms"), QStringLiteral("spread_ms"),
                               QStringLiteral("samples"), QStringLiteral("stage_sum_ms"), QStringLiteral("stages"),
                               QStringLiteral("speed_up_vs_sequential"), QStringLiteral("speed_up_low"),
                               QStringLiteral("speed_up_high")});
    for (std::size_t i = 0; i < comparison_->results.size(); ++i) {
      const ScheduleResult& result = comparison_->results[i];
      const auto ratio = speed_up(*comparison_, i);
      const Speedup interval = comparison_->speedup(result);
      const auto bound = [&](double value) { return ratio && interval.known() ? csv_number(value) : QString(); };
      text += csv_record({QString::fromStdString(result.id.text()), origin_text(result.latency.origin),
                          shown_name(comparison_->device.name), QString::number(comparison_->batch),
                          csv_number(result.latency.value.count()), csv_number(result.latency.spread.count()),
                          QString::number(result.latency.samples), csv_number(result.stage_sum.count()),
                          QString::number(result.schedule.stages.size()), ratio ? csv_number(*ratio) : QString(),
                          bound(interval.low), bound(interval.high)});
    }
    return text;
  }

 private:
  double summaryHeight(double width) const {
    const QRectF box =
        QFontMetricsF(sized(QGuiApplication::font(), 13))
            .boundingRect(QRectF(0, 0, width, 1e4), Qt::AlignLeft | Qt::TextWordWrap, summary_sentence(*comparison_));
    return std::max(kSummaryHeight, std::ceil(box.height()) + 8);
  }

  std::shared_ptr<const Comparison> comparison_;
};

}  // namespace

void build_comparison_plot(QCustomPlot& plot, const Comparison& comparison, const Theme& theme, const QFont& font,
                           const ScheduleId& emphasised) {
  plot.clearItems();
  plot.clearPlottables();
  plot.setLocale(QLocale(QLocale::English));
  plot.setBackground(QBrush(theme.canvas));
  style_axis(*plot.xAxis, theme, font);
  style_axis(*plot.yAxis, theme, font);
  const auto names = QSharedPointer<QCPAxisTickerText>::create();
  const QFontMetricsF metrics(sized(font, 12));
  double widest = 0;
  for (std::size_t i = 0; i < comparison.results.size(); ++i) {
    const QString name = metrics.elidedText(schedule_title(comparison.results[i]), Qt::ElideRight, 150);
    names->addTick(-static_cast<double>(i), name);
    widest = std::max(widest, metrics.horizontalAdvance(name));
    add_bar(plot, comparison, i, theme, font, comparison.results[i].id == emphasised);
  }
  plot.yAxis->setTicker(names);
  plot.yAxis->setTickLength(0, 0);
  plot.yAxis->setSubTicks(false);
  plot.yAxis->grid()->setVisible(false);
  plot.yAxis->setTickLabelPadding(8);
  plot.yAxis->setRange(-static_cast<double>(comparison.results.size()) + 0.4, 0.6);
  plot.xAxis->setSubTicks(false);
  plot.xAxis->ticker()->setTickCount(plot.width() < 420 ? 4 : 5);
  plot.xAxis->setLabel(Text::tr("end-to-end latency (ms), %1").arg(origin_text(comparison.device.origin)));
  plot.axisRect()->setAutoMargins(QCP::msNone);
  const double left = widest + 18;
  const double end = largest_value(comparison) * kBeyondLargest;
  const double available = std::max(60.0, plot.width() - left);
  const double right = available - axis_width(comparison, font, available, end);
  plot.axisRect()->setMargins(QMargins(static_cast<int>(left), 6, static_cast<int>(right), kMarginBelow));
  plot.xAxis->setRange(0, end);
}

std::unique_ptr<Figure> make_comparison_figure(std::shared_ptr<const Comparison> comparison) {
  if (!comparison) comparison = std::make_shared<Comparison>();
  return std::make_unique<ComparisonFigure>(std::move(comparison));
}

}  // namespace iosx
