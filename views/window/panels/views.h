#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/documents/project/workspace.h"
#include "views/figures/figure.h"
#include "views/share/rivals.h"
#include "views/style/theme.h"
#include "views/time/timeline_track.h"
#include "views/window/actions/actions.h"

namespace iosx {

class ComparedRuns;
class ComparisonChart;
class ConvergenceChart;
class GraphView;
class Jobs;
class SavingView;
class SelectionModel;
class Session;
class ShownSaving;
class StageLatencyChart;
class SweepView;
enum class ComparedFigure;
class TimeAxisModel;
class TimelineView;
class UtilizationView;

// Holds the drawings of the window, which it feeds from the session. They are made without a parent; who places them
// owns them.
class Views final : public QObject {
  Q_OBJECT

 public:
  Views(Session& session, Jobs& jobs, SelectionModel& selection, QObject* parent = nullptr);

  GraphView* graph() const { return graph_; }
  // Returns what a card and an animation show: the shown schedule against the baseline, as far as that is of the same
  // run, or else against sequential.
  std::optional<Rivals> rivals() const;
  const ShownSaving& shownSaving() const { return *shown_saving_; }
  SavingView* saving() const { return saving_; }
  TimelineView* timeline() const { return timeline_; }
  UtilizationView* utilization() const { return utilization_; }
  ComparisonChart* comparison() const { return comparison_; }
  StageLatencyChart* stageLatencies() const { return stage_latencies_; }
  ConvergenceChart* searches() const { return searches_; }
  SweepView* sweep() const { return sweep_; }
  ComparedRuns* compared() const { return compared_; }

  // Returns what the view shows now; null where it shows nothing, and of the drawing that is edited, which is none of
  // these.
  std::unique_ptr<Figure> figure(FigureKind kind) const;

 private:
  std::unique_ptr<Figure> comparedFigure(ComparedFigure kind) const;
  void showDocument();
  void showColumn();  // of the shown network, on the canvas
  void showComparison();
  void showTracks();  // in the timeline: those of every run
  void showSchedule();
  void showDifference();  // of the shown schedule and the baseline: on the canvas, and above it
  void showSearches();
  void stopFollowing();
  void followSearch();  // the canvas shows the best schedule so far where nothing that was searched is looked at

  Session& session_;
  Jobs& jobs_;
  TimeAxisModel* time_;
  ShownSaving* shown_saving_;
  GraphView* graph_;
  SavingView* saving_;
  TimelineView* timeline_;
  UtilizationView* utilization_;
  ComparisonChart* comparison_;
  StageLatencyChart* stage_latencies_;
  ConvergenceChart* searches_;
  SweepView* sweep_;
  ComparedRuns* compared_;
  std::shared_ptr<const Schedule> followed_;  // of the search that the canvas follows; null: none
  bool may_follow_ = true;                    // the user has turned to nothing else since the job began
};

}  // namespace iosx
