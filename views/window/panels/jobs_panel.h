#pragma once

#include <QStringList>
#include <QWidget>

class QListWidget;
class QToolButton;

namespace iosx {

class Jobs;
class WorkerBoard;

// Lists the jobs: the running one, below it each worker's activity for it, and the waiting ones, each with a button
// to cancel it.
class JobsPanel final : public QWidget {
  Q_OBJECT

 public:
  JobsPanel(Jobs& jobs, const WorkerBoard& workers, QWidget* parent = nullptr);

 private:
  void refresh();
  void showWorkers();
  QStringList workerLines() const;  // empty without a running job
  void drop();

  Jobs& jobs_;
  const WorkerBoard& workers_;
  QStringList shown_workers_;
  QListWidget* list_;
  QToolButton* drop_;
};

}  // namespace iosx
