#include "views/window/panels/headline.h"

#include <QCoreApplication>
#include <QEvent>
#include <QPushButton>
#include <QResizeEvent>
#include <QStyle>
#include <algorithm>

#include "core/analysis/compare/why.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/app_model/shown_saving.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"
#include "views/widgets/fitted_text.h"
#include "views/window/panels/schedule_chips.h"

namespace iosx {
namespace {

constexpr int kGap = 10;          // pixels between the parts
constexpr int kLeastStale = 170;  // pixels, of what differs from the settings

void polish_again(QWidget& widget) {
  widget.style()->unpolish(&widget);
  widget.style()->polish(&widget);
}

// What the strip says of the shown schedule.
struct HeadlineWords {
  QString speed = {};
  QString sentence = {};
  QString question = {};  // empty: not certain that it is faster
  QString why = {};
};

// Returns "1.27×" and "as fast: 3.83 ms instead of 4.87 ms".
HeadlineWords words_of(const Subject& shown, const Subject& baseline) {
  const ScheduleResult& own = shown.schedule();
  const QString title = schedule_title(own);
  if (!shown.comparison->knows_latencies()) return {.sentence = unknown_latency_text()};
  if (!shown.fits()) return {.sentence = Headline::tr("%1 is over the memory limit").arg(title)};
  HeadlineWords words{.speed = latency_text(own.latency), .sentence = title};
  if (!baseline.valid() || !baseline.comparison->knows_latencies()) return words;
  const ScheduleResult& other = baseline.schedule();
  if (&other == &own) {
    words.sentence = Headline::tr("%1, the baseline").arg(title);
    return words;
  }
  words.speed = speed_text(own, other);
  words.sentence =
      other.schedule_kind == ScheduleKind::kSequential
          ? Headline::tr("as fast: %1 instead of %2").arg(latency_text(own.latency), latency_text(other.latency))
          : Headline::tr("as fast as %1: %2 instead of %3")
                .arg(shown_name(baseline.label), latency_text(own.latency), latency_text(other.latency));
  if (const Millis gone = other.latency.value - own.latency.value; difference(own, other) == Difference::kFaster)
    words.question = Headline::tr("Where did %1 go?").arg(duration_text(gone));
  if (const auto because = why(other.trace, own.trace)) words.why = message_text(why_text(*because));
  return words;
}

// Returns a line on where the latencies are from, and how many of them were measured now.
QString context_line(const Comparison& comparison) {
  const QString measured = measured_text(comparison);
  const QString where = context_text(comparison);
  return measured.isEmpty() ? where : Headline::tr("%1; %2").arg(where, measured);
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

Headline::Headline(Session& session, Jobs& jobs, const ShownSaving& saving)
    : session_(session),
      jobs_(jobs),
      saving_(&saving),
      words_(new QWidget),
      first_(new QHBoxLayout),
      second_(new QHBoxLayout),
      speed_(named("headline-speed", new QLabel)),
      sentence_(named("headline-sentence", new ElidedLabel)),
      badge_(named("headline-badge", new QLabel)),
      question_(named("headline-question", new QLabel)),
      search_(named("headline-search", new QLabel)),
      stale_(named("headline-stale", new ElidedLabel)),
      detail_(named("headline-detail", new ElidedLabel)),
      chips_(new ScheduleChips(session, saving)),
      measure_(named("measure-button", new QPushButton)) {
  setObjectName(QStringLiteral("headline"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  // Numbers only, no names: rich text for the links.
  for (QLabel* label : {question_, search_}) {
    label->setTextFormat(Qt::RichText);
    label->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    label->setFocusPolicy(Qt::StrongFocus);
  }
  question_->setToolTip(tr("Compare the two, stage by stage"));
  for (QLabel* label : std::initializer_list<QLabel*>{speed_, sentence_, badge_, search_}) {
    label->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
  }
  connect(question_, &QLabel::linkActivated, this, &Headline::askAnswer);
  connect(search_, &QLabel::linkActivated, this, &Headline::goOn);
  put_into(flush(first_, kGap), {sentence_, badge_, search_, question_, FreeRoom{1}});
  stale_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  put_into(flush(second_, kGap), {detail_, {stale_, 1}});
  put_into(flush(new QVBoxLayout(words_), 1), {first_, second_});
  put_into(inset(new QHBoxLayout(this), {2, 1, 2, 1}, kGap), {speed_, words_, {chips_, 1}, measure_});
  connect(measure_, &QPushButton::clicked, &jobs_, &Jobs::measureHere);
  for (const auto changed : {&Session::documentChanged, &Session::comparisonChanged, &Session::activeScheduleChanged,
                             &Session::settingsChanged, &Session::workspaceChanged})
    connect(&session_, changed, this, &Headline::refresh);
  connect(&jobs_, &Jobs::started, this, &Headline::refresh);
  connect(&jobs_, &Jobs::finished, this, &Headline::refresh);
  connect(&jobs_, &Jobs::waitingChanged, this, &Headline::refresh);
  connect(&jobs_.runner(), &JobRunner::pausedChanged, this, &Headline::refresh);
  refresh();
}

void Headline::showBadge() {
  const auto comparison = session_.comparison();
  badge_->setVisible(comparison != nullptr);
  if (comparison == nullptr) return;
  const bool recorded = !comparison->recorded.empty();
  const bool modelled = is_modelled(comparison->device.origin);
  const QString origin = origin_text(comparison->device.origin);
  badge_->setProperty("badge", modelled ? "simulated" : "measured");
  polish_again(*badge_);
  QEvent changed(QEvent::StyleChange);  // it has another border now
  QCoreApplication::sendEvent(badge_, &changed);
  const bool here = !recorded || session_.madeHere(*session_.shownRun()->run);
  badge_->setText((modelled ? origin : here ? tr("%1 here").arg(origin) : tr("%1 elsewhere").arg(origin)).toUpper());
  badge_->setToolTip(comparison->device.origin == Origin::kPredicted
                         ? tr("Latencies and timelines are predicted from measured operators. Help > Operators gives "
                              "the errors of such predictions.")
                     : modelled
                         ? tr("Latencies and timelines come from a model of this GPU, not from a GPU. The README gives "
                              "the distance of the model to published measurements.")
                         : tr("Latencies and timelines are measured on %1.").arg(shown_name(comparison->device.name)));
  badge_->setAccessibleName(tr("Origin of the latencies: %1").arg(badge_->text().toLower()));
}

// The colour is part of the text: what was laid out in one palette keeps it in the next.
QString Headline::link(const QString& target, const QString& text) const {
  return QStringLiteral("<a href=\"%1\" style=\"color: %2\">%3</a>")
      .arg(target, palette().color(QPalette::Link).name(), text);
}

// A speed-up of a search that has not ended is not the last word.
void Headline::showSearch(bool stale) {
  const WorkspaceRun* shown = session_.shownRun();
  const bool goes_on = jobs_.comparing(session_.networkId());
  const bool part = shown != nullptr && shown->automatic &&
                    shown->run->options.schedule_kinds != session_.settings().options.schedule_kinds;
  const bool ended = shown == nullptr ? !goes_on : !shown->growing && shown->run->comparison.complete && !part;
  search_->setVisible(session_.hasDocument() && !ended);
  if (ended) return;
  const JobRunner& runner = jobs_.runner();
  const bool paused = runner.paused() && jobs_.networkOf(runner.running()) == session_.networkId();
  QString words = paused ? tr("paused") : tr("still searching");
  QString more;
  if (!goes_on) {
    const bool limited = shown->automatic && jobs_.automatic().wasLimited(shown->network);
    words = limited ? tr("stopped at %1 s").arg(Seconds(jobs_.automatic().longest()).count())
            : part  ? tr("not searched yet")
                    : tr("stopped");
    // With other settings it would be another search.
    if (!stale && session_.recorded() == nullptr) more = limited || !part ? tr("continue") : tr("search");
  }
  const QString dash = QStringLiteral(" \u2013 ");
  search_->setText(more.isEmpty() ? words : words + dash + link(QStringLiteral("continue"), more));
  search_->setAccessibleName(more.isEmpty() ? words : words + dash + more);
  search_->setToolTip(goes_on ? tr("Faster schedules may still be found")
                              : tr("The search has not ended: there may be faster schedules"));
}

void Headline::showStale(const QString& differs) {
  QStringList stale;
  if (session_.workspace().of_older_file(session_.networkId())) {
    stale << tr("From an older file, which has changed since");
  }
  if (!differs.isEmpty()) stale << tr("Made with other settings: %1").arg(differs);
  stale_->setVisible(!stale.isEmpty());
  stale_->setText(stale.join(QStringLiteral("; ")));
  stale_->setToolTip(plain_tip(stale.join(QLatin1Char('\n'))));
}

void Headline::showMeasure() {
  const DeviceInfo* chosen = session_.device();
  const DeviceRegistry::Entry* real = session_.devices().best_computing();
  measure_->setVisible(session_.hasDocument() && chosen != nullptr && is_modelled(chosen->origin) && real != nullptr);
  if (real == nullptr) return;
  measure_->setToolTip(
      tr("Search the schedules and run them on %1; a large network takes minutes").arg(shown_name(real->info.name)));
}

void Headline::refresh() {
  if (saving_ == nullptr) return;  // a tool bar changes the font of what leaves it
  const auto comparison = session_.comparison();
  const SavingFacts& saving = saving_->current();
  HeadlineWords words;
  QStringList details;
  if (comparison != nullptr && saving.schedule.valid()) {
    words = words_of(saving.schedule, saving.baseline);
    details << words.why << network_latencies_text(*comparison->graph, saving.schedule.schedule());
    details.removeAll(QString());
  } else if (session_.hasDocument()) {
    words.sentence = tr("No schedule yet");
  }
  speed_->setText(words.speed);
  speed_->setVisible(!words.speed.isEmpty());
  sentence_->setText(words.sentence);
  detail_->setText(details.join(QStringLiteral(" \u00B7 ")));
  if (comparison != nullptr) details << context_line(*comparison);
  for (ElidedLabel* label : {sentence_, detail_}) label->setToolTip(plain_tip(details.join(QLatin1Char('\n'))));
  asks_ = !words.question.isEmpty();
  question_->setText(link(QStringLiteral("compare"), words.question));
  question_->setAccessibleName(words.question);
  const QString differs = stale_text(session_);
  showBadge();
  showSearch(!differs.isEmpty());
  showStale(differs);
  showMeasure();
  chips_->refresh();
  fit();
}

// The words come first, then the chips, of which some may be in their menu; the question stands in Compare too.
void Headline::fit() {
  const auto width_of = [](const QWidget* widget) {
    return widget->isHidden() ? 0 : widget->sizeHint().width() + kGap;
  };
  const QMargins margins = layout()->contentsMargins();
  const int room = width() - margins.left() - margins.right() - width_of(speed_);
  words_->setMinimumWidth(0);
  measure_->setText(tr("Measure on this machine"));
  question_->setVisible(asks_);
  // Why it is faster is said in full; what differs from the settings, where there is room, and in its tip.
  const auto needed = [this] {
    for (QLayout* layout : {static_cast<QLayout*>(first_), static_cast<QLayout*>(second_), words_->layout()})
      layout->invalidate();
    const int stale = stale_->isHidden() ? 0 : std::min(stale_->sizeHint().width(), kLeastStale) + kGap;
    return std::max(first_->sizeHint().width(), detail_->sizeHint().width() + stale);
  };
  if (needed() + width_of(chips_) + width_of(measure_) > room) measure_->setText(tr("Measure here"));
  const int rest = room - chips_->minimumSizeHint().width() - kGap - width_of(measure_);
  if (first_->sizeHint().width() > rest) question_->hide();
  words_->setMinimumWidth(std::max(0, std::min(needed(), rest)));
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
  const SavingFacts& saving = saving_->current();
  if (!asks_) return;
  const auto choice = [this](const Subject& subject) {
    for (const WorkspaceRun& run : session_.workspace().runs()) {
      if (&run.run->comparison == subject.comparison.get()) return Choice{run.id, subject.schedule().id};
    }
    return Choice{session_.runId(), subject.schedule().id};
  };
  emit answerAsked(choice(saving.baseline), choice(saving.schedule));
}

void Headline::goOn() { jobs_.optimize(); }

}  // namespace iosx

#include "moc_headline.cpp"
