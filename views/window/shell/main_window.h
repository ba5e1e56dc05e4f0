#pragma once

#include <QMainWindow>
#include <QPointer>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/experiment/parameter.h"
#include "core/formats/document.h"
#include "views/app_model/selection.h"
#include "views/style/theme.h"
#include "views/window/actions/actions.h"
#include "views/window/base/context.h"
#include "views/window/base/language.h"
#include "views/window/base/toasts.h"
#include "views/window/shell/window_panels.h"

class QStackedWidget;
class QToolBar;

namespace iosx {

class Autosave;
class ColumnMenu;
class CompareController;
class ExperimentPanel;
struct Controllers;
class ExportMenu;
class FirstMinute;
class ExternalMenu;
class Guide;
class Headline;
class HtmlMenu;
class KeyBindings;
class JobStatus;
class Opening;
class RecordingPage;
class ProjectKeeper;
class RunBar;
class RunDialogs;
class ScheduleEditor;
class StartPage;
class MainWindow;

// Returns the table of the window's actions: action_table.cpp. What it says is done and asked of the whole window only.
std::vector<ActionRow> action_table(MainWindow& window);

// Assembles the window: tool bar, a page per mode, panels, status bar. Their behaviour is in their own classes.
class MainWindow final : public QMainWindow {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(MainWindow)

 public:
  // All must outlive the window. `system_is_dark`: the desktop's colours before ours were set.
  MainWindow(Session& session, Jobs& jobs, Controllers& controllers, Settings& settings, bool system_is_dark);
  ~MainWindow() override;

  const Actions& actionsOfWindow() const { return actions_; }
  SelectionModel& selection() { return selection_; }
  Views& views() { return *views_; }
  ScheduleEditor& editor() { return *editor_; }
  ExportMenu& exports() { return *exports_; }
  ExternalMenu& external() { return *external_; }
  ColumnMenu& columns() { return *columns_; }
  Toasts& messages() { return *messages_; }
  GraphEditing& graphEditing() { return *editing_; }

  // Opens it with these sizes for open axes; by default with those that were given for it last.
  void open(const QString& source, const std::optional<InputSizes>& sizes = {});

  // Offers earlier sessions: the last one in the menu, a crashed one with a question. The autosave must outlive
  // the window. Without `asks` the question was already asked.
  void keepSessions(Autosave& autosave, bool asks = true);
  // Opens the plan's source at the program's start, and shows the hints of the first minute if it has them.
  void start(const QString& source, bool hints, const std::optional<InputSizes>& sizes = {});
  // Shows what is wrong with the list of workers, with a link to it.
  void tellOfWorkers(const std::vector<iosx::Message>& notices);
  StartPage& startPage() { return *start_page_; }
  FirstMinute& firstMinute() { return *first_minute_; }

  void setThemeMode(ThemeMode mode);
  Mode mode() const;
  void setMode(Mode mode);
  RecordingPage* recordingPage() { return recording_page_; }
  void rememberPlace();  // of the window and its panels

 signals:
  void languageChosen();  // and kept in the settings; the window's own texts stay

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  friend struct ActionTable;

  QWidget* makeExplorePage();
  void giveKeys();
  void foldSaving();
  std::vector<ModePage> makePages();
  std::unique_ptr<Figure> figure(FigureKind kind) const;
  void buildHeadline();
  void placeHeadline();  // after the arrangement was restored, which may know none
  void buildCentre();
  void buildMenus();
  void connectParts();
  void refreshActions();  // after each change that they ask about
  void connectSession();
  void showRecording();  // of the session, or its network again
  void connectRecording();
  void connectController();  // start page, hints, menus of the selection

  void editGraph();
  void resetLayout();
  void showExperiments();
  void showLacks(const QString& lacks);
  void showJobStarted(const QString& title);
  void stepSchedule(int by);
  void setLanguage(LanguageMode mode);
  // Applies the size to the drawing of the shown network, which is then shown.
  void takeSize(SweepParameter parameter, const QString& operator_name, qint64 value);
  void showVerified(std::size_t result);
  void showPalette();
  void chooseNetworkToAdd();
  void chooseDevice(const std::vector<std::string>& ids);  // of one card; asks where there are several
  void showAbout();
  Guide* showGuide();  // opens it if necessary

  Session& session_;
  Jobs& jobs_;
  Settings& settings_;
  bool system_is_dark_;
  bool job_failed_ = false;
  std::size_t said_before_job_ = 0;  // Toasts::newest() when the running job began
  SelectionModel selection_;
  Actions actions_;
  Toasts* messages_;
  WindowContext context_;
  Views* views_;
  ScheduleEditor* editor_;
  RunBar* run_bar_;
  Headline* headline_;
  QToolBar* headline_bar_;  // holds it below the run bar, in the explore mode
  GraphEditing* editing_;
  Docks* docks_;
  Opening* opening_;
  ProjectKeeper* keeper_;
  JobStatus* job_status_;
  ProjectPanel* project_;
  ExperimentPanel* experiments_;
  WindowPanels* panels_;
  std::vector<ModePage> pages_;  // one per mode
  QStackedWidget* centre_ = nullptr;
  ExportMenu* exports_;
  RunDialogs* run_dialogs_;
  ExternalMenu* external_;
  ColumnMenu* columns_;
  HtmlMenu* html_;
  CompareController* compare_;
  KeyBindings* bindings_ = nullptr;
  QPointer<Guide> guide_;  // null: closed
  RecordingPage* recording_page_;
  StartPage* start_page_;
  FirstMinute* first_minute_;
  QObject refreshing_;  // last: its connections end before the parts do
};

}  // namespace iosx
