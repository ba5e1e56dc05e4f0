#include "app/gui/views.h"

#include "views/bridge/selection.h"
#include "views/bridge/session.h"
#include "views/compare/comparison_chart.h"
#include "views/compare/stage_latency_chart.h"
#include "views/graph/graph_view.h"
#include "views/search/convergence_chart.h"
#include "views/text/latency_text.h"
#include "views/time/time_axis_model.h"
#include "views/timeline/timeline_view.h"
#include "views/utilization/utilization_view.h"

namespace iosx {

Views::Views(Session& session, SelectionModel& selection, QObject* parent)
    : QObject(parent),
      session_(session),
      time_(new TimeAxisModel(this)),
      graph_(new GraphView),
      timeline_(new TimelineView(&selection, time_)),
      utilization_(new UtilizationView(&selection, time_)),
      comparison_(new ComparisonChart(&selection)),
      stage_latencies_(new StageLatencyChart(&selection)),
      searches_(new ConvergenceChart) {
  graph_->setSelectionModel(&selection);
  // The timeline chooses the tracks of both, and has a strip of the counter that the plots show in full.
  connect(timeline_, &TimelineView::shownTracksChanged, utilization_, &UtilizationView::setTracks);
  connect(timeline_, &TimelineView::counterChanged, utilization_, &UtilizationView::setCounter);
  connect(utilization_, &UtilizationView::counterChanged, timeline_, &TimelineView::setCounter);
  connect(timeline_, &TimelineView::plotsToggled, utilization_,
          [this] { utilization_->setVisible(utilization_->isHidden()); });
  utilization_->hide();
  connect(&session_, &Session::documentChanged, this, &Views::showDocument);
  connect(&session_, &Session::comparisonChanged, this, &Views::showComparison);
  connect(&session_, &Session::activeScheduleChanged, this, &Views::showSchedule);
  connect(&session_, &Session::comparisonChanged, this, &Views::showSearches);
  connect(&session_, &Session::activeScheduleChanged, this, &Views::showSearches);
  connect(&session_, &Session::searchingChanged, this, &Views::showSearches);
  connect(comparison_, &ComparisonChart::scheduleActivated, this,
          [this](const ScheduleId& id) { session_.setActiveSchedule(id); });
  // A stage picked in another schedule's timeline is that schedule's stage everywhere.
  connect(&selection, &SelectionModel::changed, this, [this](const Selection& chosen) {
    if (chosen.stage) session_.setActiveSchedule(chosen.schedule);
  });
  showDocument();
  showComparison();
}

void Views::setTheme(const Theme& theme) {
  graph_->setTheme(theme);
  timeline_->setTheme(theme);
  utilization_->setTheme(theme);
  comparison_->setTheme(theme);
  stage_latencies_->setTheme(theme);
  searches_->setTheme(theme);
}

std::unique_ptr<Figure> Views::figure(FigureKind kind) const {
  switch (kind) {
    case FigureKind::kGraph:
      return graph_->figure(session_.comparison() ? context_text(*session_.comparison()) : QString());
    case FigureKind::kTimeline: return timeline_->figure();
    case FigureKind::kUtilization: return utilization_->figure();
    case FigureKind::kComparison: return comparison_->figure();
    case FigureKind::kStageLatencies: return stage_latencies_->figure();
    case FigureKind::kSearches: return searches_->figure();
  }
  return nullptr;
}

void Views::showDocument() {
  if (!session_.hasDocument()) return;
  const Document& document = session_.document();
  graph_->setGraph(document.graph);
  graph_->setSchedule(document.schedule ? &*document.schedule : nullptr, {});
}

void Views::showComparison() {
  const auto comparison = session_.comparison();
  timeline_->setTracks(tracks_of(comparison), comparison ? std::optional(session_.activeSchedule()) : std::nullopt);
  comparison_->setComparison(comparison);
  stage_latencies_->setComparison(comparison);
  if (comparison) showSchedule();
}

void Views::showSchedule() {
  const ScheduleResult& active = session_.comparison()->results[session_.activeSchedule()];
  timeline_->setActiveTrack(session_.activeSchedule());
  graph_->setSchedule(&active.schedule, active.stage_latencies, {active.id, schedule_title(active)});
}

void Views::showSearches() {
  searches_->setSearches(session_.comparison(), session_.activeSchedule(), session_.searching());
}

}  // namespace iosx
