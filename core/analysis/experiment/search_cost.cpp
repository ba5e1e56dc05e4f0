#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "core/analysis/experiment/lab.h"
#include "core/base/progress.h"
#include "core/search/prepare.h"

namespace iosx {
namespace {

// A source with the latencies of another one, but without earlier searches: each search starts anew.
class Afresh final : public LatencySource {
 public:
  explicit Afresh(LatencySource& source) : source_(source) {}

  Result<std::vector<Latency>> stage_latencies(std::span<const Stage> stages, const JobContext& job) override {
    return source_.stage_latencies(stages, job);
  }
  Result<std::vector<Latency>> refined_latencies(std::span<const Stage> stages, const JobContext& job) override {
    return source_.refined_latencies(stages, job);
  }
  bool estimates_quickly() const override { return source_.estimates_quickly(); }
  InterStageOverhead overhead() const override { return source_.overhead(); }
  void start_tally() override { source_.start_tally(); }
  StageTally tally() const override { return source_.tally(); }

 private:
  LatencySource& source_;
};

// Unknown values stay unknown.
std::optional<double> percent(std::optional<double> part) { return part ? std::optional(100 * *part) : std::nullopt; }

class SearchCost {
 public:
  explicit SearchCost(Lab& lab) : lab_(lab), result_(lab.result()), device_(lab.devices().front()) {
    result_.factors = {{"ending_rule", said("ending rule")}, {"search", said("search")}};
    result_.measures = {{"cost_ms", said("schedule"), "ms", 4},
                        {"loss_percent", said("loss"), "%", 3},
                        {"stages_needed", said("stages needed"), "", 0},
                        {"share_percent", "of all", "%", 2},
                        {"stages_measured", said("measured"), "", 0, true},
                        {"certified_gap_percent", said("certified gap"), "%", 1},
                        {"estimated_gap_percent", said("estimated gap"), "%", 1},
                        {"seconds", said("search"), "s", 2}};
  }

  Result<void> run() && {
    for (const EndingRule rule : {EndingRule::kConnected, EndingRule::kSingleRoot}) {
      if (auto done = run(rule); !done || !result_.complete) return done;
    }
    return {};
  }

 private:
  Result<void> run(EndingRule rule) {
    SearchOptions options = lab_.options().compare.search;
    options.rule = rule;
    IOS_TRY(auto graph, prepare(lab_.graph(), options, lab_.options().compare.max_part_size, kPartBudget, lab_.job()));
    DeviceLatencySource judge = source_of(graph);
    options.method = SearchMethod::kExhaustive;
    options.effort = {};
    const auto optimum = try_one(graph, judge, judge, options, "exhaustive");
    if (!optimum || !*optimum) return optimum.map([](const auto&) {});
    add(rule, "exhaustive", **optimum, **optimum);
    options.method = SearchMethod::kLazy;
    options.effort = lab_.options().compare.search.effort;
    for (std::uint64_t seed = 1; seed <= lab_.options().seeds; ++seed) {
      DeviceLatencySource own = source_of(graph);
      Afresh asked(own);
      options.effort.seed = seed;
      const std::string name = fmt::format("lazy, seed {}", seed);
      const auto trial = try_one(graph, asked, judge, options, name);
      if (!trial || !*trial) return trial.map([](const auto&) {});
      add(rule, name, **trial, **optimum);
    }
    for (Message& notice : judge.take_notices()) lab_.tell(std::move(notice));
    return {};
  }

  DeviceLatencySource source_of(const Graph& graph) const {
    return {graph, *device_.device, lab_.options().compare.batch, lab_.options().compare.timing, device_.keeping};
  }

  // None, and the result is incomplete, where a stop came before its end.
  Result<std::optional<SearchTrial>> try_one(const Graph& graph, LatencySource& asked, LatencySource& judge,
                                             const SearchOptions& options, const std::string& name) {
    auto trial =
        try_search(graph, asked, judge, options, named(lab_.job(), fmt::format("{}, {}", word_of(options.rule), name)));
    const bool stopped = lab_.job().stopped() && (!trial || !trial->found.complete);
    if (stopped) {
      lab_.cut_short();
      return std::nullopt;
    }
    if (!trial) return tl::unexpected(std::move(trial.error()));
    return std::optional(std::move(*trial));
  }

  void add(EndingRule rule, const std::string& name, const SearchTrial& trial, const SearchTrial& optimum) {
    const std::optional<LazyReport>& lazy = trial.found.lazy;
    const auto needed = static_cast<double>(trial.found.tally.needed);
    const auto all = static_cast<double>(optimum.found.tally.needed);
    Trial row{.levels = {std::string(word_of(rule)), name},
              .values = {trial.cost.count(), 100 * (trial.cost / optimum.cost - 1), needed, 100 * needed / all,
                         static_cast<double>(trial.found.tally.measured), percent(lazy ? lazy->certified_gap : 0.0),
                         percent(lazy ? lazy->estimated_gap : 0.0), seconds_of(trial.found)},
              .origin = device_.device->info().origin};
    if (lazy) {
      for (const SearchMoment& moment : lazy->history) {
        row.course.push_back({static_cast<double>(moment.needed), moment.best.count()});
      }
    }
    result_.trials.push_back(std::move(row));
    lab_.note_budget(trial.found, fmt::format("{}, {}", word_of(rule), name));
  }

