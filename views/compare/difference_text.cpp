#include "views/compare/difference_text.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

#include "core/analysis/difference/difference_report.h"
#include "views/style/fills.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/stage_text.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr double kRatioToTell = 1.005;  // smaller ones would read 1.00
constexpr double kFaintest = 0.12;      // share of the colour in the smallest difference that counts
constexpr double kStrongest = 0.66;
constexpr double kStrongestInTheDark = 0.52;  // the theme's text can still be read on it

QString latencies_told(const Subject& baseline, const Subject& subject, Per per) {
  const QString before = duration_text(told(baseline, baseline.schedule().latency, per).value);
  const QString time = duration_text(told(subject, subject.schedule().latency, per).value);
  const QString after = per == Per::kSample ? Text::tr("%1 per sample").arg(time) : time;
  const QString of_before = origin_text(baseline.schedule().latency.origin);
  const QString of_after = origin_text(subject.schedule().latency.origin);
  if (of_before == of_after) return Text::tr("%1 → %2, %3").arg(before, after, of_after);
  return Text::tr("%1 %2 → %3 %4").arg(before, of_before, after, of_after);
}

QString claim_told(std::span<const Subject> subjects, const Finding& finding) {
  const Subject& baseline = subjects[finding.baseline];
  const Subject& subject = subjects[finding.subject];
  const QString numbers = latencies_told(baseline, subject, finding.per);
  const QString base = shown_name(baseline.label);
  const QString name = shown_name(subject.label);
  switch (finding.kind) {
    case Finding::Kind::kFaster:
      if (finding.ratio < kRatioToTell) return Text::tr("%1 is a little faster than %2 (%3).").arg(name, base, numbers);
      return Text::tr("%1 is %2× as fast as %3 (%4).").arg(name, QString::number(finding.ratio, 'f', 2), base, numbers);
    case Finding::Kind::kBaseline: {
      const double longer = 1 / finding.ratio;
      const QString ratio = QString::number(longer, 'f', longer < kRatioToTell ? 4 : 2);
      return finding.fastest ? Text::tr("No schedule is faster than the baseline: %1 takes %2× as long as %3 (%4).")
                                   .arg(name, ratio, base, numbers)
                             : Text::tr("%1 takes %2× as long as %3 (%4).").arg(name, ratio, base, numbers);
    }
    case Finding::Kind::kSame:
      return subject.schedule().latency.spread + baseline.schedule().latency.spread > Millis{0}
                 ? Text::tr("%1 is as fast as %2 within the noise (%3).").arg(name, base, numbers)
                 : Text::tr("%1 is as fast as %2 (%3).").arg(name, base, numbers);
    case Finding::Kind::kUnknown: return Text::tr("Too few runs to tell %1 from %2 (%3).").arg(name, base, numbers);
    case Finding::Kind::kNothing: break;
  }
  return {};
}

QString parts_words(const PartMatrix& matrix, const Finding& finding) {
  if (finding.parts.empty() || finding.parts.size() == matrix.rows.size()) return {};  // nowhere in particular
  QStringList names;
  for (const std::size_t row : finding.parts) names << shown_name(matrix.rows[row].name);
  const QString where = Text::tr("%1 of %2 parts: %3")
                            .arg(finding.parts.size())
                            .arg(matrix.rows.size())
                            .arg(names.join(QStringLiteral(", ")));
  if (finding.share) return Text::tr("%1 of the difference lies in %2.").arg(percent_text(*finding.share), where);
  const QString time = duration_text(Millis(std::abs(finding.in_parts.count())));
  return finding.in_parts < Millis{0}
             ? Text::tr("The gain is %1, more than the total because other parts lose, in %2.").arg(time, where)
             : Text::tr("The loss is %1, more than the total because other parts gain, in %2.").arg(time, where);
}

