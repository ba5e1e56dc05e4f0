#include "core/analysis/compare/make_schedules.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "core/analysis/compare/reliability.h"
#include "core/base/progress.h"
#include "core/model/graph/networks.h"
#include "core/model/schedule/schedule.h"
#include "core/search/baseline.h"
#include "core/search/crossing.h"
#include "core/search/prepare.h"
#include "core/search/search.h"

namespace iosx {
namespace {

class Maker {
 public:
  Maker(Comparison& comparison, const Graph& given, const CompareOptions& options, StageLatencySource& source,
        const JobContext& job, const CompareListener& listener)
      : comparison_(comparison), given_(given), options_(options), source_(source), job_(job), listener_(listener) {}

  Result<void> make_all() {
    for (const std::size_t turn : in_order_of_making()) {
      turn_ = turn;
      if (auto made = make(row_of(options_.schedule_kinds[turn])); !made) return made;
    }
    turn_ = options_.schedule_kinds.size();
    for (const GivenSchedule& given : options_.given) add(given.schedule_kind, given.schedule).lanes = given.lanes;
    for (const ScheduleKindRow& row : schedule_table()) {
      if (row.of_several && !has_independent_networks(given_)) continue;
      if (!row.baseline() || row.on_request || comparison_.find(row.schedule_kind) != nullptr) continue;
      if (auto made = make(row); !made) return made;
      comparison_.results.back().asked = false;
    }
    if (auto refined = refine(); !refined) return refined;
    put_in_order();
    return {};
  }

 private:
  // Returns the indices of the requested kinds with stages; those without are made once these have run. The search with
  // the most possible stages is the first: it finds the most if a stop or a limit ends the others.
  std::vector<std::size_t> in_order_of_making() const {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < options_.schedule_kinds.size(); ++i) {
      if (!row_of(options_.schedule_kinds[i]).barrier_free) order.push_back(i);
    }
    std::ranges::stable_sort(order, {}, [&](std::size_t i) {
      const auto& strategies = row_of(options_.schedule_kinds[i]).strategies;
      return strategies ? (strategies == StrategySet::kBoth ? 1 : 2) : 0;
    });
    return order;
  }

  // Puts the results in the order in which they were requested.
  void put_in_order() {
    std::vector<std::pair<std::size_t, ScheduleResult>> sorted;
    for (std::size_t i = 0; i < turns_.size(); ++i) {
      sorted.emplace_back(turns_[i], std::move(comparison_.results[i]));
    }
    std::ranges::stable_sort(sorted, {}, [](const auto& each) { return each.first; });
    for (std::size_t i = 0; i < sorted.size(); ++i) comparison_.results[i] = std::move(sorted[i].second);
  }

  ScheduleResult& add(ScheduleKind schedule_kind, const Schedule& schedule) {
    turns_.push_back(turn_);
    return comparison_.add(schedule_kind, source_.planner().canonical(schedule));
  }

  Result<void> make(const ScheduleKindRow& row) {
    if (row.strategies) return find(row);
    add(row.schedule_kind, baseline(row.schedule_kind));
    return {};
  }

  const Schedule& baseline(ScheduleKind kind) {
    const auto [at, is_new] = baselines_.try_emplace(kind);
    if (!is_new) return at->second;
    const bool known = kind == ScheduleKind::kSequential && has_default_parts() && !has_independent_networks(given_);
    at->second = known ? row_of(kind).make_baseline(*comparison_.graph, options_.max_streams)
                       : made_baseline(kind, given_, options_.max_streams, job_);
    return at->second;
  }

  // Returns whether the searched parts are those of made_baseline(), which take long to find in a wide graph.
  bool has_default_parts() const {
    const SearchOptions& search = options_.search;
    return search.rule == SearchOptions().rule && search.pruning == Pruning() && search.effort.budget <= Seconds(0) &&
           !options_.warm_start && options_.max_part_size == kDefaultMaxPartSize;
  }

  Result<void> find(const ScheduleKindRow& row) {
    if (job_.stopped()) {
      comparison_.complete = false;
      return {};
    }
    IOS_TRY(auto found, search_for(row));
    if (options_.search.effort.epsilon && found.lazy && !found.lazy->joined.empty()) {
      note_once(message("The gap of a part that is too large to list cannot be closed: {} was left aside.",
                        info_of(&SearchEffort::epsilon).flag()));
    }
    comparison_.complete = comparison_.complete && found.complete;
    if (!found.complete && found.solved_parts == 0) return {};  // nothing but sequential stages
    ScheduleResult& result = add(row.schedule_kind, found.schedule);
    result.search = std::move(found);
    if (listener_.found) listener_.found(row.schedule_kind, result.schedule);
    searches_.emplace_back(comparison_.results.size() - 1, -1);
    return {};
  }

