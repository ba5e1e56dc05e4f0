#include "views/explore/utilization/utilization_figure.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "views/style/fills.h"
#include "views/text/counter_text.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr double kTickSpacing = 80;  // pixels
constexpr int kRowGap = 7;
constexpr double kLeastStagePixels = 8;  // boundaries closer than this are not drawn

// Ties positions of an item to a row's rectangle: their y are shares of its height.
void tie(std::initializer_list<QCPItemPosition*> positions, QCPAxisRect* rect, QCPItemPosition::PositionType x) {
  for (QCPItemPosition* position : positions) {
    position->setAxisRect(rect);
    position->setAxes(rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft));
    position->setTypeX(x);
    position->setTypeY(QCPItemPosition::ptAxisRectRatio);
  }
}

}  // namespace

// Draws a step curve over a filled area, for thousands of steps: on screen, one rectangle per step. QCPGraph fills
// it as one polygon, which takes Qt's rasteriser 100 ms for NASNet's five thousand steps.
class StepArea final : public QCPGraph {
 public:
  StepArea(QCPAxis* time, QCPAxis* value) : QCPGraph(time, value) {
    setLineStyle(lsStepLeft);
    setAntialiased(false);  // its lines are horizontal or vertical
  }

 protected:
  void drawFill(QCPPainter* painter, QVector<QPointF>* lines) const override {
    // For vectors one polygon is right: adjacent rectangles would show seams.
    if (painter->modes().testFlag(QCPPainter::pmVectorized)) return QCPGraph::drawFill(painter, lines);
    if (lines->isEmpty() || brush().style() == Qt::NoBrush) return;
    const double zero = valueAxis()->coordToPixel(0);
    painter->setAntialiasing(false);
    // Two points per step: its begin at the previous step's height, and at its own.
    for (qsizetype i = 1; i + 1 < lines->size(); i += 2) {
      const QPointF& begin = (*lines)[i];
      fill_translucent(*painter, QRectF(begin, QPointF((*lines)[i + 1].x(), zero)).normalized(), brush().color());
    }
  }
};

QString caption_text(const Counter& counter) {
  const QString quantity = QString::fromUtf8("\u2191 ") + core_words(counter.name);
  const QString unit = text_of(counter.unit);
  if (counter.peak <= 0) return quantity + Text::tr(", %1").arg(core_words(counter.unit));
  if (unit == QLatin1String("%")) return quantity + Text::tr(", %");
  return quantity + Text::tr(", % of %1").arg(quantity_text(counter.peak, counter.peak));
}

// Returns the font of small print: 8.5 pt.
QFont UtilizationPlot::small_font() const {
  QFont font = font_;
  font.setPointSizeF(8.5);
  return font;
}

void UtilizationPlot::style(QCPAxis* axis) const {
  axis->setBasePen(QPen(theme_.outline));
  axis->setTickPen(QPen(theme_.outline));
  axis->setSubTickPen(Qt::NoPen);
  axis->setTickLabelColor(theme_.text);
  axis->setTickLabelFont(sized(font_, 11));
  axis->setLabelColor(theme_.text);
  axis->setLabelFont(sized(font_, 12));
  axis->grid()->setPen(QPen(theme_.gridLine));
  axis->grid()->setZeroLinePen(QPen(theme_.outline));
}

void UtilizationPlot::build(std::vector<UtilizationRow> rows, double top, const Theme& theme, const QFont& font) {
  rows_ = std::move(rows);
  theme_ = theme;
  font_ = font;
  rects_.clear();
  boundaries_.clear();
  curves_.clear();
  plot_->clearItems();
  plot_->clearPlottables();
  plot_->plotLayout()->clear();
  plot_->setBackground(QBrush(theme.canvas));
  plot_->setLocale(QLocale(QLocale::English));
  plot_->plotLayout()->setRowSpacing(0);
  plot_->setPlottingHint(QCP::phFastPolylines);  // a thick line through thousands of steps as one path is slow
  ticker_ = QSharedPointer<QCPAxisTickerText>::create();
  top_ = top;
  for (std::size_t i = 0; i < rows_.size(); ++i) add_row(i);
  add_caption();
  set_range(range_);
}

