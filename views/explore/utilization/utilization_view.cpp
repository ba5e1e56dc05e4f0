#include "views/explore/utilization/utilization_view.h"

#include <QApplication>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStringList>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "views/figures/paint.h"
#include "views/figures/plot.h"
#include "views/text/counter_text.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"
#include "views/widgets/dialog_parts.h"

namespace iosx {
namespace {

constexpr double kWheelZoom = 0.8;  // a notch
constexpr double kLeastRight = 8;
constexpr double kSnapPixels = 8;

// Returns the stage that runs, or has run last, at the time of the axis.
std::optional<std::size_t> stage_at(const UtilizationRow& row, Micros time) {
  const auto after = std::ranges::upper_bound(row.stages, time);
  if (after == row.stages.begin() || time > row.duration) return std::nullopt;
  return static_cast<std::size_t>(after - row.stages.begin()) - 1;
}

// Returns "stage 3: mean 1.73 = 87 %, area 0.42 ms · cores".
QString stage_line(const UtilizationRow& row, const Trace& trace, std::size_t stage) {
  QString text = UtilizationView::tr("\nstage %1").arg(stage + 1);
  const Counter* counter = find_counter(trace, row.counter);
  const StageSpan& span = trace.stages[stage];
  if (counter == nullptr || span.end <= span.begin) return text;
  const double mean = counter->mean(span.begin, span.end);
  const double error = stage < counter->stage_errors.size() ? counter->stage_errors[stage] : 0;
  text += UtilizationView::tr(": mean %1 %2").arg(quantity_text(mean, error, row.peak), core_words(row.unit));
  if (row.peak > 0 && row.unit != QLatin1String("%")) text += QStringLiteral(" = ") + percent_text(mean / row.peak);
  return text + UtilizationView::tr(", area %1 %2 \u00B7 ms")
                    .arg(counter->area(span.begin, span.end) / 1000, 0, 'g', 3)
                    .arg(core_words(row.unit));
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
  put_into(flush(new QHBoxLayout(this), 0), {{plot_, 1}, bar_});
  counters_->setAccessibleName(tr("Counter"));
  counters_->hide();
  connect(counters_, &QComboBox::activated, this,
          [this](int index) { setCounter(counters_->itemData(index).toString().toStdString()); });
  connect(bar_, &QScrollBar::valueChanged, this, &UtilizationView::showRows);
  connect(time_, &TimeAxisModel::visibleChanged, this, [this] {
    drawing_.set_range(time_->visible());
    replot();
  });
  for (const auto changed :
       {&TimeAxisModel::cursorChanged, &TimeAxisModel::playheadChanged, &TimeAxisModel::measureChanged}) {
    connect(time_, changed, this, [this] {
      mark();
      drawing_.replot_marks();
    });
  }
  connect(time_, &TimeAxisModel::marginsChanged, this, &UtilizationView::layOut);
  connect(selection_, &SelectionModel::changed, this, [this](const Selection& selected) {
    drawing_.set_selection(tracks_.leading.get(), selected);
    replot();
  });
  rebuild();
  follow_theme(this, [this](const Theme& theme) { setTheme(theme); });
}

void UtilizationView::setTracks(const TracksOnAxis& tracks) {
  if (tracks == tracks_) return;
  tracks_ = tracks;
  rebuild();
}

void UtilizationView::setTheme(const Theme& theme) {
  theme_ = theme;
  showRows();
}

std::unique_ptr<Figure> UtilizationView::figure() const {
  const TimeRange range = time_->visible() == time_->extent() ? TimeRange{} : time_->visible();
  return make_utilization_figure(tracks_.tracks, range, counter_);
}

void UtilizationView::setCounter(const std::string& name) {
  if (name == counter_) return;
  counter_ = name;
  rebuild();
  emit counterChanged(name);
}

void UtilizationView::listCounters() {
  counters_->clear();
  for (const WarpedTrack& placed : tracks_.tracks) {
    for (const Counter& counter : placed.track.schedule().trace.counters) {
      const QString name = QString::fromStdString(counter.name);
      if (counter.values.empty() || counters_->findData(name) >= 0) continue;
      counters_->addItem(caption_text(counter), name);
      counters_->setItemData(counters_->count() - 1, plain_tip(text_of(counter.source)), Qt::ToolTipRole);
    }
  }
  if (!rows_.empty()) counters_->setCurrentIndex(counters_->findData(QString::fromStdString(rows_.front().counter)));
  counters_->setToolTip(rows_.empty()
                            ? QString()
                            : plain_tip(tr("%1: %2").arg(core_words(rows_.front().quantity), rows_.front().source)));
  counters_->setVisible(counters_->count() > 1);
}

void UtilizationView::rebuild() {
  rows_ = utilization_rows(tracks_.tracks, counter_);
  if (rows_.empty()) rows_ = utilization_rows(tracks_.tracks);
  listCounters();
  plot_->setVisible(!rows_.empty());
  setAccessibleName(rows_.empty() ? tr("Utilization over time")
                                  : tr("%1 over time").arg(core_words(rows_.front().quantity)));
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
  drawing_.build(std::move(seen), common_top(rows_), theme_, font(), counters_->count() < 2);
  drawing_.set_range(time_->visible());
  drawing_.set_selection(tracks_.leading.get(), selection_->current());
  mark();
  layout()->activate();  // the bar may have come or gone
  layOut();
  update();
}

void UtilizationView::replot() {
  if (isVisible()) plot_->replot(QCustomPlot::rpQueuedReplot);
}

void UtilizationView::mark() { drawing_.set_marks(time_->cursor(), time_->playhead(), time_->measure()); }

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
  replot();
}

void UtilizationView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const std::size_t fit = std::min(rows_.size(), rowsThatFit());
  fit == drawing_.rows().size() ? layOut() : showRows();
}

