#pragma once

#include <QDialog>
#include <QTimer>
#include <string>
#include <utility>
#include <vector>

#include "views/app_model/job_runner.h"
#include "views/window/devices/listed_workers.h"

class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QStandardItemModel;

namespace iosx {

class TableView;

// Lists the workers' devices, and asks each worker for its report on the dialog's own threads. Additions and
// removals take effect at once.
class DevicesDialog final : public QDialog {
  Q_OBJECT

 public:
  // `workers` must outlive it.
  DevicesDialog(ListedWorkers& workers, QWidget* parent);

  const std::vector<WorkerRow>& rows() const { return rows_; }  // of the table
  void ask();
  void done(int result) override;  // closes once all requests have ended

 private:
  QWidget* makeTable();
  QWidget* makeIsolation();
  void keep(const WorkerAnswer& answer);  // replaces the previous one
  void add();
  std::vector<std::pair<std::string, WorkerCommand>> chosen() const;
  void removeChosen();
  void refresh();
  void showChosen();
  void showTime();
  void sayProblem(const Result<void>& outcome);

  ListedWorkers& workers_;
  std::vector<WorkerAnswer> answers_;
  std::vector<WorkerRow> rows_;
  QStandardItemModel* model_;
  TableView* table_;
  QStackedWidget* pages_;
  QLabel* chosen_;   // everything known about the chosen row
  QLabel* problem_;  // of the list's file
  QPushButton* remove_;
  QPushButton* ask_;
  QComboBox* isolation_;
  QTimer clock_;  // updates the waiting time and the workers' activity
  Postbox heard_;
  JobRunner runner_;  // last: its threads end before the rest is destroyed
};

}  // namespace iosx
