// What the window shows of the session's state: title, hints, messages, which actions are enabled.
#include <QAction>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <algorithm>
#include <utility>

#include "app/gui/job_status.h"
#include "app/gui/main_window.h"
#include "app/gui/message_bar.h"
#include "app/gui/settings.h"
#include "app/gui/timing_dialog.h"
#include "views/bridge/session.h"
#include "views/compare/counter_text.h"
#include "views/compare/latency_text.h"
#include "views/models/describe.h"

namespace iosx {
namespace {

QString warnings_text(const std::vector<std::string>& warnings) {
  constexpr std::size_t kMost = 4;
  QStringList lines;
  for (std::size_t i = 0; i < std::min(warnings.size(), kMost); ++i) lines << QString::fromStdString(warnings[i]);
  if (warnings.size() > kMost) lines << MainWindow::tr("and %1 more").arg(warnings.size() - kMost);
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

void MainWindow::showDocument() {
  selection_.clear();
  messages_->dismiss();
  if (QFileInfo(session_.source()).isFile()) settings_.addRecentFile(session_.source());
  showState();
  warnings_ = session_.hasDocument() ? warnings_text(session_.document().warnings) : QString();
  if (!warnings_.isEmpty()) messages_->showNote(warnings_);
}

void MainWindow::showState() {
  const bool busy = session_.job().busy();
  const auto comparison = session_.comparison();
  actions_.optimize->setEnabled(session_.hasDocument() && !busy);
  actions_.cancel->setEnabled(busy);
  actions_.enableExports(comparison != nullptr, session_.hasDocument() && !busy);
  Actions::enable(actions_.verify, busy ? tr("Wait until the running job has ended") : session_.whyNotVerify());
  const DeviceInfo* device = session_.device();
  const bool measures = device != nullptr && device->origin == Origin::kMeasured;
  Actions::enable(actions_.timing, measures ? QString() : tr("The chosen device is simulated: it measures nothing"));
  for (QAction* action : actions_.rule->actions()) {
    action->setChecked(action->data().toInt() == static_cast<int>(session_.settings().search.rule));
  }

  QString title = tr("IOS Explorer");
  if (session_.hasDocument()) {
    const QString place = comparison          ? context_text(*comparison)
                          : device != nullptr ? QString::fromStdString(session_.document().graph->name()) +
                                                    QStringLiteral(", ") + QString::fromStdString(device->name)
                                              : QString::fromStdString(session_.document().graph->name());
    title = tr("%1 – IOS Explorer").arg(place);
  }
  setWindowTitle(title);
  summary_->setText(comparison ? summary_sentence(*comparison) : QString());
  const ScheduleResult* active = comparison ? &comparison->results[session_.activeSchedule()] : nullptr;
  stages_dock_->setWindowTitle(
      active != nullptr
          ? tr("Stages of %1 (%2)").arg(schedule_title(active->schedule.name), origin_text(active->latency.origin))
          : tr("Stages"));
  const Counter* counter = comparison ? main_counter(*comparison) : nullptr;
  timeline_dock_->setWindowTitle(counter != nullptr ? tr("Timeline and %1").arg(text_of(counter->name))
                                                    : tr("Timeline and utilization"));
  showHint();
}

void MainWindow::showHint() {
  const auto comparison = session_.comparison();
  if (session_.job().busy() || !session_.hasDocument() || session_.upToDate()) return messages_->setHint({}, {});
  const QString button = tr("Optimize");
  if (!comparison)
    return messages_->setHint(tr("Optimize searches schedules for this network and runs them on the device."), button);
  if (!session_.searched()) {
    return messages_->setHint(tr("Only schedules that need no search are shown. Optimize searches faster ones."),
                              button);
  }
  messages_->setHint(comparison->complete
                         ? tr("What is shown was made with other settings: %1.").arg(context_text(*comparison))
                         : tr("The search was stopped; what it had found is shown."),
                     button);
}

void MainWindow::showJobStarted(const QString& title) {
  messages_->dismiss();
  if (!warnings_.isEmpty()) messages_->showNote(std::exchange(warnings_, {}));
  job_status_->start(title);
  showState();
}

void MainWindow::askTiming() {
  auto* dialog = new TimingDialog(session_.settings().timing, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    RunSettings settings = session_.settings();
    settings.timing = dialog->timing();
    settings_.setTiming(settings.timing);
    session_.setSettings(std::move(settings));
  });
  dialog->open();
}

void MainWindow::showVerified(std::size_t result) {
  const Verification* found = session_.verification(result);
  if (found == nullptr) return;
  const QString text =
      verification_sentence(schedule_title(session_.comparison()->results[result].schedule.name), *found);
  found->passed() ? messages_->showNote(text) : messages_->showError(text);
}

}  // namespace iosx
