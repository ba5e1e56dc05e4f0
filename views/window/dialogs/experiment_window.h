#pragma once

#include <QDialog>
#include <memory>
#include <optional>

#include "core/analysis/experiment/experiment.h"
#include "views/figures/paper.h"

class QLabel;

namespace iosx {

class FigureWidget;
class Settings;
class TableView;

// Shows what an experiment found: its figure, the table beneath it, and both to export. Several may be open.
class ExperimentWindow final : public QDialog {
  Q_OBJECT

 public:
  // The settings, which know the folder of exports, must outlive it.
  ExperimentWindow(std::shared_ptr<const ExperimentResult> result, Settings& settings, QWidget* parent = nullptr);

  // These write the figure in the format of the path's suffix, and the table as CSV; they return false and say so in a
  // message where that fails.
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
  QLabel* told_;  // how the last export went
};

}  // namespace iosx
