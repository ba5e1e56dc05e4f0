#pragma once

#include <QDialog>
#include <filesystem>
#include <memory>
#include <vector>

#include "core/model/graph/graph.h"
#include "core/operators/predictor_file.h"
#include "views/app_model/job_runner.h"
#include "views/app_model/postbox.h"

class QLabel;
class QStackedWidget;
class QStandardItemModel;

namespace iosx {

class TableView;

// Shows the user's predictors: what each learned from, how far it is off by kind and time of operators it had not seen,
// and what the network that is open would take, sequentially, as it predicts.
class PredictorsDialog final : public QDialog {
  Q_OBJECT

 public:
  // `graph` may be null: no network is open.
  PredictorsDialog(std::shared_ptr<const Graph> graph, std::int64_t batch, QWidget* parent);

  const std::vector<PredictorFacts>& predictors() const { return predictors_; }
  void done(int result) override;  // it goes once nothing is predicted any more

 private:
  void read();
  void predict();
  void fill();
  void showChosen();

  std::shared_ptr<const Graph> graph_;
  std::int64_t batch_;
  std::vector<PredictorFacts> predictors_;
  std::vector<std::filesystem::path> files_;  // one a predictor
  QStandardItemModel* model_;
  TableView* table_;
  QStackedWidget* pages_;
  QLabel* chosen_;
  QStandardItemModel* errors_;
  TableView* errors_table_;
  QLabel* problem_;
  Postbox found_;
  JobRunner runner_;  // last: its thread ends before the rest goes
};

}  // namespace iosx
