#include "views/compare/stage_latency_chart.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPolygonF>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/figures/paint.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/stage_text.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr double kTickSpacing = 60;  // pixels
constexpr double kRightPadding = 20;
constexpr double kRoomAfter = 1.02;

void paint_diamond(QPainter& painter, QPointF center, const Theme& theme) {
  painter.setPen(QPen(theme.canvas, 1));
  painter.setBrush(theme.text);
  const double r = 5.5;
  painter.drawPolygon(
      QPolygonF{center + QPointF(0, -r), center + QPointF(r, 0), center + QPointF(0, r), center + QPointF(-r, 0)});
}

double header_width(double width) {
  constexpr double kLeast = 150;
  constexpr double kShare = 0.36;
  return std::clamp(kShare * width, kLeast, StageBars::kHeaderWidth);
}

constexpr double kLegendLeft = 12;  // where there is no room beside the header

QStringList legend_texts() {
  return {Text::tr("stage, with its number"), Text::tr("merge stage"), Text::tr("end-to-end latency")};
}

double legend_width(const QFont& font) {
  const QFontMetricsF metrics(sized(font, 11));
  double total = 0;
  for (const QString& text : legend_texts()) total += 18 + metrics.horizontalAdvance(text) + 2 + 16;
  return total;
}

// A double line, as around merged layers on the canvas.
void paint_merge_mark(QPainter& painter, const QRectF& box, const Theme& theme) {
  for (const double above : {2.0, 5.0}) {
    painter.fillRect(QRectF(box.left(), box.bottom() - above, box.width(), 1.5), theme.boxLine);
  }
}

constexpr double kBarsWidth = 1200;
constexpr int kFooter = static_cast<int>(StageBars::kAxisHeight + StageBars::kLegendHeight);

QString stage_record(const Comparison& comparison, const ScheduleResult& result, std::size_t index) {
  const Stage& stage = result.schedule.stages[index];
  const Latency& latency = result.stage_latencies[index];
  QStringList units;
  std::string strategy;
  if (comparison.graph) {
    strategy = strategy_name(strategy_of(*comparison.graph, stage));
    for (const UnitId unit : stage.units()) units << shown_name(comparison.graph->unit(unit).name);
  }
  return csv_record({QString::fromStdString(result.id.text()), origin_id(latency.origin), QString::number(index + 1),
                     QString::fromStdString(strategy), QString::number(stage.groups.size()),
                     units.join(QLatin1Char(' ')), csv_number(latency.value.count()),
                     csv_number(latency.spread.count())});
}

QString stages_csv(const Comparison& comparison) {
  auto text = QStringLiteral("schedule,origin,stage,strategy,groups,units,latency_ms,spread_ms\n");
  for (const ScheduleResult& result : comparison.results) {
    if (result.lanes) continue;
    const std::size_t count = std::min(result.stage_latencies.size(), result.schedule.stages.size());
    for (std::size_t i = 0; i < count; ++i) text += stage_record(comparison, result, i);
  }
  return text;
}

}  // namespace

StageBars::StageBars(const Comparison& comparison) : comparison_(&comparison) {
  for (const ScheduleResult& result : comparison.results) {
    std::vector<Micros> ends;
    Micros sum{0};
    if (!result.lanes && comparison.knows_latencies()) {  // lanes have no stages of their own
      for (const Latency& latency : result.stage_latencies) ends.push_back(sum += latency.value);
    }
    longest_ = std::max({longest_, sum, Micros(result.latency.value)});
    std::vector<bool> merges(ends.size(), false);
    for (std::size_t i = 0; comparison.graph && i < std::min(ends.size(), result.schedule.stages.size()); ++i) {
      merges[i] = strategy_of(*comparison.graph, result.schedule.stages[i]) == Strategy::kMerge;
    }
    ends_.push_back(std::move(ends));
    merges_.push_back(std::move(merges));
  }
}

TimeAxis StageBars::axis(double width) const {
  const Micros end = longest_ > Micros(0) ? longest_ * kRoomAfter : Micros(1000);
  const double header = header_width(width);
  return {{Micros(0), end}, header, std::max(40.0, width - header - kRightPadding)};
}

