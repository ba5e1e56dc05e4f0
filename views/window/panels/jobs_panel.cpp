#include "views/window/panels/jobs_panel.h"

#include <QListWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <chrono>

#include "core/workers/worker_board.h"
#include "views/app_model/jobs.h"
#include "views/text/qstring.h"
#include "views/window/devices/worker_rows.h"

namespace iosx {

JobsPanel::JobsPanel(Jobs& jobs, const WorkerBoard& workers, QWidget* parent)
    : QWidget(parent), jobs_(jobs), workers_(workers), list_(new QListWidget), drop_(new QToolButton) {
  setObjectName(QStringLiteral("jobs"));
  list_->setObjectName(QStringLiteral("jobs-list"));
  list_->setAccessibleName(tr("Running and waiting jobs"));
  drop_->setObjectName(QStringLiteral("drop-job"));
  drop_->setText(tr("Cancel this job"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(list_, 1);
  column->addWidget(drop_);
  connect(drop_, &QToolButton::clicked, this, &JobsPanel::drop);
  connect(list_, &QListWidget::currentRowChanged, this, [this](int row) {
    const QListWidgetItem* item = list_->item(row);
    drop_->setEnabled(item != nullptr && item->data(Qt::UserRole).isValid());
  });
  connect(&jobs_, &Jobs::waitingChanged, this, &JobsPanel::refresh);
  connect(&jobs_, &Jobs::started, this, &JobsPanel::refresh);
  connect(&jobs_, &Jobs::finished, this, &JobsPanel::refresh);
  auto* timer = new QTimer(this);
  connect(timer, &QTimer::timeout, this, &JobsPanel::showWorkers);
  timer->start(std::chrono::milliseconds(250));
  refresh();
}

void JobsPanel::refresh() {
  const QVariant chosen = list_->currentItem() != nullptr ? list_->currentItem()->data(Qt::UserRole) : QVariant();
  list_->clear();
  const auto add = [this](const QString& text, JobRunner::JobId id) {
    auto* item = new QListWidgetItem(text, list_);
    item->setData(Qt::UserRole, QVariant::fromValue<qulonglong>(id));
  };
  const JobRunner& jobs = jobs_.runner();
  const auto title = [this](const QString& title, JobRunner::JobId id) {
    const QString settings = jobs_.settingsText(id);
    return settings.isEmpty() ? title : tr("%1, %2", "a job, and with what settings").arg(title, settings);
  };
  if (jobs.running() != 0) add(tr("%1: running").arg(title(jobs.title(), jobs.running())), jobs.running());
  shown_workers_ = workerLines();
  for (const QString& line : shown_workers_) (new QListWidgetItem(line, list_))->setFlags(Qt::ItemIsEnabled);
  for (const JobRunner::Waiting& job : jobs.waiting()) add(tr("%1: waiting").arg(title(job.title, job.id)), job.id);
  if (list_->count() == 0) {
    auto* none = new QListWidgetItem(
        tr("No job runs or waits. If you press Optimize during a search, the next one waits."), list_);
    none->setFlags(Qt::ItemIsEnabled);
  }
  for (int row = 0; row < list_->count(); ++row) {
    if (list_->item(row)->data(Qt::UserRole) == chosen) list_->setCurrentRow(row);
  }
  if (list_->currentRow() < 0) list_->setCurrentRow(0);
  const QListWidgetItem* current = list_->currentItem();
  drop_->setEnabled(current != nullptr && current->data(Qt::UserRole).isValid());
}

void JobsPanel::showWorkers() {
  const QStringList lines = isVisible() ? workerLines() : shown_workers_;
  if (lines == shown_workers_) return;
  if (lines.size() != shown_workers_.size()) return refresh();
  // Below the job that runs, which is the first.
  for (int i = 0; i < lines.size(); ++i) list_->item(1 + i)->setText(lines[i]);
  shown_workers_ = lines;
}

QStringList JobsPanel::workerLines() const {
  QStringList lines;
  if (jobs_.runner().running() == 0) return lines;
  for (const WorkerDoing& doing : workers_.now()) {
    if (doing.activity == WorkerActivity::kOff && doing.losses == 0) continue;
    lines << QStringLiteral("    %1 \u00B7 %2").arg(shown_name(doing.device), doing_text(doing));
  }
  return lines;
}

void JobsPanel::drop() {
  const QListWidgetItem* item = list_->currentItem();
  if (item == nullptr || !item->data(Qt::UserRole).isValid()) return;
  const auto id = static_cast<JobRunner::JobId>(item->data(Qt::UserRole).toULongLong());
  // Keeps the results of the running one.
  if (id == jobs_.runner().running()) return jobs_.cancel();
  jobs_.abandon(id);
}

}  // namespace iosx

#include "moc_jobs_panel.cpp"
