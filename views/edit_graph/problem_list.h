#pragma once

#include <QWidget>

class QLabel;
class QTreeWidget;

namespace iosx {

class GraphController;

// Lists the problems of the drawn graph. A click, or Return, goes to the operator.
class ProblemList final : public QWidget {
  Q_OBJECT

 public:
  explicit ProblemList(GraphController& controller, QWidget* parent = nullptr);
  QSize sizeHint() const override { return {560, 200}; }

 signals:
  void counted(int problems);

 private:
  void refresh();

  GraphController& controller_;
  QLabel* none_;
  QTreeWidget* list_;
};

}  // namespace iosx