// Returns where and when each was recorded, as sentences; empty where both are of here and now.
QStringList recorded_words(const Subject& baseline, const Subject& subject) {
  const QString a = message_sentence(baseline.comparison->recorded);
  const QString b = message_sentence(subject.comparison->recorded);
  if (a == b) return a.isEmpty() ? QStringList() : QStringList(Text::tr("%1.").arg(a));
  QStringList words;
  if (!a.isEmpty()) words << Text::tr("%1: %2.").arg(shown_name(baseline.label), a);
  if (!b.isEmpty()) words << Text::tr("%1: %2.").arg(shown_name(subject.label), b);
  return words;
}

QStringList caution_words(std::span<const Subject> subjects, const Finding& finding) {
  QStringList words;
  if (finding.networks_differ) words << Text::tr("The networks differ.");
  if (finding.origins_differ) words << Text::tr("One number is from a model, the other from a measurement.");
  if (finding.batches_differ) {
    words << Text::tr("Batches of %1 and %2 are compared per sample.")
                 .arg(subjects[finding.baseline].comparison->batch)
                 .arg(subjects[finding.subject].comparison->batch);
  }
  return words;
}

bool is_noisy(const Delta& delta) { return delta.noise && *delta.noise > Millis{0}; }

QString verdict_sign(const Delta& delta) {
  if (delta.verdict() == Verdict::kUnknown) return QStringLiteral(" ?");
  return delta.verdict() == Verdict::kSame && is_noisy(delta) ? QString::fromUtf8(" \u2248") : QString();
}

QColor between(const QColor& from, const QColor& to, double share) {
  const auto part = [share](float a, float b) { return static_cast<float>(a * (1 - share) + b * share); };
  return QColor::fromRgbF(part(from.redF(), to.redF()), part(from.greenF(), to.greenF()),
                          part(from.blueF(), to.blueF()));
}

bool know_latencies(std::span<const Subject> subjects) {
  const auto known = [](const Subject& each) { return !each.valid() || each.comparison->knows_latencies(); };
  return std::ranges::all_of(subjects, known);
}

}  // namespace

QString origin_of(const Subject& subject) {
  const QString words = origin_text(subject.schedule().latency.origin);
  const Message& recorded = subject.comparison->recorded;
  return recorded.empty() ? words : words + QStringLiteral(", ") + message_text(recorded);
}

QString finding_claim(std::span<const Subject> subjects, const Finding& finding) {
  if (subjects.empty()) return Text::tr("Nothing to compare yet: choose schedules of one or several runs.");
  if (!know_latencies(subjects)) return unknown_latency_text();
  if (finding.kind == Finding::Kind::kNothing) {
    const Subject& only = subjects.front();
    return Text::tr("%1 takes %2 (%3). Add another schedule or run to compare it with.")
        .arg(shown_name(only.label), duration_text(only.schedule().latency.value), origin_of(only));
  }
  QStringList ties;
  for (const std::size_t tie : finding.ties) ties << shown_name(subjects[tie].label);
  const QString claim = claim_told(subjects, finding);
  return ties.isEmpty() ? claim : claim + QLatin1Char(' ') + Text::tr("Tied with %1.").arg(ties.join(u", "));
}

QString finding_details(std::span<const Subject> subjects, const PartMatrix& matrix, const Finding& finding) {
  if (finding.kind == Finding::Kind::kNothing || !know_latencies(subjects)) return {};
  QStringList words = caution_words(subjects, finding);
  words << recorded_words(subjects[finding.baseline], subjects[finding.subject]);
  words.prepend(parts_words(matrix, finding));
  if (finding.why) words.prepend(Text::tr("Why: %1.").arg(message_text(why_text(*finding.why))));
  words.removeAll(QString());
  return words.join(QLatin1Char(' '));
}

QString finding_words(std::span<const Subject> subjects, const PartMatrix& matrix, const Finding& finding) {
  const QString details = finding_details(subjects, matrix, finding);
  const QString claim = finding_claim(subjects, finding);
  return details.isEmpty() ? claim : claim + QLatin1Char(' ') + details;
}

QString delta_words(const Delta& delta) {
  QString text = qstring(signed_millis(delta.value));
  text.replace(QLatin1Char('-'), QChar(0x2212));
  return text + verdict_sign(delta);
}

