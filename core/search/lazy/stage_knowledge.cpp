#include "core/search/lazy/stage_knowledge.h"

#include "core/base/parallel.h"
#include "core/search/lazy/isomorphic_parts.h"

namespace iosx {
namespace {

constexpr double kRefit = 1.03;        // when the table grew by this
constexpr std::size_t kSlice = 16;     // stages asked for at once where time is short
constexpr std::size_t kFewErrors = 8;  // predictions, before their error is believed
constexpr double kUsualError = 0.1;
constexpr std::size_t kGuesses = 400;  // stages that a model is asked for
constexpr double kGuessWeight = 0.05;  // of a measurement

}  // namespace

StageKnowledge::StageKnowledge(const Graph& graph, LatencySource& latencies, const SearchEffort& effort,
                               const JobContext& job)
    : graph_(graph),
      latencies_(latencies),
      effort_(effort),
      job_(job),
      overhead_(latencies.overhead()),
      kinds_(unit_kinds(graph)) {}

bool StageKnowledge::stopped() const {
  return job_.stopped() || (effort_.budget > Seconds(0) && elapsed() >= effort_.budget);
}

Result<bool> StageKnowledge::measure_units() {
  std::vector<Stage> stages;
  stages.reserve(graph_.units().size());
  for (std::size_t u = 0; u < graph_.units().size(); ++u) stages.push_back(single_unit_stage(UnitId(u)));
  const auto total = static_cast<std::int64_t>(stages.size());
  IOS_TRY(const auto answers, ask_source(latencies_, Care::kQuickEstimate, stages, 0, total, job_));
  if (answers.size() < stages.size()) return false;
  std::vector<double> ms;
  for (const Latency& answer : answers) ms.push_back(answer.value.count());
  times_ = unit_times(graph_, std::move(ms));
  has_units_ = true;
  const std::size_t kinds = kinds_.empty() ? 0 : *std::ranges::max_element(kinds_) + std::size_t{1};
  of_kind_.resize(kinds);
  predictor_.emplace(kinds, times_.mean_ms);
  return true;
}

// A model may be off as a whole: what counts is a stage over the sum of its units, of which it guesses both.
void StageKnowledge::learn_guesses(std::span<LazyPart> parts) {
  std::vector<Wanted> all;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const auto count = static_cast<LazyPart::Candidate>(parts[p].problem().candidates.size());
    for (LazyPart::Candidate c = 0; c < count; ++c) {
      if (parts[p].facts(c).units > 1) all.push_back({p, c});
    }
  }
  std::vector<Wanted> some;
  for (std::size_t i = 0; i < std::min(kGuesses, all.size()); ++i) {
    some.push_back(all[i * all.size() / std::min(kGuesses, all.size())]);
  }
  if (some.empty()) return;
  std::vector<Stage> units;
  for (std::size_t u = 0; u < graph_.units().size(); ++u) units.push_back(single_unit_stage(UnitId(u)));
  const std::vector<double> alone = latencies_.guesses(units);
  if (alone.size() != units.size()) return;
  const std::vector<Stage> stages = stages_of(parts, some);
  const std::vector<double> guesses = latencies_.guesses(stages);
  if (guesses.size() != stages.size()) return;
  for (std::size_t i = 0; i < some.size(); ++i) {
    double sum = 0;
    for (const UnitId unit : stages[i].units()) sum += alone[unit.index()];
    const LazyPart& part = parts[some[i].part];
    const StageFacts& facts = part.facts(some[i].candidate);
    part.of_kinds(some[i].candidate, of_kind_);
    if (sum > 0 && guesses[i] > 0 && std::isfinite(guesses[i] / sum))
      predictor_->learn(facts, of_kind_, guesses[i] / sum * facts.sum, kGuessWeight);
  }
  refit(parts);
}

void StageKnowledge::give_times(LazyPart& part) const {
  const auto of_part = [&](const std::vector<double>& by_unit) {
    std::vector<double> own;
    for (const UnitId unit : part.part_graph().units()) own.push_back(by_unit[unit.index()]);
    return own;
  };
  part.set_units(of_part(times_.ms), of_part(times_.flops_ms), of_part(times_.bytes_ms));
}

