#include "views/window/shell/run_dialogs.h"

#include <QAction>
#include <utility>

#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/style/style.h"
#include "views/window/actions/actions.h"
#include "views/window/base/settings.h"
#include "views/window/devices/devices_dialog.h"
#include "views/window/devices/predictors_dialog.h"
#include "views/window/dialogs/experiment_dialog.h"
#include "views/window/dialogs/experiment_window.h"
#include "views/window/dialogs/run_settings_dialog.h"
#include "views/window/dialogs/store_dialog.h"
#include "views/window/shell/controllers.h"

namespace iosx {

RunDialogs::RunDialogs(Session& session, Jobs& jobs, Settings& settings, Controllers& controllers,
                       const Actions& actions, bool system_is_dark, QWidget* window)
    : QObject(window),
      session_(session),
      jobs_(jobs),
      settings_(settings),
      controllers_(controllers),
      system_is_dark_(system_is_dark),
      window_(window) {
  connect(actions.run_settings, &QAction::triggered, this, &RunDialogs::askRunSettings);
  connect(actions.store, &QAction::triggered, this, &RunDialogs::askStore);
  connect(actions.devices, &QAction::triggered, this, &RunDialogs::showDevices);
  connect(actions.predictors, &QAction::triggered, this, &RunDialogs::showPredictors);
  for (std::size_t i = 0; i < actions.experiments.size(); ++i) {
    connect(actions.experiments[i], &QAction::triggered, this,
            [this, kind = experiment_table()[i].kind] { askExperiment(kind); });
  }
  connect(&jobs, &Jobs::experimentEnded, this, &RunDialogs::showExperiment);
}

void RunDialogs::askRunSettings() {
  auto* dialog = new RunSettingsDialog(session_.settings().options, session_.device(), window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    RunSettings settings = session_.settings();
    settings.options = dialog->options();
    settings_.setTiming(settings.options.timing);
    session_.setSettings(std::move(settings));
  });
  dialog->open();
}

void RunDialogs::askStore() {
  auto* dialog = new StoreDialog(jobs_.store(), session_.device(), window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog, before = dialog->place()] {
    const StorePlace place = dialog->place();
    if (place == before) return;  // what the command line said for this start is not made the setting
    settings_.setStore(place);
    jobs_.setStore(place);
  });
  dialog->open();
}

void RunDialogs::showDevices() { (new DevicesDialog(controllers_.workers, window_))->open(); }

void RunDialogs::showPredictors() {
  auto graph = session_.hasDocument() ? session_.document().graph : nullptr;
  (new PredictorsDialog(controllers_.predictors, std::move(graph), session_.settings().options.batch, window_))->open();
}

void RunDialogs::askExperiment(ExperimentKind kind) {
  if (!has_choice(kind)) return jobs_.experiment({.kind = kind});
  auto* dialog = new ExperimentDialog(kind, session_, settings_.python(), window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    const ExperimentChoice choice = dialog->request();
    if (choice.kind == ExperimentKind::kFrameworks) settings_.setPython(QString::fromStdString(choice.engines.python));
    jobs_.experiment(choice);
  });
  dialog->open();
}

void RunDialogs::showExperiment(std::shared_ptr<const ExperimentResult> result) {
  const Theme theme = theme_of(settings_.themeMode(), system_is_dark_);
  auto* window = new ExperimentWindow(std::move(result), theme, settings_, window_);
  window->setAttribute(Qt::WA_DeleteOnClose);
  window->show();
  std::erase_if(experiments_, [](const auto& each) { return each.isNull(); });
  experiments_.emplace_back(window);
}

void RunDialogs::setTheme(const Theme& theme) {
  for (const auto& each : experiments_) {
    if (each) each->setTheme(theme);
  }
}

}  // namespace iosx

#include "moc_run_dialogs.cpp"
