#pragma once

#include <QDialog>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/experiment/experiment.h"
#include "views/app_model/jobs.h"
#include "views/figures/figure.h"
#include "views/figures/paper.h"
#include "views/style/theme.h"
#include "views/window/dialogs/export_dialog.h"

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
  ExperimentRequest request() const;

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

class FigureWidget;
class TableView;

// Returns the picture of any experiment.
std::unique_ptr<Figure> figure_of(const std::shared_ptr<const ExperimentResult>& result);

// Writes the table into the folder (experiment.txt, .csv, .json), and the picture in every format. Returns the paths.
// GUI thread, any platform.
Result<std::vector<std::string>> write_experiment_report(const std::shared_ptr<const ExperimentResult>& result,
                                                         const std::filesystem::path& folder,
                                                         const std::optional<PaperFormat>& paper = std::nullopt);

// Shows what an experiment found: its figure, the table beneath it, and both to export. Several may be open.
class ExperimentWindow final : public QDialog {
  Q_OBJECT

 public:
  // The settings, which know the folder of exports, must outlive it.
  ExperimentWindow(std::shared_ptr<const ExperimentResult> result, Settings& settings, QWidget* parent = nullptr);

  // These write the figure in the format of the path's suffix, and the table as CSV; they return false and say so in a
  // message where that fails.
  bool exportFigure(const QString& path, const FigureExport& how = {});
  bool exportTable(const QString& path);

 private:
  void askFigure();
  void askTable();
  bool told(const Result<void>& written, const QString& path);

  std::shared_ptr<const ExperimentResult> result_;
  Settings& settings_;
  FigureWidget* figure_;
  TableView* table_;
  QLabel* told_;  // how the last export went
};

}  // namespace iosx
