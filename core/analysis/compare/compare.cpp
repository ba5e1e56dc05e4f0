#include "core/analysis/compare/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <utility>

#include "core/analysis/compare/find_lanes.h"
#include "core/analysis/compare/make_schedules.h"
#include "core/analysis/compare/networks_alone.h"
#include "core/analysis/compare/reliability.h"
#include "core/base/check.h"
#include "core/devices/measure/latency_sources.h"
#include "core/model/graph/networks.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/schedule/baselines.h"
#include "core/model/schedule/schedule.h"
#include "core/search/crossing.h"
#include "core/search/prepare.h"

namespace iosx {
namespace {

constexpr TimingOptions kOnce{.warmup = 1, .repeats = 1, .max_repeats = 1, .min_time = Millis{0}};

Result<void> check_verifies(const Device& device, const Device* reference) {
  auto computes = check_computes(device.info());
  return computes && reference != nullptr ? check_computes(reference->info()) : computes;
}

void take(EndToEnd&& run, ScheduleResult& result) {
  result.latency = run.latency;
  result.rounds = std::move(run.rounds);
  result.samples = std::move(run.samples);
  result.trace = std::move(run.trace);
  result.peak_bytes = run.peak_bytes;
  result.discarded = run.discarded;
  result.low_clock = run.low_clock;
}

// Stops as soon as either of two tokens does.
class EitherStop {
 public:
  EitherStop(const std::stop_token& first, const std::stop_token& second)
      : first_(first, Request{&either_}), second_(second, Request{&either_}) {}
  std::stop_token token() const { return either_.get_token(); }

 private:
  struct Request {
    std::stop_source* source;
    void operator()() const { source->request_stop(); }
  };
  std::stop_source either_;
  std::stop_callback<Request> first_;
  std::stop_callback<Request> second_;
};

// Stops some time after its construction, or as soon as another token does.
class StopAfter {
 public:
  StopAfter(std::chrono::milliseconds time, const std::stop_token& other)
      : either_(timer_stop_.get_token(), other), timer_([this, time](const std::stop_token& end) {
          std::mutex mutex;
          std::unique_lock lock(mutex);
          std::condition_variable_any never;
          never.wait_for(lock, end, time, [] { return false; });
          if (!end.stop_requested()) timer_stop_.request_stop();
        }) {}
  std::stop_token token() const { return either_.token(); }

 private:
  std::stop_source timer_stop_;
  EitherStop either_;
  std::jthread timer_;  // last: it ends first
};

// How long a user waits after a stop, on a measuring device.
constexpr std::chrono::milliseconds kLastRuns{800};
// On a simulated one: with lanes, which are quick to find there, and then without if that was too short.
constexpr std::chrono::milliseconds kLastLanes{1000};
constexpr std::chrono::milliseconds kLastSimulations{900};

// Makes the plan of a result, on its lanes if it has any.
Result<void> make_plan(ScheduleResult& result, const DeviceInfo& device, StagePlanner& planner) {
  result.plan = planner.plan(result.schedule);
  if (result.lanes) {
    if (!device.barrier_free) return tl::unexpected(runs_stages_only(device, result.title()));
    IOS_TRY(result.plan, barrier_free_plan(result.plan, *result.lanes));
  }
  result.planned_bytes = planned_peak(result.plan, device);
  return {};
}

class Comparer {
 public:
  // `given` is the caller's graph, `prepared` the same one cut for the search: the units are the same.
  Comparer(const Graph& given, std::shared_ptr<const Graph> prepared, Device& device, const CompareOptions& options,
           const CompareContext& context, const JobContext& job)
      : given_(given),
        options_(options),
        context_(context),
        job_(job),
        device_(device),
        source_(*prepared, device, options.batch, options.timing, context.keeping) {
    comparison_.graph = std::move(prepared);
    comparison_.device = device.info();
    comparison_.batch = options.batch;
    comparison_.memory_limit = options.memory_limit;
    source_.set_guesser(context.guesser);
  }

