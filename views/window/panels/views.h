#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "core/documents/project/workspace.h"
#include "views/figures/figure.h"
#include "views/share/picture.h"
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
class WhyView;

// The drawings of the window, supplied from the session. They have no parent; whoever places them owns them.
class Views final : public QObject {
  Q_OBJECT

 public:
  Views(Session& session, Jobs& jobs, SelectionModel& selection, QObject* parent = nullptr);

  GraphView* graph() const { return graph_; }
  // Returns the content of card and animation: the shown schedule against the baseline, if that is of the same run,
  // or else against sequential.
  std::optional<Rivals> rivals() const;
  const ShownSaving& shownSaving() const { return *shown_saving_; }
  SavingView* saving() const { return saving_; }
  TimelineView* timeline() const { return timeline_; }
  WhyView* why() const { return why_; }
  ComparisonChart* comparison() const { return comparison_; }
  StageLatencyChart* stageLatencies() const { return stage_latencies_; }
  ConvergenceChart* searches() const { return searches_; }
  SweepView* sweep() const { return sweep_; }
  ComparedRuns* compared() const { return compared_; }

  // Returns what the view shows now; null where it shows nothing, and of a drawing or a recording, which are none of
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
  void followSearch();  // shows the best schedule so far on the canvas, unless a search's result is shown

  Session& session_;
  Jobs& jobs_;
  TimeAxisModel* time_;
  ShownSaving* shown_saving_;
  GraphView* graph_;
  SavingView* saving_;
  TimelineView* timeline_;
  WhyView* why_;
  ComparisonChart* comparison_;
  StageLatencyChart* stage_latencies_;
  ConvergenceChart* searches_;
  SweepView* sweep_;
  ComparedRuns* compared_;
  std::shared_ptr<const Schedule> followed_;  // of the search that the canvas follows; null: none
  bool may_follow_ = true;                    // the user has made no other choice since the job began
};

}  // namespace iosx
