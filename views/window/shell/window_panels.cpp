#include "views/window/shell/window_panels.h"

#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>
#include <QMenu>
#include <QSplitter>
#include <QTabBar>
#include <cstdlib>
#include <utility>

#include "views/app_model/session.h"
#include "views/canvas/graph_view.h"
#include "views/compare/comparison_chart.h"
#include "views/compare/stage_latency_chart.h"
#include "views/edit_graph/attribute_form.h"
#include "views/edit_graph/operator_palette.h"
#include "views/edit_graph/problem_list.h"
#include "views/explore/search/convergence_chart.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/explore/utilization/why_view.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/window/base/settings.h"
#include "views/window/panels/panels.h"
#include "views/window/panels/project_panel.h"
#include "views/window/panels/views.h"
#include "views/window/shell/experiment_panel.h"
#include "views/window/shell/graph_editing.h"

namespace iosx {
namespace {

// Initial shares of the window, in percent, so that the canvas has at least 30 % of 1600 x 1000 and 25 % of 1280 x 800.
constexpr int kProjectShare = 16;
constexpr int kInspectorShare = 18;
constexpr int kDrawerShare = 28;
constexpr int kLeastDrawer = 210;
// In the explore mode it has the baseline, the schedule with its lanes and why it is faster, without scrolling.
constexpr int kTimelineShare = 39;
constexpr int kLeastTimeline = 334;
// In the graph edit mode it has problems, usually few.
constexpr int kProblemsShare = 15;
constexpr int kLeastProblems = 120;
constexpr int kMostShare = 60;  // of the window for a panel, however large it was in a larger one
constexpr int kRoomy = 1400;  // pixels: in a narrower window the graph has the inspector's room until someone opens it
const auto kWishSuffix = QStringLiteral("-sizes");
constexpr int kLeastSide = 260;  // pixels: names of schedules with their boxes and numbers

// Puts widgets beside one another, each with its share of the room.
QSplitter* shared_room(Qt::Orientation orientation, const std::vector<std::pair<QWidget*, int>>& shares) {
  auto* splitter = new QSplitter(orientation);
  QList<int> sizes;
  for (const auto& [widget, share] : shares) {
    splitter->addWidget(widget);
    splitter->setStretchFactor(splitter->count() - 1, share);
    sizes << 100 * share;
  }
  splitter->setSizes(sizes);
  splitter->setChildrenCollapsible(false);
  return splitter;
}

}  // namespace

Docks::Docks(QMainWindow* window, Settings& settings) : QObject(window), window_(window), settings_(settings) {
  window_->setDockNestingEnabled(true);
  window_->setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
  window_->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  window_->setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
  // Not GroupedDragging: in Qt 6.4 panels that float together crash where a layout is restored, and stay visible after
  // they were closed, so that the program never ends.
  window_->installEventFilter(this);
  window_->setAnimated(false);  // Qt 6.4 crashes where a layout is restored while a dropped panel still moves
}

QDockWidget* Docks::add(Qt::DockWidgetArea area, const QString& name, const QString& title, QWidget* content,
                        std::vector<Mode> modes) {
  auto* dock = new QDockWidget(title, window_);
  dock->setObjectName(name);
  dock->setWidget(content);
  window_->addDockWidget(area, dock);
  if (area == Qt::BottomDockWidgetArea) hideTitleBar(dock);
  panels_.push_back({dock, area, std::move(modes)});
  return dock;
}

// The tab already says what the dock is; a title bar would only take room from the drawing. A floating dock needs one.
void Docks::hideTitleBar(QDockWidget* dock) {
  dock->setTitleBarWidget(new QWidget(dock));
  connect(dock, &QDockWidget::topLevelChanged, dock, [dock](bool floating) {
    QWidget* old = dock->titleBarWidget();
    dock->setTitleBarWidget(floating ? nullptr : new QWidget(dock));
    if (old != nullptr) old->deleteLater();
  });
}

QDockWidget* Docks::first(Qt::DockWidgetArea area) const {
  auto found = std::ranges::find_if(panels_, [&](const Panel& panel) { return panel.area == area && panel.in(mode_); });
  if (found == panels_.end()) found = std::ranges::find(panels_, area, &Panel::area);
  return found == panels_.end() ? nullptr : found->dock;
}

void Docks::show(const QString& name) {
  for (const Panel& panel : panels_) {
    if (panel.dock->objectName() != name) continue;
    panel.dock->show();
    panel.dock->raise();
  }
}

void Docks::setMode(Mode mode) {
  if (mode == mode_) return;
  remember();
  mode_ = mode;
  if (!window_->restoreState(settings_.layout(row_of(mode).name))) return reset();
  hideStrangers();
  recallWish();
  followWidth();
}

void Docks::hideStrangers() {
  for (const Panel& panel : panels_) {
    if (!panel.in(mode_) && !panel.in(Mode::kExplore)) panel.dock->hide();
  }
}

void Docks::remember() {
  settings_.setLayout(row_of(mode_).name, window_->saveState());
  settings_.setLayout(row_of(mode_).name + kWishSuffix,
                      QStringLiteral("%1 %2 %3").arg(wish_.left).arg(wish_.right).arg(wish_.bottom).toLatin1());
}

void Docks::restore() {
  if (!window_->restoreState(settings_.layout(row_of(mode_).name))) return;
  hideStrangers();
  recallWish();
}

// The layout alone has the sizes of a window that was perhaps small.
void Docks::recallWish() {
  const QList<QByteArray> kept = settings_.layout(row_of(mode_).name + kWishSuffix).split(' ');
  wish_ = kept.size() == 3 ? Wish{kept[0].toInt(), kept[1].toInt(), kept[2].toInt()} : Wish{};
  fit();
}

Docks::Wish Docks::standard() const {
  const auto share = [](int of, int percent, int least) { return std::max(least, of * percent / 100); };
  const int height = window_->height();
  return {share(window_->width(), kProjectShare, kLeastSide), share(window_->width(), kInspectorShare, kLeastSide),
          mode_ == Mode::kEditGraph ? share(height, kProblemsShare, kLeastProblems)
          : mode_ == Mode::kExplore ? share(height, kTimelineShare, kLeastTimeline)
                                    : share(height, kDrawerShare, kLeastDrawer)};
}

QDockWidget* Docks::seen(Qt::DockWidgetArea area) const {
  const auto found = std::ranges::find_if(panels_, [&](const Panel& panel) {
    return panel.dock->isVisibleTo(window_) && !panel.dock->isFloating() &&
           window_->dockWidgetArea(panel.dock) == area && !panel.dock->visibleRegion().isEmpty();
  });
  return found == panels_.end() ? nullptr : found->dock;
}

Docks::Wish Docks::now() const {
  const QDockWidget* left = seen(Qt::LeftDockWidgetArea);
  const QDockWidget* right = seen(Qt::RightDockWidgetArea);
  const QDockWidget* bottom = seen(Qt::BottomDockWidgetArea);
  // With its tabs, as resizeDocks() counts.
  int tabs = 0;
  for (const QTabBar* bar : window_->findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
    const bool above =
        bottom != nullptr && bar->isVisible() && std::abs(bar->geometry().bottom() + 1 - bottom->y()) <= 2;
    if (above) tabs = bar->height();
  }
  return {left != nullptr ? left->width() : 0, right != nullptr ? right->width() : 0,
          bottom != nullptr ? bottom->height() + tabs : 0};
}

void Docks::fit() {
  const Wish standard = this->standard();
  const auto give = [&](Qt::DockWidgetArea area, int wish, int otherwise, Qt::Orientation orientation) {
    QDockWidget* dock = seen(area);
    const int most = (orientation == Qt::Vertical ? window_->height() : window_->width()) * kMostShare / 100;
    if (dock != nullptr) window_->resizeDocks({dock}, {std::min(wish > 0 ? wish : otherwise, most)}, orientation);
  };
  give(Qt::LeftDockWidgetArea, wish_.left, standard.left, Qt::Horizontal);
  give(Qt::RightDockWidgetArea, wish_.right, standard.right, Qt::Horizontal);
  give(Qt::BottomDockWidgetArea, wish_.bottom, standard.bottom, Qt::Vertical);
}

void Docks::followWidth() {
  const bool changed = roomy() != std::exchange(was_roomy_, roomy());
  if (roomy() && mode_ == Mode::kExplore && spared_ != nullptr) std::exchange(spared_, nullptr)->show();
  fit();
  if (changed) emit roomyChanged();
}

bool Docks::eventFilter(QObject* watched, QEvent* event) {
  if (watched != window_) return QObject::eventFilter(watched, event);
  switch (event->type()) {
    // Once the panels have been laid out.
    case QEvent::Resize: QMetaObject::invokeMethod(this, &Docks::followWidth, Qt::QueuedConnection); break;
    case QEvent::MouseButtonPress: pressed_ = now(); break;
    case QEvent::MouseButtonRelease: {  // the separators belong to the window
      const Wish moved = now();
      const auto take = [](int& wish, int before, int after) {
        if (before > 0 && after > 0 && before != after) wish = after;
      };
      take(wish_.left, pressed_.left, moved.left);
      take(wish_.right, pressed_.right, moved.right);
      take(wish_.bottom, pressed_.bottom, moved.bottom);
      break;
    }
    default: break;
  }
  return QObject::eventFilter(watched, event);
}

bool Docks::roomy() const { return window_->width() >= kRoomy; }

void Docks::reset() {
  QDockWidget* drawer = first(Qt::BottomDockWidgetArea);
  was_roomy_ = roomy();
  spared_ = nullptr;
  for (const Panel& each : panels_) {
    each.dock->setFloating(false);
    window_->removeDockWidget(each.dock);
  }
  window_->addDockWidget(Qt::BottomDockWidgetArea, drawer);  // first: the others become tabs of it
  for (const auto& [panel, area, modes] : panels_) {
    // As tabs at once: side by side they would be wider than a small window.
    if (area == Qt::BottomDockWidgetArea && panel != drawer) {
      window_->tabifyDockWidget(drawer, panel);
    } else if (panel != drawer) {
      window_->addDockWidget(area, panel);
    }
    const bool wanted = std::ranges::find(modes, mode_) != modes.end();
    const bool spare = wanted && mode_ == Mode::kExplore && area == Qt::RightDockWidgetArea && !was_roomy_;
    if (spare) spared_ = panel;
    panel->setVisible(wanted && !spare);
  }
  if (drawer->isVisibleTo(window_)) drawer->raise();
  wish_ = {};
  const Wish standard = this->standard();
  window_->resizeDocks({first(Qt::LeftDockWidgetArea), first(Qt::RightDockWidgetArea)}, {standard.left, standard.right},
                       Qt::Horizontal);
  window_->resizeDocks({drawer}, {standard.bottom}, Qt::Vertical);
}

WindowPanels::WindowPanels(Session& session, Jobs& jobs, SelectionModel& selection, Views& views, GraphEditing& editing,
                           ProjectPanel* project, ExperimentPanel* experiments, QObject* parent)
    : QObject(parent),
      session_(session),
      jobs_(jobs),
      selection_(selection),
      views_(views),
      editing_(editing),
      project_(project),
      experiments_(experiments),
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
  add(Qt::BottomDockWidgetArea, QStringLiteral("timeline"), tr("Timeline"), views_.timeline());
  QDockWidget* why = add(Qt::BottomDockWidgetArea, QStringLiteral("why"), tr("Why it is faster"), views_.why());
  connect(views_.timeline(), &TimelineView::whyChanged, why, [why](const std::shared_ptr<const WhyPanel>& panel) {
    why->setWindowTitle(panel ? panel->title : tr("Why it is faster"));
  });
  connect(views_.timeline(), &TimelineView::plotsToggled, &docks, [this, &docks] {
    const bool behind = views_.why()->viewport()->visibleRegion().isEmpty();
    docks.show(behind ? QStringLiteral("why") : QStringLiteral("timeline"));
  });
  stages_dock_ = add(Qt::BottomDockWidgetArea, QStringLiteral("stages"), tr("Stages"), stages_);
  add(Qt::BottomDockWidgetArea, QStringLiteral("schedules"), tr("Schedules"), schedules());
  add(Qt::BottomDockWidgetArea, QStringLiteral("search"), tr("Search"), searches());
  QDockWidget* sweep = add(Qt::BottomDockWidgetArea, QStringLiteral("sweep"), tr("Experiments"), experiments_);
  connect(sweep, &QDockWidget::visibilityChanged, experiments_, &ExperimentPanel::setLookedAt);
  for (const auto changed : {&Session::documentChanged, &Session::comparisonChanged, &Session::activeScheduleChanged})
    connect(&session_, changed, this, &WindowPanels::showTitles);
  showTitles();
}

std::array<TableView*, 2> WindowPanels::stageTables() const { return {stages_->table(), tasks_->table()}; }

// Equal, whatever they ask for: the table's latencies and speed-ups are in sight.
QWidget* WindowPanels::schedules() {
  return shared_room(Qt::Horizontal, {{schedules_, 10}, {views_.comparison(), 10}, {views_.stageLatencies(), 10}});
}

// The table's columns need more than the curves.
QWidget* WindowPanels::searches() { return shared_room(Qt::Horizontal, {{views_.searches(), 9}, {tasks_, 11}}); }

void WindowPanels::showTitles() {
  const auto comparison = session_.comparison();
  const ScheduleResult* active = comparison ? &comparison->results[session_.activeSchedule()] : nullptr;
  stages_dock_->setWindowTitle(
      active != nullptr ? tr("Stages of %1 (%2)").arg(schedule_title(*active), origin_text(active->latency.origin))
                        : tr("Stages"));
}

}  // namespace iosx

#include "moc_window_panels.cpp"