  Result<Comparison> run() && {
    CompareListener listener = context_.listener;
    if (listener.growing && is_modelled(device_.info().origin)) {
      listener.found = [this](ScheduleKind schedule_kind, const Schedule& schedule) {
        if (context_.listener.found) context_.listener.found(schedule_kind, schedule);
        tell_growing();
      };
    }
    IOS_TRY(make_schedules(comparison_, given_, options_, source_, job_, listener));
    run_networks_alone();
    IOS_TRY(measure());
    note_what_is_missing();
    IOS_TRY(verify());
    IOS_TRY(run_one_by_one());
    if (options_.sensitivity && comparison_.complete && comparison_.knows_latencies()) {
      IOS_TRY(add_sensitivity(comparison_, device_, job_));
    }
    for (Message& notice : source_.take_notices()) comparison_.notices.push_back(std::move(notice));
    note_what_does_not_fit();
    note_that_nothing_fits();
    if (!comparison_.device.caution.empty()) comparison_.notices.push_back(comparison_.device.caution);
    if (comparison_.complete) {
      std::ranges::move(reliability_warnings(comparison_, source_.noise(kUnreliableSpread)),
                        std::back_inserter(comparison_.notices));
    }
    if (options_.quick) std::ranges::move(left_to_find(comparison_), std::back_inserter(comparison_.notices));
    forget_unknown(comparison_);
    return std::move(comparison_);
  }

 private:
  // The fastest schedule with stages, loaded without its barriers.
  struct OwnLanesPlan {
    ScheduleId of;
    std::unique_ptr<LoadedPlan> plan;
  };

  const Graph& graph() const { return *comparison_.graph; }

  // With its own latency source: the searches' counts of requested and measured stages stay unchanged.
  void tell_growing() {
    Comparison so_far = comparison_;
    so_far.complete = false;
    for (ScheduleResult& result : so_far.results) {
      auto known = run_early_.find(result.id);
      if (known == run_early_.end()) {
        const Graph& parts = result.search ? graph() : given_;  // greedy keeps the caller's
        auto run =
            evaluate(parts, {result.schedule, result.schedule_kind}, device_, options_.batch, options_.timing, job_);
        if (!run) return;  // stopped, or the end of it all says what is wrong
        known = run_early_.emplace(result.id, std::move(*run)).first;
      }
      ScheduleResult run = known->second;
      run.id = result.id;
      run.search = result.search;
      run.asked = result.asked;
      result = std::move(run);
    }
    forget_unknown(so_far);
    context_.listener.growing(std::move(so_far));
  }

  // Given schedules need no search of each network by itself. What was found stays, whatever happens here.
  void run_networks_alone() {
    const auto finds = [](ScheduleKind kind) { return row_of(kind).strategies || row_of(kind).barrier_free; };
    if (!has_independent_networks(given_) || !comparison_.complete || job_.stopped() ||
        std::ranges::none_of(options_.schedule_kinds, finds))
      return;
    auto found = find_alone(given_, device_, options_, context_, job_);
    if (!found && !job_.stopped()) {
      comparison_.notices.push_back(message("What each network takes alone is not known: {}", found.error().line()));
    }
    if (!found) return;
    comparison_.alone = std::move(found->times);
    if (found->together) run_together(std::move(*found->together));
  }

  // Side by side means each network's own kernels on its own lanes, where these are known and the same ones here.
  void run_together(GivenSchedule together) {
    for (ScheduleResult& result : comparison_.results) {
      if (result.schedule_kind != ScheduleKind::kSideBySide) continue;
      Schedule schedule = source_.planner().canonical(together.schedule);
      const ExecutionPlan staged = source_.planner().plan(schedule);
      const auto plan = barrier_free_plan(staged, *together.lanes);
      if (!plan || (comparison_.memory_limit > 0 && planned_peak(*plan, device_.info()) > comparison_.memory_limit))
        continue;
      result.schedule = std::move(schedule);
      result.lanes = std::move(together.lanes);
    }
  }

  // It is free on a simulated device; elsewhere it runs on request.
  Result<void> run_one_by_one() {
    if (!is_modelled(device_.info().origin) || job_.stopped()) return {};
    auto run = load_and_run(device_, source_.planner().plan(one_by_one_schedule(graph())), {}, job_);
    if (run) comparison_.one_by_one = run->latency;
    return run || job_.stopped() ? Result<void>() : tl::unexpected(std::move(run.error()));
  }

