#include "views/text/latency_text.h"

#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "core/analysis/compare/report.h"
#include "views/text/format.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr double kShownDifference = 0.0005;  // relative; latencies closer than that are the same
constexpr double kToldRatio = 1.005;         // smaller ratios would read 1.00×

QString three_digits(double value) {
  const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
  return QString::number(value, 'f', decimals);
}

bool in_millis(Millis duration) { return duration.count() >= 0.1 || duration.count() <= 0; }

QString comparison_clause(const ScheduleResult& result, const ScheduleResult& baseline) {
  const QString name = schedule_title(baseline).toLower();
  const double ratio = baseline.latency.value / result.latency.value;
  const Difference how = difference(result, baseline);
  if (how == Difference::kSame) {
    return within_noise(result, baseline) ? Text::tr("the same as %1 within the noise").arg(name)
                                          : Text::tr("as fast as %1").arg(name);
  }
  if (std::max(ratio, 1 / ratio) < kToldRatio) return Text::tr("about as fast as %1").arg(name);
  const QString claim = Text::tr("%1 times as fast as %2").arg(QString::number(ratio, 'f', 2), name);
  return how == Difference::kUnknown ? claim + Text::tr(" (too few runs to be sure)") : claim;
}

// Returns the index of the fastest schedule that counts; none where none does.
template <typename Counts>
std::optional<std::size_t> fastest_of(const Comparison& comparison, Counts counts) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < comparison.results.size(); ++i) {
    const ScheduleResult& result = comparison.results[i];
    if (!counts(result)) continue;
    if (!best || result.latency.value < comparison.results[*best].latency.value) best = i;
  }
  return best;
}

bool is_searched(const ScheduleResult& result) { return row_of(result.schedule_kind).strategies.has_value(); }

bool is_flow(const ScheduleResult& result) { return result.lanes && result.schedule_kind == ScheduleKind::kIosFlow; }

// Returns how far the search went that found the subject's stages, or the best ones where it has none.
QString search_clauses(const Comparison& comparison, const ScheduleResult& subject) {
  const auto best = fastest_of(comparison, is_searched);
  const ScheduleResult& searched = subject.search || !best ? subject : comparison.results[*best];
  if (!searched.search) return {};
  QStringList clauses;
  if (!searched.search->complete) clauses << Text::tr("the search was stopped early");
  if (searched.search->lazy) clauses << gap_text(*searched.search);
  if (searched.search->warm_start) clauses << warm_start_text(*searched.search->warm_start);
  if (clauses.isEmpty()) return {};
  if (&searched != &subject) {
    clauses.front() = Text::tr("with stages the best is %1, %2: %3")
                          .arg(schedule_title(searched), latency_text(searched.latency), clauses.front());
  }
  return Text::tr("; ") + clauses.join(Text::tr("; "));
}

QString device_and_batch(const Comparison& comparison) {
  const QString device =
      QStringLiteral("%1 %2").arg(origin_text(comparison.device.origin), shown_name(comparison.device.name));
  return Text::tr("%1, batch %2").arg(device).arg(comparison.batch);
}

}  // namespace

QString schedule_kind_title(ScheduleKind schedule_kind) { return core_words(row_of(schedule_kind).title); }

QString schedule_title(ScheduleKind schedule_kind, const std::string& title) {
  const ScheduleKindRow& row = row_of(schedule_kind);
  if (!title.starts_with(row.title)) return shown_name(title);
  return schedule_kind_title(schedule_kind) + shown_name(title.substr(row.title.size()));
}

QString schedule_title(const ScheduleResult& result) {
  if (result.schedule_kind == ScheduleKind::kByHand && result.schedule.name == kManualName) {
    const std::string number = result.title().substr(kManualName.size());  // " 2" of the second one
    return Text::tr("Manual %1").arg(number.empty() ? QStringLiteral("1") : shown_name(number).trimmed());
  }
  const bool named = row_of(result.schedule_kind).given() && !result.schedule.name.empty();  // anybody's name
  return named ? shown_name(result.title()) : schedule_title(result.schedule_kind, result.title());
}

