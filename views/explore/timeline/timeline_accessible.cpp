#include "views/explore/timeline/timeline_view.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <algorithm>
#include <map>
#include <optional>

#include "views/explore/timeline/span_text.h"
#include "views/text/latency_text.h"

namespace iosx {
namespace {

QString count_of_kernels(std::size_t count) {
  return count == 1 ? TimelineView::tr("1 kernel") : TimelineView::tr("%1 kernels").arg(count);
}

constexpr std::size_t kNameBytes = 200;

// A thing in the timeline: a track, a lane of it, a span by its place in the lane.
struct Place {
  std::size_t track = 0;
  std::optional<std::size_t> lane = {};
  std::optional<std::size_t> span = {};
  friend auto operator<=>(const Place&, const Place&) = default;
};

class PlaceAccessible;

class TimelineAccessible final : public QAccessibleWidget {
 public:
  explicit TimelineAccessible(TimelineView* view)
      : QAccessibleWidget(view, QAccessible::Chart, view->accessibleName()), view_(view) {}
  ~TimelineAccessible() override {
    for (const auto& [place, id] : ids_) QAccessible::deleteAccessibleInterface(id);
  }

  TimelineView& view() const { return *view_; }
  const TimelineScene& scene() const { return view_->scene(); }

  // Before the widgets inside the view (buttons, scroll bars) come the tracks.
  int childCount() const override { return tracks() + QAccessibleWidget::childCount(); }
  QAccessibleInterface* child(int index) const override {
    if (index < 0) return nullptr;
    if (index >= tracks()) return QAccessibleWidget::child(index - tracks());
    return at({scene().bands()[static_cast<std::size_t>(index)].track});
  }
  int indexOfChild(const QAccessibleInterface* child) const override;
  QAccessibleInterface* childAt(int x, int y) const override;
  QAccessibleInterface* focusChild() const override {
    if (view_->hasFocus() && view_->currentSpan()) return current();
    return QAccessibleWidget::focusChild();
  }

  QAccessibleInterface* current() const {
    const auto place = view_->currentSpan() ? place_of(*view_->currentSpan()) : std::nullopt;
    return place ? at(*place) : nullptr;
  }
  std::optional<Place> place_of(SpanRef ref) const {
    const TimelineBand* band = scene().band_of(ref.track);
    if (band == nullptr) return std::nullopt;
    const std::size_t lane = scene().span(ref).lane;
    const LaneIndex& row = band->lanes[lane];
    const Micros begin = band->index->range(ref.span).begin;
    auto i = static_cast<std::size_t>(std::ranges::lower_bound(row.begins, begin) - row.begins.begin());
    while (i < row.spans.size() && row.spans[i] != ref.span) ++i;
    return i < row.spans.size() ? std::optional(Place{ref.track, lane, i}) : std::nullopt;
  }
  QAccessibleInterface* at(const Place& place) const;

 private:
  int tracks() const { return static_cast<int>(scene().bands().size()); }

  TimelineView* view_;
  mutable std::map<Place, QAccessible::Id> ids_;
};

class PlaceAccessible final : public QAccessibleInterface, public QAccessibleActionInterface {
 public:
  PlaceAccessible(const TimelineAccessible* timeline, const Place& place) : timeline_(timeline), place_(place) {}

  const Place& place() const { return place_; }
  bool isValid() const override {
    const TimelineBand* band = this->band();
    if (band == nullptr || (place_.lane && *place_.lane >= band->lanes.size())) return false;
    return !place_.span || *place_.span < lane().spans.size();
  }
  QObject* object() const override { return nullptr; }
  QWindow* window() const override { return timeline_->window(); }
  QAccessibleInterface* parent() const override {
    if (place_.span) return timeline_->at({place_.track, place_.lane});
    if (place_.lane) return timeline_->at({place_.track});
    return QAccessible::queryAccessibleInterface(&timeline_->view());
  }
  int childCount() const override {
    if (!isValid() || place_.span) return 0;
    if (place_.lane) return static_cast<int>(lane().spans.size());
    return band()->collapsed ? 0 : static_cast<int>(band()->lanes.size());
  }
  QAccessibleInterface* child(int index) const override {
    if (index < 0 || index >= childCount()) return nullptr;
    const auto i = static_cast<std::size_t>(index);
    return timeline_->at(place_.lane ? Place{place_.track, place_.lane, i} : Place{place_.track, i});
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    const auto* own = dynamic_cast<const PlaceAccessible*>(child);
    if (own == nullptr || own->place_.track != place_.track) return -1;
    if (!place_.lane) return own->place_.lane && !own->place_.span ? static_cast<int>(*own->place_.lane) : -1;
    return own->place_.lane == place_.lane && own->place_.span ? static_cast<int>(*own->place_.span) : -1;
  }
  QAccessibleInterface* childAt(int x, int y) const override {
    for (int i = 0; i < childCount(); ++i) {
      if (QAccessibleInterface* each = child(i); each->rect().contains(x, y)) return each;
    }
    return nullptr;
  }

