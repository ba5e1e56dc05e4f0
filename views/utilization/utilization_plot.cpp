#include "views/utilization/utilization_plot.h"

#include <QFontMetricsF>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "views/text/counter_text.h"
#include "views/text/latency_text.h"
#include "views/text/translate.h"
#include "views/utilization/step_area.h"

namespace iosx {
namespace {

constexpr double kTickSpacing = 80;  // pixels
constexpr int kRowGap = 7;
constexpr double kIdleStrip = 0.07;      // of the scale, below zero
constexpr double kLeastStagePixels = 8;  // boundaries closer than this are not drawn
constexpr double kLeastPeakPixels = 4;   // narrower ones are a tick at the top edge
constexpr double kTickPixels = 4;
const char* const kSelectionLayer = "selected";

QColor idle_color(const Theme& theme) { return theme.dark ? QColor(0xFF, 0x7A, 0x45) : QColor(0xD5, 0x5E, 0x00); }

QColor with_alpha(QColor color, float alpha) {
  color.setAlphaF(alpha);
  return color;
}

}  // namespace

QString caption_text(const UtilizationRow& row) {
  const QString quantity = QString::fromUtf8("\u2191 ") + row.quantity;
  if (row.peak <= 0) return quantity + Text::tr(", %1").arg(row.unit);
  if (row.unit == QLatin1String("%")) return quantity + Text::tr(", %");
  return quantity + Text::tr(", % of %1").arg(quantity_text(row.peak, row.peak));
}

QFont UtilizationPlot::font(int pixels, bool bold) const {
  QFont font = font_;
  font.setPixelSize(pixels);
  font.setBold(bold);
  return font;
}

// Small print: 8.5 pt.
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
  axis->setTickLabelFont(font(11));
  axis->setLabelColor(theme_.text);
  axis->setLabelFont(font(12));
  axis->grid()->setPen(QPen(theme_.gridLine));
  axis->grid()->setZeroLinePen(QPen(theme_.outline));
}

void UtilizationPlot::build(const Comparison& comparison, std::vector<UtilizationRow> rows, const Scale& scale,
                            const Theme& theme, const QFont& font, bool caption) {
  rows_ = std::move(rows);
  theme_ = theme;
  font_ = font;
  rects_.clear();
  boundaries_.clear();
  curves_.clear();
  peaks_.clear();
  cursors_.clear();
  highlights_.clear();
  plot_->clearItems();
  plot_->clearPlottables();
  plot_->plotLayout()->clear();
  plot_->setBackground(QBrush(theme.canvas));
  plot_->setLocale(QLocale(QLocale::English));
  plot_->plotLayout()->setRowSpacing(0);
  plot_->setPlottingHint(QCP::phFastPolylines);  // a thick line through thousands of steps as one path is slow
  if (plot_->layer(QLatin1String(kSelectionLayer)) == nullptr) {
    plot_->addLayer(QLatin1String(kSelectionLayer), plot_->layer(QStringLiteral("grid")), QCustomPlot::limAbove);
  }
  ticker_ = QSharedPointer<QCPAxisTickerText>::create();
  scale_ = scale;
  for (std::size_t i = 0; i < rows_.size(); ++i) add_row(comparison, i);
  if (caption) add_caption();
  set_range(range_);
}

void UtilizationPlot::add_row(const Comparison& comparison, std::size_t index) {
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
  amount->setRange(-kIdleStrip * scale_.top, scale_.top);
  const double most = std::max(rows_[index].peak, scale_.largest);
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
  const QColor color = theme_.schedule(comparison.results[row.result].recipe);
  add_curve(rect, row, color);
  add_texts(rect, comparison, row, color);
}