  Lab& lab_;
  ExperimentResult& result_;
  const ExperimentDevice& device_;
};

struct PruningRow {
  Pruning pruning;
  FoundSchedule found;
};

bool was_lazy(const PruningRow& row) { return row.found.search.lazy.has_value(); }

// Runs all searches by one method, because otherwise their costs do not compare: the requested one; automatic is lazy
// where the device measures, and where one of them cannot be exhaustive. After a stop it returns the finished ones.
Result<std::vector<PruningRow>> find_all(Lab& lab) {
  const ExperimentOptions& options = lab.options();
  std::vector<Pruning> prunings;
  for (const std::size_t s : options.s) {
    for (const std::size_t r : options.r) prunings.push_back({.r = r, .s = s});
  }
  SearchOptions search = options.compare.search;
  const bool measures = !is_modelled(lab.devices().front().device->info().origin);
  if (search.method == SearchMethod::kAutomatic && measures) search.method = SearchMethod::kLazy;
  const auto find = [&](std::size_t number) {
    search.pruning = prunings[number];
    const std::string name =
        fmt::format("r = {}, s = {} ({} of {})", search.pruning.r, search.pruning.s, number + 1, prunings.size());
    return lab.find(lab.setting(name), search);
  };
  std::vector<PruningRow> rows;
  for (std::size_t i = 0; i < prunings.size(); ++i) {
    IOS_TRY(auto found, find(i));
    if (!found) break;
    rows.push_back({prunings[i], std::move(*found)});
    if (was_lazy(rows.back())) search.method = SearchMethod::kLazy;
  }
  if (std::ranges::none_of(rows, was_lazy)) return rows;
  for (std::size_t i = 0; i < rows.size() && !was_lazy(rows[i]); ++i) {  // these came before the first lazy one
    IOS_TRY(auto found, find(i));
    if (!found) break;
    rows[i].found = std::move(*found);
  }
  std::erase_if(rows, std::not_fn(was_lazy));
  return rows;
}

Trial trial_of(const PruningRow& row, const ScheduleResult& run) {
  const SearchResult& search = row.found.search;
  std::int64_t transitions = 0;
  for (const PartSummary& part : search.parts) transitions += part.transitions;
  return {.levels = {fmt::format("{}", row.pruning.r), fmt::format("{}", row.pruning.s)},
          .values = {run.latency.value.count(), run.latency.spread.count(), seconds_of(search),
                     static_cast<double>(search.tally.needed), static_cast<double>(search.tally.measured),
                     static_cast<double>(transitions)},
          .origin = run.latency.origin};
}

}  // namespace

Result<SearchTrial> try_search(const Graph& graph, LatencySource& asked, LatencySource& judge,
                               const SearchOptions& options, const JobContext& job) {
  IOS_TRY(auto found, search(graph, asked, options, job));
  SearchTrial trial{.found = std::move(found)};
  const Schedule& schedule = trial.found.schedule;
  IOS_TRY(const auto latencies, judge.refined_latencies(schedule.stages, job));
  if (latencies.size() < schedule.stages.size()) {
    trial.found.complete = false;
    return trial;
  }
  trial.cost = judge.overhead().sum(schedule);
  for (const Latency& latency : latencies) trial.cost += latency.value;
  return trial;
}

Result<void> try_search(Lab& lab) { return SearchCost(lab).run(); }

Result<void> try_pruning(Lab& lab) {
  ExperimentResult& result = lab.result();
  result.factors = {{"r", "r", true}, {"s", "s", true}};
  result.measures = {latency_measure(),
                     spread_measure(),
                     {"search_seconds", said("search"), "s", 3},
                     {"stages_needed", said("stages needed"), "", 0},
                     {"stages_measured", said("stages measured"), "", 0, true},
                     {"transitions", said("transitions"), "", 0}};
  IOS_TRY(auto rows, find_all(lab));
  if (rows.empty()) return {};
  result.method = was_lazy(rows.front()) ? SearchMethod::kLazy : SearchMethod::kExhaustive;
  if (result.method == SearchMethod::kLazy) {
    result.notices.push_back(
        message("All these searches were lazy and needed few stages, however many r and s allow; an exhaustive search "
                "needs all of them"));
  }
  std::vector<FoundSchedule> found;
  for (const PruningRow& row : rows) {
    found.push_back(row.found);
    lab.note_budget(row.found.search, fmt::format("r = {}, s = {}", row.pruning.r, row.pruning.s));
  }
  IOS_TRY(const auto together, lab.compare(lab.setting("side by side"), found));
  // A stop leaves some out.
  const std::span<const ScheduleResult> runs(together.results.data(), std::min(found.size(), together.results.size()));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    result.trials.push_back(trial_of(rows[i], runs[i]));
    result.trials.back().best = none_faster(runs[i], fastest_of(runs));
  }
  return {};
}

}  // namespace iosx