  // Once: schedules hardly differ in what they need.
  void note_what_does_not_fit() {
    for (const ScheduleResult& result : comparison_.results) {
      Message sentence = does_not_fit(device_, result.plan, graph());
      if (sentence.empty()) continue;
      comparison_.notices.push_back(std::move(sentence));
      return;
    }
  }

  // Under a limit of memory.
  void note_that_nothing_fits() {
    if (comparison_.results.empty() || comparison_.fits(comparison_.results[comparison_.best()])) return;
    for (const ScheduleResult& result : comparison_.results) {
      if (least_bytes_ == 0 || result.planned_bytes < least_bytes_) least_bytes_ = result.planned_bytes;
    }
    comparison_.notices.push_back(
        message("No schedule fits in {:.2f} MB: the smallest planned peak of tensors that was found is {:.2f} MB",
                megabytes(comparison_.memory_limit), megabytes(least_bytes_)));
  }

  // After a stop what was made is still run, once, unless it was abandoned; see compare(). A simulated device also
  // finds lanes for what is the fastest so far. A device that measures has its users wait for that, so there it is one
  // run without warm-up, whose own stage times serve, and only what there is time for.
  Result<void> measure() {
    if (!job_.stopped()) {
      auto measured = measure(Timing{.round = options_.timing}, job_, comparison_.complete);
      if (measured || !job_.stopped()) return measured;
    }
    comparison_.complete = false;
    drop_barrier_free();
    if (!is_modelled(device_.info().origin)) {
      const StopAfter soon(kLastRuns, context_.abandon);
      return run_once({soon.token(), job_.progress});
    }
    source_.set_timing(kOnce);
    const Timing once{.rounds = 1, .round = kOnce};
    {
      const StopAfter soon(kLastLanes, context_.abandon);
      const JobContext last{soon.token(), job_.progress};
      if (auto measured = measure(once, last, true); measured || !last.stopped()) return measured;
    }
    drop_barrier_free();
    const StopAfter late(kLastSimulations, context_.abandon);  // workers far away may simulate
    return measure(once, {late.token(), job_.progress}, false);
  }

  Result<void> run_once(const JobContext& job) {
    RunOptions options{.timing = kOnce, .trace = true};
    options.timing.warmup = 0;
    for (std::size_t i = 0; i < comparison_.results.size(); ++i) {
      ScheduleResult& result = comparison_.results[i];
      std::unique_ptr<LoadedPlan>& held = loaded_[result.id];
      if (held == nullptr) {  // others were loaded before the stop
        IOS_TRY(make_plan(result, device_.info(), source_.planner()));
        auto loaded = device_.load(result.plan, {}, job);
        if (!loaded && job.stopped()) return leave_out_from(i);
        if (!loaded) return tl::unexpected(std::move(loaded.error()));
        held = std::move(*loaded);
      }
      auto run = held->run(options, job);
      if (!run && job.stopped()) return leave_out_from(i);
      if (!run) return tl::unexpected(std::move(run.error()));
      take({.latency = run->latency,
            .rounds = {run->latency.value},
            .trace = std::move(run->trace),
            .peak_bytes = run->peak_bytes,
            .discarded = run->discarded,
            .low_clock = run->low_clock,
            .samples = std::move(run->samples)},
           result);
      result.stage_latencies = std::move(run->stage_latencies);
      if (result.lanes) result.stage_latencies.assign(result.schedule.stages.size(), {.origin = run->latency.origin});
      add_up(result, {});  // within the run: what lies between is in it
    }
    return {};
  }

  // Takes back those without stages, where a stop leaves no time to tell whether they are faster.
  void drop_barrier_free() {
    for (std::size_t i = comparison_.results.size(); i-- > 0;) {
      if (row_of(comparison_.results[i].schedule_kind).barrier_free) remove(i);
    }
    barrier_free_.clear();
    own_lanes_.reset();
  }

