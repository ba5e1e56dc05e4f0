#include "views/compare/comparison_data.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <utility>

#include "core/formats/external/match.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

// Differences within the noise widen it too: otherwise, with few significant ones, a tiny one would have the
// strongest colour.
void widen(Millis& largest, const Delta& delta) { largest = std::max(largest, Millis(std::abs(delta.value.count()))); }

constexpr qsizetype kMostLabel = 200;  // letters: a table's names may have any length

void put_ratio(LatencyBar& bar, const Speedup& ratio) {
  bar.ratio = ratio.value;
  if (ratio.known()) bar.interval = Interval{Millis(ratio.low), Millis(ratio.high)};
}

// Returns the speed-up of bars that were not run side by side.
Speedup speedup_of(const Latency& baseline, const Latency& other) { return speedup(baseline, {}, other, {}); }

// Converts the ratio of whole batches to that for a sample.
Speedup of_samples(Speedup ratio, std::int64_t baseline_batch, std::int64_t batch) {
  const double factor = static_cast<double>(batch) / static_cast<double>(baseline_batch);
  ratio.value *= factor;
  ratio.low *= factor;
  ratio.high *= factor;
  return ratio;
}

// Turns what the bar has of a whole batch into that of one sample.
void tell_a_sample(LatencyBar& bar) {
  bar.whole = bar.latency;
  bar.latency.value = bar.latency.value / static_cast<double>(bar.batch);
  bar.latency.spread = bar.latency.spread / static_cast<double>(bar.batch);
  for (Millis& sample : bar.samples) sample /= static_cast<double>(bar.batch);
}

void mark_fastest(std::vector<LatencyBar>& bars) {
  const auto best = std::ranges::min_element(bars, std::less<>(), [&](const LatencyBar& bar) {
    return std::tuple(bar.piece, bar.over_limit, bar.latency.value);
  });
  for (LatencyBar& bar : bars) {
    if (bar.piece || bar.over_limit) continue;
    const Speedup ratio = speedup_of(best->latency, bar.latency);
    bar.fastest = &bar == &*best || difference(ratio) == Difference::kSame;
  }
}

QString where(const Comparison& comparison) {
  QString text = Text::tr("%1, batch %2").arg(shown_name(comparison.device.name)).arg(comparison.batch);
  if (!comparison.recorded.empty()) text += QStringLiteral(", ") + message_text(comparison.recorded);
  return text;
}

LatencyBar bar_of(const Comparison& comparison, const ScheduleResult& result) {
  return {.label = schedule_title(result),
          .latency = result.latency,
          .color = row_of(result.schedule_kind).color,
          .source = where(comparison),
          .remark = {},
          .batch = comparison.batch,
          .over_limit = !comparison.fits(result),
          .samples = result.samples};
}

}  // namespace

Millis RunMatrix::largest() const {
  Millis largest{0};
  for (const PartRow& row : matrix.rows) {
    for (const PartCell& cell : row.cells) widen(largest, cell.delta);
  }
  return largest;
}

Millis StagePair::largest() const {
  Millis largest{0};
  for (const StageRow& row : difference.rows) widen(largest, row.delta);
  return largest;
}

std::shared_ptr<const RunMatrix> make_run_matrix(std::vector<Subject> subjects, std::size_t baseline) {
  if (baseline >= subjects.size() || !subjects[baseline].valid()) return nullptr;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < baseline; ++i) kept += subjects[i].valid() ? 1 : 0;
  std::erase_if(subjects, [](const Subject& subject) { return !subject.valid(); });
  auto data = std::make_shared<RunMatrix>();
  data->subjects = std::move(subjects);
  if (std::ranges::any_of(data->subjects, [](const Subject& subject) { return subject.label.empty(); })) {
    label_subjects(data->subjects, shown_labels());
  }
  data->matches = match_with_all(data->subjects, kept);
  data->matrix = part_matrix(data->subjects, kept, data->matches);
  data->finding = find_out(data->subjects, data->matrix);
  return data;
}

std::shared_ptr<const StagePair> make_stage_pair(const Subject& a, const Subject& b, GraphMatch match, Per per) {
  auto pair = std::make_shared<StagePair>(StagePair{a, b, std::move(match), {}});
  pair->difference = compare_stages(a, b, pair->match, per);
  return pair;
}

std::vector<LatencyBar> latency_bars(const Comparison& comparison, const ScheduleId& baseline) {
  const ScheduleResult* base = comparison.find(baseline);
  if (base == nullptr) base = comparison.find(ScheduleKind::kSequential);
  std::vector<LatencyBar> bars;
  if (!comparison.knows_latencies()) return bars;
  for (std::size_t i = 0; i < comparison.results.size(); ++i) {
    const ScheduleResult& result = comparison.results[i];
    LatencyBar& bar = bars.emplace_back(bar_of(comparison, result));
    bar.fastest = is_fastest(comparison, i);
    bar.best = i == comparison.best();
    if (base == nullptr) continue;
    put_ratio(bar, speedup(base->latency, base->rounds, result.latency, result.rounds));
    if (comparison.results.size() < 2) continue;
    bar.remark = &result == base                                  ? Text::tr("baseline")
                 : difference(result, *base) == Difference::kSame ? speed_up_text(result, *base)
                                                                  : speed_text(result, *base);
  }
  return bars;
}

