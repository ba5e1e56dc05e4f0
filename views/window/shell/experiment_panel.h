#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "core/analysis/experiment/experiment.h"
#include "views/window/base/context.h"

class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QScrollArea;
class QStackedWidget;

namespace iosx {

class FigureWidget;
class SweepView;

// Lists what can be tried with the shown network: one value changed ("what if"), and the experiments of the paper. It
// shows the chosen one: the sweep's curves, or the experiment's question, its results in this session, and how to run
// it.
class ExperimentPanel final : public QWidget {
  Q_OBJECT

 public:
  // Session, settings and actions must outlive it. It owns the sweep's view from now on.
  ExperimentPanel(const WindowContext& context, SweepView* sweep, QWidget* parent = nullptr);

  void choose(ExperimentKind kind);
  void setLookedAt(bool looked_at);                       // whether the panel is in front
  const FigureWidget* figure() const { return figure_; }  // of the chosen experiment; null: it has no result

  QSize sizeHint() const override { return {860, 300}; }

 private:
  QWidget* makeList();
  QWidget* makePage();
  void showChosen();
  void fill();  // with the results of the chosen experiment, the newest first
  void showResult(int index);
  void showAction();
  void openWindow();

  WindowContext context_;
  SweepView* sweep_;
  QListWidget* list_;
  QStackedWidget* pages_;
  QLabel* question_;
  QPushButton* run_;
  QLabel* reason_;  // why it cannot be run now
  QComboBox* box_;
  QPushButton* open_;
  QScrollArea* scroll_;
  QAction* action_ = nullptr;  // runs the chosen experiment; null: the sweep is chosen
  std::vector<std::shared_ptr<const ExperimentResult>> results_;  // as in the box
  FigureWidget* figure_ = nullptr;                                // the scroll area's
  bool looked_at_ = false;
};

}  // namespace iosx
