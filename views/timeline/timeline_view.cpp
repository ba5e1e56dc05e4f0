#include "views/timeline/timeline_view.h"

#include <QAccessible>
#include <QAction>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QToolButton>
#include <algorithm>

#include "views/compare/latency_text.h"
#include "views/timeline/legend.h"
#include "views/timeline/span_text.h"
#include "views/timeline/timeline_figure.h"

namespace iosx {
namespace {

constexpr double kRightPadding = 26;  // room for a scroll bar of the plots below, and for the text at a run's end
constexpr int kFooterHeight = 19;

}  // namespace

TimelineView::TimelineView(SelectionModel* selection, TimeAxisModel* axis, QWidget* parent)
    : QAbstractScrollArea(parent),
      selection_(selection),
      time_(axis),
      schedules_menu_(new QMenu(this)),
      schedules_button_(new QToolButton(viewport())) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Timeline of the schedules"));
  viewport()->setMouseTracking(true);
  schedules_button_->setText(tr("Schedules"));
  schedules_button_->setToolTip(tr("Choose the schedules that are shown"));
  schedules_button_->setMenu(schedules_menu_);
  schedules_button_->setPopupMode(QToolButton::InstantPopup);
  schedules_button_->setAutoRaise(true);
  schedules_button_->setFocusPolicy(Qt::TabFocus);
  schedules_button_->setCursor(Qt::ArrowCursor);
  connect(time_, &TimeAxisModel::visibleChanged, viewport(), qOverload<>(&QWidget::update));
  connect(time_, &TimeAxisModel::cursorChanged, viewport(), qOverload<>(&QWidget::update));
  connect(selection_, &SelectionModel::changed, this, &TimelineView::follow);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
  rebuildMenu();
}

TimelineView::~TimelineView() = default;

void TimelineView::setComparison(std::shared_ptr<const Comparison> comparison) {
  const QStringList before = shownSchedules();
  const std::vector<std::size_t> defaults = comparison_ ? default_results(*comparison_) : std::vector<std::size_t>{};
  const bool chosen = comparison_ && shown_ != defaults;
  scene_ = TimelineScene();  // it refers to the old comparison
  current_.reset();
  measure_.reset();
  comparison_ = std::move(comparison);
  shown_.clear();
  if (comparison_) {
    for (std::size_t i = 0; chosen && i < comparison_->results.size(); ++i) {
      if (before.contains(QString::fromStdString(comparison_->results[i].schedule.name))) shown_.push_back(i);
    }
    if (shown_.empty()) shown_ = default_results(*comparison_);
  }
  rebuild();
  follow(selection_->current());
}

void TimelineView::setTheme(const Theme& theme) {
  theme_ = theme;
  QPalette colors = schedules_button_->palette();
  colors.setColor(QPalette::ButtonText, theme.text);
  colors.setColor(QPalette::WindowText, theme.text);
  colors.setColor(QPalette::Button, theme.panel);
  schedules_button_->setPalette(colors);
  viewport()->update();
}

QStringList TimelineView::shownSchedules() const {
  QStringList names;
  for (const std::size_t index : shown_) names << QString::fromStdString(comparison_->results[index].schedule.name);
  return names;
}

void TimelineView::setShownSchedules(const QStringList& names) {
  if (!comparison_) return;
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < comparison_->results.size(); ++i) {
    if (names.contains(QString::fromStdString(comparison_->results[i].schedule.name))) shown.push_back(i);
  }
  if (shown == shown_) return;
  shown_ = std::move(shown);
  rebuild();
}

void TimelineView::showSchedule(std::size_t result, bool shown) {
  QStringList names = shownSchedules();
  const QString name = QString::fromStdString(comparison_->results[result].schedule.name);
  names.removeAll(name);
  if (shown) names << name;
  setShownSchedules(names);
}

void TimelineView::setCollapsed(const QString& schedule, bool collapsed) {
  const std::string name = schedule.toStdString();
  if (collapsed == collapsed_.contains(name)) return;
  if (collapsed) {
    collapsed_.insert(name);
  } else {
    collapsed_.erase(name);
  }
  rebuild();
}

std::unique_ptr<Figure> TimelineView::figure() const {
  const TimeRange range = time_->visible() == time_->extent() ? TimeRange{} : time_->visible();
  return make_timeline_figure(comparison_, shown_, range);
}

TimeAxis TimelineView::axis() const {
  const double width = viewport()->width() - TimelineScene::kHeaderWidth - kRightPadding;
  return {time_->visible(), TimelineScene::kHeaderWidth, std::max(width, 16.0)};
}

QPointF TimelineView::contentAt(QPointF viewport) const {
  return {viewport.x(), viewport.y() - TimelinePainter::kRulerHeight + verticalScrollBar()->value()};
}

void TimelineView::rebuild() {
  scene_ = comparison_ ? TimelineScene(*comparison_, shown_, collapsed_) : TimelineScene();
  const bool shown = current_ && std::find(shown_.begin(), shown_.end(), current_->result) != shown_.end();
  if (!shown) current_.reset();
  if (scene_.duration() > Micros(0)) time_->setDuration(scene_.duration());
  layOut();
  rebuildMenu();
  emit shownSchedulesChanged(shownSchedules());
}

