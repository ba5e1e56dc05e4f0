#pragma once

#include <QDialog>

#include "views/app_model/jobs.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace iosx {

// Asks through what an experiment is to go: batch sizes, devices, or limits of pruning.
class ExperimentDialog final : public QDialog {
  Q_OBJECT

 public:
  static bool asks(ExperimentKind kind);  // the others have nothing to ask

  ExperimentDialog(ExperimentKind kind, const Session& session, QWidget* parent = nullptr);

  // Returns what was chosen; it is complete while the Run button is enabled.
  ExperimentChoice request() const;

 private:
  void addBatches(QWidget* form);
  void addDevices(QWidget* form);
  void addLimits(QWidget* form);
  QLineEdit* addLine(QWidget* form, const QString& label, const QString& text, const char* name);
  // Says what of the choice cannot be run; empty where all can.
  QString problem() const;
  void check();

  ExperimentKind kind_;
  const Session& session_;
  QLineEdit* batches_ = nullptr;
  QListWidget* devices_ = nullptr;
  QLineEdit* r_ = nullptr;
  QLineEdit* s_ = nullptr;
  QLabel* problem_;
  QPushButton* run_;
};

}  // namespace iosx
