#include "views/explore/saving/saving_words.h"

#include <algorithm>
#include <cmath>

#include "views/text/change_text.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

QString plain_ms(Millis time, int decimals) { return QString::number(std::abs(time.count()), 'f', decimals); }

// Returns "simulated", or both where the two are not alike; of lanes it says where their parts' times are from.
QString origin_words_of(const SavingFacts& saving, bool of_step) {
  const QString before = origin_text(saving.baseline.schedule().latency.origin);
  const QString after = origin_text(saving.schedule.schedule().latency.origin);
  QString words = before == after ? after : Text::tr("%1 → %2").arg(before, after);
  if (saving.steps.per == Per::kSample) words += Text::tr(", per sample");
  if (of_step && saving.steps.traced) words += Text::tr(", shares of the traced run");
  return words;
}

QString noise_words(const Delta& delta, int decimals) {
  if (!delta.noise) return Text::tr(", noise not known");
  return *delta.noise > Millis{0} ? QStringLiteral(" ± %1").arg(plain_ms(*delta.noise, decimals)) : QString();
}

}  // namespace

int saving_decimals(const SavingSteps& steps) {
  Millis largest{0};
  for (const SavingStep& step : steps.steps) largest = std::max(largest, Millis(std::abs(step.delta.value.count())));
  return change_decimals(largest);
}

QString saving_sentence(const SavingFacts& saving) {
  const QString baseline = saving.baseline.valid() ? shown_name(saving.baseline.label) : QString();
  const QString schedule = saving.schedule.valid() ? shown_name(saving.schedule.label) : QString();
  switch (saving.kind) {
    case SavingFacts::Kind::kNothing: return Text::tr("No schedule yet – press Optimize");
    case SavingFacts::Kind::kNoBaseline:
      return Text::tr("No baseline – choose one in the Project panel to see what this schedule saves");
    case SavingFacts::Kind::kBaseline:
      return Text::tr("%1 is the baseline – choose another schedule to see what it saves, or press Optimize")
          .arg(baseline);
    case SavingFacts::Kind::kUnknown:
      return Text::tr("The savings of %1 by part are not known: its run or that of %2 has no stage times")
          .arg(schedule, baseline);
    case SavingFacts::Kind::kSteps: break;
  }
  const WholeDifference& whole = saving.steps.whole;
  const int decimals = std::max(saving_decimals(saving.steps), change_decimals(whole.delta.value));
  const QString change = plain_ms(whole.delta.value, decimals);
  const QString origin = origin_words_of(saving, false);
  const QString before = plain_ms(whole.a, decimals);
  switch (whole.delta.verdict()) {
    case Verdict::kSame: return Text::tr("%1 takes as long as %2: %3 ms (%4)").arg(schedule, baseline, before, origin);
    case Verdict::kUnknown:
    case Verdict::kFaster:
    case Verdict::kSlower: break;
  }
  const QString noise = noise_words(whole.delta, decimals);
  return (whole.delta.value < Millis{0} ? Text::tr("%1 saves %2 of %3 ms against %4 (%5)")
                                        : Text::tr("%1 takes %2 ms more than the %3 ms of %4 (%5)"))
      .arg(schedule, change + noise, before, baseline, origin);
}

QString step_label(const SavingFacts& saving, std::size_t step) {
  const SavingStep& of = saving.steps.steps[step];
  if (of.stage) return QString::number(*of.stage + 1);
  if (!of.name.empty()) return shown_name(of.name);
  const bool lanes = saving.schedule.schedule().lanes || saving.baseline.schedule().lanes;
  return lanes ? Text::tr("barriers") : Text::tr("overhead");
}

QString step_name(const SavingFacts& saving, std::size_t step) {
  const SavingStep& of = saving.steps.steps[step];
  if (of.stage) return Text::tr("stage %1").arg(*of.stage + 1);
  if (!of.name.empty()) return shown_name(of.name);
  const bool lanes = saving.schedule.schedule().lanes || saving.baseline.schedule().lanes;
  return lanes ? Text::tr("barriers and order") : Text::tr("between stages");
}

QString step_sentence(const SavingFacts& saving, std::size_t step) {
  const SavingStep& of = saving.steps.steps[step];
  const int decimals = saving_decimals(saving.steps) + 1;
  const QString numbers = Text::tr("%1 → %2 ms").arg(plain_ms(of.before, decimals), plain_ms(of.after, decimals));
  const QString change = plain_ms(of.delta.value, decimals) + noise_words(of.delta, decimals);
  const QString baseline = shown_name(saving.baseline.label);
  const QString origin = origin_words_of(saving, !of.units.empty());
  const bool last = step + 1 == saving.steps.steps.size();
  const QString name =
      last ? Text::tr("%1 (time outside all parts)").arg(step_name(saving, step)) : step_name(saving, step);
  if (of.delta.verdict() == Verdict::kSame) {
    return Text::tr("%1 takes as long as with %2: %3 (%4)").arg(name, baseline, numbers, origin);
  }
  return (of.delta.value < Millis{0} ? Text::tr("%1 saves %2 ms: %3 instead of %4 (%5)")
                                     : Text::tr("%1 loses %2 ms: %3 instead of %4 (%5)"))
      .arg(name, change, numbers, baseline, origin);
}

}  // namespace iosx
