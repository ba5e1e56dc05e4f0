#pragma once

#include <QWidget>

class QListWidget;
class QToolButton;

namespace iosx {

class Jobs;

// Lists the jobs: the one that runs and those that wait for their turn, each with a way to be rid of it.
class JobsPanel final : public QWidget {
  Q_OBJECT

 public:
  explicit JobsPanel(Jobs& jobs, QWidget* parent = nullptr);

 private:
  void refresh();
  void drop();

  Jobs& jobs_;
  QListWidget* list_;
  QToolButton* drop_;
};

}  // namespace iosx