void UtilizationPlot::add_curve(QCPAxisRect* rect, const UtilizationRow& row, const QColor& color) {
  const double top = scale_.top;
  QCPAxis* time = rect->axis(QCPAxis::atBottom);
  QCPAxis* amount = rect->axis(QCPAxis::atLeft);
  QCPGraph* stages = plot_->addGraph(time, amount);
  stages->setLineStyle(QCPGraph::lsImpulse);
  stages->setPen(QPen(with_alpha(theme_.outline, 0.35F), 1));
  stages->setAdaptiveSampling(false);
  for (const Micros begin : row.stages) stages->addData(begin.count(), top);
  boundaries_.push_back(stages);

  auto* curve = new StepArea(time, amount);  // owned by the plot
  curve->setPen(QPen(color, 1.25));
  curve->setBrush(with_alpha(color, theme_.dark ? 0.45F : 0.38F));
  curves_.push_back(curve);

  QPainterPath tick;
  tick.moveTo(0, 0);
  tick.lineTo(0, kTickPixels);
  QCPGraph* peaks = plot_->addGraph(time, amount);
  peaks->setLineStyle(QCPGraph::lsNone);
  peaks->setAdaptiveSampling(false);
  peaks->setScatterStyle(QCPScatterStyle(tick, QPen(color, 1.5)));
  peaks_.push_back(peaks);

  auto* idle = new StepArea(time, amount);
  idle->setPen(Qt::NoPen);
  idle->setBrush(idle_color(theme_));
  idle->setAdaptiveSampling(false);
  for (const TimeRange& gap : row.idle) {
    idle->addData(gap.begin.count(), -kIdleStrip * top);
    idle->addData(gap.end.count(), 0);
  }

  QCPGraph* mean = plot_->addGraph(time, amount);
  mean->setPen(QPen(theme_.text, 1.5, Qt::DashLine));
  if (!row.times.empty()) mean->setData({row.times.front(), row.times.back()}, {row.mean, row.mean}, true);

  auto* cursor = new QCPItemLine(plot_);
  cursor->setPen(QPen(theme_.mutedText, 1, Qt::DotLine));
  cursor->setVisible(false);
  for (QCPItemPosition* end : {cursor->start, cursor->end}) {
    end->setAxisRect(rect);
    end->setAxes(time, amount);
    end->setTypeX(QCPItemPosition::ptPlotCoords);
    end->setTypeY(QCPItemPosition::ptAxisRectRatio);
  }
  cursor->setClipAxisRect(rect);
  cursors_.push_back(cursor);
}

// Values are cut at the top here, since SVG has no clipping.
void UtilizationPlot::show_values(std::size_t index) {
  const UtilizationRow& row = rows_[index];
  const double pixel = axis().duration(1).count();
  QVector<double> shown = row.values;
  peaks_[index]->data()->clear();
  double last_tick = -1;
  for (qsizetype i = 0; i < row.values.size();) {
    if (row.values[i] <= scale_.top) {
      ++i;
      continue;
    }
    qsizetype end = i;
    while (end < row.values.size() && row.values[end] > scale_.top) ++end;
    const double until = row.times[std::min(end, row.times.size() - 1)];
    const bool narrow = until - row.times[i] < kLeastPeakPixels * pixel;
    const double before = i > 0 ? shown[i - 1] : 0;
    const double after = end < row.values.size() ? row.values[end] : 0;
    for (qsizetype k = i; k < end; ++k) shown[k] = narrow ? std::max(before, after) : scale_.top;
    const double middle = (row.times[i] + until) / 2;
    if (last_tick < 0 || middle - last_tick > kLeastPeakPixels * pixel) {
      peaks_[index]->addData(middle, scale_.top);
      last_tick = middle;
    }
    i = end;
  }
  curves_[index]->setData(row.times, shown, true);
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

void UtilizationPlot::add_texts(QCPAxisRect* rect, const Comparison& comparison, const UtilizationRow& row,
                                const QColor& color) {
  auto* bar = new QCPItemRect(plot_);
  bar->setClipToAxisRect(false);
  bar->setPen(Qt::NoPen);
  bar->setBrush(color);
  for (QCPItemPosition* corner : {bar->topLeft, bar->bottomRight}) {
    corner->setAxisRect(rect);
    corner->setTypeX(QCPItemPosition::ptAbsolute);
    corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
  }
  bar->topLeft->setCoords(0, 0);
  bar->bottomRight->setCoords(4, 1);

  QCPItemText* name = add_line(nullptr, schedule_title(comparison.results[row.result]));
  name->setFont(font(13, true));
  name->position->setAxisRect(rect);
  name->position->setTypeX(QCPItemPosition::ptAbsolute);
  name->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
  name->position->setCoords(12, 0);
  const QString mean_text =
      row.peak > 0 && row.unit != QLatin1String("%")
          ? Text::tr("mean %1 = %2")
                .arg(quantity_text(row.mean, row.mean_error, row.peak), percent_text(row.mean / row.peak))
          : Text::tr("mean %1 %2").arg(quantity_text(row.mean, row.mean_error, row.peak), row.unit);
  const QString idle_text = Text::tr("idle %1").arg(percent_text(row.idle_share));
  QCPItemText* mean = add_line(name, mean_text);
  QCPItemText* idle =
      add_line(mean, row.area_ratio ? idle_text + Text::tr(", area %1").arg(ratio_text(*row.area_ratio)) : idle_text);
  // The texts name the drawing: a dash for the mean line, a square for the idle strip.
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
  auto* square = new QCPItemRect(plot_);
  square->setClipToAxisRect(false);
  square->setPen(Qt::NoPen);
  square->setBrush(idle_color(theme_));
  for (QCPItemPosition* corner : {square->topLeft, square->bottomRight}) {
    corner->setParentAnchor(idle->left);
    corner->setType(QCPItemPosition::ptAbsolute);
  }
  square->topLeft->setCoords(-13, -4);
  square->bottomRight->setCoords(-5, 4);
}

// Below the texts, beside the axis of time.
void UtilizationPlot::add_caption() {
  if (rects_.empty()) return;
  QCPItemText* caption = add_line(nullptr, caption_text(rows_.front()));
  caption->setColor(theme_.mutedText);
  caption->position->setAxisRect(rects_.back());
  caption->position->setTypeX(QCPItemPosition::ptAbsolute);
  caption->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
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
      QString peaks;
      if (scale_.cuts()) {
        peaks = Text::tr("      ticks at the top edge: short peaks, up to %1 %2")
                    .arg(count_text(scale_.largest), rows_[i].unit);
      }
      QString source = short_source(rows_[i].source.toStdString());
      if (!source.isEmpty()) source = Text::tr("      %1: %2").arg(rows_[i].quantity, source);
      // What has no room is left out: tooltips have it too.
      QString label = Text::tr("time from the start of the run (%1)").arg(unit) + peaks + source;
      const QFontMetricsF metrics(time->labelFont());
      if (metrics.horizontalAdvance(label) > axis.width) label = Text::tr("time (%1)").arg(unit) + peaks + source;
      if (metrics.horizontalAdvance(label) > axis.width) label = Text::tr("time (%1)").arg(unit) + peaks;
      if (metrics.horizontalAdvance(label) > axis.width) label = Text::tr("time (%1)").arg(unit);
      time->setLabel(label);
    }
    show_values(i);
    const std::vector<Micros>& stages = rows_[i].stages;
    const auto visible = std::count_if(stages.begin(), stages.end(), [&](Micros t) { return range.contains(t); });
    boundaries_[i]->setVisible(static_cast<double>(visible) * kLeastStagePixels < axis.width);
  }
}

