#include "views/utilization/utilization_view.h"

#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "views/text/counter_text.h"
#include "views/text/latency_text.h"

namespace iosx {
namespace {

constexpr double kWheelZoom = 0.8;  // a notch
constexpr double kLeastRight = 8;

// The stage that runs, or has run last, at the time.
std::optional<std::size_t> stage_at(const Trace& trace, Micros time) {
  const auto after = std::upper_bound(trace.stages.begin(), trace.stages.end(), time,
                                      [](Micros t, const StageSpan& stage) { return t < stage.begin; });
  if (after == trace.stages.begin() || time > trace.duration) return std::nullopt;
  return static_cast<std::size_t>(after - trace.stages.begin()) - 1;
}

// "stage 3: mean 1.73 = 87 %, area 0.42 ms · cores"
QString stage_line(const UtilizationRow& row, const Trace& trace, std::size_t stage) {
  QString text = UtilizationView::tr("\nstage %1").arg(stage + 1);
  const Counter* counter = find_counter(trace, row.counter);
  const StageSpan& span = trace.stages[stage];
  if (counter == nullptr || span.end <= span.begin) return text;
  const double mean = counter->mean(span.begin, span.end);
  const double error = stage < counter->stage_errors.size() ? counter->stage_errors[stage] : 0;
  text += UtilizationView::tr(": mean %1 %2").arg(quantity_text(mean, error, row.peak), row.unit);
  if (row.peak > 0 && row.unit != QLatin1String("%")) text += QStringLiteral(" = ") + percent_text(mean / row.peak);
  return text + UtilizationView::tr(", area %1 %2 \u00B7 ms")
                    .arg(counter->area(span.begin, span.end) / 1000, 0, 'g', 3)
                    .arg(row.unit);
}

double value_at(const UtilizationRow& row, Micros time) {
  const auto after = std::upper_bound(row.times.begin(), row.times.end(), time.count());
  if (after == row.times.begin()) return 0;
  return row.values[std::distance(row.times.begin(), after) - 1];
}

}  // namespace

UtilizationView::UtilizationView(SelectionModel* selection, TimeAxisModel* axis, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      time_(axis),
      plot_(new QCustomPlot(this)),
      bar_(new QScrollBar(Qt::Vertical, this)),
      counters_(new QComboBox(this)),
      drawing_(*plot_) {
  setFocusPolicy(Qt::StrongFocus);
  plot_->setFocusPolicy(Qt::NoFocus);
  plot_->setMouseTracking(true);
  plot_->installEventFilter(this);
  auto* box = new QHBoxLayout(this);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(0);
  box->addWidget(plot_, 1);
  box->addWidget(bar_);
  counters_->setAccessibleName(tr("Counter"));
  counters_->hide();
  connect(counters_, &QComboBox::activated, this,
          [this](int index) { setCounter(counters_->itemData(index).toString().toStdString()); });
  connect(bar_, &QScrollBar::valueChanged, this, &UtilizationView::showRows);
  connect(time_, &TimeAxisModel::visibleChanged, this, [this] {
    drawing_.set_range(time_->visible());
    plot_->replot(QCustomPlot::rpQueuedReplot);
  });
  connect(time_, &TimeAxisModel::cursorChanged, this, [this] {
    drawing_.set_cursor(time_->cursor());
    plot_->replot(QCustomPlot::rpQueuedReplot);
  });
  connect(time_, &TimeAxisModel::marginsChanged, this, &UtilizationView::layOut);
  connect(selection_, &SelectionModel::changed, this, [this](const Selection& selected) {
    if (comparison_) drawing_.set_selection(*comparison_, selected);
    plot_->replot(QCustomPlot::rpQueuedReplot);
  });
  rebuild();
}

UtilizationView::~UtilizationView() = default;

void UtilizationView::setComparison(std::shared_ptr<const Comparison> comparison) {
  comparison_ = std::move(comparison);
  choose();
  rebuild();
}

void UtilizationView::setShownSchedules(const std::vector<ScheduleId>& ids) {
  chosen_ = ids;
  const std::vector<std::size_t> before = shown_;
  choose();
  if (shown_ != before) rebuild();
}

void UtilizationView::choose() {
  shown_.clear();
  if (!comparison_) return;
  for (std::size_t i = 0; i < comparison_->results.size(); ++i) {
    if (chosen_ && std::ranges::count(*chosen_, comparison_->results[i].id) > 0) shown_.push_back(i);
  }
  if (!chosen_) shown_ = default_results(*comparison_);
}

void UtilizationView::setTheme(const Theme& theme) {
  theme_ = theme;
  rebuild();
}

std::unique_ptr<Figure> UtilizationView::figure() const {
  const TimeRange range = time_->visible() == time_->extent() ? TimeRange{} : time_->visible();
  return make_utilization_figure(comparison_, shown_, range, counter_);
}

void UtilizationView::setCounter(const std::string& name) {
  if (name == counter_) return;
  counter_ = name;
  rebuild();
}

void UtilizationView::listCounters() {
  counters_->clear();
  const std::vector<std::string> names = comparison_ ? counter_names(*comparison_) : std::vector<std::string>();
  for (const std::string& name : names) {
    const std::vector<UtilizationRow> rows = utilization_rows(*comparison_, shown_, name);
    if (rows.empty()) continue;
    counters_->addItem(caption_text(rows.front()), QString::fromStdString(name));
    counters_->setItemData(counters_->count() - 1, rows.front().source, Qt::ToolTipRole);
  }
  if (!rows_.empty()) counters_->setCurrentIndex(counters_->findData(QString::fromStdString(rows_.front().counter)));
  counters_->setToolTip(rows_.empty() ? QString() : tr("%1: %2").arg(rows_.front().quantity, rows_.front().source));
  counters_->setVisible(counters_->count() > 1);
}

void UtilizationView::rebuild() {
  rows_ = comparison_ ? utilization_rows(*comparison_, shown_, counter_) : std::vector<UtilizationRow>();
  if (rows_.empty() && comparison_) rows_ = utilization_rows(*comparison_, shown_);
  listCounters();
  plot_->setVisible(!rows_.empty());
  setAccessibleName(rows_.empty() ? tr("Utilization over time") : tr("%1 over time").arg(rows_.front().quantity));
  showRows();
}

std::size_t UtilizationView::rowsThatFit() const {
  const int room = height() - UtilizationPlot::kAxisHeight - UtilizationPlot::kTopMargin;
  return static_cast<std::size_t>(std::max(1, room / UtilizationPlot::kMinRowHeight));
}

void UtilizationView::showRows() {
  const std::size_t fit = rowsThatFit();
  const std::size_t hidden = rows_.size() - std::min(rows_.size(), fit);
  {
    const QSignalBlocker quiet(bar_);
    bar_->setPageStep(static_cast<int>(fit));
    bar_->setRange(0, static_cast<int>(hidden));
  }
  bar_->setVisible(hidden > 0);
  const auto first = rows_.begin() + bar_->value();
  std::vector<UtilizationRow> seen(first, rows_.end() - static_cast<std::ptrdiff_t>(hidden) + bar_->value());
  const Comparison nothing;
  const Comparison& comparison = comparison_ ? *comparison_ : nothing;
  drawing_.build(comparison, std::move(seen), common_scale(rows_), theme_, font(), counters_->count() < 2);
  drawing_.set_range(time_->visible());
  drawing_.set_cursor(time_->cursor());
  drawing_.set_selection(comparison, selection_->current());
  layout()->activate();  // the bar may have come or gone
  layOut();
  update();
}

void UtilizationView::layOut() {
  // A scroll bar of ours takes away from the right margin, so that the plotted range still lines up.
  const double beside = bar_->isVisibleTo(this) ? bar_->sizeHint().width() : 0;
  PlotMargins margins;
  margins.left = time_->leftMargin() > 0 ? time_->leftMargin() : margins.left;
  margins.right = std::max(kLeastRight, time_->rightMargin() - beside);
  drawing_.set_margins(margins, plot_->height());
  constexpr int kLeft = 8;
  constexpr int kHeight = 24;
  const int room = static_cast<int>(margins.left) - 3 * kLeft - 4;  // beside the axis's first number
  counters_->setGeometry(kLeft, height() - kHeight - 2, std::max(room, 60), kHeight);
  counters_->raise();
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void UtilizationView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const std::size_t fit = std::min(rows_.size(), rowsThatFit());
  fit == drawing_.rows().size() ? layOut() : showRows();
}

void UtilizationView::paintEvent(QPaintEvent*) {
  if (!drawing_.rows().empty()) return;
  QPainter painter(this);
  painter.fillRect(rect(), theme_.canvas);
  painter.setPen(theme_.mutedText);
  const bool any = comparison_ && !comparison_->results.empty() && !shown_.empty();
  painter.drawText(rect(), Qt::AlignCenter,
                   any ? tr("This device does not report its utilization")
                       : tr("No utilization yet: it appears when schedules have run on the device (Optimize)"));
}

void UtilizationView::keyPressEvent(QKeyEvent* event) {
  if (!time_->handleKey(event->key())) QWidget::keyPressEvent(event);
}

bool UtilizationView::eventFilter(QObject* watched, QEvent* event) {
  if (watched != plot_) return QWidget::eventFilter(watched, event);
  switch (event->type()) {
    case QEvent::Resize:
      QMetaObject::invokeMethod(
          this, [this] { layOut(); }, Qt::QueuedConnection);
      return false;
    case QEvent::Leave: time_->setCursor(std::nullopt); return false;
    case QEvent::Wheel: return wheel(static_cast<QWheelEvent*>(event));
    case QEvent::MouseButtonPress:
    case QEvent::MouseMove:
    case QEvent::MouseButtonRelease: return mouse(static_cast<QMouseEvent*>(event));
    case QEvent::ToolTip: {
      const auto* help = static_cast<QHelpEvent*>(event);
      QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), plot_);
      return true;
    }
    default: return false;
  }
}