std::vector<LatencyBar> latency_bars(std::span<const Subject> subjects, std::size_t baseline,
                                     std::span<const LatencyBar> external) {
  std::vector<LatencyBar> bars;
  const auto known = [](const Subject& subject) { return subject.comparison->knows_latencies(); };
  if (baseline >= subjects.size() || !std::ranges::all_of(subjects, known)) return bars;
  const bool several = subjects.size() + external.size() > 1;
  const bool samples = per_of(subjects) == Per::kSample;
  const std::int64_t batch = subjects[baseline].comparison->batch;
  const auto remark = [&](LatencyBar& bar, const Speedup& of_batches) {
    const Speedup ratio = of_samples(of_batches, batch, bar.batch);
    put_ratio(bar, ratio);
    if (several) bar.remark = speed_text(ratio);
  };
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    LatencyBar& bar = bars.emplace_back(bar_of(*subjects[i].comparison, subjects[i].schedule()));
    bar.label = shown_name(subjects[i].label);
    remark(bar, whole_difference(subjects[baseline], subjects[i]).speedup);
    if (i == baseline && several) bar.remark = Text::tr("baseline");
    if (samples) tell_a_sample(bar);
  }
  for (const LatencyBar& other : external) {
    LatencyBar& bar = bars.emplace_back(other);
    bar.external = true;
    bar.batch = batch;  // nothing says otherwise
    if (!bar.piece) remark(bar, speedup_of(subjects[baseline].schedule().latency, other.latency));
    if (samples) tell_a_sample(bar);
  }
  mark_fastest(bars);
  const auto of_best = [&](std::size_t i) { return subjects[i].result == subjects[i].comparison->best(); };
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    if (bars[i].fastest && (!best || (of_best(i) && !of_best(*best)))) best = i;
  }
  if (best) bars[*best].best = true;
  return bars;
}

Delta external_difference(const Subject& baseline, const LatencyBar& external, Per per) {
  DeltaSum sum;
  sum.add(told(baseline, baseline.schedule().latency, per), -1);
  sum.add(told(baseline, external.latency, per));
  return sum.delta();
}

QString recorded_text(const ExternalRun& run) {
  if (run.tool == ExternalTool::kTable || run.tool == ExternalTool::kChromeTrace) {
    return Text::tr("recorded in %1").arg(shown_name(std::filesystem::path(run.file).filename().string()));
  }
  return Text::tr("recorded by %1").arg(qstring(tool_name(run.tool)));
}

LatencyBar external_bar(const ExternalRun& run, const Graph& graph) {
  LatencyBar bar;
  bar.label = shown_name(run.label).left(kMostLabel);
  bar.latency = run.latency;
  bar.samples = run.samples;
  bar.external = true;
  bar.source = recorded_text(run);
  if (const auto piece = piece_of(run, graph)) {
    bar.piece = true;
    bar.remark = Text::tr("%1 of %2 operators").arg(piece->recorded).arg(piece->of);
  } else if (!run.entries.empty())
    bar.source = Text::tr("%1, %2 matched").arg(bar.source, percent_text(run.matched_share()));
  return bar;
}

std::vector<LatencyBar> engine_bars(const ExperimentResult& frameworks) {
  std::vector<LatencyBar> bars;
  for (const Trial& trial : frameworks.trials) {
    const auto latency = frameworks.value(trial, "latency_ms");
    if (!latency) continue;
    LatencyBar& bar = bars.emplace_back();
    bar.label = core_words(trial.levels.front());
    bar.latency = {.value = Millis(*latency),
                   .spread = Millis(frameworks.value(trial, "spread_ms").value_or(0)),
                   .origin = trial.origin};
    bar.external = !trial.schedule_kind.has_value();
    if (trial.schedule_kind) bar.color = row_of(*trial.schedule_kind).color;
    bar.ratio = frameworks.value(trial, "ratio");
    if (bar.ratio) bar.remark = Text::tr("%1 × ours").arg(QString::number(*bar.ratio, 'f', 2));
    if (trial.within_noise) bar.remark += QStringLiteral(" ≈");
    bar.fastest = trial.best;
    bar.best = trial.best && !bar.external;
  }
  std::ranges::stable_sort(bars, {}, [](const LatencyBar& bar) { return bar.latency.value; });
  return bars;
}

}  // namespace iosx
