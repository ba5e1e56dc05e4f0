#include "views/window/shell/run_dialogs.h"

#include <QAction>
#include <QActionGroup>
#include <QInputDialog>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/analysis/compare/planned_memory.h"
#include "core/model/graph/partition.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/style/style.h"
#include "views/window/actions/actions.h"
#include "views/window/base/settings.h"
#include "views/window/devices/devices_dialog.h"
#include "views/window/devices/predictors_dialog.h"
#include "views/window/dialogs/experiment_dialog.h"
#include "views/window/dialogs/experiment_results.h"
#include "views/window/dialogs/store_dialog.h"
#include "views/window/dialogs/timing_dialog.h"
#include "views/window/shell/controllers.h"

namespace iosx {

RunDialogs::RunDialogs(const WindowContext& context, Controllers& controllers)
    : QObject(context.window), context_(context), controllers_(controllers) {
  connect(&context_.jobs, &Jobs::experimentEnded, this, &RunDialogs::showExperiment);
}

void RunDialogs::setRule(EndingRule rule) {
  RunSettings settings = context_.session.settings();
  settings.search.rule = rule;
  context_.session.setSettings(std::move(settings));
}

void RunDialogs::askTiming() {
  auto* dialog = new TimingDialog(context_.session.settings().timing, context_.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    RunSettings settings = context_.session.settings();
    settings.timing = dialog->timing();
    context_.settings.setTiming(settings.timing);
    context_.session.setSettings(std::move(settings));
  });
  dialog->open();
}

void RunDialogs::askStore() {
  auto* dialog = new StoreDialog(context_.jobs.store(), context_.session.device(), context_.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog, before = dialog->place()] {
    const StorePlace place = dialog->place();
    if (place == before) return;  // what the command line said for this start is not made the setting
    context_.settings.setStore(place);
    context_.jobs.setStore(place);
  });
  dialog->open();
}

void RunDialogs::showDevices() { (new DevicesDialog(controllers_.workers, context_.window))->open(); }

void RunDialogs::showPredictors() {
  auto graph = context_.session.hasDocument() ? context_.session.document().graph : nullptr;
  (new PredictorsDialog(controllers_.predictors, std::move(graph), context_.session.settings().batch, context_.window))
      ->open();
}

void RunDialogs::askPartSize() {
  auto* dialog = new QInputDialog(context_.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setInputMode(QInputDialog::IntInput);
  dialog->setWindowTitle(tr("Part size"));
  dialog->setLabelText(
      tr("The search treats the network part by part; larger parts are cut.\n"
         "Larger parts may find faster schedules and take longer.\n\n"
         "Units in a part, at most:"));
  dialog->setIntRange(1, static_cast<int>(kMaxPartUnits));
  dialog->setIntValue(static_cast<int>(context_.session.settings().max_part_size));
  connect(dialog, &QInputDialog::intValueSelected, this, [this](int units) {
    RunSettings settings = context_.session.settings();
    settings.max_part_size = static_cast<std::size_t>(units);
    context_.session.setSettings(std::move(settings));
  });
  dialog->open();
}

void RunDialogs::askMemoryLimit() {
  constexpr double kMost = 1e6;  // MB
  auto* dialog = new QInputDialog(context_.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setInputMode(QInputDialog::DoubleInput);
  dialog->setWindowTitle(tr("Memory limit"));
  dialog->setLabelText(
      tr("Lanes are found that keep to so much planned memory for tensors, weights left out.\n"
         "A schedule that takes more is marked and never the fastest.\n\n"
         "MB at most; 0 = no limit:"));
  dialog->setDoubleDecimals(2);
  dialog->setDoubleRange(0, kMost);
  dialog->setDoubleValue(megabytes(context_.session.settings().memory_limit));
  connect(dialog, &QInputDialog::doubleValueSelected, this, [this](double limit) {
    RunSettings settings = context_.session.settings();
    settings.memory_limit = static_cast<std::int64_t>(std::llround(limit * kMegabyte));
    context_.session.setSettings(std::move(settings));
  });
  dialog->open();
}

void RunDialogs::askExperiment(ExperimentKind kind) {
  if (!has_choice(kind)) return context_.jobs.experiment({.kind = kind});
  auto* dialog = new ExperimentDialog(kind, context_.session, context_.settings.python(), context_.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    const ExperimentChoice choice = dialog->request();
    if (choice.kind == ExperimentKind::kFrameworks)
      context_.settings.setPython(QString::fromStdString(choice.engines.python));
    context_.jobs.experiment(choice);
  });
  dialog->open();
}

void RunDialogs::showExperiment(std::shared_ptr<const ExperimentResult> result) {
  auto* window = new ExperimentWindow(std::move(result), context_.settings, context_.window);
  window->setAttribute(Qt::WA_DeleteOnClose);
  window->show();
}

}  // namespace iosx

#include "moc_run_dialogs.cpp"
