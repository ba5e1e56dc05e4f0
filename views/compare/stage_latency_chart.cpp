#include "views/compare/stage_latency_chart.h"

#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <utility>

#include "views/figures/csv.h"
#include "views/style/style.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/stage_text.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr double kBarsWidth = 1200;
constexpr int kFooter = static_cast<int>(StageBars::kAxisHeight + StageBars::kLegendHeight);

class StageLatencyFigure final : public Figure {
 public:
  explicit StageLatencyFigure(std::shared_ptr<const Comparison> comparison)
      : comparison_(std::move(comparison)), bars_(*comparison_) {}

  QString title() const override { return Text::tr("Stage latencies: %1").arg(context_text(*comparison_)); }
  QString fileStem() const override { return QStringLiteral("stage-latencies"); }
  QSizeF size() const override { return sizeWithin(kBarsWidth); }
  QSizeF sizeWithin(double width) const override {
    const double legend = bars_.legend_height(width, QGuiApplication::font());
    return {width, bars_.rows_height() + StageBars::kAxisHeight + legend};
  }

  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    const QFont font = QGuiApplication::font();
    painter.save();
    painter.translate(area.topLeft());
    bars_.paint_rows(painter, area.width(), theme, font, {});
    bars_.paint_axis(painter, bars_.rows_height(), area.width(), theme, font);
    bars_.paint_legend(painter, bars_.rows_height() + StageBars::kAxisHeight, area.width(), theme, font);
    painter.restore();
  }

  QString recorded() const override { return QString::fromStdString(comparison_->recorded.text()); }
  QString csv() const override {
    QString text = csv_record({QStringLiteral("schedule"), QStringLiteral("origin"), QStringLiteral("stage"),
                               QStringLiteral("strategy"), QStringLiteral("groups"), QStringLiteral("units"),
                               QStringLiteral("latency_ms"), QStringLiteral("spread_ms")});
    for (const ScheduleResult& result : comparison_->results) {
      if (result.lanes) continue;
      const std::size_t count = std::min(result.stage_latencies.size(), result.schedule.stages.size());
      for (std::size_t i = 0; i < count; ++i) text += record(result, i);
    }
    return text;
  }

 private:
  QString record(const ScheduleResult& result, std::size_t index) const {
    const Stage& stage = result.schedule.stages[index];
    const Latency& latency = result.stage_latencies[index];
    QStringList units;
    std::string strategy;
    if (comparison_->graph) {
      strategy = strategy_name(strategy_of(*comparison_->graph, stage));
      for (const UnitId unit : stage.units()) units << shown_name(comparison_->graph->unit(unit).name);
    }
    return csv_record({QString::fromStdString(result.id.text()), origin_id(latency.origin), QString::number(index + 1),
                       QString::fromStdString(strategy), QString::number(stage.groups.size()),
                       units.join(QLatin1Char(' ')), csv_number(latency.value.count()),
                       csv_number(latency.spread.count())});
  }

  std::shared_ptr<const Comparison> comparison_;
  StageBars bars_;
};

}  // namespace

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
                    .arg(latency_text(comparison_->results[stage->result].stage_latencies[stage->stage]))
              : QString());
    viewport()->update();
  });
  connect(verticalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
  follow_theme(this, [this](const Theme& theme) { setTheme(theme); });
}

void StageLatencyChart::setComparison(std::shared_ptr<const Comparison> comparison) {
  comparison_ = std::move(comparison);
  bars_ = comparison_ ? StageBars(*comparison_) : StageBars();
  layOut();
}

void StageLatencyChart::setTheme(const Theme& theme) {
  theme_ = theme;
  viewport()->update();
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
    painter.setPen(theme_.mutedText);
    painter.drawText(viewport()->rect(), Qt::AlignCenter,
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
  if (const auto stage = stageAt(event->position())) {
    select(*stage);
  } else {
    selection_->clear();
  }
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
  return std::make_unique<StageLatencyFigure>(std::move(comparison));
}

}  // namespace iosx

#include "moc_stage_latency_chart.cpp"
