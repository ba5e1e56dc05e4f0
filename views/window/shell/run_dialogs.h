#pragma once

#include <QObject>
#include <memory>

#include "core/analysis/experiment/experiment.h"
#include "views/window/base/context.h"

namespace iosx {

struct Controllers;

// The dialogs for runs and experiments, and the windows with experiments' results.
class RunDialogs final : public QObject {
  Q_OBJECT

 public:
  RunDialogs(const WindowContext& context, Controllers& controllers);

  void askRunSettings();
  void askStore();
  void showDevices();
  void showPredictors();
  void askExperiment(ExperimentKind kind);

 private:
  void showExperiment(std::shared_ptr<const ExperimentResult> result);

  WindowContext context_;
  Controllers& controllers_;
};

}  // namespace iosx