  // Takes back a result with its loaded plan, if it has one yet.
  void remove(std::size_t index) {
    const auto at = comparison_.results.begin() + static_cast<std::ptrdiff_t>(index);
    loaded_.erase(at->id);
    comparison_.results.erase(at);
  }

  // Returns the names of the results from there on, and of other requested schedules without a result.
  std::vector<std::string> names_without(std::size_t first) const {
    std::vector<std::string> names;
    for (std::size_t i = first; i < comparison_.results.size(); ++i) names.push_back(comparison_.results[i].title());
    for (const ScheduleKind kind : options_.schedule_kinds) {
      std::string title(row_of(kind).title);
      if (comparison_.find(kind) == nullptr && std::ranges::find(names, title) == names.end())
        names.push_back(std::move(title));
    }
    return names;
  }

  void note_what_is_missing() {
    if (comparison_.complete) return;
    comparison_.missing = names_without(comparison_.results.size());
    if (comparison_.missing.empty()) return;  // searches did not end, but found something
    comparison_.notices.push_back(stopped_before(comparison_.missing));
  }

  // Leaves out what a stop left no time for. A device may notice it late, so finished runs are kept.
  Result<void> leave_out_from(std::size_t first) {
    if (first == 0) {
      return fail(message("cancelled before any of these ran: {}", fmt::join(names_without(first), ", ")), {},
                  context_.keeping.store != nullptr
                      ? message("the measurements are kept, so the next search continues from there")
                      : Message());
    }
    comparison_.results.resize(first);
    return {};
  }

  Result<void> measure(const Timing& timing, const JobContext& job, bool with_lanes) {
    for (std::size_t i = 0; i < comparison_.results.size();) {
      ScheduleResult& result = comparison_.results[i];
      IOS_TRY(measure_stages(result, source_, job));
      Message lacks = left_out_among(result.stage_latencies, result.name());
      if (lacks.empty()) {
        ++i;
        continue;
      }
      // To run it would cost workers as well. Without the baseline there is nothing to compare with.
      if (result.schedule_kind == ScheduleKind::kSequential) return fail(std::move(lacks), device_.info().id);
      comparison_.notices.push_back(message("{}. The schedule is left out", lacks));
      remove(i);
    }
    for (std::size_t i = 0; i < comparison_.results.size(); ++i) {
      ScheduleResult& result = comparison_.results[i];
      if (loaded_.contains(result.id)) continue;
      job.report(message("preparing {}", result.title()), static_cast<std::int64_t>(i),
                 static_cast<std::int64_t>(comparison_.results.size()));
      IOS_TRY(make_plan(result, device_.info(), source_.planner()));
      IOS_TRY(loaded_[result.id], load_to_time(device_, result.plan, job));
    }
    if (with_lanes) {
      IOS_TRY(add_barrier_free(timing, job));
    }
    IOS_TRY(run_in_turns(timing, job));
    if (is_modelled(device_.info().origin)) settle_searches();
    settle_barrier_free();
    return {};
  }

  // Returns the plans of the results, in their order. Each result has one.
  std::vector<Contestant> contestants() const {
    std::vector<Contestant> all;
    for (const ScheduleResult& result : comparison_.results) all.push_back(contestant(*loaded_.at(result.id)));
    return all;
  }

  // Runs the results and, where lanes were found, the fastest stages without their barriers.
  Result<void> run_in_turns(const Timing& timing, const JobContext& job) {
    std::vector<Contestant> all = contestants();
    if (own_lanes_) all.push_back(contestant(*own_lanes_->plan));
    IOS_TRY(auto runs, run_interleaved(all, timing, job));
    if (own_lanes_) {
      comparison_.own_lanes = OwnLanes{own_lanes_->of, runs.back().latency, std::move(runs.back().rounds)};
      own_lanes_.reset();
    }
    for (std::size_t i = 0; i < comparison_.results.size(); ++i) take(std::move(runs[i]), comparison_.results[i]);
    return {};
  }