  QRect rect() const override;
  QString text(QAccessible::Text kind) const override;
  void setText(QAccessible::Text /*kind*/, const QString& /*text*/) override {}
  QAccessible::Role role() const override {
    return place_.span ? QAccessible::ListItem : place_.lane ? QAccessible::List : QAccessible::Grouping;
  }
  QAccessible::State state() const override {
    QAccessible::State state;
    if (!isValid()) {
      state.invalid = true;
      return state;
    }
    const QWidget* viewport = timeline_->view().viewport();
    const QRect seen(viewport->mapToGlobal(QPoint(0, 0)), viewport->size());
    state.offscreen = !seen.intersects(rect());
    state.readOnly = true;
    if (!place_.span) return state;
    state.focusable = true;
    state.selectable = true;
    const bool current = timeline_->view().currentSpan() == ref();
    state.focused = current && timeline_->view().hasFocus();
    state.selected = current;
    return state;
  }
  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::ActionInterface && place_.span ? static_cast<QAccessibleActionInterface*>(this)
                                                               : nullptr;
  }

  QStringList actionNames() const override { return {pressAction(), setFocusAction()}; }
  void doAction(const QString& action) override {
    if (!isValid() || !actionNames().contains(action)) return;
    timeline_->view().setFocus();
    timeline_->view().goTo(ref());
  }
  QStringList keyBindingsForAction(const QString& /*action*/) const override { return {}; }

 private:
  const TimelineBand* band() const { return timeline_->scene().band_of(place_.track); }
  const LaneIndex& lane() const { return band()->lanes[*place_.lane]; }
  SpanRef ref() const { return {place_.track, lane().spans[*place_.span]}; }

  const TimelineAccessible* timeline_;
  Place place_;
};

QRect PlaceAccessible::rect() const {
  if (!isValid()) return {};
  const TimelineView& view = timeline_->view();
  const TimelineScene& scene = view.scene();
  const TimeAxis axis = view.axis();
  double top = band()->top;
  double height = band()->height;
  double left = 0;
  double right = axis.right();
  if (place_.lane && !band()->collapsed) {
    top = band()->lane_top(*place_.lane, scene.lane_height());
    height = scene.lane_height();
  }
  if (place_.span) {
    const TimeRange range = band()->index->range(ref().span);
    left = axis.x(range.begin);
    right = std::max(axis.x(range.end), left + 1);
  }
  // Far outside what is visible coordinates would not fit into integers.
  constexpr double kFar = 1e6;
  const QPointF corner = view.viewportAt({std::clamp(left, -kFar, kFar), top});
  const QRectF box(corner, QSizeF(std::clamp(right - left, 1.0, kFar), height));
  const QRect own = box.toAlignedRect();
  return {view.viewport()->mapToGlobal(own.topLeft()), own.size()};
}

QString PlaceAccessible::text(QAccessible::Text kind) const {
  if (!isValid() || (kind != QAccessible::Name && kind != QAccessible::Description)) return {};
  const TimelineTrack& track = timeline_->scene().tracks()[place_.track];
  const ScheduleResult& result = track.schedule();
  if (place_.span) {
    return kind == QAccessible::Name ? brief_name(timeline_->scene().span(ref()).name, kNameBytes)
                                     : span_description(track, ref().span);
  }
  if (place_.lane) {
    return kind == QAccessible::Name ? TimelineView::tr("lane %1").arg(*place_.lane + 1)
                                     : count_of_kernels(lane().spans.size());
  }
  return kind == QAccessible::Name ? track.name()
                                   : QStringLiteral("%1 (%2)").arg(latency_text(*track.comparison, result),
                                                                   origin_text(result.latency.origin));
}

QAccessibleInterface* TimelineAccessible::at(const Place& place) const {
  const auto found = ids_.find(place);
  if (found != ids_.end()) return QAccessible::accessibleInterface(found->second);
  auto* made = new PlaceAccessible(this, place);  // Qt's cache owns it
  ids_.emplace(place, QAccessible::registerAccessibleInterface(made));
  return made;
}

int TimelineAccessible::indexOfChild(const QAccessibleInterface* child) const {
  const auto* own = dynamic_cast<const PlaceAccessible*>(child);
  if (own == nullptr) {
    const int index = QAccessibleWidget::indexOfChild(child);
    return index < 0 ? index : index + tracks();
  }
  const auto& bands = scene().bands();
  const auto found = std::ranges::find(bands, own->place().track, &TimelineBand::track);
  return found == bands.end() || own->place().lane ? -1 : static_cast<int>(found - bands.begin());
}

QAccessibleInterface* TimelineAccessible::childAt(int x, int y) const {
  const QPoint point = view_->viewport()->mapFromGlobal(QPoint(x, y));
  if (view_->viewport()->rect().contains(point) && view_->viewport()->childAt(point) == nullptr) {
    const TimelineHit hit = view_->hitAt(point);
    if (hit.on_band()) return at({scene().bands()[hit.band].track});
  }
  return QAccessibleWidget::childAt(x, y);
}

QAccessibleInterface* make_timeline_interface(const QString& name, QObject* object) {
  auto* view = name == QLatin1String("iosx::TimelineView") ? qobject_cast<TimelineView*>(object) : nullptr;
  return view != nullptr ? new TimelineAccessible(view) : nullptr;
}

}  // namespace

void install_timeline_accessibility() { QAccessible::installFactory(&make_timeline_interface); }

void announce_current_span(TimelineView& view) {
  if (!QAccessible::isActive() || !view.hasFocus()) return;
  const auto* timeline = dynamic_cast<TimelineAccessible*>(QAccessible::queryAccessibleInterface(&view));
  QAccessibleInterface* span = timeline != nullptr ? timeline->current() : nullptr;
  if (span == nullptr) return;
  QAccessibleEvent focus(span, QAccessible::Focus);
  QAccessible::updateAccessibility(&focus);
}

}  // namespace iosx
