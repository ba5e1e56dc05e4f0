#pragma once

#include <QDialog>

#include "views/app_model/jobs.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace iosx {

// Asks for the values of an experiment: batch sizes, devices, limits of pruning, or engines. For
// kinds with has_choice().
class ExperimentDialog final : public QDialog {
  Q_OBJECT

 public:
  // `python` is the initial interpreter for frameworks.
  ExperimentDialog(ExperimentKind kind, const Session& session, const QString& python, QWidget* parent = nullptr);

  // Returns the choice; complete while the Run button is enabled.
  ExperimentChoice request() const;

 private:
  void addBatches(QWidget* form);
  void addDevices(QWidget* form);
  void addLimits(QWidget* form);
  void addEngines(QWidget* form, const QString& python);
  QLineEdit* addLine(QWidget* form, const QString& label, const QString& text, const char* name);
  // Returns what makes the choice impossible; empty where it is possible.
  QString problem() const;
  void check();

  ExperimentKind kind_;
  const Session& session_;
  QLineEdit* batches_ = nullptr;
  QListWidget* devices_ = nullptr;
  QLineEdit* r_ = nullptr;
  QLineEdit* s_ = nullptr;
  QLineEdit* python_ = nullptr;
  QLineEdit* engines_ = nullptr;
  QLabel* problem_;
  QPushButton* run_;
};

}  // namespace iosx