QString duration_text(Millis duration) {
  if (in_millis(duration)) {
    const double value = duration.count();
    return (value < 1 && value > 0 ? QString::number(value, 'f', 3) : three_digits(value)) + QStringLiteral(" ms");
  }
  return three_digits(Micros(duration).count()) + QString::fromUtf8(" \u00B5s");
}

QString latency_text(const Latency& latency) {
  if (latency.spread <= Millis(0)) return duration_text(latency.value);
  const bool millis = in_millis(latency.value);
  const double value = millis ? latency.value.count() : Micros(latency.value).count();
  const double spread = millis ? latency.spread.count() : Micros(latency.spread).count();
  const int decimals = std::clamp(-static_cast<int>(std::floor(std::log10(spread))), 2, 4);
  return QString::fromUtf8("%1 \u00B1 %2 %3")
      .arg(QString::number(value, 'f', decimals), QString::number(spread, 'f', decimals),
           millis ? QStringLiteral("ms") : QString::fromUtf8("\u00B5s"));
}

QString latency_text(const Comparison& comparison, const ScheduleResult& result) {
  return comparison.knows_latencies() ? latency_text(result.latency) : Text::tr("unknown");
}

QString latency_text(const Comparison& comparison, const ScheduleResult& result, std::size_t stage) {
  const bool known = comparison.knows_latency(result.schedule.stages[stage]);
  return known ? latency_text(result.stage_latencies[stage]) : Text::tr("unknown");
}

QString ratio_text(double ratio) { return QString::number(ratio, 'f', 2) + QString::fromUtf8("\u00D7"); }

QString count_text(double value) { return QLocale(QLocale::English).toString(std::round(value), 'f', 0); }

QString percent_text(double share) {
  const double percent = share * 100;
  return QString::number(percent, 'f', percent < 9.95 ? 1 : 0) + QStringLiteral(" %");
}

QString origin_text(Origin origin) {
  switch (origin) {
    case Origin::kSimulated: return Text::tr("simulated");
    case Origin::kMeasured: return Text::tr("measured");
    case Origin::kPredicted: return Text::tr("predicted");
    case Origin::kRecorded: break;
  }
  return Text::tr("recorded");
}

QString origin_id(Origin origin) { return qstring(origin_name(origin)); }

Difference difference(const ScheduleResult& result, const ScheduleResult& baseline) {
  return difference(speedup(baseline.latency, baseline.rounds, result.latency, result.rounds));
}

Difference difference(const Speedup& ratio) {
  if (std::abs(ratio.value - 1) <= kShownDifference) return Difference::kSame;
  if (!ratio.known()) return Difference::kUnknown;
  if (ratio.within_noise()) return Difference::kSame;
  return ratio.value > 1 ? Difference::kFaster : Difference::kSlower;
}

bool within_noise(const ScheduleResult& a, const ScheduleResult& b) {
  return a.latency.spread + b.latency.spread > Millis(0) && difference(a, b) == Difference::kSame;
}

QString speed_text(const ScheduleResult& result, const ScheduleResult& baseline) {
  if (within_noise(result, baseline)) return QString::fromUtf8("\u2248 1\u00D7");
  if (result.latency.value <= Millis(0) || baseline.latency.value <= Millis(0)) return {};
  const QString ratio = ratio_text(baseline.latency.value / result.latency.value);
  return difference(result, baseline) == Difference::kUnknown ? ratio + QStringLiteral(" ?") : ratio;
}

QString speed_text(const Speedup& ratio) {
  const Difference how = difference(ratio);
  if (how == Difference::kSame) return QString::fromUtf8("\u2248 1\u00D7");
  const QString text = ratio_text(ratio.value);
  return how == Difference::kUnknown ? text + QStringLiteral(" ?") : text;
}

