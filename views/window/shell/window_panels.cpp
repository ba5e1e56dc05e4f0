#include "views/window/shell/window_panels.h"

#include <QDockWidget>
#include <QMenu>
#include <QSplitter>

#include "views/app_model/session.h"
#include "views/canvas/graph_view.h"
#include "views/compare/comparison_chart.h"
#include "views/compare/stage_latency_chart.h"
#include "views/edit_graph/attribute_form.h"
#include "views/edit_graph/operator_palette.h"
#include "views/edit_graph/problem_list.h"
#include "views/explore/search/convergence_chart.h"
#include "views/explore/sweep/sweep_view.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/explore/utilization/utilization_view.h"
#include "views/text/counter_text.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/window/panels/jobs_panel.h"
#include "views/window/panels/panels.h"
#include "views/window/panels/project_panel.h"
#include "views/window/panels/views.h"
#include "views/window/shell/docks.h"
#include "views/window/shell/graph_editing.h"

namespace iosx {
namespace {

constexpr int kRowsInSight = 1;  // of utilization

}  // namespace

WindowPanels::WindowPanels(Session& session, Jobs& jobs, const WorkerBoard& workers, SelectionModel& selection,
                           Views& views, GraphEditing& editing, ProjectPanel* project, QObject* parent)
    : QObject(parent),
      session_(session),
      jobs_(jobs),
      workers_(workers),
      selection_(selection),
      views_(views),
      editing_(editing),
      project_(project),
      schedules_(new SchedulePanel(session)),
      stages_(new StagePanel(session, selection, views.shownSaving())),
      tasks_(new TaskPanel(session, jobs, selection)) {}

void WindowPanels::addTo(Docks& docks, const std::vector<ModePage>& pages, QMenu& list) {
  const auto add = [&](Qt::DockWidgetArea area, const QString& name, const QString& title, QWidget* content) {
    std::vector<Mode> modes;
    for (const ModePage& page : pages) {
      if (page.panels.contains(name)) modes.push_back(page.mode);
    }
    QDockWidget* dock = docks.add(area, name, title, content, std::move(modes));
    list.addAction(dock->toggleViewAction());
    return dock;
  };
  add(Qt::LeftDockWidgetArea, QStringLiteral("project"), tr("Project"), project_);
  add(Qt::LeftDockWidgetArea, QStringLiteral("palette"), tr("Operators"), editing_.palette());
  auto* inspector = new InspectorPanel(session_, jobs_, selection_);
  connect(inspector, &InspectorPanel::alternativePointed, views_.graph(), &GraphView::setPointed);
  connect(inspector, &InspectorPanel::alternativePointed, views_.timeline(), &TimelineView::setPointed);
  add(Qt::RightDockWidgetArea, QStringLiteral("inspector"), tr("Inspector"), inspector);
  add(Qt::RightDockWidgetArea, QStringLiteral("attributes"), tr("Attributes"), editing_.attributes());
  QDockWidget* problems =
      add(Qt::BottomDockWidgetArea, QStringLiteral("problems"), tr("Problems"), editing_.problems());
  connect(editing_.problems(), &ProblemList::counted, problems, [problems](int count) {
    problems->setWindowTitle(count == 0 ? tr("Problems") : tr("Problems (%1)").arg(count));
  });
  timeline_dock_ = add(Qt::BottomDockWidgetArea, QStringLiteral("timeline"), tr("Timeline and utilization"), times());
  stages_dock_ = add(Qt::BottomDockWidgetArea, QStringLiteral("stages"), tr("Stages"), stages_);
  add(Qt::BottomDockWidgetArea, QStringLiteral("schedules"), tr("Schedules"), schedules());
  add(Qt::BottomDockWidgetArea, QStringLiteral("search"), tr("Search"), searches());
  QDockWidget* sweep = add(Qt::BottomDockWidgetArea, QStringLiteral("sweep"), tr("What if"), views_.sweep());
  connect(sweep, &QDockWidget::visibilityChanged, views_.sweep(), &SweepView::setLookedAt);
  add(Qt::BottomDockWidgetArea, QStringLiteral("jobs"), tr("Jobs"), new JobsPanel(jobs_, workers_));
  for (const auto changed : {&Session::documentChanged, &Session::comparisonChanged, &Session::activeScheduleChanged})
    connect(&session_, changed, this, &WindowPanels::showTitles);
  showTitles();
}

std::array<TableView*, 2> WindowPanels::stageTables() const { return {stages_->table(), tasks_->table()}; }

QWidget* WindowPanels::schedules() {
  auto* row = new QSplitter(Qt::Horizontal);
  row->addWidget(schedules_);
  row->addWidget(views_.comparison());
  row->addWidget(views_.stageLatencies());
  row->setSizes({1000, 1000, 1000});  // equal, whatever they ask for: the table's latencies and speed-ups are in sight
  for (const int column : {0, 1, 2}) row->setStretchFactor(column, 1);
  row->setChildrenCollapsible(false);
  return row;
}

QWidget* WindowPanels::times() {
  auto* times = new QSplitter(Qt::Vertical);
  times->addWidget(views_.timeline());
  times->addWidget(views_.utilization());
  views_.utilization()->setMinimumHeight(UtilizationPlot::kAxisHeight + UtilizationPlot::kTopMargin +
                                         kRowsInSight * UtilizationPlot::kMinRowHeight);
  times->setSizes({300, 200});
  times->setStretchFactor(0, 3);
  times->setStretchFactor(1, 2);
  times->setChildrenCollapsible(false);
  return times;
}

QWidget* WindowPanels::searches() {
  auto* searches = new QSplitter(Qt::Horizontal);
  searches->addWidget(views_.searches());
  searches->addWidget(tasks_);
  searches->setSizes({900, 1100});  // the table's columns need more than the curves
  searches->setStretchFactor(0, 9);
  searches->setStretchFactor(1, 11);
  searches->setChildrenCollapsible(false);
  return searches;
}

void WindowPanels::showTitles() {
  const auto comparison = session_.comparison();
  const ScheduleResult* active = comparison ? &comparison->results[session_.activeSchedule()] : nullptr;
  stages_dock_->setWindowTitle(
      active != nullptr ? tr("Stages of %1 (%2)").arg(schedule_title(*active), origin_text(active->latency.origin))
                        : tr("Stages"));
  const Counter* counter = comparison ? main_counter(*comparison) : nullptr;
  timeline_dock_->setWindowTitle(counter != nullptr ? tr("Timeline and %1").arg(core_words(counter->name))
                                                    : tr("Timeline and utilization"));
}

}  // namespace iosx

#include "moc_window_panels.cpp"