  void note_once(Message sentence) {
    if (std::ranges::find(comparison_.notices, sentence) != comparison_.notices.end()) return;
    comparison_.notices.push_back(std::move(sentence));
  }

  Result<SearchResult> search_for(const ScheduleKindRow& row) {
    SearchOptions options = options_.search;
    options.strategies = *row.strategies;
    SearchWatch watch;
    if (listener_.watch) {
      watch = [&, schedule_kind = row.schedule_kind](const SearchMoment& moment, std::span<const SearchTask> tasks,
                                                     const Schedule* better) {
        listener_.watch(schedule_kind, moment, tasks, better);
      };
    }
    const JobContext job = named(job_, std::string(row.title));
    const bool warm = options_.warm_start && row.schedule_kind == widest();
    IOS_TRY(auto found, warm ? search_from(*options_.warm_start, row, options, job, watch)
                             : search(*comparison_.graph, source_, options, job, watch));
    refined_ = source_.refined();
    if (!job_.stopped()) {
      IOS_TRY(cross_baselines(row, found));
    }
    if (found.warm_start) {
      IOS_TRY(const auto parts, prepare(given_, options, options_.max_part_size, kPartBudget, job));
      found.warm_start->beyond = beyond_search(parts, found.schedule, options);
      std::erase_if(found.warm_start->beyond,
                    [&](const StageBeyond& each) { return is_crossed(found.schedule.stages[each.stage]); });
    }
    return found;
  }

  bool is_crossed(const Stage& stage) const {
    return may_cross(stage, options_.search) && std::ranges::any_of(baselines_, [&](const auto& each) {
             return std::ranges::find(each.second.stages, stage) != each.second.stages.end();
           });
  }

  // Takes what is better of sequential and greedy: no search is slower than these, whatever its stages are.
  Result<void> cross_baselines(const ScheduleKindRow& row, SearchResult& found) {
    const std::array others{baseline(ScheduleKind::kSequential), baseline(ScheduleKind::kGreedy)};
    IOS_TRY(const auto faster, cross(*comparison_.graph, others, source_, options_.search, found, job_));
    for (const std::string& name : faster) {
      const auto other = std::ranges::find(schedule_table(), name, &ScheduleKindRow::id);
      note_once(message("{} is slower than {}: the limit s does not allow so many groups in a stage.", row.title,
                        other->title));
    }
    return {};
  }

  // Returns the requested search with the most possible stages: it gets the warm start, so that the others show the
  // value of their kind of stage.
  std::optional<ScheduleKind> widest() const {
    std::optional<ScheduleKind> found;
    for (const ScheduleKind schedule_kind : options_.schedule_kinds) {
      if (row_of(schedule_kind).strategies && (!found || row_of(schedule_kind).strategies == StrategySet::kBoth))
        found = schedule_kind;
    }
    return found;
  }

  Result<SearchResult> search_from(const Schedule& start, const ScheduleKindRow& row, const SearchOptions& options,
                                   const JobContext& job, const SearchWatch& watch) {
    IOS_TRY(auto improved, improve(*comparison_.graph, start, source_, improving(options, start, {}), job, watch));
    improved.found.schedule.name = row.id;
    return std::move(improved.found);
  }

  // More is known since a search chose, by others or for a schedule without a search. So each chooses again, until
  // nothing more is refined: the same search from a store then chooses the same.
  Result<void> refine() {
    constexpr int kMostTurns = 5;
    if (!source_.estimates_quickly()) return {};
    for (const ScheduleResult& result : comparison_.results) {
      if (result.search) continue;
      IOS_TRY(source_.refined_latencies(result.schedule.stages, job_));
    }
    for (int turn = 0; turn < kMostTurns; ++turn) {
      bool any = false;
      for (auto& [index, refined] : searches_) {
        const std::optional<LazyReport>& lazy = comparison_.results[index].search->lazy;
        if (refined == source_.refined() || job_.stopped() || (lazy && lazy->out_of_budget)) continue;
        any = true;
        if (auto again = choose_again(comparison_.results[index]); !again) return again;
        refined = refined_;
      }
      if (!any) break;
    }
    return {};
  }