void StageBars::fill_height(double available) {
  const double rows = std::max<double>(1, static_cast<double>(ends_.size()));
  row_height_ = std::clamp(std::floor(available / rows), kMinRowHeight, kMaxRowHeight);
}

QRectF StageBars::segment(StageRef ref, const TimeAxis& axis) const {
  const std::vector<Micros>& ends = ends_[ref.result];
  const double left = axis.x(ref.stage == 0 ? Micros(0) : ends[ref.stage - 1]);
  return {left, row_height_ * static_cast<double>(ref.result) + kBarTop, axis.x(ends[ref.stage]) - left, bar_height()};
}

std::optional<StageRef> StageBars::hit(QPointF point, const TimeAxis& axis) const {
  const double row = std::floor(point.y() / row_height_);
  if (row < 0 || row >= static_cast<double>(ends_.size()) || point.x() < axis.left) return std::nullopt;
  const auto result = static_cast<std::size_t>(row);
  const std::vector<Micros>& ends = ends_[result];
  const auto end = std::upper_bound(ends.begin(), ends.end(), axis.time(point.x()));
  if (end == ends.end()) return std::nullopt;
  return StageRef{result, static_cast<std::size_t>(end - ends.begin())};
}

StageRef StageBars::along(StageRef from, int step) const {
  const auto last = static_cast<std::ptrdiff_t>(ends_[from.result].size()) - 1;
  const auto wanted = static_cast<std::ptrdiff_t>(from.stage) + step;
  return {from.result,
          static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(wanted, 0, std::max<std::ptrdiff_t>(last, 0)))};
}

StageRef StageBars::across(StageRef from, int step) const {
  const auto wanted = static_cast<std::ptrdiff_t>(from.result) + step;
  if (wanted < 0 || wanted >= static_cast<std::ptrdiff_t>(ends_.size())) return from;
  const auto row = static_cast<std::size_t>(wanted);
  if (ends_[row].empty()) return from;
  const Micros begin = from.stage == 0 ? Micros(0) : ends_[from.result][from.stage - 1];
  const Micros middle = (begin + ends_[from.result][from.stage]) / 2;
  const auto end = std::upper_bound(ends_[row].begin(), ends_[row].end(), middle);
  return {row, std::min(static_cast<std::size_t>(end - ends_[row].begin()), ends_[row].size() - 1)};
}

void StageBars::paint_header(QPainter& painter, std::size_t row, double header, const Theme& theme,
                             const QFont& font) const {
  const ScheduleResult& result = comparison_->results[row];
  const double row_top = row_height_ * static_cast<double>(row);
  painter.fillRect(QRectF(0, row_top, header - 8, row_height_ - 1), theme.panel);
  painter.fillRect(QRectF(0, row_top, 4, row_height_ - 1), theme.schedule(result.schedule_kind));
  const double top = row_top + (row_height_ - kMinRowHeight) / 2;
  const double width = header - 26;
  painter.setPen(theme.text);
  painter.setFont(sized(font, 13, true));
  painter.drawText(QRectF(12, top + 4, width, 18), kAtLeft,
                   QFontMetricsF(painter.font()).elidedText(schedule_title(result), Qt::ElideRight, width));
  painter.setFont(sized(font, 11));
  painter.setPen(theme.mutedText);
  const bool known = comparison_->knows_latencies();
  const QString sum = known ? duration_text(result.stage_sum) : Text::tr("unknown");
  QString stages = result.lanes ? Text::tr("%1 lanes, no stages").arg(result.plan.lane_count())
                                : Text::tr("%1 stages, sum %2").arg(result.stage_latencies.size()).arg(sum);
  if (!result.lanes && QFontMetricsF(painter.font()).horizontalAdvance(stages) > width) {
    stages = Text::tr("%1 stages, %2").arg(result.stage_latencies.size()).arg(sum);
  }
  painter.drawText(QRectF(12, top + 22, width, 15), kAtLeft, stages);
  painter.drawText(QRectF(12, top + 37, width, 15), kAtLeft,
                   Text::tr("end to end %1").arg(latency_text(*comparison_, result)));
}