bool is_fastest(const Comparison& comparison, std::size_t result) {
  const std::size_t best = comparison.best();
  if (!comparison.fits(comparison.results[result]) || !comparison.knows_latencies()) return false;
  return result == best || difference(comparison.results[result], comparison.results[best]) == Difference::kSame;
}

std::optional<double> speed_up(const Comparison& comparison, std::size_t result) {
  const ScheduleResult* base = comparison.find(ScheduleKind::kSequential);
  const Millis value = comparison.results[result].latency.value;
  if (base == nullptr || !comparison.knows_latencies() || value <= Millis(0)) return std::nullopt;
  return base->latency.value / value;
}

QString speed_up_text(const Comparison& comparison, std::size_t result) {
  const ScheduleResult* base = comparison.find(ScheduleKind::kSequential);
  const bool known = base != nullptr && comparison.knows_latencies();
  return known ? speed_up_text(comparison.results[result], *base) : QString();
}

QString speed_up_text(const ScheduleResult& result, const ScheduleResult& baseline) {
  if (&result == &baseline || result.latency.value <= Millis(0)) return {};
  const double ratio = baseline.latency.value / result.latency.value;
  const QString name = schedule_title(baseline).toLower();
  if (difference(result, baseline) == Difference::kSame) {
    return within_noise(result, baseline) ? Text::tr("same as %1 within the noise").arg(name)
                                          : Text::tr("same as %1").arg(name);
  }
  if (std::max(ratio, 1 / ratio) < kToldRatio) return Text::tr("about as fast as %1").arg(name);
  return Text::tr("%1 vs. %2").arg(speed_text(result, baseline), name);
}

QString lane_gain_claim(const Comparison& comparison, const LaneGain& gain) {
  const Millis whole = gain.whole();
  const QString claim = whole < Millis{0} ? Text::tr("%1 more than %2") : Text::tr("%1 less than %2");
  return claim.arg(duration_text(Millis(std::abs(whole.count()))), schedule_title(*comparison.find(gain.staged)));
}

QString lane_gain_text(const Comparison& comparison, const LaneGain& gain) {
  const auto share = [](Millis saved, bool in_noise) {
    QString text = duration_text(Millis(std::abs(saved.count())));
    if (saved != Millis{0}) text.prepend(saved < Millis{0} ? QLatin1Char('+') : QChar(0x2212));
    return in_noise ? Text::tr("%1 (within the noise)").arg(text) : text;
  };
  const QString shares = gain.same_kernels ? Text::tr("no barriers %1, other lanes and order %2")
                                           : Text::tr("no barriers %1, other kernels, lanes and order %2");
  return Text::tr("%1: %2").arg(
      lane_gain_claim(comparison, gain),
      shares.arg(share(gain.barriers, gain.barriers_in_noise), share(gain.order, gain.order_in_noise)));
}

std::optional<std::size_t> best_ios(const Comparison& comparison) {
  return fastest_of(comparison, [&](const ScheduleResult& result) {
    return (is_searched(result) || is_flow(result)) && comparison.fits(result);
  });
}

std::vector<std::size_t> default_results(const Comparison& comparison) {
  std::vector<std::size_t> shown;
  const auto best = fastest_of(comparison, is_searched);
  for (std::size_t i = 0; i < comparison.results.size(); ++i) {
    const ScheduleKindRow& row = row_of(comparison.results[i].schedule_kind);
    if ((!row.strategies && !row.barrier_free) || is_flow(comparison.results[i]) || i == best) shown.push_back(i);
  }
  return shown;
}

QString context_text(const Comparison& comparison) {
  const QString graph = comparison.graph ? shown_name(comparison.graph->name()) : QString();
  QString where = device_and_batch(comparison);
  if (!comparison.recorded.empty()) where += Text::tr(", ") + message_text(comparison.recorded);
  return graph.isEmpty() ? where : graph + Text::tr(", ") + where;
}

