#pragma once

#include <QWidget>

#include "views/style/theme.h"
#include "views/window/actions/actions.h"
#include "views/window/base/context.h"

class QComboBox;
class QScrollArea;
class QStackedLayout;

namespace iosx {

class FigureWidget;

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