  // Loads the fastest stages without their barriers, to run in turns with the results. A device without room for
  // another plan skips this.
  Result<void> load_own_lanes(const ScheduleResult& staged, const JobContext& job) {
    auto held = load_to_time(device_, on_lanes(staged.plan, needs_of(staged.plan), same_lanes(staged.plan)), job);
    if (held) own_lanes_ = OwnLanesPlan{staged.id, std::move(*held)};
    return held || !job.stopped() ? Result<void>() : tl::unexpected(std::move(held.error()));
  }

  // A requested barrier-free schedule. Its results are at the end until settle_barrier_free().
  struct BarrierFree {
    ScheduleKind kind;
    ScheduleId id;  // of its own result; empty: it has no lanes of its own
  };

  // Lanes are found for schedules with stages, so that all of these run first. IOS-Flow takes the kernels of whatever
  // is fastest or nearly so, of sequential and greedy, and of sequential with everything merged that can be: with
  // stages that seldom pays, because what follows the merged layers then runs on one lane. Under a limit of memory it
  // takes those of all, because others may fit.
  Result<void> add_barrier_free(const Timing& timing, const JobContext& job) {
    constexpr double kNearly = 1.1;
    constexpr int kRounds = 3;
    for (const ScheduleKind kind : options_.schedule_kinds) {
      if (row_of(kind).barrier_free) barrier_free_.push_back({kind, {}});
    }
    if (barrier_free_.empty()) return {};
    IOS_TRY(const auto runs, run_interleaved(contestants(), {.rounds = kRounds, .round = timing.round}, job));
    std::vector<ScheduleResult> staged = comparison_.results;
    Millis fastest = runs.front().latency.value;
    for (const EndToEnd& run : runs) fastest = std::min(fastest, run.latency.value);
    const bool any_kernels =
        std::ranges::any_of(barrier_free_, [](const BarrierFree& each) { return each.kind == ScheduleKind::kIosFlow; });
    if (std::optional<Schedule> merged = any_kernels ? merged_schedule(given_) : std::nullopt) {
      ScheduleResult& base = staged.emplace_back();
      base.schedule = source_.planner().canonical(*merged);
      IOS_TRY(make_plan(base, device_.info(), source_.planner()));
    }
    std::vector<std::optional<FoundLanes>> found(staged.size());
    const auto same_before = [&](std::size_t i) {
      return std::ranges::any_of(std::span(staged).first(i),
                                 [&](const ScheduleResult& each) { return each.plan == staged[i].plan; });
    };
    for (std::size_t i = 0; i < staged.size(); ++i) {
      const bool sequential = staged[i].schedule_kind == ScheduleKind::kSequential;
      const bool always = sequential || (any_kernels && staged[i].schedule_kind == ScheduleKind::kGreedy);
      const bool limited = comparison_.memory_limit > 0;
      const bool has_run = i < runs.size();  // what is merged has not
      const Millis with_stages = has_run ? runs[i].latency.value : fastest;
      const bool near = any_kernels && (limited || with_stages <= fastest * kNearly);
      if (staged[i].lanes || same_before(i) || (!always && !near)) continue;
      IOS_TRY(auto lanes, find_lanes(device_, staged[i].plan, timing.round, job, comparison_.memory_limit, slowdown()));
      if (lanes.least_bytes > 0 && (least_bytes_ == 0 || lanes.least_bytes < least_bytes_)) {
        least_bytes_ = lanes.least_bytes;
      }
      found[i] = std::move(lanes.best);
      const bool beaten = found[i] && found[i]->took >= with_stages;
      if (beaten && (has_run ? comparison_.fits(staged[i]) : !limited)) found[i].reset();
    }
    if (any_kernels && options_.earlier) {
      IOS_TRY(try_earlier(*options_.earlier, timing, job, staged, found));
    }
    for (BarrierFree& each : barrier_free_) {
      std::optional<std::size_t> base;
      for (std::size_t i = 0; i < staged.size(); ++i) {
        const bool own = each.kind == ScheduleKind::kIosFlow || staged[i].schedule_kind == ScheduleKind::kSequential;
        if (own && found[i] && (!base || found[i]->took < found[*base]->took)) base = i;
      }
      if (each.kind == ScheduleKind::kIosFlow && base) base = fairest(found, *base);
      if (!base) continue;
      const ExecutionPlan& plan = found[*base]->plan;
      const auto known = std::ranges::find(comparison_.results, plan, &ScheduleResult::plan);
      if (known != comparison_.results.end()) continue;  // it runs already
      ScheduleResult& result = comparison_.add(each.kind, staged[*base].schedule);
      result.stage_latencies = staged[*base].stage_latencies;
      result.stage_sum = staged[*base].stage_sum;
      result.between_stages = staged[*base].between_stages;
      result.lanes = found[*base]->lanes;
      result.plan = plan;
      result.planned_bytes = found[*base]->planned_bytes;
      if (*base >= runs.size()) {
        IOS_TRY(measure_stages(result, source_, job));
      }
      each.id = result.id;
      IOS_TRY(loaded_[result.id], load_to_time(device_, plan, job));
    }
    if (comparison_.results.size() == runs.size()) return {};
    std::size_t first = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (!staged[i].lanes && (staged[first].lanes || runs[i].latency.value < runs[first].latency.value)) first = i;
    }
    return load_own_lanes(staged[first], job);
  }