QString network_latencies_text(const Graph& graph, const ScheduleResult& result) {
  QStringList each;
  for (const NetworkTime& time : network_times(graph, result)) {
    each << QStringLiteral("%1 %2").arg(shown_name(time.name), duration_text(time.ends));
  }
  return each.join(Text::tr(", "));
}

QString unknown_latency_text() {
  return Text::tr("The latency is unknown, because the cost of an operator is unknown.");
}

QString summary_sentence(const Comparison& comparison) {
  if (comparison.results.empty()) return Text::tr("No schedule has run yet.");
  if (!comparison.knows_latencies()) return unknown_latency_text();
  const ScheduleResult& fastest = comparison.results[comparison.best()];
  if (!comparison.fits(fastest)) {
    return Text::tr("No schedule fits in %1 MB (%2).")
        .arg(megabytes(comparison.memory_limit), 0, 'f', 2)
        .arg(device_and_batch(comparison));
  }
  const auto ios = best_ios(comparison);
  const ScheduleResult& subject = ios ? comparison.results[*ios] : fastest;
  QStringList clauses;
  for (const ScheduleKindRow& row : schedule_table()) {
    const ScheduleResult* baseline = row.baseline() ? comparison.find(row.schedule_kind) : nullptr;
    if (baseline != nullptr && baseline != &subject) clauses << comparison_clause(subject, *baseline);
  }
  QString sentence = Text::tr("%1 runs in %2").arg(schedule_title(subject), latency_text(subject.latency));
  if (!clauses.isEmpty()) sentence += Text::tr(", ") + clauses.join(Text::tr(" and "));
  sentence += Text::tr(" (%1)").arg(device_and_batch(comparison));
  if (const auto saving = comparison.saving(subject)) {
    sentence +=
        Text::tr("; of %1 saved against one by one, fusion in one stream gives %2, concurrency and merging %3")
            .arg(duration_text(saving->whole()), duration_text(saving->fusion), duration_text(saving->concurrency));
  }
  if (difference(fastest, subject) == Difference::kFaster &&
      subject.latency.value >= fastest.latency.value * kToldRatio) {
    sentence +=
        Text::tr("; the fastest is %1, %2").arg(schedule_title(fastest).toLower(), latency_text(fastest.latency));
  }
  sentence += search_clauses(comparison, subject);
  sentence += Text::tr(".");
  if (!comparison.graph) return sentence;
  const std::size_t merged = merged_convolutions(*comparison.graph);
  if (merged == 0) return sentence;
  return sentence + (merged == 1 ? Text::tr(" Note: the graph of the file has 1 merged convolution; all schedules here "
                                            "contain it, sequential too.")
                                 : Text::tr(" Note: the graph of the file has %1 merged convolutions; all schedules "
                                            "here contain them, sequential too.")
                                       .arg(merged));
}

QString gap_text(const SearchResult& search) {
  if (!search.lazy) {
    if (!search.knew_all) return Text::tr("the best of the recorded stages; others were never measured");
    if (search.complete && search.cut) return Text::tr("the distance to the optimum is not known");
    return search.complete ? Text::tr("no schedule within the limits of the search is faster")
                           : Text::tr("the search was stopped, so the distance to the optimum is not known");
  }
  const LazyReport& lazy = *search.lazy;
  if (!std::isfinite(lazy.certified_gap)) return Text::tr("the distance to the optimum is not known");
  const auto faster = [](double gap) { return percent_text(1 - 1 / (1 + gap)); };
  // Across the cuts of parts that are too large there is no estimate.
  QString text = lazy.has_estimate() ? Text::tr("the optimum may be %1 faster by estimate, and at most %2")
                                           .arg(faster(lazy.estimated_gap), faster(lazy.certified_gap))
                                     : Text::tr("the optimum may be at most %1 faster").arg(faster(lazy.certified_gap));
  if (lazy.below_bound == 0) return text;
  return text +
         Text::tr(" (if the bounds hold: %1 of %2 stages broke them before they were lowered)")
             .arg(count_text(static_cast<double>(lazy.below_bound)), count_text(static_cast<double>(lazy.audited)));
}

