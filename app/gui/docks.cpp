#include "app/gui/docks.h"

#include <QDockWidget>
#include <QMainWindow>
#include <algorithm>
#include <utility>

#include "app/gui/settings.h"

namespace iosx {
namespace {

// These are the shares of the window at first, in percent, so that the canvas has at least 40 % of 1600 x 1000 and 30 %
// of 1280 x 800.
constexpr int kProjectShare = 16;
constexpr int kInspectorShare = 18;
constexpr int kDrawerShare = 28;
constexpr int kLeastDrawer = 210;
// Where graphs are drawn it has problems, of which there are few.
constexpr int kProblemsShare = 15;
constexpr int kLeastProblems = 120;
constexpr int kLeastSide = 260;  // pixels: names of schedules with their boxes and numbers

}  // namespace

Docks::Docks(QMainWindow* window, Settings& settings) : QObject(window), window_(window), settings_(settings) {
  window_->setDockNestingEnabled(true);
  window_->setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
  window_->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  window_->setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
  // Not GroupedDragging: in Qt 6.4 panels that float together crash where a layout is restored, and stay visible after
  // they were closed, so that the program never ends.
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
  if (!window_->restoreState(settings_.layout(mode_name(mode)))) return reset();
  hideStrangers();
}

void Docks::hideStrangers() {
  for (const Panel& panel : panels_) {
    if (!panel.in(mode_) && !panel.in(Mode::kExplore)) panel.dock->hide();
  }
}

void Docks::remember() { settings_.setLayout(mode_name(mode_), window_->saveState()); }

void Docks::restore() {
  if (window_->restoreState(settings_.layout(mode_name(mode_)))) hideStrangers();
}

void Docks::reset() {
  QDockWidget* drawer = first(Qt::BottomDockWidgetArea);
  for (const Panel& each : panels_) {
    each.dock->setFloating(false);
    window_->removeDockWidget(each.dock);
  }
  window_->addDockWidget(Qt::BottomDockWidgetArea, drawer);  // first: the others become tabs of it
  for (const auto& [panel, area, modes] : panels_) {
    // As tabs at once: side by side they are wider than a small window.
    if (area == Qt::BottomDockWidgetArea && panel != drawer) {
      window_->tabifyDockWidget(drawer, panel);
    } else if (panel != drawer) {
      window_->addDockWidget(area, panel);
    }
    panel->setVisible(std::ranges::find(modes, mode_) != modes.end());
  }
  if (drawer->isVisibleTo(window_)) drawer->raise();
  window_->resizeDocks({first(Qt::LeftDockWidgetArea), first(Qt::RightDockWidgetArea)},
                       {std::max(kLeastSide, window_->width() * kProjectShare / 100),
                        std::max(kLeastSide, window_->width() * kInspectorShare / 100)},
                       Qt::Horizontal);
  const bool problems = mode_ == Mode::kEditGraph;
  window_->resizeDocks({drawer},
                       {std::max(problems ? kLeastProblems : kLeastDrawer,
                                 window_->height() * (problems ? kProblemsShare : kDrawerShare) / 100)},
                       Qt::Vertical);
}

}  // namespace iosx

#include "moc_docks.cpp"
