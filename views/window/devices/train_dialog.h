#pragma once

#include <QDialog>
#include <set>
#include <string>
#include <vector>

#include "core/operators/profiling.h"
#include "views/app_model/job_runner.h"
#include "views/window/devices/predictor_keeper.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace iosx {

// Asks what a predictor is trained from (a device of the measurement store of which operators are known), by which
// kind of regression, and what it is called. The store is only read, on a thread of the dialog's own.
class TrainDialog final : public QDialog {
  Q_OBJECT

 public:
  // `names` are those of predictors that there are. The chosen device is offered first.
  TrainDialog(const PredictorKeeper& keeper, std::set<std::string> names, QWidget* parent);

  TrainingChoice choice() const;
  void done(int result) override;  // it goes once nothing is read any more

 private:
  void take(std::vector<KnownDevice> known);
  void suggestName();
  void check();
  void say(const QString& text, bool problem);

  std::set<std::string> names_;
  std::string wanted_;  // the device that is offered first
  std::vector<KnownDevice> known_;
  bool reading_ = true;
  QString failed_;  // why the store could not be read
  QComboBox* data_;
  QComboBox* method_;
  QLineEdit* name_;
  QLabel* said_;
  QPushButton* train_;
  JobRunner reader_;  // last: its thread ends before the rest goes
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
