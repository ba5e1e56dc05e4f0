#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "app/gui/actions.h"
#include "core/experiment/experiment.h"
#include "views/style/theme.h"

class QComboBox;
class QScrollArea;
class QStackedLayout;

namespace iosx {

class FigureWidget;
class Settings;

// The experiments of this session, the newest first: the figure of one of them, and all of it in a window. Before there
// is one: how to run one.
class ExperimentShelf final : public QWidget {
  Q_OBJECT

 public:
  static constexpr std::size_t kMostKept = 20;  // the oldest then goes

  // The settings must outlive it.
  ExperimentShelf(const Actions& actions, Settings& settings, QWidget* parent = nullptr);

  void add(std::shared_ptr<const ExperimentResult> result);
  void setTheme(const Theme& theme);
  const FigureWidget* figure() const { return figure_; }  // null: there is none

 private:
  QWidget* makeHint(const Actions& actions);
  QWidget* makeFigures();
  void show(int index);
  void openWindow();

  Settings& settings_;
  Theme theme_ = Theme::light();
  std::vector<std::shared_ptr<const ExperimentResult>> results_;  // as in the box
  QStackedLayout* pages_;
  QComboBox* box_;
  QScrollArea* scroll_;
  FigureWidget* figure_ = nullptr;  // the scroll area's
};

}  // namespace iosx
