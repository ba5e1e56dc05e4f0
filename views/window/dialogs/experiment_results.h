#pragma once

#include <QDialog>
#include <QWidget>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/experiment/experiment.h"
#include "views/figures/figure.h"
#include "views/figures/paper.h"
#include "views/style/theme.h"
#include "views/window/actions/actions.h"
#include "views/window/base/context.h"

class QComboBox;
class QLabel;
class QScrollArea;
class QStackedLayout;

namespace iosx {

class FigureWidget;
class Settings;
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

// Shows the session's experiments, the newest first: the figure of one of them, and all of it in a window. Before there
// is one, it says how to run one.
class ExperimentShelf final : public QWidget {
  Q_OBJECT

 public:
  // Session and settings must outlive it.
  explicit ExperimentShelf(const WindowContext& context, QWidget* parent = nullptr);

  const FigureWidget* figure() const { return figure_; }  // null: there is none

 private:
  QWidget* makeHint();
  QWidget* makeFigures();
  void fill();  // and shows the newest
  void show(int index);
  void openWindow();

  WindowContext context_;
  QStackedLayout* pages_;
  QComboBox* box_;
  QScrollArea* scroll_;
  FigureWidget* figure_ = nullptr;  // the scroll area's
};

}  // namespace iosx
