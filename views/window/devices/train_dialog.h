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