QString verdict_words(const Delta& delta) {
  const QString noise = delta.noise ? duration_text(*delta.noise) : QString();
  switch (delta.verdict()) {
    case Verdict::kFaster:
      return is_noisy(delta) ? Text::tr("faster, beyond the noise (± %1)").arg(noise) : Text::tr("faster");
    case Verdict::kSlower:
      return is_noisy(delta) ? Text::tr("slower, beyond the noise (± %1)").arg(noise) : Text::tr("slower");
    case Verdict::kSame:
      return is_noisy(delta) ? Text::tr("within the noise (± %1)").arg(noise) : Text::tr("no difference");
    case Verdict::kUnknown: break;
  }
  return Text::tr("too few samples to tell");
}

QString rest_words(const StageDifference& difference) {
  if (!difference.has_latencies) {
    return Text::tr("Stage latencies are not known for both, so only the totals are compared: %1 ms.")
        .arg(delta_words(difference.whole.delta));
  }
  Millis stages{0};
  for (const StageRow& row : difference.rows) stages += row.delta.value;
  const int decimals = std::max(3, change_decimals(difference.whole.delta.value));
  const auto number = [decimals](Millis change) { return change_number(change, decimals); };
  const QString total = number(difference.whole.delta.value) + verdict_sign(difference.whole.delta);
  const QString sum =
      Text::tr("Total %1 = stages %2, overhead %3, rest %4 ms")
          .arg(total, number(stages), number(difference.between_stages.value), number(difference.rest.value));
  const QString words = difference.per == Per::kSample ? Text::tr("Per sample: %1").arg(sum) : sum;
  return difference.traced ? Text::tr("%1; without barriers stages have shares of the traced run").arg(words) : words;
}

QString gain_words(std::span<const Subject> subjects) {
  QStringList lines;
  for (const Subject& subject : subjects) {
    const auto gain = subject.comparison->lane_gain(subject.schedule());
    if (!gain) continue;
    lines << Text::tr("%1 takes %2.").arg(shown_name(subject.label), lane_gain_text(*subject.comparison, *gain));
  }
  return lines.join(QLatin1Char('\n'));
}

QString match_words(const Subject& a, const Subject& b, const GraphMatch& match) {
  if (match.identical) return {};
  const auto names = [](const Graph& graph, const std::vector<OperatorId>& operators) {
    QStringList list;
    for (const OperatorId op : operators) list << shown_name(graph.op(op).name);
    return shortened(list);
  };
  const std::vector<OperatorId> missing = match.missing();
  const std::vector<OperatorId> added = match.added();
  const std::size_t all = match.operators_in_b.size();
  QString text = Text::tr("%1 of the %2 operators of A are in B, %3 under another name, %4 changed")
                     .arg(all - missing.size())
                     .arg(all)
                     .arg(match.renamed.size())
                     .arg(match.changed.size());
  if (!match.changed.empty()) text += Text::tr(": ") + names(a.graph(), match.changed);
  if (!missing.empty()) text += Text::tr("; only in A: %1").arg(names(a.graph(), missing));
  if (!added.empty()) text += Text::tr("; only in B: %1").arg(names(b.graph(), added));
  return text + Text::tr(".");
}

QColor delta_ink(const Delta& delta, const Theme& theme) {
  return delta.outside_noise() ? theme.text : theme.mutedText;
}

QColor delta_fill(const Delta& delta, Millis largest, const Theme& theme) {
  const QColor grey = between(theme.gridLine, theme.canvas, 0.25);
  switch (delta.verdict()) {
    case Verdict::kSame: return is_noisy(delta) ? grey : theme.canvas;
    case Verdict::kUnknown: return grey;
    case Verdict::kFaster:
    case Verdict::kSlower: break;
  }
  const QColor end = gain_color(delta.value < Millis{0}, theme);
  const double strongest = theme.dark ? kStrongestInTheDark : kStrongest;
  const double share = largest > Millis{0} ? std::min(1.0, std::abs(delta.value / largest)) : 1.0;
  return between(theme.canvas, end, kFaintest + (strongest - kFaintest) * std::sqrt(share));
}

}  // namespace iosx
