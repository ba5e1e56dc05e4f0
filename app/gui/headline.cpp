#include "app/gui/headline.h"

#include <QAction>
#include <QCoreApplication>
#include <QLabel>
#include <QPushButton>
#include <QSizePolicy>

#include "views/bridge/session.h"
#include "views/text/latency_text.h"

namespace iosx {
namespace {

constexpr double kSentencePoints = 15;

const ScheduleResult& subject_of(const Comparison& comparison) {
  return comparison.results[best_ios(comparison).value_or(comparison.best())];
}

}  // namespace

QString headline_text(const Comparison& comparison) {
  if (comparison.results.empty()) return {};
  const ScheduleResult& subject = subject_of(comparison);
  const ScheduleResult* sequential = comparison.find(Recipe::kSequential);
  const QString name = schedule_title(subject);
  if (sequential == nullptr) return Headline::tr("%1 in %2").arg(name, duration_text(subject.latency.value));
  if (sequential == &subject) return Headline::tr("Nothing is faster than one operator at a time yet");
  if (difference(subject, *sequential) == Difference::kSame) {
    return Headline::tr("%1: as fast as one operator at a time").arg(name);
  }
  return Headline::tr("%1: %2 as fast as one operator at a time").arg(name, speed_text(subject, *sequential));
}

// "0.277 ms instead of 0.511 ms", and on a second line what it was run on and how much was measured for it.
QString headline_detail(const Comparison& comparison) {
  if (comparison.results.empty()) return {};
  const ScheduleResult& subject = subject_of(comparison);
  const ScheduleResult* sequential = comparison.find(Recipe::kSequential);
  QString times = latency_text(subject.latency);
  if (sequential != nullptr && sequential != &subject) {
    times = Headline::tr("%1 instead of %2").arg(times, latency_text(sequential->latency));
  }
  const QString measured = measured_text(comparison);
  const QString where = context_text(comparison);
  return times + QLatin1Char('\n') + (measured.isEmpty() ? where : Headline::tr("%1; %2").arg(where, measured));
}

Headline::Headline(Session& session, QWidget* parent)
    : QToolBar(tr("Result"), parent),
      session_(session),
      sentence_(new QLabel),
      detail_(new QLabel),
      measure_(new QPushButton(tr("Measure on this machine"))) {
  setObjectName(QStringLiteral("headline"));
  setMovable(false);
  sentence_->setObjectName(QStringLiteral("headline-sentence"));
  sentence_->setAccessibleName(tr("Result"));
  sentence_->setTextFormat(Qt::PlainText);  // names are in it
  sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  QFont font = sentence_->font();
  font.setPointSizeF(kSentencePoints);
  font.setWeight(QFont::DemiBold);
  sentence_->setFont(font);
  detail_->setObjectName(QStringLiteral("headline-detail"));
  detail_->setAccessibleName(tr("Latencies and where they come from"));
  detail_->setTextFormat(Qt::PlainText);  // names are in it
  detail_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  detail_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  detail_->setMinimumWidth(1);  // gives way where there is no room
  measure_->setObjectName(QStringLiteral("measure-here"));
  addWidget(sentence_);
  addWidget(detail_);
  measure_place_ = addWidget(measure_);
  connect(measure_, &QPushButton::clicked, this, &Headline::measureHere);
  connect(&session_, &Session::documentChanged, this, &Headline::refresh);
  connect(&session_, &Session::comparisonChanged, this, &Headline::refresh);
  connect(&session_, &Session::settingsChanged, this, &Headline::refresh);
  connect(&session_, &Session::jobStarted, this, &Headline::refresh);
  connect(&session_, &Session::jobFinished, this, &Headline::refresh);
  refresh();
}

void Headline::refresh() {
  const auto comparison = session_.comparison();
  sentence_->setText(comparison ? headline_text(*comparison) : QString());
  // Two lines at any time, so that the views below stay where they are.
  detail_->setText(comparison ? headline_detail(*comparison) : QStringLiteral("\n"));

  const DeviceInfo* chosen = session_.device();
  const DeviceRegistry::Entry* real = session_.devices().best_computing();
  measure_place_->setVisible(session_.hasDocument() && chosen != nullptr && chosen->origin == Origin::kSimulated &&
                             real != nullptr);
  measure_->setEnabled(!session_.job().busy());
  if (real == nullptr) return;
  measure_->setToolTip(tr("Search and run the schedules for real on %1; a large network takes minutes")
                           .arg(QString::fromStdString(real->info.name)));
}

void Headline::measureHere() {
  const DeviceRegistry::Entry* real = session_.devices().best_computing();
  if (real == nullptr) return;
  RunSettings settings = session_.settings();
  settings.device = real->info.id;
  session_.setSettings(std::move(settings));
  session_.optimize();
}

}  // namespace iosx
