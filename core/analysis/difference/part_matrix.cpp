#include "core/analysis/difference/part_matrix.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/analysis/compare/reliability.h"
#include "core/base/check.h"
#include "core/base/text.h"
#include "core/model/graph/partition.h"
#include "core/model/schedule/components.h"

namespace iosx {
namespace {

// Rows under construction: sets of the baseline's parts, then other parts of other graphs. For several networks
// (core/model/graph/networks.h) each one's share of a part is separate, until a stage spans them.
class PartRows {
 public:
  PartRows(std::span<const Subject> subjects, std::size_t baseline, std::span<const GraphMatch> matches, Per per)
      : subjects_(subjects),
        baseline_(subjects[baseline]),
        matches_(matches),
        per_(per),
        networks_(std::max<std::size_t>(graph().networks().size(), 1)),
        shown_(networks_ > 1 ? std::vector<Part>() : shown_parts(graph())),
        joined_(graph().parts().size() * networks_) {}

  std::vector<PartRow> rows() {
    join_pieces();
    for (std::size_t i = 0; i < subjects_.size(); ++i) join_what_stages_span(i);
    name_rows();
    for (std::size_t i = 0; i < subjects_.size(); ++i) fill(i);
    find_differences();
    std::erase_if(rows_, [](const PartRow& row) {
      return std::ranges::all_of(row.cells, [](const PartCell& cell) { return cell.empty(); });
    });
    if (networks_ > 1) name_by_network();
    return std::move(rows_);
  }

 private:
  const Graph& graph() const { return baseline_.graph(); }

  // The baseline's part of a subject's unit; none where it is added.
  std::optional<std::size_t> part_of(std::size_t subject, UnitId unit) const {
    const UnitId own = matches_[subject].units_in_a[unit.index()];
    if (!own.valid()) return std::nullopt;
    return own_part(own);
  }
  std::size_t own_part(UnitId unit) const {
    const std::size_t network = networks_ > 1 ? graph().network(unit).index() : 0;
    return graph().unit(unit).part.index() * networks_ + network;
  }

  // Where a search cut a part, the rows are still of the network's parts.
  void join_pieces() {
    for (const Part& part : shown_) {
      for (const UnitId unit : part.units) joined_.connect(own_part(part.units.front()), own_part(unit));
    }
  }

  void join_what_stages_span(std::size_t subject) {
    for (const Stage& stage : subjects_[subject].schedule().schedule.stages) {
      std::optional<std::size_t> first;
      for (const UnitId unit : stage.units()) {
        const auto part = part_of(subject, unit);
        if (!part) continue;
        if (!first) first = part;
        joined_.connect(*first, *part);
      }
    }
  }

  std::size_t add_row(const std::string& name) {
    rows_.push_back({name, std::vector<PartCell>(subjects_.size())});
    latencies_.emplace_back(subjects_.size());
    return rows_.size() - 1;
  }

  void name_rows() {
    std::map<std::size_t, std::vector<std::size_t>> joined;  // parts of each row
    for (std::size_t part = 0; part < graph().parts().size() * networks_; ++part) {
      const std::size_t root = joined_.lowest(part);
      if (!row_of_.contains(root)) row_of_.emplace(root, add_row(graph().parts()[part / networks_].name));
      joined[row_of_.at(root)].push_back(part);
    }
    for (const auto& [row, parts] : joined) {
      if (networks_ == 1) rows_[row].name = name_of(parts);
    }
  }