void StageBars::paint_segment(QPainter& painter, StageRef ref, const TimeAxis& axis, const Theme& theme,
                              const QFont& font) const {
  const QRectF box = segment(ref, axis);
  const QColor fill = with_alpha(theme.stageBand(ref.stage), theme.dark ? 0.55F : 0.50F);
  painter.fillRect(box, theme.canvas);
  painter.fillRect(box, fill);
  if (merges_[ref.result][ref.stage]) paint_merge_mark(painter, box, theme);
  if (box.width() >= 3) {
    painter.setPen(QPen(theme.outline, 1));
    painter.drawLine(box.topRight(), box.bottomRight());
  }
  painter.setFont(sized(font, 11));
  const QString number = QString::number(ref.stage + 1);
  if (box.width() < QFontMetricsF(painter.font()).horizontalAdvance(number) + 5) return;
  paint_text(painter, theme.text, box, Qt::AlignCenter, number);
}

void StageBars::paint_selection(QPainter& painter, std::size_t row, const TimeAxis& axis, const Theme& theme,
                                const Selection& selection) const {
  if (selection.empty()) return;
  const ScheduleResult& result = comparison_->results[row];
  const bool own = selection.stage && selection.schedule == result.id;
  for (std::size_t i = 0; i < std::min(ends_[row].size(), result.schedule.stages.size()); ++i) {
    const std::vector<UnitId> units = result.schedule.stages[i].units();
    const bool chosen =
        own ? *selection.stage == i
            : std::any_of(units.begin(), units.end(), [&](UnitId unit) { return selection.contains(unit); });
    if (!chosen) continue;
    QRectF box = segment({row, i}, axis);
    if (box.width() < 3) box.setWidth(3);
    paint_box(painter, QPen(theme.selection, 2.5), Qt::NoBrush, box.adjusted(0, -2, 0, 2));
  }
}

void StageBars::paint_end(QPainter& painter, std::size_t row, const TimeAxis& axis, const Theme& theme) const {
  const double x = axis.x(comparison_->results[row].latency.value);
  const double y = row_height_ * static_cast<double>(row) + kBarTop + bar_height() / 2;
  painter.setPen(QPen(theme.text, 1.5));
  painter.drawLine(QPointF(x, y - bar_height() / 2 - 4), QPointF(x, y + bar_height() / 2 + 4));
  paint_diamond(painter, {x, y + bar_height() / 2 + 5}, theme);
}

void StageBars::paint_rows(QPainter& painter, double width, const Theme& theme, const QFont& font,
                           const Selection& selection) const {
  const TimeAxis axis = this->axis(width);
  painter.setPen(theme.gridLine);
  for (const TimeTick& tick : axis.ticks(kTickSpacing)) {
    painter.drawLine(QPointF(axis.x(tick.time), 0), QPointF(axis.x(tick.time), rows_height()));
  }
  for (std::size_t row = 0; row < ends_.size(); ++row) {
    paint_header(painter, row, axis.left, theme, font);
    for (std::size_t i = 0; i < ends_[row].size(); ++i) paint_segment(painter, {row, i}, axis, theme, font);
    paint_selection(painter, row, axis, theme, selection);
    if (comparison_->knows_latencies()) paint_end(painter, row, axis, theme);
  }
}

