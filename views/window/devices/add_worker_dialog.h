#pragma once

#include <QDialog>
#include <QTimer>
#include <optional>
#include <string>

#include "core/workers/launchers.h"
#include "core/workers/worker_list.h"
#include "views/app_model/job_runner.h"

class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTabWidget;

namespace iosx {

class ListedWorkers;

// Asks how workers are started: by ssh, by Slurm or by any command, which is shown as it is made. One of them is
// started to see whether it works; what it says of its device is what is added to the list.
class AddWorkerDialog final : public QDialog {
  Q_OBJECT

 public:
  // `workers` must outlive it.
  AddWorkerDialog(ListedWorkers& workers, QWidget* parent);

  Result<WorkerCommand> command() const;  // of what is typed
  void accept() override;                 // adds what was tested; stays open where that fails
  void done(int result) override;         // it goes once the test has ended

 signals:
  void added(const std::string& device, const iosx::WorkerCommand& command, const iosx::wire::Hello& hello);

 private:
  struct Tested {
    ListedDevice device;
    wire::Hello hello;
  };
  // The fields of a way whose launcher starts our program.
  struct ProgramFields {
    QLineEdit* path;
    QLineEdit* device;
    QSpinBox* count;
    WorkerProgram program() const;
  };

  QWidget* sshPage();
  QWidget* slurmPage();
  QWidget* commandPage();
  QLineEdit* addLine(QFormLayout* form, const QString& label, const char* name, const QString& text,
                     const QString& example, const QString& help);
  ProgramFields addProgram(QFormLayout* form, const char* way);
  void test();
  void showTime();
  void say(const QString& text, bool error = false);
  void edited();
  void refresh();

  ListedWorkers& workers_;
  QTabWidget* ways_;
  QLineEdit* host_ = nullptr;
  ProgramFields by_ssh_{};
  QLineEdit* options_ = nullptr;
  ProgramFields by_slurm_{};
  QLineEdit* typed_ = nullptr;
  QLabel* shown_;  // the command
  QSpinBox* limit_;
  QPushButton* test_;
  QLabel* said_;
  QPushButton* add_ = nullptr;
  std::optional<Tested> tested_;  // by the command that is shown
  QTimer clock_;                  // while a worker is waited for
  JobRunner runner_;              // last: its thread ends before the rest goes
};

}  // namespace iosx