  // The networks that a row is of, with a number where several rows are of the same ones. What the baseline has nothing
  // of keeps its name.
  void name_by_network() {
    std::map<std::string, std::vector<PartRow*>> of;
    for (PartRow& row : rows_) {
      std::set<MemberId> networks;
      for (const UnitId unit : row.cells[baseline_index()].units) networks.insert(graph().network(unit));
      if (networks.empty()) continue;
      std::vector<std::string> names;
      names.reserve(networks.size());
      for (const MemberId network : networks) names.push_back(graph().networks()[network.index()]);
      of[fmt::format("{}", fmt::join(names, " + "))].push_back(&row);
    }
    for (const auto& [name, rows] : of) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i]->name = rows.size() == 1 ? name : fmt::format("{} ({}/{})", name, i + 1, rows.size());
      }
    }
  }

  // For several parts, in order.
  std::string name_of(std::span<const std::size_t> parts) const {
    std::vector<std::string> names;  // of the shown parts that the row has units of
    for (const Part& part : shown_) {
      const bool has = std::ranges::any_of(
          part.units, [&](UnitId unit) { return std::ranges::binary_search(parts, own_part(unit)); });
      if (has) names.push_back(part.name);
    }
    return names.size() == 1 ? names.front() : names.front() + " \u2026 " + names.back();
  }

  // The row that holds most of the units' counterparts; none where none has one.
  std::optional<std::size_t> row_of(std::size_t subject, std::span<const UnitId> units) {
    std::map<std::size_t, std::size_t> votes;
    for (const UnitId unit : units) {
      if (const auto part = part_of(subject, unit)) ++votes[row_of_.at(joined_.lowest(*part))];
    }
    if (votes.empty()) return std::nullopt;
    return std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; })->first;
  }

  // A stage of added units is in the row of most of its part; a part without any counterpart gets a row.
  std::size_t row_of_added(std::size_t subject, UnitId unit) {
    const Graph& own = subjects_[subject].graph();
    const Part& part = own.part(own.unit(unit).part);
    if (const auto row = row_of(subject, part.units)) return *row;
    const auto at = added_.find(part.name);
    return at != added_.end() ? at->second : added_.emplace(part.name, add_row(part.name)).first->second;
  }

  void fill(std::size_t subject) {
    const ScheduleResult& result = subjects_[subject].schedule();
    const std::vector<Latency> times = stage_times(subjects_[subject]);
    for (std::size_t s = 0; s < result.schedule.stages.size(); ++s) {
      const std::vector<UnitId> units = result.schedule.stages[s].units();
      if (units.empty()) continue;
      const auto found = row_of(subject, units);
      const std::size_t row = found ? *found : row_of_added(subject, units.front());
      PartCell& cell = rows_[row].cells[subject];
      cell.units.insert(cell.units.end(), units.begin(), units.end());
      if (times.empty()) continue;
      const Latency latency = told(subjects_[subject], times[s], per_);
      cell.latency += latency.value;
      latencies_[row][subject].push_back(latency);
    }
  }

  void find_differences() {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      for (std::size_t i = 0; i < subjects_.size(); ++i) {
        PartCell& cell = rows_[row].cells[i];
        std::ranges::sort(cell.units);
        DeltaSum sum;
        for (const Latency& latency : latencies_[row][baseline_index()]) sum.add(latency, -1);
        for (const Latency& latency : latencies_[row][i]) sum.add(latency);
        cell.delta = sum.delta();
        cell.delta.value = cell.latency - rows_[row].cells[baseline_index()].latency;
      }
    }
  }

  std::size_t baseline_index() const { return static_cast<std::size_t>(&baseline_ - subjects_.data()); }

  std::span<const Subject> subjects_;
  const Subject& baseline_;
  std::span<const GraphMatch> matches_;
  Per per_;
  std::size_t networks_;
  std::vector<Part> shown_;                    // of one network, as views show them
  Components joined_;                          // parts, or what a network has of one: part · networks + network
  std::map<std::size_t, std::size_t> row_of_;  // by the first of the parts that are joined
  std::map<std::string, std::size_t> added_;   // by name of a part
  std::vector<PartRow> rows_;
  std::vector<std::vector<std::vector<Latency>>> latencies_;  // a row, a subject: what its cell is the sum of
};

using StageTimes = std::vector<std::optional<std::vector<Latency>>>;

// Returns the baseline's time for the units of each stage of the schedule; none for a stage with units that it lacks.
StageTimes baseline_of_stages(const Subject& baseline, const Subject& schedule, const GraphMatch& match) {
  const std::vector<Stage>& stages = schedule.schedule().schedule.stages;
  std::vector<std::optional<std::size_t>> stage_of(schedule.graph().units().size());
  for (std::size_t s = 0; s < stages.size(); ++s) {
    for (const UnitId unit : stages[s].units()) stage_of[unit.index()] = s;
  }
  std::vector<std::optional<std::size_t>> set_of_unit(baseline.graph().units().size());
  for (std::size_t u = 0; u < set_of_unit.size(); ++u) {
    if (const UnitId own = match.units_in_b[u]; own.valid()) set_of_unit[u] = stage_of[own.index()];
  }
  StageTimes times = times_of_sets(baseline, set_of_unit, stages.size());
  for (std::size_t u = 0; u < stage_of.size(); ++u) {
    if (stage_of[u] && !match.units_in_a[u].valid()) times[*stage_of[u]].reset();
  }
  return times;
}