void StageBars::paint_axis(QPainter& painter, double top, double width, const Theme& theme, const QFont& font) const {
  const TimeAxis axis = this->axis(width);
  painter.setPen(theme.outline);
  painter.drawLine(QPointF(axis.left, top + 0.5), QPointF(axis.right(), top + 0.5));
  painter.setFont(sized(font, 11));
  for (const TimeTick& tick : axis.ticks(kTickSpacing)) {
    const double x = axis.x(tick.time);
    painter.setPen(theme.outline);
    painter.drawLine(QPointF(x, top), QPointF(x, top + 5));
    paint_text(painter, theme.text, QRectF(x - 40, top + 6, 80, 15), Qt::AlignCenter, tick.label);
  }
  painter.setFont(sized(font, 12));
  const QString origin = comparison_ == nullptr ? QString() : origin_text(comparison_->device.origin);
  const QString where = QStringLiteral(" (%1), %2").arg(unit_text(axis.unit(kTickSpacing)), origin);
  QString title = Text::tr("stage latencies, one after another") + where;
  const QFontMetricsF metrics(painter.font());
  if (metrics.horizontalAdvance(title) > axis.width) title = Text::tr("stage latencies") + where;
  if (metrics.horizontalAdvance(title) > axis.width) title = Text::tr("latencies") + where;
  painter.drawText(QRectF(axis.left, top + 23, axis.width, 18), Qt::AlignCenter, title);
}

double StageBars::legend_height(double width, const QFont& font) const {
  return kLegendLeft + legend_width(font) <= width ? kLegendHeight : 2 * kLegendHeight;
}

void StageBars::paint_legend(QPainter& painter, double top, double width, const Theme& theme, const QFont& font) const {
  painter.setFont(sized(font, 11));
  const QFontMetricsF metrics(painter.font());
  double middle = top + kLegendHeight / 2;
  const QStringList texts = legend_texts();
  const double total = legend_width(font);
  const double header = header_width(width);
  double x = header + total <= width ? header : kLegendLeft;
  const auto entry = [&](const QString& text, const auto& glyph) {
    const double advance = metrics.horizontalAdvance(text) + 2;
    if (x + 16 + advance > width) {
      x = kLegendLeft;
      middle += kLegendHeight;
    }
    glyph(QPointF(x + 6, middle));
    paint_text(painter, theme.text, QRectF(x + 18, middle - kLegendHeight / 2, advance, kLegendHeight), kAtLeft, text);
    x += 18 + advance + 16;
  };
  entry(texts[0], [&](QPointF at) {
    const QColor fill = with_alpha(theme.stageBand(0), 0.5F);
    painter.fillRect(QRectF(at.x() - 6, at.y() - 6, 12, 12), fill);
  });
  entry(texts[1], [&](QPointF at) { paint_merge_mark(painter, QRectF(at.x() - 6, at.y() - 5, 12, 11), theme); });
  entry(texts[2], [&](QPointF at) { paint_diamond(painter, at, theme); });
}

StageLatencyChart::StageLatencyChart(SelectionModel* selection, QWidget* parent)
    : QAbstractScrollArea(parent), selection_(selection) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Stage latencies of the schedules"));
  connect(selection_, &SelectionModel::changed, this, [this] {
    const auto stage = selected();
    setAccessibleDescription(
        stage ? tr("%1, stage %2, %3")
                    .arg(schedule_title(comparison_->results[stage->result]))
                    .arg(stage->stage + 1)
                    .arg(latency_text(*comparison_, comparison_->results[stage->result], stage->stage))
              : QString());
    viewport()->update();
  });
  connect(verticalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
  follow_theme(this, theme_, [this] { viewport()->update(); });
}

void StageLatencyChart::setComparison(std::shared_ptr<const Comparison> comparison) {
  comparison_ = std::move(comparison);
  bars_ = comparison_ ? StageBars(*comparison_) : StageBars();
  layOut();
}

std::unique_ptr<Figure> StageLatencyChart::figure() const { return make_stage_latency_figure(comparison_); }

void StageLatencyChart::layOut() {
  const int room = viewport()->height() - kFooter;
  bars_.fill_height(room);
  verticalScrollBar()->setPageStep(std::max(room, 1));
  verticalScrollBar()->setSingleStep(24);
  verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(bars_.rows_height()) - room));
  viewport()->update();
}

void StageLatencyChart::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  layOut();
}