QString warm_start_text(const WarmStart& start) {
  QString text = start.better ? Text::tr("it started from %1 and found a faster schedule").arg(shown_name(start.name))
                              : Text::tr("it started from %1 and found no faster schedule").arg(shown_name(start.name));
  if (start.beyond.empty()) return text;
  return text + (start.beyond.size() == 1
                     ? Text::tr(", with 1 stage that it could not have made by itself")
                     : Text::tr(", with %1 stages that it could not have made by itself").arg(start.beyond.size()));
}

QString search_sentence(const ScheduleResult& result) {
  const QString title = schedule_title(result);
  if (!result.search) return Text::tr("%1 is not from a search.").arg(title);
  const SearchResult& search = *result.search;
  const QString needed = count_text(static_cast<double>(search.tally.needed));
  const QString time = format::elapsed(search.elapsed);
  const QString asked =
      search.lazy ? Text::tr("%1 requested %2 of %3 stages in %4")
                        .arg(title, needed, count_text(static_cast<double>(search.lazy->candidates)), time)
      : search.complete && search.knew_all
          ? Text::tr("%1, an exhaustive search, requested every stage: %2 in %3").arg(title, needed, time)
          : Text::tr("%1 requested %2 stages in %3").arg(title, needed, time);
  const QString what = search.warm_start ? Text::tr("%1; %2").arg(gap_text(search), warm_start_text(*search.warm_start))
                                         : gap_text(search);
  return Text::tr("%1; %2.").arg(asked, what);
}

QString tally_text(const StageTally& tally) {
  const QString needed =
      tally.needed == 1 ? Text::tr("1 stage") : Text::tr("%1 stages").arg(format::count(tally.needed));
  if (tally.measured == tally.needed) return Text::tr("%1 measured").arg(needed);
  if (tally.measured == 0) return Text::tr("%1, all known from an earlier search or run").arg(needed);
  return Text::tr("%1: %2 measured, %3 known from an earlier search or run")
      .arg(needed, format::count(tally.measured), format::count(tally.reused()));
}

QString measured_text(const Comparison& comparison) {
  if (is_modelled(comparison.device.origin)) return {};
  std::int64_t measured = 0;  // for the first search that needs the stage, so that the sum counts none twice
  std::int64_t most = 0;      // of what one search needs; that of both strategies needs all that the others do
  for (const ScheduleResult& result : comparison.results) {
    if (!result.search) continue;
    measured += result.search->tally.measured;
    most = std::max(most, result.search->tally.needed);
  }
  if (measured == 1) return Text::tr("1 stage measured");
  if (measured > 0) return Text::tr("%1 stages measured").arg(format::count(measured));
  if (most == 0 || !comparison.complete) return {};
  return Text::tr("%1 stages, all kept from earlier runs").arg(format::count(most));
}

int change_decimals(Millis largest) {
  constexpr int kMost = 6;
  const double ms = std::abs(largest.count());
  if (ms <= 0) return 2;
  return std::clamp((ms < 1 ? 1 : 2) - static_cast<int>(std::floor(std::log10(ms))), 0, kMost);
}

QString change_number(Millis change, int decimals) {
  const QString digits = QString::number(std::abs(change.count()), 'f', decimals);
  if (digits.toDouble() == 0) return QStringLiteral("0");
  return (change < Millis{0} ? QChar(0x2212) : QLatin1Char('+')) + digits;
}

LabelWords shown_labels() {
  return {.title = [](const ScheduleResult& result) { return schedule_title(result).toStdString(); },
          .batch = [](std::int64_t batch) { return Text::tr("batch %1").arg(batch).toStdString(); },
          .origin = [](Origin origin) { return origin_text(origin).toStdString(); },
          .run = [](int run) { return Text::tr("run %1").arg(run).toStdString(); }};
}

}  // namespace iosx
