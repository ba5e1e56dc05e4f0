#include "views/window/shell/run_dialogs.h"

#include <utility>

#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/style/theme.h"
#include "views/widgets/dialog_parts.h"
#include "views/window/actions/actions.h"
#include "views/window/base/settings.h"
#include "views/window/devices/devices_dialog.h"
#include "views/window/devices/predictors_dialog.h"
#include "views/window/dialogs/experiment_dialogs.h"
#include "views/window/dialogs/run_settings_dialog.h"
#include "views/window/dialogs/store_dialog.h"
#include "views/window/shell/controllers.h"

namespace iosx {

RunDialogs::RunDialogs(const WindowContext& context, Controllers& controllers)
    : QObject(context.window), context_(context), controllers_(controllers) {
  connect(&context_.jobs, &Jobs::experimentEnded, this, &RunDialogs::showExperiment);
}

void RunDialogs::askRunSettings() {
  auto* dialog = new RunSettingsDialog(context_.session.settings().options, context_.session.device(), context_.window);
  open_dialog(dialog, this, [this, dialog] {
    RunSettings settings = context_.session.settings();
    settings.options = dialog->options();
    context_.settings.setTiming(settings.options.timing);
    context_.session.setSettings(std::move(settings));
  });
}

void RunDialogs::askStore() {
  auto* dialog = new StoreDialog(context_.jobs.store(), context_.session.device(), context_.window);
  open_dialog(dialog, this, [this, dialog, before = dialog->place()] {
    const StorePlace place = dialog->place();
    if (place == before) return;  // what the command line said for this start is not made the setting
    context_.settings.setStore(place);
    context_.jobs.setStore(place);
  });
}

void RunDialogs::showDevices() { (new DevicesDialog(controllers_.workers, context_.window))->open(); }

void RunDialogs::showPredictors() {
  auto graph = context_.session.hasDocument() ? context_.session.document().graph : nullptr;
  (new PredictorsDialog(controllers_.predictors, std::move(graph), context_.session.settings().options.batch,
                        context_.window))
      ->open();
}

void RunDialogs::askExperiment(ExperimentKind kind) {
  if (!has_choice(kind)) return context_.jobs.experiment({.kind = kind});
  auto* dialog = new ExperimentDialog(kind, context_.session, context_.settings.python(), context_.window);
  open_dialog(dialog, this, [this, dialog] {
    const ExperimentRequest request = dialog->request();
    if (request.kind == ExperimentKind::kFrameworks)
      context_.settings.setPython(QString::fromStdString(request.options.rivals.engines.python));
    context_.jobs.experiment(request);
  });
}

void RunDialogs::showExperiment(std::shared_ptr<const ExperimentResult> result) {
  auto* window = new ExperimentWindow(std::move(result), context_.settings, context_.window);
  window->setAttribute(Qt::WA_DeleteOnClose);
  window->show();
}

}  // namespace iosx

#include "moc_run_dialogs.cpp"
