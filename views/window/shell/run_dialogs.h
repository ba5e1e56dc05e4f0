#pragma once

#include <QObject>
#include <QPointer>
#include <memory>
#include <vector>

#include "core/analysis/experiment/experiment.h"
#include "views/style/theme.h"

class QWidget;

namespace iosx {

struct Actions;
struct Controllers;
class ExperimentWindow;
class Jobs;
class Session;
class Settings;

// Asks how runs and experiments are to be made, does what the answers say, and shows what experiments found.
class RunDialogs final : public QObject {
  Q_OBJECT

 public:
  // All must outlive it. `system_is_dark`: the desktop's colours before ours were set.
  RunDialogs(Session& session, Jobs& jobs, Settings& settings, Controllers& controllers, const Actions& actions,
             bool system_is_dark, QWidget* window);

  void setTheme(const Theme& theme);  // of what is open

 private:
  void askRunSettings();
  void askStore();
  void showDevices();
  void showPredictors();
  void askExperiment(ExperimentKind kind);
  void showExperiment(std::shared_ptr<const ExperimentResult> result);

  Session& session_;
  Jobs& jobs_;
  Settings& settings_;
  Controllers& controllers_;
  bool system_is_dark_;
  QWidget* window_;
  std::vector<QPointer<ExperimentWindow>> experiments_;  // null: closed
};

}  // namespace iosx
