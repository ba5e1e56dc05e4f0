#include "views/window/panels/status_bar.h"

#include <QAccessible>
#include <QPainter>
#include <QProgressBar>
#include <QStringList>
#include <QToolButton>
#include <algorithm>
#include <optional>

#include "core/documents/run_file/run_file.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/edit_graph/graph_controller.h"
#include "views/figures/paint.h"
#include "views/text/format.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"
#include "views/window/panels/headline.h"

namespace iosx {
namespace {

constexpr int kLinePadding = 8;  // pixels, left and right
constexpr int kMarkSize = 8;     // the mark's diameter
constexpr int kMarkRoom = 16;

// Writes "Simulated Tesla V100, batch 1".
QString run_place(const Comparison& comparison) {
  QString origin = origin_text(comparison.device.origin);
  if (!origin.isEmpty()) origin[0] = origin[0].toUpper();
  return StateLine::tr("%1 %2, batch %3").arg(origin, shown_name(comparison.device.name)).arg(comparison.batch);
}

QString state_sentence(const Session& session, bool searches) {
  if (const WorkspaceRecording* const recording = session.shownRecording()) {
    return recording->opened ? StateLine::tr("A recording of another program: nothing of it was run here.")
                             : StateLine::tr("The recording cannot be read.");
  }
  if (!session.hasDocument()) return StateLine::tr("No network is open");
  if (const Run* recorded = session.recorded(); recorded != nullptr) {
    const QString weights =
        session.weightsLeftBehind() ? StateLine::tr(", with generated weights: its own are in its file") : QString();
    return StateLine::tr("The shown result was %1. Optimize runs the network here, on the chosen device%2.")
        .arg(session.madeHere(*recorded) ? StateLine::tr("%1 here, %2, %3")
                                               .arg(origin_text(recorded->comparison.device.origin),
                                                    QString::fromStdString(time_text(recorded->place.when)),
                                                    shown_name(recorded->comparison.device.name))
                                         : message_text(recorded_text(*recorded)),
             weights);
  }
  const auto comparison = session.comparison();
  if (!comparison) return StateLine::tr("Optimize searches schedules for this network and runs them on the device.");
  const QString place = run_place(*comparison);
  if (session.shownRun()->growing) {
    return StateLine::tr("%1: the search still runs; its best result so far is shown.").arg(place);
  }
  if (searches && !session.searched()) {
    return StateLine::tr("%1: schedules that need no search; a search for faster ones runs.").arg(place);
  }
  if (!session.searched()) {
    return StateLine::tr("%1: only schedules that need no search. Optimize searches faster ones.").arg(place);
  }
  if (!comparison->complete)
    return StateLine::tr("%1: the search was stopped; its result so far is shown. Optimize searches to the end.")
        .arg(place);
  if (session.workspace().of_older_file(session.networkId())) {
    return StateLine::tr("%1: from an older file. The current network is in the project panel too.").arg(place);
  }
  if (session.upToDate()) return StateLine::tr("Up to date – %1").arg(place);
  return StateLine::tr("Settings changed – Optimize to update (shown: %1)").arg(place);
}

constexpr int kMostText = 340;  // pixels: a window is not wider for what a job says
constexpr int kBarWidth = 140;
constexpr QSize kListSize(520, 180);

QString times_text(Seconds elapsed, std::optional<Seconds> left) {
  const QString text = format::elapsed(elapsed);
  if (!left) return text;
  return JobStatus::tr("%1, %2 left").arg(text, rough_time_words(*left));
}

}  // namespace

StateLine::StateLine(const Session& session, const Jobs& jobs, const GraphController& controller)
    : session_(session), jobs_(jobs), controller_(controller) {
  setObjectName(QStringLiteral("state-line"));
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // the running job goes first
  connect(&session_, &Session::documentChanged, this, &StateLine::refresh);
  connect(&session_, &Session::comparisonChanged, this, &StateLine::refresh);
  connect(&session_, &Session::settingsChanged, this, &StateLine::refresh);
  connect(&session_, &Session::recordingChanged, this, &StateLine::refresh);
  connect(&session_, &Session::workspaceChanged, this, &StateLine::refresh);
  connect(&jobs_, &Jobs::started, this, &StateLine::refresh);
  connect(&jobs_, &Jobs::finished, this, &StateLine::refresh);
  connect(&controller_, &GraphController::lacksChanged, this, &StateLine::refresh);
  connect(&controller_, &GraphController::changed, this, &StateLine::refresh);
  refresh();
}

void StateLine::refresh() {
  const QString before = text_;
  text_ = state_sentence(session_, jobs_.automatic().searches());
  const QString lacks = controller_.shownLacks();
  if (!lacks.isEmpty()) text_ = tr("%1. %2").arg(lacks, text_);
  // What is said is of the network that the other modes show.
  if (session_.hasDocument() && controller_.open() && controller_.graph().operators().empty()) {
    text_ = tr("The new graph is empty. %1: %2").arg(shown_name(session_.document().graph->name()), text_);
  }
  current_ =
      !session_.hasDocument() || session_.shownRecording() != nullptr || (session_.upToDate() && lacks.isEmpty());
  const auto comparison = session_.comparison();
  QStringList tip{text_};
  if (const QString stale = stale_text(session_); !stale.isEmpty()) tip << stale;
  if (comparison) tip << summary_sentence(*comparison);
  setToolTip(plain_tip(tip.join(QLatin1Char('\n'))));
  setAccessibleName(text_);
  update();
  if (before == text_ || before.isEmpty()) return;
  QAccessibleEvent event(this, QAccessible::NameChanged);
  QAccessible::updateAccessibility(&event);
}

QSize StateLine::sizeHint() const {
  return {fontMetrics().horizontalAdvance(text_) + 2 * kLinePadding + kMarkRoom, fontMetrics().height() + 4};
}

void StateLine::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QRect line = rect().adjusted(kLinePadding, 0, -kLinePadding, 0);
  if (!current_) {
    // A diamond in front of what is not current: the words say it too.
    const QPointF at(line.left() + kMarkSize / 2.0, line.center().y() + 0.5);
    const double r = kMarkSize / 2.0;
    paint_shape(painter, Qt::NoPen, palette().color(QPalette::WindowText),
                QPolygonF({{at.x(), at.y() - r}, {at.x() + r, at.y()}, {at.x(), at.y() + r}, {at.x() - r, at.y()}}));
    line.setLeft(line.left() + kMarkRoom);
  }
  paint_text(painter, palette().color(QPalette::WindowText), line, kAtLeft | Qt::TextSingleLine,
             fontMetrics().elidedText(text_, Qt::ElideRight, line.width()));
}

