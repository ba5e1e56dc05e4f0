#pragma once

#include <QDialog>
#include <memory>
#include <optional>

#include "core/analysis/experiment/experiment.h"
#include "views/figures/paper.h"
#include "views/style/theme.h"

class QLabel;

namespace iosx {

class FigureWidget;
class Settings;
class TableView;

// Shows an experiment's results: its figure, the table below it, and their exports. Several may be open.
class ExperimentWindow final : public QDialog {
  Q_OBJECT

 public:
  // The settings, with the folder of exports, must outlive it.
  ExperimentWindow(std::shared_ptr<const ExperimentResult> result, const Theme& theme, Settings& settings,
                   QWidget* parent = nullptr);

  void setTheme(const Theme& theme);
  // Write the figure in the format of the path's suffix, and the table as CSV; on an error they show a message and
  // return false.
  bool exportFigure(const QString& path, const std::optional<PaperFormat>& paper = std::nullopt);
  bool exportTable(const QString& path);

 private:
  void askFigure();
  void askTable();
  bool told(const Result<void>& written, const QString& path);

  std::shared_ptr<const ExperimentResult> result_;
  Settings& settings_;
  FigureWidget* figure_;
  TableView* table_;
  QLabel* told_;  // the result of the last export
};

}  // namespace iosx
