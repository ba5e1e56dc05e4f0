#include <fmt/format.h>

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
    SearchOptions options = lab_.options().search;
    options.rule = rule;
    IOS_TRY(auto graph, prepare(lab_.graph(), options, lab_.options().max_part_size, kPartBudget, lab_.job()));
    DeviceLatencySource judge = source_of(graph);
    options.method = SearchMethod::kExhaustive;
    options.effort = {};
    const auto optimum = try_one(graph, judge, judge, options, "exhaustive");
    if (!optimum || !*optimum) return optimum.map([](const auto&) {});
    add(rule, "exhaustive", **optimum, **optimum);
    options.method = SearchMethod::kLazy;
    options.effort = lab_.options().search.effort;
    for (std::uint64_t seed = 1; seed <= lab_.options().seeds; ++seed) {
      DeviceLatencySource own = source_of(graph);
      Afresh asked(own);
      options.effort.seed = seed;
      const std::string name = fmt::format("lazy, seed {}", seed);
      const auto trial = try_one(graph, asked, judge, options, name);
      if (!trial || !*trial) return trial.map([](const auto&) {});
      add(rule, name, **trial, **optimum);
    }
    tell(judge);
    return {};
  }

  DeviceLatencySource source_of(const Graph& graph) const {
    return {graph, *device_.device, lab_.options().batch, lab_.options().timing, device_.keeping};
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

  void tell(DeviceLatencySource& source) {
    for (Message& notice : source.take_notices()) result_.notices.push_back(std::move(notice));
  }

  Lab& lab_;
  ExperimentResult& result_;
  const ExperimentDevice& device_;
};

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

}  // namespace iosx