void UtilizationPlot::set_selection(const Comparison& comparison, const Selection& selection) {
  for (QCPItemRect* rect : highlights_) plot_->removeItem(rect);
  highlights_.clear();
  if (selection.empty()) return;
  const auto add = [&](std::size_t row, Micros begin, Micros end, float alpha) {
    auto* mark = new QCPItemRect(plot_);
    mark->setLayer(QLatin1String(kSelectionLayer));
    QCPAxis* time = rects_[row]->axis(QCPAxis::atBottom);
    for (QCPItemPosition* corner : {mark->topLeft, mark->bottomRight}) {
      corner->setAxisRect(rects_[row]);
      corner->setAxes(time, rects_[row]->axis(QCPAxis::atLeft));
      corner->setTypeX(QCPItemPosition::ptPlotCoords);
      corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
    }
    mark->setClipAxisRect(rects_[row]);
    mark->topLeft->setCoords(begin.count(), 0);
    mark->bottomRight->setCoords(end.count(), 1);
    mark->setPen(QPen(with_alpha(theme_.selection, 0.8F), 1));
    mark->setBrush(with_alpha(theme_.selection, alpha));
    highlights_.push_back(mark);
  };
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const ScheduleResult& result = comparison.results[rows_[i].result];
    if (selection.stage && selection.schedule == result.id && *selection.stage < result.trace.stages.size()) {
      const StageSpan& stage = result.trace.stages[*selection.stage];
      add(i, stage.begin, stage.end, 0.30F);
      continue;
    }
    for (const KernelSpan& span : result.trace.kernels) {
      if (span.kernel.index() >= result.plan.kernels.size()) continue;
      const std::vector<UnitId>& units = result.plan.kernel(span.kernel).units;
      const bool chosen = std::any_of(units.begin(), units.end(), [&](UnitId u) { return selection.contains(u); });
      if (chosen) add(i, span.begin, span.end, 0.16F);
    }
  }
}

void UtilizationPlot::set_cursor(std::optional<Micros> time) {
  for (QCPItemLine* line : cursors_) {
    line->setVisible(time.has_value());
    if (!time) continue;
    line->start->setCoords(time->count(), 0);
    line->end->setCoords(time->count(), 1);
  }
}

std::optional<std::size_t> UtilizationPlot::row_at(QPointF point) const {
  for (std::size_t i = 0; i < rects_.size(); ++i) {
    if (QRectF(rects_[i]->rect()).contains(point)) return i;
  }
  return std::nullopt;
}

}  // namespace iosx