std::optional<Millis> latency_to_beat(const Session& session, const Jobs& jobs) {
  const auto comparison = session.comparison();
  const auto& live = jobs.searching();
  if (live == nullptr || comparison == nullptr || !comparison->knows_latencies() ||
      jobs.networkOf(jobs.runner().running()) != session.networkId() || live->device.id != comparison->device.id ||
      live->batch != comparison->batch) {
    return std::nullopt;
  }
  return comparison->results[comparison->best()].latency.value;
}

std::optional<Millis> best_so_far(const LiveSearch& search) {
  const Millis found = search.history.empty() ? Millis(0) : search.history.back().best;
  return found > Millis(0) ? std::optional(found) : std::nullopt;
}

double WholeProgress::report(double share_of_step) {
  constexpr double kStep = 0.8;  // of what is left
  if (share_of_step < last_) begin_ = shown_;
  last_ = share_of_step;
  shown_ = std::max(shown_, begin_ + (1 - begin_) * kStep * share_of_step);
  return shown_;
}

JobStatus::JobStatus(const Session& session, Jobs& jobs, QWidget* list, QWidget* parent)
    : QWidget(parent),
      session_(session),
      jobs_(jobs),
      list_(list),
      text_(new QLabel),
      bar_(new QProgressBar),
      times_(named("job-times", new QLabel, tr("Time since the job started, and time left"))),
      best_(named("job-best", new QLabel)),
      waiting_(named("jobs-waiting", new QToolButton)),
      pause_(named("pause-job", new QToolButton)),
      cancel_(named("cancel-job", new QToolButton)) {
  text_->setTextFormat(Qt::PlainText);
  text_->setAccessibleName(tr("Activity of the running job"));
  bar_->setAccessibleName(tr("Progress of the running job"));
  bar_->setFixedWidth(kBarWidth);
  bar_->setMaximumHeight(16);
  times_->setToolTip(tr("Time since the job started without pauses, and the estimated time left in its present step"));
  times_->setMinimumWidth(fontMetrics().horizontalAdvance(times_text(Seconds(88 * 60 + 28), Seconds(3600 + 20 * 60))));
  best_->setToolTip(tr("Latency of the fastest schedule that is shown or that the running search has found so far"));
  put_into(new QHBoxLayout(this), {text_, bar_, times_, best_, waiting_, pause_, cancel_})
      ->setContentsMargins(8, 0, 0, 0);
  list_->setParent(this, Qt::Popup);
  waiting_->setToolTip(tr("Show all jobs and what workers do"));
  connect(waiting_, &QToolButton::clicked, this, &JobStatus::showList);
  connect(pause_, &QToolButton::clicked, this, [this] { jobs_.setPaused(!jobs_.runner().paused()); });
  cancel_->setText(tr("Cancel"));
  cancel_->setToolTip(tr("Stop and keep the best so far (Ctrl+.)"));
  connect(cancel_, &QToolButton::clicked, &jobs_, &Jobs::cancel);
  connect(&jobs_, &Jobs::searchingChanged, this, &JobStatus::showBest);
  connect(&session_, &Session::comparisonChanged, this, &JobStatus::showBest);
  connect(&jobs_.runner(), &JobRunner::pausedChanged, this, &JobStatus::showPause);
  timer_.setInterval(100);
  connect(&timer_, &QTimer::timeout, this, &JobStatus::tick);
  hide();
}

