#include "app/gui/jobs_panel.h"

#include <QListWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/app_model/jobs.h"

namespace iosx {

JobsPanel::JobsPanel(Jobs& jobs, QWidget* parent)
    : QWidget(parent), jobs_(jobs), list_(new QListWidget), drop_(new QToolButton) {
  setObjectName(QStringLiteral("jobs"));
  list_->setObjectName(QStringLiteral("jobs-list"));
  list_->setAccessibleName(tr("Jobs: the one that runs, and those that wait"));
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
  for (const JobRunner::Waiting& job : jobs.waiting()) add(tr("%1: waiting").arg(title(job.title, job.id)), job.id);
  if (list_->count() == 0) {
    auto* none =
        new QListWidgetItem(tr("Nothing runs or waits. Optimize while a search runs lets the next one wait."), list_);
    none->setFlags(Qt::NoItemFlags);
  }
  for (int row = 0; row < list_->count(); ++row) {
    if (list_->item(row)->data(Qt::UserRole) == chosen) list_->setCurrentRow(row);
  }
  if (list_->currentRow() < 0) list_->setCurrentRow(0);
  const QListWidgetItem* current = list_->currentItem();
  drop_->setEnabled(current != nullptr && current->data(Qt::UserRole).isValid());
}

void JobsPanel::drop() {
  const QListWidgetItem* item = list_->currentItem();
  if (item == nullptr || !item->data(Qt::UserRole).isValid()) return;
  const auto id = static_cast<JobRunner::JobId>(item->data(Qt::UserRole).toULongLong());
  // What the running one has found is kept.
  if (id == jobs_.runner().running()) return jobs_.cancel();
  jobs_.abandon(id);
}

}  // namespace iosx

#include "moc_jobs_panel.cpp"
