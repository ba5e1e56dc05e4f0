#pragma once

#include <QDialog>
#include <QObject>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/operators/profiling.h"
#include "core/operators/regressor.h"
#include "core/workbench/workbench.h"
#include "views/app_model/job_runner.h"
#include "views/app_model/jobs.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace iosx {

// What a predictor is trained on, and how.
struct TrainingChoice {
  std::string fingerprint;  // of the device in the store
  std::string name;
  std::optional<RegressorKind> kind = {};  // none: the better one
};

// Measures operators and trains predictors, each as a job of the window, one at a time; keeps predictors in the user's
// folder, and makes devices of them at once.
class PredictorKeeper final : public QObject {
  Q_OBJECT

 public:
  // All must outlive it.
  PredictorKeeper(DeviceRegistry& devices, Session& session, Jobs& jobs);

  const DeviceRegistry& devices() const { return devices_; }
  const StorePlace& store() const { return jobs_.store(); }
  const std::string& chosenDevice() const { return session_.settings().device; }

  // Do nothing while busy(). They use the store and the timing at the time of the call.
  void train(const TrainingChoice& choice);
  // Measures at most that many stages of the graph on a measuring device.
  void measure(std::shared_ptr<const Graph> graph, std::int64_t batch, const std::string& device, std::size_t most);

  bool busy() const { return job_ != 0; }          // one of its jobs runs or waits
  bool waiting() const;                            // for other jobs
  const QString& title() const { return title_; }  // of the current or the last job
  // Ends the job: an unfinished predictor is dropped, measurements are kept.
  void cancel();

 signals:
  void changed();  // busy() or waiting()
  void progressed(const iosx::Progress& progress);
  void failed(const iosx::Error& error);
  void trained(const std::string& name);
  void measured(const iosx::OperatorProfile& found);

 private:
  void start(const QString& title, JobRunner::Work work);
  void look();
  void take(const std::string& name);

  DeviceRegistry& devices_;
  Session& session_;
  Jobs& jobs_;
  JobRunner::JobId job_ = 0;
  QString title_;
};

// Asks for a predictor's training data (a device with operators in the measurement store), the kind of regression,
// and the name. The store is only read, on the dialog's own thread.
class TrainDialog final : public QDialog {
  Q_OBJECT

 public:
  // `names` are those of existing predictors. The chosen device is the first choice.
  TrainDialog(const PredictorKeeper& keeper, std::set<std::string> names, QWidget* parent);

  TrainingChoice choice() const;
  void done(int result) override;  // closes once reading has ended

 private:
  void take(std::vector<KnownDevice> known);
  void suggestName();
  void check();
  void say(const QString& text, bool problem);

  std::set<std::string> names_;
  std::string wanted_;  // the first choice
  std::vector<KnownDevice> known_;
  bool reading_ = true;
  QString failed_;  // why the store could not be read
  QComboBox* data_;
  QComboBox* method_;
  QLineEdit* name_;
  QLabel* said_;
  QPushButton* train_;
  JobRunner reader_;  // last: its thread ends before the rest is destroyed
};

// Asks on which device operators of a network are measured, and how many stages of them.
class MeasureOperatorsDialog final : public QDialog {
  Q_OBJECT

 public:
  // The device that is chosen in the window is offered first, where it measures.
  MeasureOperatorsDialog(const PredictorKeeper& keeper, const QString& network, QWidget* parent);

  std::string device() const;
  std::size_t most() const;

 private:
  QComboBox* device_;
  QSpinBox* most_;
};

}  // namespace iosx
