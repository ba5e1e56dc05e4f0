#include "views/window/panels/views.h"

#include <QStringList>
#include <algorithm>

#include "views/app_model/jobs.h"
#include "views/app_model/selection.h"
#include "views/app_model/session.h"
#include "views/app_model/shown_saving.h"
#include "views/app_model/sweeper.h"
#include "views/canvas/graph_view.h"
#include "views/canvas/paint/marks.h"
#include "views/compare/compare_page.h"
#include "views/compare/comparison_chart.h"
#include "views/compare/stage_latency_chart.h"
#include "views/explore/saving/saving_view.h"
#include "views/explore/search/convergence_chart.h"
#include "views/explore/sweep/sweep_view.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/explore/utilization/why_view.h"
#include "views/share/picture.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"
#include "views/time/time_axis.h"
#include "views/window/panels/compared_runs.h"
#include "views/window/panels/status_bar.h"

namespace iosx {
namespace {

// Returns the schedules of every run. With several runs, titles have their differences.
std::vector<TimelineTrack> all_tracks(const Workspace& workspace) {
  std::vector<TimelineTrack> tracks;
  QList<QStringList> seen;
  for (const WorkspaceRun& run : workspace.runs()) {
    const std::shared_ptr<const Comparison> comparison(run.run, &run.run->comparison);
    QStringList words{comparison->graph ? shown_name(comparison->graph->name()) : QString(),
                      shown_name(comparison->device.name), Text::tr("batch %1").arg(comparison->batch)};
    seen << words;
    const auto before = seen.count(words);
    words << (before > 1 ? Text::tr("run %1").arg(before) : QString());
    for (TimelineTrack& track : tracks_of(comparison)) {
      track.run = run_key(run.id);
      track.distinctions = words;
      tracks.push_back(std::move(track));
    }
  }
  tell_apart(tracks);
  return tracks;
}

}  // namespace

Views::Views(Session& session, Jobs& jobs, SelectionModel& selection, QObject* parent)
    : QObject(parent),
      session_(session),
      jobs_(jobs),
      time_(new TimeAxisModel(this)),
      shown_saving_(new ShownSaving(session, this)),
      graph_(new GraphView),
      saving_(new SavingView(selection)),
      timeline_(new TimelineView(&selection, time_)),
      why_(new WhyView(time_)),
      comparison_(new ComparisonChart(&selection)),
      stage_latencies_(new StageLatencyChart(&selection)),
      searches_(new ConvergenceChart),
      sweep_(new SweepView(session, *new Sweeper(session, jobs, this), selection)),
      compared_(new ComparedRuns(session, selection, this)) {
  graph_->setSelectionModel(&selection);
  graph_->setLegendVisible(false);  // the timeline has one; the button opens this
  connect(timeline_, &TimelineView::whyChanged, why_, &WhyView::setPanel);
  connect(timeline_, &TimelineView::trackActivated, this, [this](std::size_t track) {
    const TimelineTrack& own = timeline_->tracks().tracks()[track];
    for (const WorkspaceRun& run : session_.workspace().runs()) {
      if (&run.run->comparison == own.comparison.get()) return session_.showSchedule({run.id, own.schedule().id});
    }
  });
  connect(&session_, &Session::comparisonChanged, &selection,
          [this, &selection] { selection.setRun(session_.runId()); });
  selection.setRun(session_.runId());
  connect(&session_, &Session::workspaceChanged, this, &Views::showTracks);
  connect(&session_, &Session::workspaceChanged, this, &Views::showColumn);
  connect(&session_, &Session::documentChanged, this, &Views::showDocument);
  connect(&session_, &Session::comparisonChanged, this, &Views::showComparison);
  connect(&session_, &Session::activeScheduleChanged, this, &Views::showSchedule);
  connect(&session_, &Session::comparisonChanged, this, &Views::showSearches);
  connect(&session_, &Session::activeScheduleChanged, this, &Views::showSearches);
  connect(&jobs_, &Jobs::searchingChanged, this, &Views::showSearches);
  connect(shown_saving_, &ShownSaving::changed, this, &Views::showDifference);
  connect(saving_, &SavingView::stepPressed, graph_, &GraphView::centreSelection);
  connect(timeline_, &TimelineView::runningChanged, graph_, &GraphView::setRunning);
  connect(timeline_, &TimelineView::measuredChanged, graph_, &GraphView::setBrushed);
  connect(comparison_, &ComparisonChart::scheduleActivated, this,
          [this](const ScheduleId& id) { session_.setActiveSchedule(id); });
  // A stage picked in another schedule's timeline is that schedule's stage everywhere.
  connect(&selection, &SelectionModel::changed, this, [this](const Selection& chosen) {
    if (chosen.stage) session_.showSchedule({chosen.run, chosen.schedule});
  });
  showDocument();
  showComparison();
}

std::unique_ptr<Figure> Views::comparedFigure(ComparedFigure kind) const {
  if (!compared_->page()->isVisible()) compared_->refresh();  // a page that nobody sees does not follow
  return compared_->page()->figure(kind);
}

std::optional<Rivals> Views::rivals() const {
  const Subject& baseline = shown_saving_->current().baseline;
  const bool here = baseline.comparison != nullptr && baseline.comparison == session_.comparison();
  return rivals_of(session_.comparison(), session_.activeSchedule(),
                   here ? std::optional(baseline.result) : std::nullopt);
}

std::unique_ptr<Figure> Views::figure(FigureKind kind) const {
  switch (kind) {
    case FigureKind::kCard: {
      const auto shown = rivals();
      return shown ? make_card_figure(*shown) : nullptr;
    }
    case FigureKind::kGraph:
      return graph_->figure(session_.comparison() ? context_text(*session_.comparison()) : QString());
    case FigureKind::kSaving: return saving_->figure();
    case FigureKind::kTimeline: return timeline_->figure();
    case FigureKind::kUtilization: return why_->figure();
    case FigureKind::kComparison: return comparison_->figure();
    case FigureKind::kStageLatencies: return stage_latencies_->figure();
    case FigureKind::kSearches: return searches_->figure();
    case FigureKind::kSweep: return sweep_->figure();
    case FigureKind::kComparedRuns: return comparedFigure(ComparedFigure::kBars);
    case FigureKind::kPartMatrix: return comparedFigure(ComparedFigure::kMatrix);
    case FigureKind::kStageDifferences: return comparedFigure(ComparedFigure::kStages);
    case FigureKind::kStatistics: return comparedFigure(ComparedFigure::kStatistics);
    case FigureKind::kDistribution: return comparedFigure(ComparedFigure::kDistribution);
    case FigureKind::kDrawing:
    case FigureKind::kRecording:
    case FigureKind::kPredictedLanes: break;
  }
  return nullptr;
}

void Views::showDocument() {
  stopFollowing();
  if (!session_.hasDocument()) return;
  const Document& document = session_.document();
  graph_->setGraph(document.graph);
  graph_->setSchedule(document.schedule ? &document.schedule->schedule : nullptr, {});
  showColumn();
}

void Views::showColumn() { graph_->setColumn(session_.hasDocument() ? session_.shownNetwork()->column : nullptr); }

void Views::showTracks() {
  const auto shown = session_.comparison();
  // Runs of other networks are no picture of one that has none.
  const std::vector<TimelineTrack> tracks =
      shown || !session_.hasDocument() ? all_tracks(session_.workspace()) : std::vector<TimelineTrack>();
  std::optional<std::size_t> active;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (tracks[i].comparison == shown && tracks[i].result == session_.activeSchedule()) active = i;
  }
  if (tracks == timeline_->tracks().tracks()) {
    timeline_->setActiveTrack(active);
  } else {
    timeline_->setTracks(tracks, active);
  }
  std::optional<std::size_t> baseline;
  if (const auto chosen = session_.workspace().baseline_of(session_.runId())) {
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      if (tracks[i].run == run_key(chosen->run) && tracks[i].schedule().id == chosen->schedule) baseline = i;
    }
  }
  timeline_->setBaseline(baseline);
}

