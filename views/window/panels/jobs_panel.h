#pragma once

#include <QStringList>
#include <QWidget>

class QListWidget;
class QToolButton;

namespace iosx {

class Jobs;
class WorkerBoard;

// Lists the jobs: the one that runs, below it what each worker does for it, and those that wait for their turn, each
// job with a way to be rid of it.
class JobsPanel final : public QWidget {
  Q_OBJECT

 public:
  JobsPanel(Jobs& jobs, const WorkerBoard& workers, QWidget* parent = nullptr);

 private:
  void refresh();
  void showWorkers();
  QStringList workerLines() const;  // none while nothing runs
  void drop();

  Jobs& jobs_;
  const WorkerBoard& workers_;
  QStringList shown_workers_;
  QListWidget* list_;
  QToolButton* drop_;
};

}  // namespace iosx