  // The search that chooses again predicts and plans nothing; how it came to what it knows is the first one's story.
  static void keep_what_was_learned(const SearchResult& first, LazyReport& again) {
    const LazyReport& before = *first.lazy;
    if (again.predicted == 0) {
      again.predicted = before.predicted;
      again.median_error = before.median_error;
      again.large_error = before.large_error;
    }
    std::vector<SearchMoment> history = before.history;
    for (SearchMoment moment : again.history) {
      moment.elapsed += first.elapsed;
      history.push_back(moment);
    }
    again.history = std::move(history);
  }

  Result<void> choose_again(ScheduleResult& result) {
    IOS_TRY(auto again, search_for(row_of(result.schedule_kind)));
    if (!again.complete) return {};
    if (again.lazy && result.search->lazy) keep_what_was_learned(*result.search, *again.lazy);
    again.tally.measured += result.search->tally.measured;
    again.elapsed += result.search->elapsed;
    result.schedule = source_.planner().canonical(again.schedule);
    result.search = std::move(again);
    return {};
  }

  Comparison& comparison_;
  const Graph& given_;
  const CompareOptions& options_;
  StageLatencySource& source_;
  const JobContext& job_;
  const CompareListener& listener_;
  std::map<ScheduleKind, Schedule> baselines_;                  // once made
  std::size_t turn_ = 0;                                        // of the requested kinds, which is being made
  std::vector<std::size_t> turns_;                              // by result: its turn_
  std::int64_t refined_ = 0;                                    // source_.refined() when the last search chose
  std::vector<std::pair<std::size_t, std::int64_t>> searches_;  // index of the result, refined_ when it chose again
};

bool asks_for_all(const CompareOptions& options) {
  return std::ranges::any_of(kStrategySets, [&](StrategySet strategies) {
    return std::ranges::all_of(schedule_kinds_within(strategies), [&](ScheduleKind kind) {
      return std::ranges::find(options.schedule_kinds, kind) != options.schedule_kinds.end();
    });
  });
}

DeviceInfo recorded_device(const MeasurementSet& set) {
  DeviceInfo info;
  info.id = set.device_id;
  info.name = set.device_name;
  info.summary = "stage latencies of earlier runs";
  info.fingerprint = set.fingerprint;
  info.origin = set.origin == Origin::kSimulated ? Origin::kSimulated : Origin::kRecorded;
  info.lowering = set.terms->lowering;
  info.overhead = set.terms->overhead;
  info.precision = set.precision;
  return info;
}

}  // namespace

Result<void> check_options(const Graph& graph, const CompareOptions& options) {
  if (auto valid = check_batch(options.batch); !valid) return valid;
  if (options.quick && (options.search != SearchOptions() || options.warm_start)) {
    return fail(message("searches no stages, so it takes no options of a search"),
                info_of(&CompareOptions::quick).flag(), message("leave them out"));
  }
  CompareOptions values = options;
  for (const BoundOption& option : options_of(values, use::kAll)) {
    const OptionValue value = option.get();
    if (allowed(option, value)) continue;
    return fail(message("is out of bounds: {}", value_text(*option.info, value)), option.info->flag(),
                message("give {}", allowed_text(option)));
  }
  if (options.schedule_kinds.empty() && options.given.empty())
    return fail(message("no schedule to compare"), "schedules");
  for (const ScheduleKind schedule_kind : options.schedule_kinds) {
    const ScheduleKindRow& row = row_of(schedule_kind);
    if (row.given()) {
      return fail(message("'{}' cannot be made from the graph", row.id), "schedules",
                  message("give the schedule itself"));
    }
    if (row.of_several && !has_independent_networks(graph)) {
      return fail(message("'{}' needs several networks, but '{}' is one", row.id, graph.name()), "schedules",
                  message("give several networks, NETWORK+NETWORK, or another schedule"));
    }
  }
  for (const GivenSchedule& given : options.given) {
    if (auto legal = check_legal(graph, given.schedule); !legal) return legal;
  }
  if (options.earlier) {
    if (auto legal = check_legal(graph, options.earlier->schedule); !legal) return legal;
  }
  return options.warm_start ? check_legal(graph, *options.warm_start) : Result<void>();
}

Error runs_stages_only(const DeviceInfo& device, const std::string& schedule) {
  return {message("{} runs only stages, but '{}' has none", device.name, schedule), "schedules",
          message("choose a schedule with stages, or another device")};
}

void add_those_of_several(CompareOptions& options, const Graph& graph) {
  if (!asks_for_all(options) || !has_independent_networks(graph)) return;
  auto& kinds = options.schedule_kinds;
  for (const ScheduleKindRow& row : schedule_table()) {
    if (!row.of_several || std::ranges::find(kinds, row.schedule_kind) != kinds.end()) continue;
    kinds.insert(std::ranges::find_if(kinds, [&](ScheduleKind kind) { return kind > row.schedule_kind; }),
                 row.schedule_kind);
  }
}