void TimelineView::layOut() {
  const int room = viewport()->height() - static_cast<int>(TimelinePainter::kRulerHeight) - kFooterHeight;
  scene_.fill_height(room);
  verticalScrollBar()->setPageStep(std::max(room, 1));
  verticalScrollBar()->setSingleStep(24);
  verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(scene_.height()) - room));
  schedules_button_->move(
      6, (static_cast<int>(TimelinePainter::kRulerHeight) - schedules_button_->sizeHint().height()) / 2);
  schedules_button_->resize(schedules_button_->sizeHint());
  time_->setMargins(TimelineScene::kHeaderWidth, width() - axis().right());
  viewport()->update();
}

void TimelineView::rebuildMenu() {
  schedules_menu_->clear();
  for (std::size_t i = 0; comparison_ && i < comparison_->results.size(); ++i) {
    const ScheduleResult& result = comparison_->results[i];
    QAction* action = schedules_menu_->addAction(
        QStringLiteral("%1  (%2)").arg(schedule_title(result.schedule.name), latency_text(result.latency)));
    action->setCheckable(true);
    action->setChecked(std::find(shown_.begin(), shown_.end(), i) != shown_.end());
    connect(
        action, &QAction::toggled, this, [this, i](bool shown) { showSchedule(i, shown); }, Qt::QueuedConnection);
  }
  schedules_button_->setVisible(comparison_ && !comparison_->results.empty());
}

void TimelineView::follow(const Selection& selection) {
  const bool kept = current_ && [&] {
    const std::vector<UnitId> units = scene_.units(*current_);
    return std::any_of(units.begin(), units.end(), [&](UnitId unit) { return selection.contains(unit); });
  }();
  if (!kept) {
    std::optional<SpanRef> found;
    for (const TimelineBand& band : scene_.bands()) {
      const bool own = scene_.result(band).schedule.name == selection.schedule;
      const std::vector<std::size_t> spans = scene_.selected_spans(band, selection);
      if (!spans.empty() && (!found || own)) found = SpanRef{band.result, spans.front()};
    }
    setCurrent(found, false);
  }
  viewport()->update();
}

void TimelineView::setCurrent(std::optional<SpanRef> span, bool show) {
  current_ = span;
  setAccessibleDescription(span ? span_description(*comparison_, *span) : QString());
  QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&changed);
  if (span && show) reveal(*span);
  viewport()->update();
}

void TimelineView::fitAll() { time_->fitAll(); }

void TimelineView::fitSelection() {
  if (const auto range = scene_.selected_range(selection_->current())) time_->fit(*range);
}

void TimelineView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(viewport()->rect(), theme_.canvas);
  const double width = viewport()->width();
  const double bottom = viewport()->height() - kFooterHeight;
  if (!comparison_ || comparison_->results.empty()) {
    painter.setPen(theme_.mutedText);
    painter.drawText(viewport()->rect(), Qt::AlignCenter,
                     tr("No timeline yet: it appears when schedules have run on the device (Optimize)"));
    return;
  }
  const TimeAxis axis = this->axis();
  TimelinePainter parts(scene_, *comparison_, theme_, axis, selection_->current(), font());
  if (hasFocus()) parts.current = current_;
  parts.arrows = true;
  const int scroll = verticalScrollBar()->value();
  painter.save();
  painter.setClipRect(QRectF(0, TimelinePainter::kRulerHeight, width, bottom - TimelinePainter::kRulerHeight));
  painter.translate(0, TimelinePainter::kRulerHeight - scroll);
  parts.bands(painter, scroll, scroll + bottom);
  painter.restore();
  parts.ruler(painter, QRectF(0, 0, width, TimelinePainter::kRulerHeight));
  if (time_->cursor()) parts.cursor(painter, *time_->cursor(), TimelinePainter::kRulerHeight, bottom);
  if (measure_) parts.measure(painter, *measure_, TimelinePainter::kRulerHeight, bottom);
  const QRectF footer(0, bottom, width, kFooterHeight);
  painter.fillRect(footer, theme_.panel);
  painter.setPen(theme_.outline);
  painter.drawLine(footer.topLeft(), footer.topRight());
  const double end = paint_legend(painter, footer.adjusted(12, 0, -12, 0), legend(*comparison_, scene_.bands(), theme_),
                                  theme_, font());
  const QString hint = tr("Wheel zooms \u00B7 drag pans \u00B7 Shift+drag measures \u00B7 F shows all");
  painter.setPen(theme_.mutedText);
  if (end + painter.fontMetrics().horizontalAdvance(hint) + 24 < width) {
    painter.drawText(footer.adjusted(0, 0, -12, 0), Qt::AlignRight | Qt::AlignVCenter, hint);
  }
}

void TimelineView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  layOut();
}

}  // namespace iosx