void StageKnowledge::give_units(LazyPart& part) const {
  give_times(part);
  for (std::size_t i = 0; i < part.part_graph().size(); ++i) {
    const auto unit = part.find(singleton(i), Strategy::kConcurrent);
    if (unit) part.set_answer(*unit, unit_ms(part.part_graph().unit(i)));
  }
  part.predict(*predictor_);
}

Result<bool> StageKnowledge::measure(std::span<LazyPart> parts, std::vector<Wanted> wanted,
                                     std::span<const double> worth) {
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  // Worth depends on the time that the search had to work it out, so without a budget it must not tell what is learned
  // first.
  const bool is_short = effort_.budget > Seconds(0);
  if (is_short) std::ranges::stable_sort(wanted, std::greater(), [&](const Wanted& each) { return worth[each.part]; });
  const std::size_t at_once = is_short ? kSlice : std::max<std::size_t>(wanted.size(), 1);
  std::size_t done = 0;
  while (done < wanted.size() && !stopped()) {
    const std::span<const Wanted> some = std::span(wanted).subspan(done, std::min(at_once, wanted.size() - done));
    IOS_TRY(const auto answers,
            ask_source(latencies_, Care::kQuickEstimate, stages_of(parts, some), 0, 0, JobContext{job_.stop, {}}));
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const double ms = answers[i].value.count();
      LazyPart& part = parts[some[i].part];
      if (part.facts(some[i].candidate).units > 1 && ms > 0) {
        errors_.push_back(std::abs(part.predicted(some[i].candidate) / ms - 1));
      }
      take(part, some[i].candidate, answers[i]);
    }
    done += answers.size();
  }
  if (static_cast<double>(predictor_->learned()) >= kRefit * static_cast<double>(fitted_) + 1) refit(parts);
  return done == wanted.size();
}

Result<std::vector<Latency>> StageKnowledge::refined(std::span<const LazyPart> parts,
                                                     std::span<const Wanted> wanted) const {
  return ask_source(latencies_, Care::kRefined, stages_of(parts, wanted), 0, 0, JobContext{job_.stop, {}});
}

std::vector<Stage> StageKnowledge::stages_of(std::span<const LazyPart> parts, std::span<const Wanted> wanted) const {
  std::vector<Stage> stages;
  stages.reserve(wanted.size());
  for (const auto& [p, c] : wanted) stages.push_back(parts[p].stage(parts[p].part_graph(), c));
  return stages;
}

void StageKnowledge::take(LazyPart& part, LazyPart::Candidate c, const Latency& latency) {
  const double ms = latency.value.count();
  if (part.facts(c).units > 1) {
    part.of_kinds(c, of_kind_);
    predictor_->learn(part.facts(c), of_kind_, ms);
    audit(part, c, ms);
  }
  part.set_answer(c, ms, latencies_.estimates_quickly() ? error_of_median(latency).count() : 0);
}

void StageKnowledge::refit(std::span<LazyPart> parts) {
  fitted_ = predictor_->learned();
  predictor_->fit();
  parallel_for(parts.size(), [&](std::size_t p) { parts[p].predict(*predictor_); });
}

void StageKnowledge::audit(const LazyPart& part, LazyPart::Candidate c, double ms) {
  const double below = lower_factors(factors_, part.facts(c), ms);
  ++audited_;
  below_bound_ += below < 1 ? 1 : 0;
  worst_below_ = std::min(worst_below_, below);
}

double StageKnowledge::usual_error() const {
  if (errors_.size() < kFewErrors) return kUsualError;
  std::vector<double> last(errors_.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(errors_.size(), 200)),
                           errors_.end());
  std::ranges::nth_element(last, last.begin() + static_cast<std::ptrdiff_t>(last.size() / 2));
  return last[last.size() / 2] * 1.5;  // of a normal distribution the deviation is 1.48 times the median error
}

void StageKnowledge::fill_in(LazyReport& report) const {
  std::vector<double> errors = errors_;
  std::ranges::sort(errors);
  report.predicted = static_cast<std::int64_t>(errors.size());
  if (!errors.empty()) {
    report.median_error = errors[errors.size() / 2];
    report.large_error = errors[errors.size() * 9 / 10];
  }
  report.audited = audited_;
  report.below_bound = below_bound_;
  report.worst_below = worst_below_;
}

}  // namespace iosx
