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

// The dialogs for runs and experiments, and the windows with experiments' results.
class RunDialogs final : public QObject {
  Q_OBJECT

 public:
  // All must outlive it. `system_is_dark`: the desktop's colours before ours were set.
  RunDialogs(Session& session, Jobs& jobs, Settings& settings, Controllers& controllers, const Actions& actions,
             bool system_is_dark, QWidget* window);

  void setTheme(const Theme& theme);  // of open windows

 private:
  void setRule(int rule);
  void askTiming();
  void askStore();
  void showDevices();
  void showPredictors();
  void askPartSize();
  void askMemoryLimit();
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
