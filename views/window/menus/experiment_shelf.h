#pragma once

#include <QWidget>

#include "views/style/theme.h"
#include "views/window/actions/actions.h"

class QComboBox;
class QScrollArea;
class QStackedLayout;

namespace iosx {

class FigureWidget;
class Session;
class Settings;

// Shows the session's experiments, the newest first: the figure of one of them, with a button for its window. Without
// any, it says how to run one.
class ExperimentShelf final : public QWidget {
  Q_OBJECT

 public:
  // Session and settings must outlive it.
  ExperimentShelf(const Session& session, const Actions& actions, Settings& settings, QWidget* parent = nullptr);

  void setTheme(const Theme& theme);
  const FigureWidget* figure() const { return figure_; }  // null: none

 private:
  QWidget* makeHint(const Actions& actions);
  QWidget* makeFigures();
  void fill();  // and shows the newest
  void show(int index);
  void openWindow();

  const Session& session_;  // its experiments are those in the box
  Settings& settings_;
  Theme theme_ = Theme::light();
  QStackedLayout* pages_;
  QComboBox* box_;
  QScrollArea* scroll_;
  FigureWidget* figure_ = nullptr;  // the scroll area's
};

}  // namespace iosx