void UtilizationPlot::add_row(std::size_t index) {
  auto* rect = new QCPAxisRect(plot_, true);  // owned by the layout
  plot_->plotLayout()->addElement(static_cast<int>(index), 0, rect);
  rects_.push_back(rect);
  rect->setLayer(QStringLiteral("background"));
  rect->setAutoMargins(QCP::msNone);
  rect->setBackground(QBrush(theme_.canvas));
  const bool last = index + 1 == rows_.size();
  QCPAxis* time = rect->axis(QCPAxis::atBottom);
  QCPAxis* amount = rect->axis(QCPAxis::atLeft);
  for (QCPAxis* axis : {time, amount}) {
    style(axis);
    axis->setLayer(QStringLiteral("axes"));
    axis->grid()->setLayer(QStringLiteral("grid"));
  }
  for (const auto side : {QCPAxis::atTop, QCPAxis::atRight}) rect->axis(side)->setVisible(false);
  time->setTicker(ticker_);
  time->setTickLabels(last);
  time->setTickLengthOut(last ? 4 : 0);
  time->setTickLengthIn(0);
  amount->setRange(0, top_);
  const double most = std::max(rows_[index].peak, top_);
  if (is_countable(most)) {
    const auto whole = QSharedPointer<QCPAxisTickerFixed>::create();  // no tick at half a core
    whole->setTickStep(std::max(1.0, std::ceil(most / 2)));
    amount->setTicker(whole);
  } else {
    amount->ticker()->setTickCount(3);
  }
  amount->setNumberFormat(QStringLiteral("f"));
  amount->setNumberPrecision(0);
  amount->setTickLengthIn(0);
  amount->setTickLengthOut(4);
  amount->setSubTicks(false);
  amount->setTickLabelPadding(3);
  time->setSubTicks(false);
  const UtilizationRow& row = rows_[index];
  const QColor color = theme_.mutedText;  // the row's header says whose it is
  add_curve(rect, row, color);
  add_texts(rect, row, color);
}

void UtilizationPlot::add_curve(QCPAxisRect* rect, const UtilizationRow& row, const QColor& color) {
  const double top = top_;
  QCPAxis* time = rect->axis(QCPAxis::atBottom);
  QCPAxis* amount = rect->axis(QCPAxis::atLeft);
  QCPGraph* stages = plot_->addGraph(time, amount);
  stages->setLineStyle(QCPGraph::lsImpulse);
  stages->setPen(QPen(with_alpha(theme_.outline, 0.35F), 1));
  stages->setAdaptiveSampling(false);
  for (const Micros begin : row.stages) stages->addData(begin.count(), top);
  boundaries_.push_back(stages);

  auto* curve = new StepArea(time, amount);  // owned by the plot
  curve->setPen(QPen(color, 1));             // a wider one is stroked as a path, which takes ten times as long
  curve->setBrush(with_alpha(color, theme_.dark ? 0.45F : 0.38F));
  curves_.push_back(curve);

  QCPGraph* mean = plot_->addGraph(time, amount);
  mean->setPen(QPen(theme_.text, 1, Qt::DashLine));
  if (!row.times.empty()) mean->setData({row.times.front(), row.times.back()}, {row.mean, row.mean}, true);
}

void UtilizationPlot::show_values(std::size_t index) {
  const UtilizationRow& row = rows_[index];
  const auto columns = static_cast<std::size_t>(std::max(axis().width, 16.0));
  QVector<QCPGraphData> data;
  for (const StepSeries::Step& step : row.series->seen(range_, columns))
    data.push_back({step.time.count(), step.value});
  curves_[index]->data()->set(data, true);
}

QCPItemText* UtilizationPlot::add_line(QCPItemText* above, const QString& text) {
  auto* line = new QCPItemText(plot_);
  line->setClipToAxisRect(false);
  line->setText(text);
  line->setFont(small_font());
  line->setColor(theme_.text);
  line->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
  line->setTextAlignment(Qt::AlignLeft);
  if (above != nullptr) line->position->setParentAnchor(above->bottomLeft);
  line->position->setType(QCPItemPosition::ptAbsolute);
  line->position->setCoords(0, 0);
  return line;
}

