#pragma once

#include <QMainWindow>

#include <memory>
#include <optional>

#include "app/gui/actions.h"
#include "core/experiment/experiment.h"
#include "core/import/document.h"
#include "views/bridge/selection.h"
#include "views/style/theme.h"

class QLabel;

namespace iosx {

class ExportMenu;
class JobStatus;
class MessageBar;
class RunBar;
class SchedulePanel;
class Session;
class Settings;
class Views;

// Puts the parts of the window together: tool bar, message bar, graph canvas, docks, status bar. What they do is in
// their own classes.
class MainWindow final : public QMainWindow {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(MainWindow)

 public:
  // Both must outlive the window. `system_is_dark`: the desktop's colours before ours were set.
  MainWindow(Session& session, Settings& settings, bool system_is_dark);
  ~MainWindow() override;

  const Actions& actionsOfWindow() const { return actions_; }
  SelectionModel& selection() { return selection_; }
  Views& views() { return *views_; }
  ExportMenu& exports() { return *exports_; }
  MessageBar& messages() { return *messages_; }

  // Opens it with these sizes of what its file leaves open; without any, with those that were given for it last.
  void open(const QString& source, const std::optional<InputSizes>& sizes = {});

  void setThemeMode(int mode);  // of ThemeMode
  void resetLayout();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void buildCentre();
  void buildDocks();
  QDockWidget* addPanel(Qt::DockWidgetArea area, const QString& name, const QString& title, QWidget* content);
  void hideTitleBar(QDockWidget* dock);
  void buildMenus();
  void connectActions();
  void connectSession();

  void askOpen();
  void fillRecent();
  void showDocument();
  void showState();  // title, hint, summary, enabled actions
  void showJobStarted(const QString& title);
  void stepSchedule(int by);
  void setRule(int rule);
  void askTiming();
  void askStore();
  void askPartSize();
  void askSizes();
  void showFailure(const Error& error);
  void askExperiment(ExperimentKind kind);
  void showExperiment(std::shared_ptr<const ExperimentResult> result);
  void showVerified(std::size_t result);
  void showHint();
  void showAbout();

  Session& session_;
  Settings& settings_;
  bool system_is_dark_;
  SelectionModel selection_;
  Actions actions_;
  Menus menus_;
  Views* views_;
  RunBar* run_bar_;
  MessageBar* messages_;
  JobStatus* job_status_;
  QLabel* summary_;
  SchedulePanel* schedules_;
  QDockWidget* stages_dock_ = nullptr;
  QDockWidget* timeline_dock_ = nullptr;
  ExportMenu* exports_;
  QByteArray first_layout_;
  QString opening_;                // what open() was asked for, until it is there
  bool remembered_sizes_ = false;  // opening_ is tried with sizes of an earlier time
  QString failed_;                 // an ONNX model that could not be opened, while nothing else was
};

}  // namespace iosx