void Views::showComparison() {
  const auto comparison = session_.comparison();
  showTracks();
  comparison_->setComparison(comparison);
  stage_latencies_->setComparison(comparison);
  if (comparison) showSchedule();
}

void Views::showSchedule() {
  // Moves to the final result too. The user's own choice is shown at once, and stays.
  graph_->setMorphing(std::exchange(followed_, nullptr) != nullptr);
  if (jobs_.searching() != nullptr) may_follow_ = false;
  saving_->setSearching({});
  const ScheduleResult& active = session_.comparison()->results[session_.activeSchedule()];
  showTracks();
  graph_->setSchedule(&active.schedule, active.stage_latencies,
                      canvas::schedule_label(*session_.comparison(), active, schedule_title(active)));
  graph_->setRunning(timeline_->runningUnits(), timeline_->unitsAhead());  // the playhead stays where it is
  graph_->setBrushed(timeline_->measuredUnits());
  showDifference();
}

void Views::showDifference() {
  const SavingFacts& saving = shown_saving_->current();
  saving_->setSaving(saving);
  if (!saving.known()) return graph_->setDeltas({});
  graph_->setDeltas(canvas::saving_deltas(saving.steps, shown_name(saving.baseline.label)));
}

void Views::showSearches() {
  searches_->setSearches(session_.comparison(), session_.activeSchedule(), jobs_.searching());
  followSearch();
}

void Views::stopFollowing() {
  followed_ = nullptr;
  saving_->setSearching({});
}

void Views::followSearch() {
  const auto& live = jobs_.searching();
  if (live == nullptr) {
    may_follow_ = true;
    if (followed_ == nullptr) return saving_->setSearching({});
    session_.comparison() ? showSchedule() : showDocument();  // it ended without an answer
    return;
  }
  const auto& best = live->searches.at(live->running).best;
  if (best == nullptr || !may_follow_ || !session_.hasDocument() || session_.searched()) return;
  const Graph& shown = *session_.document().graph;
  if (live->graph->name() != shown.name() || live->graph->units().size() != shown.units().size()) return;
  saving_->setSearching(running_sentence(*live));
  if (best == followed_) return;
  const auto found = best_so_far(live->searches[live->running]);
  if (const auto shown_best = latency_to_beat(session_, jobs_); found && shown_best && *found > *shown_best) return;
  followed_ = best;
  graph_->setMorphing(true);
  canvas::ScheduleLabel label;
  label.title = tr("%1 so far").arg(schedule_kind_title(live->searches[live->running].schedule_kind));
  label.tracks = live->device.barrier_free;  // as the run will have them, so that frames stay
  graph_->setSchedule(best.get(), {}, std::move(label));
}

}  // namespace iosx

#include "moc_views.cpp"