std::vector<std::optional<Delta>> deltas_of(const Subject& baseline, const StageTimes& before, const Subject& schedule,
                                            const std::vector<Latency>& after, Per per) {
  std::vector<std::optional<Delta>> deltas;
  for (std::size_t s = 0; s < after.size(); ++s) {
    if (!before[s]) {
      deltas.emplace_back();
      continue;
    }
    DeltaSum sum;
    for (const Latency& latency : *before[s]) sum.add(told(baseline, latency, per), -1);
    sum.add(told(schedule, after[s], per));
    deltas.emplace_back(sum.delta());
  }
  return deltas;
}

// One step a stage; those that are not known are left to the last step.
std::vector<SavingStep> steps_by_stage(const Subject& baseline, const StageTimes& before, const Subject& schedule,
                                       const std::vector<Latency>& after, Per per,
                                       const std::vector<std::optional<Delta>>& deltas) {
  std::vector<SavingStep> steps;
  for (std::size_t s = 0; s < deltas.size(); ++s) {
    if (!deltas[s]) continue;
    SavingStep& step = steps.emplace_back();
    step.stage = s;
    step.units = schedule.schedule().schedule.stages[s].units();
    std::ranges::sort(step.units);
    for (const Latency& latency : *before[s]) step.before += told(baseline, latency, per).value;
    step.after = told(schedule, after[s], per).value;
    step.delta = *deltas[s];
  }
  return steps;
}

std::vector<SavingStep> steps_by_part(const PartMatrix& matrix) {
  std::vector<SavingStep> steps;
  for (const PartRow& row : matrix.rows) {
    SavingStep& step = steps.emplace_back();
    step.name = row.name;
    step.units = row.cells[1].units;
    step.before = row.cells[0].latency;
    step.after = row.cells[1].latency;
    step.delta = row.cells[1].delta;
  }
  return steps;
}

// The rest, which no other step has.
SavingStep last_step(const WholeDifference& whole, const std::vector<SavingStep>& steps) {
  SavingStep last{.before = whole.a, .after = whole.b, .delta = whole.delta};
  for (const SavingStep& step : steps) {
    last.before -= step.before;
    last.after -= step.after;
    last.delta.value -= step.delta.value;
    // Its noise is that of a difference of everything: where anything errs it is not told.
    if (step.delta.noise != Millis{0}) last.delta.noise.reset();
  }
  return last;
}

constexpr std::size_t kMostParts = 3;
constexpr double kMostOfIt = 0.7;          // parts are named until they hold so much of what goes the same way
constexpr double kShownDifference = 5e-4;  // relative; less is the same to people
constexpr double kToldRatio = 1.005;       // smaller ratios would read 1.00

// The fastest but the baseline, a sample, of those within their memory limits, if any is. A comparison's best() comes
// before what is as fast, and in one comparison before all.
std::size_t fastest_other(std::span<const Subject> subjects, const PartMatrix& matrix) {
  std::size_t best = matrix.baseline == 0 ? 1 : 0;
  const bool one = std::ranges::all_of(
      subjects, [&](const Subject& each) { return each.comparison == subjects.front().comparison; });
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    if (i == matrix.baseline) continue;
    const auto rank = [&](std::size_t at) {
      const bool is_best = subjects[at].result == subjects[at].comparison->best();
      return std::tuple(subjects[at].fits(), one && is_best, matrix.whole[at].speedup.value, is_best);
    };
    if (rank(i) > rank(best)) best = i;
  }
  return best;
}

Finding::Kind kind_of(const Speedup& speedup) {
  if (std::abs(speedup.value - 1) <= kShownDifference) return Finding::Kind::kSame;
  if (!speedup.known()) return Finding::Kind::kUnknown;
  if (speedup.within_noise()) return Finding::Kind::kSame;
  return speedup.value > 1 ? Finding::Kind::kFaster : Finding::Kind::kBaseline;
}

