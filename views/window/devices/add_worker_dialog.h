#pragma once

#include <QDialog>
#include <QTimer>
#include <optional>
#include <string>

#include "core/workers/worker_device.h"
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

// Asks for the start command of workers: by ssh, by Slurm or any command, which is displayed while it is edited.
// A test starts one of them; its report of its device is added to the list.
class AddWorkerDialog final : public QDialog {
  Q_OBJECT

 public:
  // `workers` must outlive it.
  AddWorkerDialog(ListedWorkers& workers, QWidget* parent);

  Result<WorkerCommand> command() const;  // from the form
  void accept() override;                 // adds the tested one; stays open on an error
  void done(int result) override;         // closes once the test has ended

 signals:
  void added(const std::string& device, const iosx::WorkerCommand& command, const iosx::wire::Hello& hello);

 private:
  struct Tested {
    ListedDevice device;
    wire::Hello hello;
  };
  // The fields of a launcher that starts our program.
  struct ProgramFields {
    QLineEdit* path;
    QLineEdit* device;
    QSpinBox* count;
    WorkerProgram program() const;
  };

  void addPages();  // one per way
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
  std::optional<Tested> tested_;  // for the displayed command
  QTimer clock_;                  // while it waits for a worker
  JobRunner runner_;              // last: its thread ends before the rest is destroyed
};

}  // namespace iosx