void StageLatencyChart::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(viewport()->rect(), theme_.canvas);
  if (!comparison_ || comparison_->results.empty()) {
    paint_text(painter, theme_.mutedText, viewport()->rect(), Qt::AlignCenter,
               tr("No stage latencies yet: press Optimize to run schedules on the device"));
    return;
  }
  const double width = viewport()->width();
  const double bottom = std::min<double>(viewport()->height() - kFooter, bars_.rows_height());
  painter.save();
  painter.setClipRect(QRectF(0, 0, width, bottom));
  painter.translate(0, -verticalScrollBar()->value());
  bars_.paint_rows(painter, width, theme_, font(), selection_->current());
  painter.restore();
  bars_.paint_axis(painter, bottom, width, theme_, font());
  bars_.paint_legend(painter, bottom + StageBars::kAxisHeight, width, theme_, font());
}

std::optional<StageRef> StageLatencyChart::stageAt(QPointF point) const {
  if (!comparison_ || point.y() >= viewport()->height() - kFooter) return std::nullopt;
  return bars_.hit(point + QPointF(0, verticalScrollBar()->value()), bars_.axis(viewport()->width()));
}

QPointF StageLatencyChart::viewportCenterOf(StageRef stage) const {
  return bars_.segment(stage, bars_.axis(viewport()->width())).center() - QPointF(0, verticalScrollBar()->value());
}

void StageLatencyChart::select(StageRef stage) {
  selection_->select(stage_selection(comparison_->results[stage.result], stage.stage));
}

std::optional<StageRef> StageLatencyChart::selected() const {
  const Selection& selection = selection_->current();
  if (!comparison_ || !selection.stage) return std::nullopt;
  const auto index = comparison_->index_of(selection.schedule);
  if (!index || *selection.stage >= comparison_->results[*index].stage_latencies.size()) return std::nullopt;
  return StageRef{*index, *selection.stage};
}

void StageLatencyChart::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const auto stage = stageAt(event->position());
  stage ? select(*stage) : selection_->clear();
}

void StageLatencyChart::keyPressEvent(QKeyEvent* event) {
  if (!comparison_ || comparison_->results.empty()) return QAbstractScrollArea::keyPressEvent(event);
  const auto stage = selected();
  const auto from = stage.value_or(StageRef{});
  switch (event->key()) {
    case Qt::Key_Left: return select(stage ? bars_.along(from, -1) : from);
    case Qt::Key_Right: return select(stage ? bars_.along(from, 1) : from);
    case Qt::Key_Up: return select(stage ? bars_.across(from, -1) : from);
    case Qt::Key_Down: return select(stage ? bars_.across(from, 1) : from);
    case Qt::Key_Escape: return selection_->clear();
    default: QAbstractScrollArea::keyPressEvent(event);
  }
}

bool StageLatencyChart::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    const auto stage = stageAt(help->pos());
    QToolTip::showText(help->globalPos(), stage ? stage_tooltip(*comparison_, stage->result, stage->stage) : QString(),
                       viewport());
    return true;
  }
  return QAbstractScrollArea::viewportEvent(event);
}

std::unique_ptr<Figure> make_stage_latency_figure(std::shared_ptr<const Comparison> comparison) {
  if (!comparison) comparison = std::make_shared<Comparison>();
  const StageBars bars(*comparison);
  const auto height = [bars](double width) {
    return bars.rows_height() + StageBars::kAxisHeight + bars.legend_height(width, QGuiApplication::font());
  };
  const auto paint = [comparison, bars](QPainter& painter, const QRectF& area, const Theme& theme) {
    const QFont font = QGuiApplication::font();
    painter.save();
    painter.translate(area.topLeft());
    bars.paint_rows(painter, area.width(), theme, font, {});
    bars.paint_axis(painter, bars.rows_height(), area.width(), theme, font);
    bars.paint_legend(painter, bars.rows_height() + StageBars::kAxisHeight, area.width(), theme, font);
    painter.restore();
  };
  return figure_of({.title = Text::tr("Stage latencies: %1").arg(context_text(*comparison)),
                    .file_stem = QStringLiteral("stage-latencies"),
                    .size = {kBarsWidth, height(kBarsWidth)},
                    .paint = paint,
                    .csv = [comparison] { return stages_csv(*comparison); },
                    .recorded = QString::fromStdString(comparison->recorded.text()),
                    .height_within = height});
}

}  // namespace iosx

#include "moc_stage_latency_chart.cpp"
