#include "views/window/panels/headline.h"

#include <QCoreApplication>
#include <QEvent>
#include <QPushButton>
#include <QResizeEvent>
#include <QStyle>

#include "core/analysis/compare/why.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/text/format.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"
#include "views/widgets/fitted_text.h"

namespace iosx {
namespace {

const ScheduleResult& subject_of(const Comparison& comparison) {
  return comparison.results[best_ios(comparison).value_or(comparison.best())];
}

void polish_again(QWidget& widget) {
  widget.style()->unpolish(&widget);
  widget.style()->polish(&widget);
}

// The style sheet enlarges it: a separately set font is reset by a change of theme.
void set_large(QLabel* label, bool large) {
  const QString result = large ? QStringLiteral("large") : QString();
  if (label->property("result").toString() == result) return;
  label->setProperty("result", result);
  polish_again(*label);
}

QString whole_measure_text() { return Headline::tr("Measure on this machine"); }

// Returns "1.27× as fast as one stream", for the best schedule of a search, or else the fastest.
QString headline_text(const Comparison& comparison, bool searches) {
  if (comparison.results.empty()) return {};
  if (!comparison.knows_latencies()) return unknown_latency_text();
  const ScheduleResult& subject = subject_of(comparison);
  const ScheduleResult* sequential = comparison.find(ScheduleKind::kSequential);
  const QString name = schedule_title(subject);
  if (!comparison.fits(subject)) return Headline::tr("No schedule fits the memory limit");
  if (sequential == nullptr) return Headline::tr("%1 in %2").arg(name, duration_text(subject.latency.value));
  if (sequential == &subject) {
    return searches ? Headline::tr("No speed-up yet – search is running")
                    : Headline::tr("No speed-up yet – press Optimize");
  }
  if (difference(subject, *sequential) == Difference::kSame) {
    return Headline::tr("%1: as fast as one stream").arg(name);
  }
  return Headline::tr("%1: %2 as fast as one stream").arg(name, speed_text(subject, *sequential));
}

// The speed-up of that schedule: "1.62× as fast." and "Where did 2.48 ms go?". None where it is not certain.
struct HeadlineQuestion {
  QString answer;
  QString question;
};

std::optional<HeadlineQuestion> headline_question(const Comparison& comparison) {
  if (comparison.results.empty() || !comparison.knows_latencies()) return std::nullopt;
  const ScheduleResult& subject = subject_of(comparison);
  const ScheduleResult* sequential = comparison.find(ScheduleKind::kSequential);
  if (sequential == nullptr || sequential == &subject || !comparison.fits(subject)) return std::nullopt;
  const Millis gone = sequential->latency.value - subject.latency.value;
  if (gone <= Millis(0) || difference(subject, *sequential) != Difference::kFaster) return std::nullopt;
  return HeadlineQuestion{
      Headline::tr("%1 as fast.").arg(ratio_text(sequential->latency.value / subject.latency.value)),
      Headline::tr("Where did %1 go?").arg(duration_text(gone))};
}

// Returns "0.277 ms instead of 0.511 ms", and on another line why.
QString times_and_why(const Comparison& comparison) {
  const ScheduleResult& subject = subject_of(comparison);
  const ScheduleResult* sequential = comparison.find(ScheduleKind::kSequential);
  QString times = latency_text(subject.latency);
  if (sequential != nullptr && sequential != &subject) {
    times = Headline::tr("%1 instead of %2").arg(times, latency_text(sequential->latency));
  }
  const auto because = why(comparison, subject);
  return because ? times + QLatin1Char('\n') + message_text(why_text(*because)) : times;
}

// Returns times and why, for several networks the end of each, and on a last line the device and the number of
// measurements.
QString headline_detail(const Comparison& comparison) {
  if (comparison.results.empty()) return {};
  if (!comparison.knows_latencies()) return context_text(comparison);
  const QString measured = measured_text(comparison);
  const QString where = context_text(comparison);
  const QString networks = network_latencies_text(*comparison.graph, subject_of(comparison));
  return times_and_why(comparison) + QLatin1Char('\n') +
         (networks.isEmpty() ? QString() : networks + QLatin1Char('\n')) +
         (measured.isEmpty() ? where : Headline::tr("%1; %2").arg(where, measured));
}

}  // namespace

QString stale_text(const Session& session) {
  const WorkspaceRun* shown = session.shownRun();
  if (shown == nullptr) return {};
  const RunSettings made = settings_of(*shown->run);
  const RunSettings& now = session.settings();
  QStringList differences;
  const auto differ = [&differences](const QString& what, const QString& was, const QString& is) {
    if (was != is) differences << Headline::tr("%1 %2, now %3").arg(what, was, is);
  };
  const DeviceInfo* device = session.device();
  differ(Headline::tr("device"), shown_name(shown->run->comparison.device.name),
         device == nullptr ? Headline::tr("none") : shown_name(device->name));
  differ(Headline::tr("batch"), QString::number(made.options.batch), QString::number(now.options.batch));
  if (session.searched()) {
    const bool measures = shown->run->comparison.device.origin == Origin::kMeasured;
    for (const OptionChange& each : changed_options(now.options, made.options)) {
      if (!measures && (each.info->uses & use::kMeasureStages) != 0) continue;  // how a device that measures does so
      differ(message_text(each.info->title), message_text(value_text(*each.info, each.was)),
             message_text(value_text(*each.info, each.is)));
    }
    if (made.options.schedule_kinds != now.options.schedule_kinds) differences << Headline::tr("other strategies now");
  }
  return differences.join(QStringLiteral("; "));
}

Headline::Headline(const Session& session, Jobs& jobs)
    : session_(session),
      jobs_(jobs),
      column_(new QVBoxLayout(this)),
      top_(new QHBoxLayout),
      badge_(named("headline-badge", new QLabel)),
      question_(named("headline-question", new WrappedLabel)),
      sentence_(named("headline-sentence", new WrappedLabel, tr("Result"))),
      detail_(named("headline-detail", new WrappedLabel, tr("Latencies and their origin"))),
      stale_(named("headline-stale", new WrappedLabel, tr("Differences to the current settings"))),
      measure_(named("measure-button", new QPushButton(whole_measure_text()))) {
  setObjectName(QStringLiteral("headline"));
  setAttribute(Qt::WA_StyledBackground);
  for (QLabel* label : {sentence_, detail_, stale_}) {
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  // Numbers only, no names: rich text for the link.
  question_->setTextFormat(Qt::RichText);
  question_->setTextInteractionFlags(Qt::TextBrowserInteraction);
  question_->setFocusPolicy(Qt::StrongFocus);
  question_->setToolTip(tr("Compare the two, stage by stage"));
  connect(question_, &QLabel::linkActivated, this, &Headline::askAnswer);
  column_->addLayout(top_);
  put_into(top_, {badge_, FreeRoom{1}});
  for (QWidget* each : std::initializer_list<QWidget*>{question_, sentence_, detail_, stale_, measure_}) {
    column_->addWidget(each);
  }
  connect(measure_, &QPushButton::clicked, &jobs_, &Jobs::measureHere);
  connect(&session_, &Session::documentChanged, this, &Headline::refresh);
  connect(&session_, &Session::comparisonChanged, this, &Headline::refresh);
  connect(&session_, &Session::settingsChanged, this, &Headline::refresh);
  connect(&session_, &Session::workspaceChanged, this, &Headline::refresh);
  connect(&jobs_, &Jobs::started, this, &Headline::refresh);
  connect(&jobs_, &Jobs::finished, this, &Headline::refresh);
  refresh();
}

void Headline::showBadge(const Comparison* comparison) {
  badge_->setVisible(comparison != nullptr);
  if (comparison == nullptr) return;
  const bool recorded = !comparison->recorded.empty();
  const bool modelled = is_modelled(comparison->device.origin);
  const QString origin = origin_text(comparison->device.origin);
  badge_->setProperty("badge", modelled ? "simulated" : "measured");
  polish_again(*badge_);
  QEvent changed(QEvent::StyleChange);  // it has another border now
  QCoreApplication::sendEvent(badge_, &changed);
  badge_->setText((recorded && !modelled ? tr("%1 elsewhere").arg(origin) : origin).toUpper());
  badge_->setToolTip(comparison->device.origin == Origin::kPredicted
                         ? tr("Latencies and timelines are predicted from measured operators. Help > Operators gives "
                              "the errors of such predictions.")
                     : modelled
                         ? tr("Latencies and timelines come from a model of this GPU, not from a GPU. The README gives "
                              "the distance of the model to published measurements.")
                         : tr("Latencies and timelines are measured on %1.").arg(shown_name(comparison->device.name)));
  badge_->setAccessibleName(tr("Origin of the latencies: %1").arg(badge_->text().toLower()));
}

void Headline::refresh() {
  const auto comparison = session_.comparison();
  showBadge(comparison.get());
  const auto question = comparison ? headline_question(*comparison) : std::nullopt;
  question_->setVisible(question.has_value());
  if (question) {
    // The colour is part of the text: what was laid out in one palette keeps it in the next.
    question_->setText(QStringLiteral("%1 <a href=\"compare\" style=\"color: %3\">%2</a>")
                           .arg(question->answer, question->question, palette().color(QPalette::Link).name()));
    question_->setAccessibleName(question->answer + QLatin1Char(' ') + question->question);
  }
  // The large one of the two.
  set_large(question_, true);
  set_large(sentence_, !question);
  // Does not repeat the question.
  sentence_->setText(
      question ? tr("%1 against %2 (one stream)")
                     .arg(schedule_title(subject_of(*comparison)), schedule_kind_title(ScheduleKind::kSequential))
      : comparison ? headline_text(*comparison, jobs_.automatic().searches())
                   : QString());
  detail_text_ = comparison ? headline_detail(*comparison) : QString();
  const bool told = comparison && !comparison->results.empty() && comparison->knows_latencies();
  why_detail_ = told ? times_and_why(*comparison) : detail_text_;
  const QString differs = stale_text(session_);
  const bool older = session_.workspace().of_older_file(session_.networkId());
  QStringList stale;
  if (older) stale << tr("From an older file, which has changed since");
  QStringList brief = stale;
  if (!differs.isEmpty()) {
    stale << tr("Made with other settings: %1").arg(differs);
    brief << tr("Made with other settings");
  }
  stale_text_ = stale.join(QLatin1Char('\n'));
  brief_stale_ = brief.join(QLatin1Char('\n'));
  sentence_->setVisible(comparison != nullptr);
  detail_->setVisible(comparison != nullptr);
  stale_->setVisible(!stale.isEmpty());
  const DeviceInfo* chosen = session_.device();
  const DeviceRegistry::Entry* real = session_.devices().best_computing();
  measure_->setVisible(session_.hasDocument() && chosen != nullptr && is_modelled(chosen->origin) && real != nullptr);
  fit();
  if (real == nullptr) return;
  measure_->setToolTip(
      tr("Search the schedules and run them on %1; a large network takes minutes").arg(shown_name(real->info.name)));
}

void Headline::placeMeasure(bool beside_badge) {
  if (measure_beside_ == beside_badge) return;
  measure_beside_ = beside_badge;
  measure_->setText(beside_badge ? tr("Measure here") : whole_measure_text());
  (beside_badge ? static_cast<QBoxLayout*>(column_) : top_)->removeWidget(measure_);
  (beside_badge ? static_cast<QBoxLayout*>(top_) : column_)->addWidget(measure_);
}

// With less room it says nothing of the device and the batch, which the tool bar says, and of several networks not when
// each ends, which the inspector says.
void Headline::say(Words words) {
  const bool all = words == Words::kAll;
  const bool tight = words == Words::kTight;
  detail_->setText(all                    ? detail_text_
                   : words == Words::kWhy ? why_detail_
                                          : why_detail_.section(QLatin1Char('\n'), 0, 0));
  detail_->setToolTip(all ? QString() : plain_tip(detail_text_));
  stale_->setText(all ? stale_text_ : brief_stale_);
  stale_->setToolTip(all ? QString() : plain_tip(stale_text_));
  column_->setContentsMargins(10, tight ? 4 : 8, 10, tight ? 4 : 8);
  column_->setSpacing(tight ? 2 : 4);
  placeMeasure(tight);
  if (tight && top_->sizeHint().width() > width() - 20) placeMeasure(false);
}

void Headline::fit() {
  for (const Words words : {Words::kAll, Words::kWhy, Words::kBrief, Words::kTight}) {
    say(words);
    if (column_->heightForWidth(width()) <= room_) return;
  }
}

void Headline::setRoom(int height) {
  if (room_ == height) return;
  room_ = height;
  fit();
}

void Headline::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (event->oldSize().width() != width()) fit();
}

void Headline::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) refresh();
}

void Headline::askAnswer() {
  const auto comparison = session_.comparison();
  if (!comparison || !headline_question(*comparison)) return;
  const RunId run = session_.runId();
  emit answerAsked({run, comparison->find(ScheduleKind::kSequential)->id}, {run, subject_of(*comparison).id});
}

}  // namespace iosx

#include "moc_headline.cpp"