void UtilizationPlot::add_texts(QCPAxisRect* rect, const UtilizationRow& row, const QColor& color) {
  auto* bar = new QCPItemRect(plot_);
  bar->setClipToAxisRect(false);
  bar->setPen(Qt::NoPen);
  bar->setBrush(color);
  tie({bar->topLeft, bar->bottomRight}, rect, QCPItemPosition::ptAbsolute);
  bar->topLeft->setCoords(0, 0);
  bar->bottomRight->setCoords(4, 1);

  QCPItemText* name = add_line(nullptr, row.track.name());
  name->setFont(sized(font_, 13, true));
  tie({name->position}, rect, QCPItemPosition::ptAbsolute);
  name->position->setCoords(12, 0);
  const QString mean_text =
      row.peak > 0 && row.unit != QLatin1String("%")
          ? Text::tr("mean %1 = %2")
                .arg(quantity_text(row.mean, row.mean_error, row.peak), percent_text(row.mean / row.peak))
          : Text::tr("mean %1 %2").arg(quantity_text(row.mean, row.mean_error, row.peak), core_words(row.unit));
  QCPItemText* mean =
      add_line(name, row.area_ratio ? mean_text + Text::tr(", area %1").arg(ratio_text(*row.area_ratio)) : mean_text);
  // The text names the drawing: a dash for the mean line.
  mean->position->setCoords(15, 0);
  auto* dash = new QCPItemLine(plot_);
  dash->setClipToAxisRect(false);
  dash->setPen(QPen(theme_.text, 1.5, Qt::DashLine));
  for (QCPItemPosition* end : {dash->start, dash->end}) {
    end->setParentAnchor(mean->left);
    end->setType(QCPItemPosition::ptAbsolute);
  }
  dash->start->setCoords(-15, 1);
  dash->end->setCoords(-4, 1);
}

// Adds the caption below the texts, beside the axis of time.
void UtilizationPlot::add_caption() {
  if (rects_.empty()) return;
  QCPItemText* caption =
      add_line(nullptr, caption_text(*find_counter(rows_.front().track.schedule().trace, rows_.front().counter)));
  caption->setColor(theme_.mutedText);
  tie({caption->position}, rects_.back(), QCPItemPosition::ptAbsolute);
  caption->position->setCoords(12, 1);
  caption->setPadding(QMargins(0, 17, 0, 0));
}

void UtilizationPlot::set_margins(PlotMargins margins, double height) {
  margins_ = margins;
  const double each = std::max(1.0, (height - kAxisHeight - kTopMargin + kRowGap) /
                                        static_cast<double>(std::max<std::size_t>(rects_.size(), 1)));
  for (std::size_t i = 0; i < rects_.size(); ++i) {
    const bool last = i + 1 == rects_.size();
    rects_[i]->setMargins(QMargins(static_cast<int>(margins.left), i == 0 ? kTopMargin : kRowGap,
                                   static_cast<int>(margins.right), last ? kAxisHeight : 2));
    const double own = each + (i == 0 ? kTopMargin - kRowGap : 0) + (last ? kAxisHeight : 0);
    plot_->plotLayout()->setRowStretchFactor(static_cast<int>(i), own);
  }
  set_range(range_);
}

TimeAxis UtilizationPlot::axis() const {
  const double width = plot_->width() - margins_.left - margins_.right;
  return {range_, margins_.left, std::max(width, 16.0)};
}

void UtilizationPlot::set_range(TimeRange range) {
  range_ = range;
  if (!ticker_) return;
  const TimeAxis axis = this->axis();
  ticker_->clear();
  for (const TimeTick& tick : axis.ticks(kTickSpacing)) ticker_->addTick(tick.time.count(), tick.label);
  for (std::size_t i = 0; i < rects_.size(); ++i) {
    QCPAxis* time = rects_[i]->axis(QCPAxis::atBottom);
    time->setRange(range.begin.count(), range.end.count());
    if (i + 1 == rects_.size()) {
      const QString unit = unit_text(axis.unit(kTickSpacing));
      QString source = short_source(rows_[i].source.toStdString());
      if (!source.isEmpty()) source = Text::tr("      %1: %2").arg(core_words(rows_[i].quantity), source);
      // Labels without room are left out: tooltips have them too.
      QString label = Text::tr("time from the start of the run (%1)").arg(unit) + source;
      const QFontMetricsF metrics(time->labelFont());
      if (metrics.horizontalAdvance(label) > axis.width) label = Text::tr("time (%1)").arg(unit) + source;
      if (metrics.horizontalAdvance(label) > axis.width) label = Text::tr("time (%1)").arg(unit);
      time->setLabel(label);
    }
    show_values(i);
    const std::vector<Micros>& stages = rows_[i].stages;
    const auto visible = std::ranges::upper_bound(stages, range.end) - std::ranges::lower_bound(stages, range.begin);
    boundaries_[i]->setVisible(static_cast<double>(visible) * kLeastStagePixels < axis.width);
  }
}

}  // namespace iosx