Result<void> leave_out_barrier_free(CompareOptions& options, const DeviceInfo& device) {
  const bool all = asks_for_all(options);
  for (const ScheduleKind kind : options.schedule_kinds) {
    if (!row_of(kind).barrier_free || all) continue;
    return tl::unexpected(runs_stages_only(device, std::string(row_of(kind).id)));
  }
  std::erase_if(options.schedule_kinds, [](ScheduleKind kind) { return row_of(kind).barrier_free; });
  return {};
}

SearchOptions searched_with(const CompareOptions& options) {
  return options.warm_start ? improving(options.search, *options.warm_start, {}) : options.search;
}

Result<void> make_schedules(Comparison& comparison, const Graph& given, const CompareOptions& options,
                            StageLatencySource& source, const JobContext& job, const CompareListener& listener) {
  return Maker(comparison, given, options, source, job, listener).make_all();
}

void add_up(ScheduleResult& result, const InterStageOverhead& overhead) {
  result.between_stages = overhead.sum(result.schedule);
  result.stage_sum = result.between_stages;
  for (const Latency& latency : result.stage_latencies) result.stage_sum += latency.value;
}

Result<void> measure_stages(ScheduleResult& result, LatencySource& source, const JobContext& job) {
  constexpr std::size_t kAtOnce = 8;  // stages between two reports
  const std::span<const Stage> stages = result.schedule.stages;
  result.stage_latencies.clear();
  for (std::size_t next = 0; next < stages.size(); next = result.stage_latencies.size()) {
    job.report(message("measuring the stages of {}", result.title()), static_cast<std::int64_t>(next),
               static_cast<std::int64_t>(stages.size()));
    const auto some = stages.subspan(next, std::min(kAtOnce, stages.size() - next));
    IOS_TRY(auto latencies, source.refined_latencies(some, job));
    result.stage_latencies.insert(result.stage_latencies.end(), latencies.begin(), latencies.end());
    if (latencies.size() != some.size()) {
      return fail(message("stopped before every stage of '{}' was measured", result.schedule.name));
    }
  }
  add_up(result, source.overhead());
  return {};
}

Result<Comparison> replay(const Graph& graph, MeasurementStore& store, const MeasurementSet& set,
                          const CompareOptions& given, const JobContext& job, const CompareListener& listener) {
  IOS_TRY(check_options(graph, given));
  CompareOptions options = given;
  add_those_of_several(options, graph);
  const auto asked = [&] { return options.schedule_kinds.size() + options.given.size(); };
  const std::size_t asked_first = asked();
  std::erase_if(options.given, [](const GivenSchedule& each) { return each.lanes.has_value(); });
  const auto without = leave_out_barrier_free(options, recorded_device(set));
  if (!without || asked() == 0)
    return fail(message("only stages were recorded; a schedule without stages was never run"), "schedules");
  IOS_TRY(auto prepared, prepare(graph, searched_with(options), options.max_part_size, kPartBudget, job));

  Comparison comparison;
  comparison.graph = std::make_shared<const Graph>(std::move(prepared));
  comparison.device = recorded_device(set);
  if (listener.prepared) listener.prepared(comparison.graph, comparison.device);
  comparison.batch = set.batch;
  comparison.memory_limit = options.memory_limit;
  RecordedLatencySource source(*comparison.graph, &store, set);
  IOS_TRY(make_schedules(comparison, graph, options, source, job, listener));
  const JobContext unstoppable{{}, job.progress};  // what a stop left is still added up
  for (ScheduleResult& result : comparison.results) {
    IOS_TRY(measure_stages(result, source, unstoppable));
    result.latency = Latency{.value = result.stage_sum, .origin = comparison.device.origin};
    result.plan = source.planner().plan(result.schedule);
    result.planned_bytes = planned_peak(result.plan, comparison.device);
  }
  if (asked() < asked_first) {
    comparison.notices.push_back(message("Schedules on lanes are left out: only stages were recorded"));
  }
  comparison.notices.push_back(message("{} was not used; latencies are sums of stages that were {} there earlier",
                                       comparison.device.name, origin_name(set.origin)));
  if (source.lacking() > 0) {
    comparison.notices.push_back(
        message("of {} possible stages, {} were never measured there: schedules use only the others", source.asked(),
                source.lacking()));
  }
  for (Message& warning : reliability_warnings(comparison, source.noise(kUnreliableSpread))) {
    comparison.notices.push_back(std::move(warning));
  }
  return comparison;
}

}  // namespace iosx
