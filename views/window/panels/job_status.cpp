#include "views/window/panels/job_status.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <optional>

#include "views/app_model/jobs.h"
#include "views/text/format.h"
#include "views/text/messages.h"
#include "views/text/plain_tip.h"

namespace iosx {
namespace {

constexpr int kMostText = 520;  // pixels: a window is not wider for what a job says

QString times_text(Seconds elapsed, std::optional<Seconds> left) {
  const QString text = format::elapsed(elapsed);
  if (!left) return text;
  return JobStatus::tr("%1, %2 left").arg(text, rough_time_words(*left));
}

}  // namespace

JobStatus::JobStatus(Jobs& jobs, QWidget* parent)
    : QWidget(parent),
      jobs_(jobs),
      text_(new QLabel),
      bar_(new QProgressBar),
      times_(new QLabel),
      waiting_(new QLabel),
      cancel_(new QToolButton) {
  text_->setTextFormat(Qt::PlainText);
  text_->setAccessibleName(tr("What the running job does"));
  bar_->setAccessibleName(tr("Progress of the running job"));
  bar_->setFixedWidth(180);
  bar_->setMaximumHeight(16);
  times_->setObjectName(QStringLiteral("job-times"));
  times_->setAccessibleName(tr("Time since the job started, and time left"));
  times_->setToolTip(tr("Time since the job started, and an estimate of what is left of its present step"));
  times_->setMinimumWidth(fontMetrics().horizontalAdvance(times_text(Seconds(88 * 60 + 28), Seconds(3600 + 20 * 60))));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(8, 0, 0, 0);
  row->addWidget(text_);
  row->addWidget(bar_);
  row->addWidget(times_);
  row->addWidget(waiting_);
  row->addWidget(cancel_);
  waiting_->setObjectName(QStringLiteral("jobs-waiting"));
  cancel_->setObjectName(QStringLiteral("cancel-job"));
  cancel_->setText(tr("Cancel"));
  cancel_->setToolTip(tr("Stop; the best so far is kept (Ctrl+.)"));
  connect(cancel_, &QToolButton::clicked, &jobs_, &Jobs::cancel);
  timer_.setInterval(100);
  connect(&timer_, &QTimer::timeout, this, &JobStatus::tick);
  hide();
}

void JobStatus::start(const QString& title) {
  title_ = title;
  time_left_ = {};
  text_->setText(title_);
  bar_->setRange(0, 0);
  tick();
  timer_.start();
  showWaiting();
  show();
}

void JobStatus::showWaiting() {
  const auto waiting = jobs_.runner().waiting().size();
  waiting_->setVisible(waiting > 0);
  waiting_->setText(tr("%n waiting", nullptr, static_cast<int>(waiting)));
}

void JobStatus::setProgress(const Progress& progress) {
  time_left_.report(progress, jobs_.runner().elapsed());
  const QString phase = message_text(progress.phase);
  const QString text = phase.isEmpty() ? title_ : tr("%1: %2").arg(title_, phase);
  const QString shown = fontMetrics().elidedText(text, Qt::ElideRight, kMostText);
  text_->setText(shown);
  text_->setToolTip(shown == text ? QString() : plain_tip(text));
  if (progress.total <= 0) return bar_->setRange(0, 0);
  // Permille, because counts may exceed the range of int.
  bar_->setRange(0, 1000);
  bar_->setValue(static_cast<int>(1000.0 * static_cast<double>(progress.done) / static_cast<double>(progress.total)));
}

void JobStatus::stop() {
  if (jobs_.canCancel()) return start(jobs_.runningTitle());  // another one goes on
  timer_.stop();
  hide();
}

void JobStatus::tick() {
  const Seconds now = jobs_.runner().elapsed();
  times_->setText(times_text(now, jobs_.runner().stopping() ? std::nullopt : time_left_.left(now)));
  if (jobs_.runner().stopping()) text_->setText(tr("Stopping…"));
}

}  // namespace iosx

#include "moc_job_status.cpp"