std::vector<std::size_t> ties_of(std::span<const Subject> subjects, const PartMatrix& matrix, std::size_t chosen) {
  const Subject& subject = subjects[chosen];
  const Comparison& own = *subject.comparison;
  const bool drawn = subject.result == own.best() && subject.schedule().sensitivity;
  const std::vector<std::size_t> by_draws = drawn ? ties_with_best(own) : std::vector<std::size_t>();
  std::vector<std::size_t> ties;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    const Subject& other = subjects[i];
    if (i == chosen || i == matrix.baseline || other.graph().name() != subject.graph().name()) continue;
    const bool tied =
        drawn && other.comparison == subject.comparison
            ? std::ranges::find(by_draws, other.result) != by_draws.end()
            : other.fits() && kind_of(whole_difference(subject, other, matrix.per).speedup) == Finding::Kind::kSame;
    if (tied) ties.push_back(i);
  }
  return ties;
}

// Finds where most of the difference in the direction of the whole lies.
void find_parts(const PartMatrix& matrix, Finding& finding) {
  const Millis whole = matrix.whole[finding.subject].delta.value;
  const Verdict way = whole < Millis{0} ? Verdict::kFaster : Verdict::kSlower;
  const auto delta = [&](std::size_t row) { return matrix.rows[row].cells[finding.subject].delta; };
  std::vector<std::size_t> rows;
  Millis same_way{0};
  for (std::size_t row = 0; row < matrix.rows.size(); ++row) {
    if (delta(row).verdict() != way) continue;
    rows.push_back(row);
    same_way += delta(row).value;
  }
  std::ranges::stable_sort(rows, std::greater<>{}, [&](std::size_t row) { return std::abs(delta(row).value.count()); });
  for (const std::size_t row : rows) {
    if (finding.parts.size() == kMostParts || finding.in_parts / same_way >= kMostOfIt) break;
    finding.parts.push_back(row);
    finding.in_parts += delta(row).value;
  }
  const double share = finding.in_parts / whole;
  if (!finding.parts.empty() && share <= 1) finding.share = share;
}

std::string millis(Millis value) {
  const double ms = value.count();
  return fmt::format("{:.{}f}", ms, ms < 0.1 ? 4 : ms < 1 ? 3 : ms < 10 ? 2 : ms < 100 ? 1 : 0);
}

std::string label(const Subject& subject) { return printable(subject.label); }

// "2.85 → 1.76 ms, simulated", with both origins where they differ.
std::string latencies(const Subject& baseline, const Subject& subject, Per per) {
  const Millis before = told(baseline, baseline.schedule().latency, per).value;
  const Millis after = told(subject, subject.schedule().latency, per).value;
  const std::string_view unit = per == Per::kSample ? "ms per sample" : "ms";
  const std::string of_before = printable(origin_words(baseline));
  const std::string of_after = printable(origin_words(subject));
  if (of_before == of_after) return fmt::format("{} → {} {}, {}", millis(before), millis(after), unit, of_after);
  return fmt::format("{} {} {} → {} {} {}", millis(before), unit, of_before, millis(after), unit, of_after);
}

std::string names(const PartMatrix& matrix, const std::vector<std::size_t>& rows) {
  std::vector<std::string> list;
  list.reserve(rows.size());
  for (const std::size_t row : rows) list.push_back(printable(matrix.rows[row].name));
  if (list.size() == 1) return list.front();
  const std::string last = list.back();
  list.pop_back();
  return fmt::format("{} and {}", fmt::join(list, ", "), last);
}

std::string parts_clause(const PartMatrix& matrix, const Finding& finding) {
  if (finding.parts.empty() || finding.parts.size() == matrix.rows.size()) return {};  // nowhere in particular
  const std::string where = fmt::format("{} of {} parts", finding.parts.size(), matrix.rows.size());
  if (finding.share) {
    return fmt::format(" {:.0f} % of the difference lies in {}: {}.", *finding.share * 100, where,
                       names(matrix, finding.parts));
  }
  return fmt::format(" {} {} {} ms, more than the whole because other parts go the other way: {}.", where,
                     finding.in_parts < Millis{0} ? "win" : "lose", millis(Millis(std::abs(finding.in_parts.count()))),
                     names(matrix, finding.parts));
}

