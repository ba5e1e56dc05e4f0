#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "views/figures/figure.h"
#include "views/style/theme.h"
#include "views/window/actions/actions.h"

class QDockWidget;
class QMainWindow;
class QWidget;
class QMenu;

namespace iosx {

class Settings;

// Places the panels around the canvas: every mode has an arrangement, the user's or else the default one. The inspector
// is as high as the window; panels at the bottom are tabs of one drawer.
class Docks final : public QObject {
  Q_OBJECT

 public:
  // The settings must outlive it.
  Docks(QMainWindow* window, Settings& settings);

  // `name` is the panel's key in layouts. It is initially visible in these modes. The first visible panel at the
  // bottom is initially in front.
  QDockWidget* add(Qt::DockWidgetArea area, const QString& name, const QString& title, QWidget* content,
                   std::vector<Mode> modes = {Mode::kExplore});
  void show(const QString& name);  // and brings it in front of other tabs

  Mode mode() const { return mode_; }
  void setMode(Mode mode);
  bool roomy() const;  // the window is so wide that all panels have room beside the graph
  void reset();        // the default arrangement of the mode
  void restore();      // the remembered one, if any
  void remember();     // for the next restore(), also after a restart

 signals:
  void roomyChanged();

 protected:
  // Panels that a small window squeezes get their sizes back once it is large. What it had no room for is shown then.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Panel {
    QDockWidget* dock;
    Qt::DockWidgetArea area;
    std::vector<Mode> modes;

    bool in(Mode mode) const { return std::ranges::find(modes, mode) != modes.end(); }
  };

  // Preferred sizes of panels in pixels; 0 in the user's: none.
  struct Wish {
    int left = 0;
    int right = 0;
    int bottom = 0;
  };
  void followWidth();                                // of the window
  Wish standard() const;                             // for the window's size and the mode
  QDockWidget* seen(Qt::DockWidgetArea area) const;  // a visible one in this area, or null
  void recallWish();                                 // the one remembered with the layout, and applies it
  Wish now() const;                                  // 0 for invisible panels
  void fit();  // as close to the preferred sizes, or else the standard ones, as fits
  QDockWidget* first(Qt::DockWidgetArea area) const;  // of those of the mode, else of all
  void hideStrangers();  // panels of other modes only, which an older arrangement does not know
  void hideTitleBar(QDockWidget* dock);

  QMainWindow* window_;
  Settings& settings_;
  Mode mode_ = Mode::kExplore;
  Wish wish_;     // the user's
  Wish pressed_;  // at the press of a button, perhaps on a separator
  std::vector<Panel> panels_;
  bool was_roomy_ = false;
  QPointer<QDockWidget> spared_;  // has no room beside the graph
};

class GraphEditing;
class ExperimentPanel;
class Jobs;
class ProjectPanel;
class SchedulePanel;
class SelectionModel;
class Session;
class StagePanel;
class TableView;
class TaskPanel;
class Views;

// Describes a mode to the window, which knows nothing else about it.
struct ModePage {
  Mode mode = Mode::kExplore;
  QWidget* widget = nullptr;  // stands in the centre of the window, which owns it
  QWidget* keys = nullptr;    // takes the keyboard when the mode begins; in the widget
  QStringList panels = {};    // names of the panels that it shows at first
  std::vector<FigureKind> figures = {};
  std::function<std::unique_ptr<Figure>(FigureKind)> figure = {};  // makes one of `figures`; null without one
  std::function<void(bool)> activate = {};                         // true: the mode begins; false: it ends
  bool edits = false;                                              // it handles undo and redo
};

// Makes the panels around the canvas. The title of each says what it shows.
class WindowPanels final : public QObject {
  Q_OBJECT

 public:
  // All must outlive the object. `project` and `experiments` are two of the panels.
  WindowPanels(Session& session, Jobs& jobs, SelectionModel& selection, Views& views, GraphEditing& editing,
               ProjectPanel* project, ExperimentPanel* experiments, QObject* parent);

  // Puts the panels into the window, at their initial places in these modes, and lists them in the menu.
  void addTo(Docks& docks, const std::vector<ModePage>& pages, QMenu& list);
  std::array<TableView*, 2> stageTables() const;  // whose rows are the selection: stages and tasks

 private:
  QWidget* schedules();
  QWidget* searches();
  void showTitles();

  Session& session_;
  Jobs& jobs_;
  SelectionModel& selection_;
  Views& views_;
  GraphEditing& editing_;
  ProjectPanel* project_;
  ExperimentPanel* experiments_;
  SchedulePanel* schedules_;
  StagePanel* stages_;
  TaskPanel* tasks_;
  QDockWidget* stages_dock_ = nullptr;
};

}  // namespace iosx