void JobStatus::start(const QString& title) {
  title_ = title;
  time_left_ = {};
  whole_ = {};
  text_->setText(title_);
  bar_->setRange(0, 0);
  tick();
  timer_.start();
  showWaiting();
  showBest();
  showPause();
  show();
}

void JobStatus::showWaiting() {
  const auto waiting = jobs_.runner().waiting().size();
  waiting_->setText(waiting > 0 ? tr("%n waiting", nullptr, static_cast<int>(waiting)) : tr("Jobs"));
}

// A search tells what it has found; other jobs have no best.
void JobStatus::showBest() {
  std::optional<Millis> best;
  if (const auto& live = jobs_.searching()) {
    for (const LiveSearch& search : live->searches) {
      if (const auto found = best_so_far(search); found && (!best || *found < *best)) best = found;
    }
  }
  if (const auto shown = latency_to_beat(session_, jobs_); best && shown) best = std::min(*best, *shown);
  best_->setVisible(best.has_value());
  if (best) best_->setText(tr("best so far %1").arg(duration_text(*best)));
}

void JobStatus::showPause() {
  const bool paused = jobs_.runner().paused();
  pause_->setText(paused ? tr("Go on") : tr("Pause"));
  pause_->setToolTip(paused ? tr("Let the job go on") : tr("Hold the job after its present measurement"));
  pause_->setVisible(jobs_.canPause());
  tick();
}

void JobStatus::showList() {
  list_->resize(std::max(kListSize.width(), list_->sizeHint().width()), kListSize.height());
  QPoint corner = waiting_->mapToGlobal(QPoint(waiting_->width(), 0)) - QPoint(list_->width(), list_->height());
  corner.setX(std::max(corner.x(), window()->mapToGlobal(QPoint(0, 0)).x()));
  list_->move(corner);
  list_->show();
}

void JobStatus::setProgress(const Progress& progress) {
  time_left_.report(progress, jobs_.runner().elapsed());
  const QString phase = message_text(progress.phase);
  const QString text = phase.isEmpty() ? title_ : tr("%1: %2").arg(title_, phase);
  const QString shown = fontMetrics().elidedText(text, Qt::ElideRight, kMostText);
  text_->setText(shown);
  text_->setToolTip(shown == text ? QString() : plain_tip(text));
  if (progress.total <= 0) return whole_.shown() > 0 ? void() : bar_->setRange(0, 0);
  // Permille, because counts may exceed the range of int.
  bar_->setRange(0, 1000);
  bar_->setValue(
      static_cast<int>(1000 * whole_.report(static_cast<double>(progress.done) / static_cast<double>(progress.total))));
}

void JobStatus::stop() {
  if (jobs_.canCancel()) return start(jobs_.runningTitle());  // another one goes on
  timer_.stop();
  hide();
}

void JobStatus::tick() {
  const JobRunner& runner = jobs_.runner();
  const Seconds now = runner.elapsed();
  times_->setText(runner.paused() ? tr("paused at %1").arg(format::elapsed(now))
                                  : times_text(now, runner.stopping() ? std::nullopt : time_left_.left(now)));
  if (!runner.stopping()) return;
  text_->setText(tr("Stopping…"));
  pause_->hide();
}

}  // namespace iosx

#include "moc_status_bar.cpp"