  // Returns how to judge lanes by mean_slowdown(); empty of one network.
  SlowdownOf slowdown() const {
    if (comparison_.alone.empty()) return {};
    return [this](const ExecutionPlan& plan, const RunResult& run) {
      ScheduleResult result;
      result.plan = plan;
      result.trace = run.trace;
      result.latency = run.latency;
      return mean_slowdown(comparison_, result);
    };
  }

  // Returns what slows the networks down least, of what takes hardly longer than the fastest.
  static std::size_t fairest(const std::vector<std::optional<FoundLanes>>& found, std::size_t fastest) {
    std::size_t best = fastest;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i] && found[i]->took <= found[fastest]->took * (1 + kFairTie) && slows_less(*found[i], *found[best]))
        best = i;
    }
    return best;
  }

  // Adds the kernels and lanes of an earlier IOS-Flow to what was found, unless the device has other kernels now.
  Result<void> try_earlier(const GivenSchedule& given, const Timing& timing, const JobContext& job,
                           std::vector<ScheduleResult>& staged, std::vector<std::optional<FoundLanes>>& found) {
    if (!given.lanes) return {};
    ScheduleResult base;
    base.schedule = source_.planner().canonical(given.schedule);
    IOS_TRY(make_plan(base, device_.info(), source_.planner()));
    auto plan = barrier_free_plan(base.plan, *given.lanes);
    if (!plan) return {};
    const std::int64_t bytes = planned_peak(*plan, device_.info());
    if (comparison_.memory_limit > 0 && bytes > comparison_.memory_limit) return {};
    // A search of that name may have found other stages now.
    const auto same = [&](const ScheduleResult& each) {
      return each.schedule.name == base.schedule.name && each.plan == base.plan;
    };
    if (std::ranges::none_of(staged, same)) base.schedule.name = row_of(ScheduleKind::kIosFlow).id;
    const SlowdownOf judge = slowdown();
    IOS_TRY(const RunResult run,
            load_and_run(device_, *plan, {.timing = timing.round, .trace = bool(judge)}, job, {.tune = true}));
    FoundLanes lanes{*given.lanes, std::move(*plan), run.latency.value, bytes};
    if (judge) lanes.slowdown = judge(lanes.plan, run);
    staged.push_back(std::move(base));
    found.push_back(std::move(lanes));
    return {};
  }

  // After all runs: a search crossed sequential and greedy by sums of stages. End to end these differ by little, and
  // where one of the two is faster after all, the search has that schedule. Of what is measured, noise may say so too.
  void settle_searches() {
    for (ScheduleResult& result : comparison_.results) {
      const auto gave_kernels = [&](const ScheduleResult& other) {
        return other.lanes && other.schedule.name == result.schedule.name;
      };
      const bool given = row_of(result.schedule_kind).given();
      if (!result.search || given || std::ranges::any_of(comparison_.results, gave_kernels)) continue;
      for (const ScheduleKind kind : {ScheduleKind::kSequential, ScheduleKind::kGreedy}) {
        const ScheduleResult* const base = comparison_.find(kind);
        const auto allowed = [this](const Stage& stage) { return may_cross(stage, options_.search); };
        if (base == nullptr || base->latency.value >= result.latency.value * (1 - kSumRounding) ||
            !std::ranges::all_of(base->schedule.stages, allowed))
          continue;
        ScheduleResult same = *base;
        same.schedule.name = result.schedule.name;
        same.id = result.id;
        same.schedule_kind = result.schedule_kind;
        same.asked = result.asked;
        same.search = std::move(result.search);
        same.search->schedule = same.schedule;
        same.search->stage_sum = same.stage_sum;
        result = std::move(same);
        loaded_.erase(result.id);
        copies_.emplace_back(result.id, base->id);
      }
    }
  }

  // After all runs: lanes that the rounds do not show to be faster than all others (for List: than sequential) are
  // replaced by the fastest of those, whose result is copied. Lanes that do not fit beat none that fit.
  void settle_barrier_free() {
    const auto better = [this](const ScheduleResult& one, const ScheduleResult& other) {
      if (comparison_.fits(one) != comparison_.fits(other)) return comparison_.fits(one);
      return one.latency.value < other.latency.value;
    };
    for (const BarrierFree& each : barrier_free_) {
      const auto own = comparison_.index_of(each.id);
      const ScheduleResult* best = nullptr;
      for (const ScheduleResult& other : comparison_.results) {
        const bool beside = each.kind == ScheduleKind::kIosFlow
                                ? other.id != each.id && !row_of(other.schedule_kind).given()
                                : other.schedule_kind == ScheduleKind::kSequential;
        if (beside && (best == nullptr || better(other, *best))) best = &other;
      }
      IOS_CHECK(best != nullptr);  // sequential is always there
      if (own) {
        const ScheduleResult& result = comparison_.results[*own];
        if (!comparison_.fits(*best) ||
            iosx::speedup(best->latency, best->rounds, result.latency, result.rounds).low > 1 ||
            (each.kind == ScheduleKind::kIosFlow && comparison_.is_fairer(result, *best))) {
          move_to_its_place(*own);
          continue;
        }
      }
      const ScheduleResult same = *best;
      if (own) remove(*own);
      ScheduleResult& result = comparison_.add(each.kind, same.schedule);
      const ScheduleId id = result.id;
      result = same;
      result.id = id;
      result.schedule_kind = each.kind;
      result.asked = true;
      result.search.reset();
      copies_.emplace_back(id, same.id);
      move_to_its_place(comparison_.results.size() - 1);
    }
    barrier_free_.clear();
    if (std::ranges::none_of(comparison_.results, [](const ScheduleResult& each) { return bool(each.lanes); })) {
      comparison_.own_lanes.reset();  // nothing is measured against it
    }
  }

  // Moves a result to where it was asked for.
  void move_to_its_place(std::size_t from) {
    const auto turn = [this](const ScheduleResult& each) {
      if (!each.asked) return options_.schedule_kinds.end();
      return std::ranges::find(options_.schedule_kinds, each.schedule_kind);
    };
    auto& results = comparison_.results;
    const auto wanted = turn(results[from]);
    std::size_t place = 0;
    while (place < from && turn(results[place]) <= wanted) ++place;
    const auto begin = results.begin();
    std::rotate(begin + static_cast<std::ptrdiff_t>(place), begin + static_cast<std::ptrdiff_t>(from),
                begin + static_cast<std::ptrdiff_t>(from) + 1);
  }

  Result<void> verify() {
    if (!options_.verify) return {};
    Verifier verifier(graph(), device_, options_.batch, {}, context_.reference);
    for (std::size_t i = 0; i < comparison_.results.size(); ++i) {
      ScheduleResult& result = comparison_.results[i];
      const auto held = loaded_.find(result.id);
      if (held == loaded_.end()) continue;  // a copy
      job_.report(message("verifying {}", result.title()), static_cast<std::int64_t>(i),
                  static_cast<std::int64_t>(comparison_.results.size()));
      auto verification = verifier.verify(*held->second, job_);
      if (!verification && job_.stopped()) {
        comparison_.complete = false;
        return {};
      }
      if (!verification) return tl::unexpected(std::move(verification.error()));
      result.verification = std::move(*verification);
    }
    for (const auto& [copy, of] : copies_) {
      comparison_.results[*comparison_.index_of(copy)].verification = comparison_.find(of)->verification;
    }
    return {};
  }

  const Graph& given_;
  const CompareOptions& options_;
  const CompareContext& context_;
  const JobContext& job_;
  Device& device_;
  DeviceLatencySource source_;
  Comparison comparison_;
  std::int64_t least_bytes_ = 0;  // under a limit of memory: the smallest planned peak that was found; 0: none
  std::map<ScheduleId, ScheduleResult> run_early_;            // for those who watch results grow
  std::map<ScheduleId, std::unique_ptr<LoadedPlan>> loaded_;  // of each result that is no copy, once it is to run
  std::optional<OwnLanesPlan> own_lanes_;                     // see load_own_lanes()
  std::vector<BarrierFree> barrier_free_;                     // those asked for, until they are settled
  std::vector<std::pair<ScheduleId, ScheduleId>> copies_;     // of a barrier-free result, and of what it is a copy of
};

}  // namespace