bool UtilizationView::wheel(QWheelEvent* event) {
  const TimeAxis axis = drawing_.axis();
  const QPoint delta = event->angleDelta();
  if (event->position().x() < axis.left || event->modifiers().testFlag(Qt::ShiftModifier)) {
    QCoreApplication::sendEvent(bar_, event);
  } else if (std::abs(delta.x()) > std::abs(delta.y())) {
    time_->pan(axis.duration(-delta.x() / 2.0));
  } else {
    time_->zoomAt(axis.time(event->position().x()), std::pow(kWheelZoom, delta.y() / 120.0));
  }
  return true;
}

bool UtilizationView::mouse(QMouseEvent* event) {
  const QPointF position = event->position();
  const TimeAxis axis = drawing_.axis();
  if (event->type() == QEvent::MouseButtonPress && event->button() == Qt::LeftButton) {
    setFocus(Qt::MouseFocusReason);
    press_ = position;
    pressed_ = true;
    panning_ = false;
  } else if (event->type() == QEvent::MouseMove) {
    const bool inside = position.x() >= axis.left && position.x() <= axis.right();
    time_->setCursor(inside ? std::optional(axis.time(position.x())) : std::nullopt);
    if (pressed_ && (position - press_).manhattanLength() >= QApplication::startDragDistance()) panning_ = true;
    if (panning_) time_->pan(axis.duration(last_.x() - position.x()));
  } else if (event->type() == QEvent::MouseButtonRelease && event->button() == Qt::LeftButton) {
    if (pressed_ && !panning_) click(position);
    pressed_ = panning_ = false;
  }
  last_ = position;
  return true;
}

