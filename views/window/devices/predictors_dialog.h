#pragma once

#include <QDialog>
#include <filesystem>
#include <memory>
#include <vector>

#include "core/model/graph/graph.h"
#include "core/operators/kept_predictor.h"
#include "views/app_model/job_runner.h"
#include "views/window/devices/predictor_training.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QStandardItemModel;

namespace iosx {

class TableView;

// Shows the user's predictors: their training data, their errors by kind and time for unseen operators, and their
// prediction for the open network, sequentially. Others are trained from here, as jobs of the window that go on after
// the dialog is closed.
class PredictorsDialog final : public QDialog {
  Q_OBJECT

 public:
  // `graph` may be null: no open network. The keeper must outlive it.
  PredictorsDialog(PredictorKeeper& keeper, std::shared_ptr<const Graph> graph, std::int64_t batch, QWidget* parent);

  const std::vector<PredictorFacts>& predictors() const { return predictors_; }
  void done(int result) override;  // closes once predictions have ended

 private:
  QWidget* makePages();
  QWidget* makeJob();
  void read();
  void predict();
  void fill();
  void showChosen();
  void askTraining();
  void askMeasuring();
  void showJob();
  void showProgress(const Progress& progress);
  void say(const QString& text, bool problem);
  void showTrained(const std::string& name);

  PredictorKeeper& keeper_;
  std::shared_ptr<const Graph> graph_;
  std::int64_t batch_;
  std::vector<PredictorFacts> predictors_;
  std::vector<std::filesystem::path> files_;  // one per predictor
  QStandardItemModel* model_;
  TableView* table_;
  QStackedWidget* pages_;
  QLabel* chosen_;
  QStandardItemModel* errors_;
  TableView* errors_table_;
  QLabel* problem_;
  QPushButton* train_;
  QPushButton* measure_;
  QLabel* job_text_;
  QProgressBar* job_bar_;
  QWidget* job_;  // both, while one of the keeper's jobs runs or waits
  QLabel* said_;  // the result of the last one
  Postbox found_;
  JobRunner runner_;  // last: its thread ends before the rest is destroyed
};

}  // namespace iosx