Message stopped_before(const std::vector<std::string>& titles) {
  return message("Stopped before these ran, so they are missing: {}.", fmt::join(titles, ", "));
}

Result<Comparison> compare(const Graph& graph, Device& device, const CompareOptions& given, const JobContext& job,
                           const CompareContext& context) {
  IOS_TRY(check_options(graph, given));
  if (given.memory_limit > 0 && !std::ranges::all_of(graph.operators(), &Operator::sized))
    return fail(message("the size of a tensor is unknown, so no limit on memory can be kept"), graph.name());
  CompareOptions options = given;
  add_those_of_several(options, graph);
  if (!device.info().barrier_free) {
    IOS_TRY(leave_out_barrier_free(options, device.info()));
  }
  if (options.verify) {
    IOS_TRY(check_verifies(device, context.reference));
  }
  const EitherStop stop(job.stop, context.abandon);
  const JobContext stoppable{stop.token(), job.progress};
  IOS_TRY(auto prepared, prepare(graph, searched_with(options), options.max_part_size, kPartBudget, stoppable));
  auto shared = std::make_shared<const Graph>(std::move(prepared));
  if (context.listener.prepared) context.listener.prepared(shared, device.info());
  auto comparison = Comparer(graph, std::move(shared), device, options, context, stoppable).run();
  if (context.abandon.stop_requested()) return fail(message("abandoned"));
  return comparison;
}