void UtilizationView::click(QPointF point) {
  const auto row = drawing_.row_at(point);
  if (!row) return selection_->clear();
  const ScheduleResult& result = comparison_->results[drawing_.rows()[*row].result];
  const auto stage = stage_at(result.trace, drawing_.axis().time(point.x()));
  selection_->select(stage ? stage_selection(result, *stage) : Selection{});
}

QString UtilizationView::toolTipAt(QPointF point) const {
  const auto index = drawing_.row_at(point);
  if (!index) return {};
  const UtilizationRow& row = drawing_.rows()[*index];
  const Micros time = drawing_.axis().time(point.x());
  if (time < Micros(0) || time > row.duration) return {};
  const ScheduleResult& result = comparison_->results[row.result];
  const double value = value_at(row, time);
  QString text =
      tr("%1 at %2 (%3)").arg(schedule_title(result), duration_text(time), origin_text(result.latency.origin));
  text += row.unit == QLatin1String("%") ? tr("\n%1 %, %2").arg(quantity_text(value, row.peak), row.quantity)
                                         : tr("\n%1 %2").arg(quantity_text(value, row.peak), row.quantity);
  if (row.peak > 0 && row.unit != QLatin1String("%"))
    text += tr(" (%1 of %2)").arg(percent_text(value / row.peak), quantity_text(row.peak, row.peak));
  if (!row.source.isEmpty()) text += tr("\nfrom %1").arg(row.source);
  if (const auto stage = stage_at(result.trace, time)) text += stage_line(row, result.trace, *stage);
  if (row.area_ratio) text += tr("\narea under the curve: %1 of sequential").arg(ratio_text(*row.area_ratio));
  if (row.mean_ratio) text += tr("\nmean over the run: %1 of sequential").arg(ratio_text(*row.mean_ratio));
  return text;
}

}  // namespace iosx
