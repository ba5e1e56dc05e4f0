#include "app/gui/job_status.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>

#include "views/bridge/job_runner.h"
#include "views/models/format.h"

namespace iosx {

JobStatus::JobStatus(const JobRunner& runner, QWidget* parent)
    : QWidget(parent), runner_(runner), text_(new QLabel), bar_(new QProgressBar), elapsed_(new QLabel) {
  text_->setAccessibleName(tr("What the running job does"));
  bar_->setAccessibleName(tr("Progress of the running job"));
  bar_->setFixedWidth(180);
  bar_->setMaximumHeight(16);
  elapsed_->setAccessibleName(tr("Time since the job started"));
  elapsed_->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("88 min 88 s ")));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(8, 0, 0, 0);
  row->addWidget(text_);
  row->addWidget(bar_);
  row->addWidget(elapsed_);
  timer_.setInterval(100);
  connect(&timer_, &QTimer::timeout, this, &JobStatus::tick);
  hide();
}

void JobStatus::start(const QString& title) {
  title_ = title;
  text_->setText(title_);
  bar_->setRange(0, 0);
  tick();
  timer_.start();
  show();
}

void JobStatus::setProgress(const Progress& progress) {
  const QString phase = QString::fromStdString(progress.phase);
  text_->setText(phase.isEmpty() ? title_ : tr("%1: %2").arg(title_, phase));
  if (progress.total <= 0) return bar_->setRange(0, 0);
  // Permille, because counts may exceed the range of int.
  bar_->setRange(0, 1000);
  bar_->setValue(static_cast<int>(1000.0 * static_cast<double>(progress.done) / static_cast<double>(progress.total)));
}

void JobStatus::stop() {
  timer_.stop();
  hide();
}

void JobStatus::tick() {
  elapsed_->setText(format::elapsed(runner_.elapsed()));
  if (runner_.stopping()) text_->setText(tr("Stopping…"));
}

}  // namespace iosx