void UtilizationView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  showRows();  // what was not drawn while nobody saw it
}

void UtilizationView::paintEvent(QPaintEvent*) {
  if (!drawing_.rows().empty()) return;
  QPainter painter(this);
  painter.fillRect(rect(), theme_.canvas);
  painter.setPen(theme_.mutedText);
  const bool any = !tracks_.tracks.empty();
  painter.drawText(rect(), Qt::AlignCenter,
                   any ? tr("This device does not report its utilization")
                       : tr("No utilization yet: press Optimize to run schedules on the device"));
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
      const QString text = toolTipAt(help->pos());
      // Names are not markup.
      QToolTip::showText(help->globalPos(), plain_tip(text), plot_);
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

Micros UtilizationView::snapped(double x) const {
  const TimeAxis axis = drawing_.axis();
  const Micros time = axis.time(std::clamp(x, axis.left, axis.right()));
  std::optional<Micros> nearest;
  const auto offer = [&](Micros edge) {
    const Micros away = std::chrono::abs(edge - time);
    if (away <= axis.duration(kSnapPixels) && (!nearest || away < std::chrono::abs(*nearest - time))) nearest = edge;
  };
  for (const UtilizationRow& row : drawing_.rows()) {
    const auto after = std::ranges::lower_bound(row.stages, time);
    if (after != row.stages.end()) offer(*after);
    if (after != row.stages.begin()) offer(*std::prev(after));
    offer(row.duration);
  }
  return nearest.value_or(time);
}

bool UtilizationView::mouse(QMouseEvent* event) {
  const QPointF position = event->position();
  const TimeAxis axis = drawing_.axis();
  if (event->type() == QEvent::MouseButtonPress) {
    setFocus(Qt::MouseFocusReason);
    press_ = position;
    const bool pan = event->button() == Qt::MiddleButton || event->modifiers().testFlag(Qt::ControlModifier);
    gesture_ = pan ? Gesture::kPan : event->button() == Qt::LeftButton ? Gesture::kPress : Gesture::kNone;
  } else if (event->type() == QEvent::MouseMove) {
    const bool inside = position.x() >= axis.left && position.x() <= axis.right();
    time_->setCursor(inside ? std::optional(axis.time(position.x())) : std::nullopt);
    const bool dragged = (position - press_).manhattanLength() >= QApplication::startDragDistance();
    if (gesture_ == Gesture::kPress && dragged && press_.x() >= axis.left && !drawing_.rows().empty()) {
      gesture_ = Gesture::kMeasure;
      time_->setMeasure(TimeMeasure{snapped(press_.x()), snapped(press_.x())});
    }
    if (gesture_ == Gesture::kPan) time_->pan(axis.duration(last_.x() - position.x()));
    if (gesture_ == Gesture::kMeasure && time_->measure()) {
      time_->setMeasure(TimeMeasure{time_->measure()->from, snapped(position.x())});
    }
  } else if (event->type() == QEvent::MouseButtonRelease) {
    const Gesture done = std::exchange(gesture_, Gesture::kNone);
    if (done == Gesture::kPress) click(position);
    const auto measure = time_->measure();
    if (done == Gesture::kMeasure && measure && measure->from == measure->to) time_->setMeasure(std::nullopt);
  }
  last_ = position;
  return true;
}

void UtilizationView::click(QPointF point) {
  const auto index = drawing_.row_at(point);
  if (!index) return selection_->clear();
  const UtilizationRow& row = drawing_.rows()[*index];
  const auto stage = stage_at(row, drawing_.axis().time(point.x()));
  Selection selected = stage ? stage_selection(row.track.schedule(), *stage) : Selection{};
  if (stage && tracks_.leading && row.track.comparison != tracks_.leading) {
    // Another run's stage: here only what it computes can be selected.
    const auto& own = row.track.comparison->graph;
    const auto& leading = tracks_.leading->graph;
    selected = {own && leading ? matching_units(selected.units, *own, *leading) : std::vector<UnitId>{}, {}, {}};
  }
  selection_->select(std::move(selected));
}

QString UtilizationView::toolTipAt(QPointF point) const {
  const auto index = drawing_.row_at(point);
  if (!index) return {};
  const UtilizationRow& row = drawing_.rows()[*index];
  const Micros time = drawing_.axis().time(point.x());
  if (time < Micros(0) || time > row.duration) return {};
  const ScheduleResult& result = row.track.schedule();
  const double value = row.series->at(time);
  QString text =
      tr("%1 at %2 (%3)").arg(row.track.name(), duration_text(row.warp.own(time)), origin_text(result.latency.origin));
  text += row.unit == QLatin1String("%")
              ? tr("\n%1 %, %2").arg(quantity_text(value, row.peak), core_words(row.quantity))
              : tr("\n%1 %2").arg(quantity_text(value, row.peak), core_words(row.quantity));
  if (row.peak > 0 && row.unit != QLatin1String("%"))
    text += tr(" (%1 of %2)").arg(percent_text(value / row.peak), quantity_text(row.peak, row.peak));
  if (!row.source.isEmpty()) text += tr("\nfrom %1").arg(row.source);
  if (const auto stage = stage_at(row, time)) text += stage_line(row, result.trace, *stage);
  if (row.area_ratio) text += tr("\narea under the curve: %1 of sequential").arg(ratio_text(*row.area_ratio));
  if (row.mean_ratio) text += tr("\nmean over the run: %1 of sequential").arg(ratio_text(*row.mean_ratio));
  return text;
}

namespace {

constexpr double kWidth = 1400;
constexpr double kRowHeight = 120;
constexpr double kLeastHeader = 196;   // of a narrow figure
constexpr double kHeaderShare = 0.36;  // of its width

QString utilization_csv(const std::vector<UtilizationRow>& rows) {
  if (rows.empty()) return {};
  const UtilizationRow& first = rows.front();
  QString text = csv_record({"schedule", "origin", "begin_us", "end_us", counter_column(first.quantity),
                             QStringLiteral("peak_%1").arg(first.unit), "source"});
  for (const UtilizationRow& row : rows) {
    const ScheduleResult& result = row.track.schedule();
    for (qsizetype i = 0; i + 1 < row.times.size(); ++i) {
      text += csv_record({shown_name(result.id.text()), origin_id(result.latency.origin), csv_number(row.times[i]),
                          csv_number(row.times[i + 1]), csv_number(row.values[i]), csv_number(row.peak), row.source});
    }
  }
  return text;
}

void paint_utilization(QPainter& painter, const QRectF& area, const std::vector<UtilizationRow>& rows, TimeRange range,
                       const Theme& theme) {
  if (rows.empty()) {
    return paint_text(painter, theme.mutedText, area, Qt::AlignCenter, Text::tr("the device reports no utilization"));
  }
  paint_plot(painter, area, [&](QCustomPlot& plot) {
    UtilizationPlot drawing(plot);
    drawing.build(rows, common_top(rows), theme, QGuiApplication::font());
    drawing.set_range(range);
    const PlotMargins usual;
    const double left = std::clamp(kHeaderShare * area.width(), kLeastHeader, usual.left);
    drawing.set_margins({left, usual.right}, area.height());
  });
}

}  // namespace

std::unique_ptr<Figure> make_utilization_figure(const std::vector<WarpedTrack>& tracks, TimeRange range,
                                                const std::string& counter) {
  std::vector<UtilizationRow> found = utilization_rows(tracks, counter);
  if (found.empty()) found = utilization_rows(tracks);
  QStringList contexts;  // of every comparison shown, each once
  QStringList recorded;
  for (const WarpedTrack& placed : tracks) {
    contexts << context_text(*placed.track.comparison);
    recorded << shown_name(placed.track.comparison->recorded.text());
  }
  contexts.removeDuplicates();
  recorded.removeAll(QString());
  recorded.removeDuplicates();
  Micros longest{0};
  for (const UtilizationRow& row : found) longest = std::max(longest, row.duration);
  if (range.length() <= Micros(0)) range = {Micros(0), longest > Micros(0) ? longest * 1.06 : Micros(1)};
  std::vector<UtilizationRow> rows;
  for (const UtilizationRow& row : found) rows.push_back(cropped(row, range));
  const QString what = rows.empty() ? Text::tr("Utilization") : counter_title(core_words(rows.front().quantity));
  const auto paint = [rows, range](QPainter& painter, const QRectF& area, const Theme& theme) {
    paint_utilization(painter, area, rows, range, theme);
  };
  return figure_of({.title = Text::tr("%1 over time: %2").arg(what, contexts.join(QStringLiteral("; "))),
                    .file_stem = QStringLiteral("utilization"),
                    .size = {kWidth, kRowHeight * static_cast<double>(rows.size()) + UtilizationPlot::kAxisHeight},
                    .paint = paint,
                    .csv = [rows] { return utilization_csv(rows); },
                    .recorded = recorded.join(QStringLiteral("; "))});
}

std::unique_ptr<Figure> make_utilization_figure(const std::shared_ptr<const Comparison>& comparison,
                                                const std::vector<std::size_t>& shown, TimeRange range,
                                                const std::string& counter) {
  return make_utilization_figure(unaligned(tracks_of(comparison, shown)).tracks, range, counter);
}

}  // namespace iosx

#include "moc_utilization_view.cpp"
