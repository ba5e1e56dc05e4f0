#include "views/window/start/first_hints.h"

#include <QCoreApplication>
#include <QMainWindow>
#include <QPointF>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>
#include <chrono>
#include <optional>

#include "views/app_model/selection.h"
#include "views/app_model/session.h"
#include "views/canvas/graph_view.h"
#include "views/window/start/first_minute.h"

namespace iosx {
namespace {

struct HintWords {
  Q_DECLARE_TR_FUNCTIONS(iosx::FirstMinute)
};

using std::chrono::seconds;

// Returns where a widget can be seen in the window; empty where it cannot.
QRect place_of(const QWidget* widget, const QWidget& window) {
  if (widget == nullptr || !widget->isVisible()) return {};
  return QRect(widget->mapTo(&window, QPoint(0, 0)), widget->size()).intersected(window.rect());
}

// Returns the active schedule's first stage with the most groups; none where nothing runs side by side.
std::optional<std::size_t> widest_stage(const Session& session) {
  const auto comparison = session.comparison();
  if (!comparison) return std::nullopt;
  const auto& stages = comparison->results[session.activeSchedule()].schedule.stages;
  const auto widest = std::ranges::max_element(stages, {}, [](const Stage& stage) { return stage.groups.size(); });
  if (widest == stages.end() || widest->groups.size() < 2) return std::nullopt;
  return static_cast<std::size_t>(widest - stages.begin());
}

// Returns the stage's band in the graph as far as it is in sight; empty where it is not.
QRect band_of(const GraphView& graph, std::size_t stage, const QWidget& window) {
  const canvas::Layout* layout = graph.layoutShown();
  if (layout == nullptr) return {};
  for (const canvas::BandBox& band : layout->bands) {
    if (band.stage != stage) continue;
    const canvas::Point from = graph.camera().to_view({band.box.x, band.box.y});
    const canvas::Point to = graph.camera().to_view({band.box.right(), band.box.bottom()});
    const QRect seen = QRectF(QPointF(from.x, from.y), QPointF(to.x, to.y)).toAlignedRect().intersected(graph.rect());
    if (!seen.isEmpty()) return seen.translated(graph.mapTo(&window, QPoint(0, 0)));
  }
  return {};
}

QRect first_column_of(const QWidget* table, const QWidget& window) {
  QRect place = place_of(table, window);
  if (!place.isEmpty()) place.setWidth(std::min(place.width(), 160));
  return place;
}

}  // namespace

FirstMinute* make_first_minute(QMainWindow* window, Session& session, SelectionModel& selection,
                               const HintTargets& targets, Settings& settings) {
  enum Step { kWidest, kSchedules, kMeasure, kOwn };
  auto* minute = new FirstMinute(window, settings);
  const GraphView* graph = targets.graph;
  minute->setSteps({
      {seconds(15),
       [&session] {
         const auto stage = widest_stage(session);
         const auto comparison = session.comparison();
         if (!stage) return QString();
         const auto groups = comparison->results[session.activeSchedule()].schedule.stages[*stage].groups.size();
         return HintWords::tr(
                    "Stage %1 runs %2 groups of operators at the same time. Click it: graph, table and timeline show "
                    "the same stage.")
             .arg(*stage + 1)
             .arg(groups);
       },
       [&session, graph, window] {
         const auto stage = widest_stage(session);
         if (!stage || !graph->isVisible()) return QRect();
         return band_of(*graph, *stage, *window);
       }},
      {seconds(8),
       [] {
         return HintWords::tr("These are the schedules and what each takes. Choose another one and see how it runs.");
       },
       [window, tree = targets.schedules] { return first_column_of(tree, *window); }},
      {seconds(10),
       [] {
         return HintWords::tr(
             "All this is simulated. This button measures it here; nothing is measured before you press it.");
       },
       [window, button = targets.measure] { return place_of(button, *window); }},
      {seconds(10),
       [] { return HintWords::tr("Open your own model here, or drop its ONNX file anywhere in the window."); },
       [window, bar = targets.own] { return place_of(bar->findChild<QWidget*>(QStringLiteral("network")), *window); }},
  });
  for (const auto changed : {&Session::documentChanged, &Session::comparisonChanged, &Session::activeScheduleChanged})
    QObject::connect(&session, changed, minute, &FirstMinute::follow);
  QObject::connect(graph, &GraphView::layoutChanged, minute, &FirstMinute::follow);
  QObject::connect(graph, &GraphView::placeChanged, minute, &FirstMinute::follow);
  QObject::connect(&selection, &SelectionModel::changed, minute, [minute](const Selection& chosen) {
    if (!chosen.empty()) minute->done(kWidest);
  });
  QObject::connect(&session, &Session::activeScheduleChanged, minute, [minute] { minute->done(kSchedules); });
  QObject::connect(&session, &Session::settingsChanged, minute, [minute, &session] {
    const DeviceInfo* device = session.device();
    if (device != nullptr && device->origin == Origin::kMeasured) minute->done(kMeasure);
  });
  // Another network than the one that was there at first: one's own, or one that is of interest.
  QObject::connect(&session, &Session::documentChanged, minute, [minute, opened = 0]() mutable {
    if (++opened > 1) minute->done(kOwn);
  });
  return minute;
}

}  // namespace iosx