std::string cautions(std::span<const Subject> subjects, const Finding& finding) {
  std::string text;
  const Subject& baseline = subjects[finding.baseline];
  const Subject& subject = subjects[finding.subject];
  if (!subject.fits()) text += fmt::format(" {} is over the memory limit.", label(subject));
  if (finding.networks_differ) text += " The networks are not the same.";
  if (finding.origins_differ) text += " One number is a model's, the other a measurement's.";
  if (finding.batches_differ) {
    text += fmt::format(" Batches of {} and {} are compared per sample.", baseline.comparison->batch,
                        subject.comparison->batch);
  }
  return text;
}

std::string claim(std::span<const Subject> subjects, const Finding& finding) {
  const Subject& baseline = subjects[finding.baseline];
  const Subject& subject = subjects[finding.subject];
  const std::string numbers = latencies(baseline, subject, finding.per);
  switch (finding.kind) {
    case Finding::Kind::kFaster:
      if (finding.ratio < kToldRatio) {
        return fmt::format("{} is a little faster than {} ({})", label(subject), label(baseline), numbers);
      }
      return fmt::format("{} is {:.2f}× as fast as {} ({})", label(subject), finding.ratio, label(baseline), numbers);
    case Finding::Kind::kBaseline:
      return fmt::format("{}{} takes {:.{}f}× as long as {} ({})",
                         finding.fastest ? "Nothing is faster than the baseline: " : "", label(subject),
                         1 / finding.ratio, 1 / finding.ratio < kToldRatio ? 4 : 2, label(baseline), numbers);
    case Finding::Kind::kSame:
      return fmt::format(
          "{} is as fast as {}{} ({})", label(subject), label(baseline),
          subject.schedule().latency.spread + baseline.schedule().latency.spread > Millis{0} ? " within the noise" : "",
          numbers);
    case Finding::Kind::kUnknown:
      return fmt::format("Too few runs to tell {} from {} ({})", label(subject), label(baseline), numbers);
    case Finding::Kind::kNothing: break;
  }
  return {};
}

}  // namespace

std::vector<GraphMatch> match_with_all(std::span<const Subject> subjects, std::size_t baseline) {
  std::vector<GraphMatch> matches;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    // Runs often share a graph.
    const auto known = std::ranges::find(subjects.first(i), subjects[i].comparison->graph,
                                         [](const Subject& other) { return other.comparison->graph; });
    if (known != subjects.begin() + static_cast<std::ptrdiff_t>(i)) {
      matches.push_back(matches[static_cast<std::size_t>(known - subjects.begin())]);
    } else {
      matches.push_back(match_graphs(subjects[baseline].graph(), subjects[i].graph()));
    }
  }
  return matches;
}

PartMatrix part_matrix(std::span<const Subject> subjects, std::size_t baseline, std::span<const GraphMatch> matches,
                       std::optional<Per> told_per) {
  IOS_CHECK(baseline < subjects.size() && std::ranges::all_of(subjects, &Subject::valid));
  IOS_CHECK(matches.size() == subjects.size());
  const Per per = told_per.value_or(per_of(subjects));
  PartMatrix matrix{.per = per,
                    .baseline = baseline,
                    .rows = PartRows(subjects, baseline, matches, per).rows(),
                    .has_times = {},
                    .between_stages = {},
                    .rest = {},
                    .whole = {}};
  for (const Subject& subject : subjects) {
    const ScheduleResult& result = subject.schedule();
    const std::vector<Latency> times = stage_times(subject);
    matrix.has_times.push_back(!times.empty());
    matrix.between_stages.push_back(subject.has_stages() ? result.between_stages * share(subject, per) : Millis{0});
    Millis stages{0};
    for (const Latency& latency : times) stages += told(subject, latency, per).value;
    matrix.whole.push_back(whole_difference(subjects[baseline], subject, per));
    matrix.rest.push_back(matrix.whole.back().b - stages - matrix.between_stages.back());
  }
  return matrix;
}

std::vector<std::optional<Delta>> stage_savings(const Subject& baseline, const Subject& schedule,
                                                const GraphMatch& match, Per per) {
  const std::vector<Latency> after = stage_times(schedule);
  if (after.empty() || stage_times(baseline).empty()) return {};
  return deltas_of(baseline, baseline_of_stages(baseline, schedule, match), schedule, after, per);
}