Result<ScheduleResult> evaluate(const Graph& graph, const GivenSchedule& given, Device& device, std::int64_t batch,
                                const TimingOptions& timing, const JobContext& job, bool verify, Device* reference) {
  if (verify) {
    IOS_TRY(check_verifies(device, reference));
  }
  IOS_TRY(check_batch(batch));
  IOS_TRY(check_legal(graph, given.schedule));
  DeviceLatencySource source(graph, device, batch, timing);
  ScheduleResult result = std::move(Comparison().add(given.schedule_kind, source.planner().canonical(given.schedule)));
  IOS_TRY(measure_stages(result, source, job));
  if (Message lacks = left_out_among(result.stage_latencies, given.schedule.name); !lacks.empty()) {
    return fail(std::move(lacks), device.info().id);
  }
  result.lanes = given.lanes;
  IOS_TRY(make_plan(result, device.info(), source.planner()));
  IOS_TRY(const auto loaded, load_to_time(device, result.plan, job));
  const std::array contestants{contestant(*loaded)};
  IOS_TRY(auto runs, run_interleaved(contestants, Timing{.round = timing}, job));
  take(std::move(runs.front()), result);
  if (verify) {
    IOS_TRY(result.verification, Verifier(graph, device, batch, {}, reference).verify(*loaded, job));
  }
  forget_unknown(graph, device.info(), result);
  return result;
}

}  // namespace iosx