std::optional<SavingSteps> saving_steps(const Subject& baseline, const Subject& schedule, std::optional<Per> per) {
  const std::vector<Latency> after = stage_times(schedule);
  if (after.empty() || stage_times(baseline).empty()) return std::nullopt;
  const std::array subjects{baseline, schedule};
  const std::vector<GraphMatch> matches = match_with_all(subjects, 0);
  const PartMatrix matrix = part_matrix(subjects, 0, matches, per);
  SavingSteps found{.per = matrix.per, .whole = matrix.whole[1]};
  found.traced = !baseline.has_stages() || !schedule.has_stages();
  const StageTimes before = baseline_of_stages(baseline, schedule, matches[1]);
  found.stages = deltas_of(baseline, before, schedule, after, matrix.per);
  if (matrix.rows.size() == 1)
    found.steps = steps_by_stage(baseline, before, schedule, after, matrix.per, found.stages);
  if (found.steps.empty()) found.steps = steps_by_part(matrix);
  found.steps.push_back(last_step(found.whole, found.steps));
  return found;
}

Finding find_out(std::span<const Subject> subjects, const PartMatrix& matrix, std::optional<std::size_t> of) {
  Finding finding{.baseline = matrix.baseline, .subject = matrix.baseline, .parts = {}, .share = {}};
  if (subjects.size() < 2) return finding;
  const std::size_t fastest = fastest_other(subjects, matrix);
  finding.subject = of.value_or(fastest);
  finding.fastest = finding.subject == fastest;
  for (std::size_t i = 0; i < subjects.size(); ++i) {  // a faster one is over its memory limit
    if (i != matrix.baseline && matrix.whole[i].speedup.value > matrix.whole[fastest].speedup.value) {
      finding.fastest = false;
    }
  }
  const Subject& baseline = subjects[finding.baseline];
  const Subject& subject = subjects[finding.subject];
  const Speedup speedup = matrix.whole[finding.subject].speedup;
  finding.kind = kind_of(speedup);
  finding.ratio = speedup.value;
  finding.batches_differ = baseline.comparison->batch != subject.comparison->batch;
  finding.per = matrix.per;
  finding.networks_differ = baseline.graph().name() != subject.graph().name() ||
                            baseline.graph().operators().size() != subject.graph().operators().size();
  const auto simulated = [](const Subject& one) { return is_modelled(one.schedule().latency.origin); };
  finding.origins_differ = simulated(baseline) != simulated(subject);
  const bool alike = !finding.networks_differ && !finding.batches_differ && &baseline != &subject &&
                     baseline.comparison->device.fingerprint == subject.comparison->device.fingerprint;
  if (alike && baseline.comparison->knows_latencies() && subject.comparison->knows_latencies())
    finding.why = why(baseline.schedule().trace, subject.schedule().trace);
  if (finding.kind == Finding::Kind::kFaster) finding.ties = ties_of(subjects, matrix, finding.subject);
  const bool told = finding.kind == Finding::Kind::kFaster || finding.kind == Finding::Kind::kBaseline;
  const bool stages = matrix.has_times[finding.baseline] && matrix.has_times[finding.subject];
  if (told && stages) find_parts(matrix, finding);
  return finding;
}

std::string finding_sentence(std::span<const Subject> subjects, const PartMatrix& matrix, const Finding& finding) {
  const auto unknown = [](const Subject& subject) { return subject.valid() && !subject.comparison->knows_latencies(); };
  if (const auto found = std::ranges::find_if(subjects, unknown); found != subjects.end())
    return fmt::format("The latency of {} is unknown, because the cost of an operator is.", printable(found->label));
  if (subjects.empty()) return "Nothing to compare yet.";
  if (finding.kind == Finding::Kind::kNothing) {
    const Subject& only = subjects.front();
    return fmt::format("{} takes {} ms ({}).", label(only), millis(only.schedule().latency.value),
                       printable(origin_words(only)));
  }
  const std::string because = finding.why ? fmt::format(" Why: {}.", why_text(*finding.why)) : std::string();
  std::vector<std::string> ties;
  for (const std::size_t tie : finding.ties) ties.push_back(label(subjects[tie]));
  const std::string tied = ties.empty() ? std::string() : fmt::format(", tied with {}", fmt::join(ties, ", "));
  return claim(subjects, finding) + tied + '.' + because + parts_clause(matrix, finding) + cautions(subjects, finding);
}

}  // namespace iosx
