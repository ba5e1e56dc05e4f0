#include "core/compare/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/check.h"
#include "core/measure/device_latency_source.h"
#include "core/plan/lower.h"
#include "core/schedule/baselines.h"
#include "core/schedule/legality.h"
#include "core/search/prepare.h"

namespace iosx {
namespace {

constexpr TimingOptions kOnce{.warmup = 1, .repeats = 1, .max_repeats = 1, .min_time = Millis{0}};

constexpr std::array<std::string_view, 5> kNames{"sequential", "greedy", "ios-merge", "ios-parallel", "ios-both"};
constexpr std::array<std::string_view, 2> kBaselines{"sequential", "greedy"};

Result<void> check_batch(std::int64_t batch) {
  if (batch >= 1 && batch <= kMaxBatch) return {};
  return fail(fmt::format("a batch of {}", batch), "batch", fmt::format("give 1 to {}", kMaxBatch));
}

Result<void> check_options(const CompareOptions& options) {
  if (auto valid = check_batch(options.batch); !valid) return valid;
  if (options.max_part_size < 1 || options.max_part_size > kMaxPartUnits) {
    return fail(fmt::format("parts of at most {} units", options.max_part_size), "maximum part size",
                fmt::format("give 1 to {}", kMaxPartUnits));
  }
  if (options.max_streams < 1) return fail("0 streams", "maximum streams", "give 1 or more");
  if (options.schedules.empty() && options.given.empty()) return fail("no schedule to compare", "schedules");
  for (const std::string& name : options.schedules) {
    if (std::find(kNames.begin(), kNames.end(), name) == kNames.end()) {
      return fail(fmt::format("unknown schedule '{}'", name), "schedules",
                  fmt::format("choose from {}", fmt::join(kNames, ", ")));
    }
  }
  return {};
}

Result<void> check_verifies(const Device& device, const Device* reference) {
  auto computes = check_computes(device.info());
  return computes && reference != nullptr ? check_computes(reference->info()) : computes;
}

// Stage latencies of one schedule, each stage on its own.
Result<void> measure_stages(ScheduleResult& result, LatencySource& source, const JobContext& job) {
  constexpr std::size_t kAtOnce = 8;  // stages between two reports
  const std::span<const Stage> stages = result.schedule.stages;
  result.stage_latencies.clear();
  for (std::size_t next = 0; next < stages.size(); next = result.stage_latencies.size()) {
    job.report("measuring the stages of " + result.schedule.name, static_cast<std::int64_t>(next),
               static_cast<std::int64_t>(stages.size()));
    const auto some = stages.subspan(next, std::min(kAtOnce, stages.size() - next));
    auto latencies = source.stage_latencies(some, job);
    if (!latencies) return tl::unexpected(std::move(latencies.error()));
    result.stage_latencies.insert(result.stage_latencies.end(), latencies->begin(), latencies->end());
    if (latencies->size() != some.size()) {
      return fail(fmt::format("stopped before every stage of '{}' was measured", result.schedule.name));
    }
  }
  result.stage_sum = Millis{0};
  for (const Latency& latency : result.stage_latencies) result.stage_sum += latency.value;
  return {};
}

void take(EndToEnd&& run, ScheduleResult& result) {
  result.latency = run.latency;
  result.rounds = std::move(run.rounds);
  result.trace = std::move(run.trace);
  result.peak_bytes = run.peak_bytes;
  result.clock_mhz = run.clock_mhz;
  result.discarded = run.discarded;
  result.low_clock = run.low_clock;
}

JobContext named(const JobContext& job, const std::string& name) {
  JobContext inner{job.stop, {}};
  if (job.progress) {
    inner.progress = [sink = job.progress, name](const Progress& progress) {
      sink(Progress{name + ": " + progress.phase, progress.done, progress.total});
    };
  }
  return inner;
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

Error abandoned() { return Error{"abandoned", {}, {}}; }

class Comparer {
 public:
  // `given` is the caller's graph, `prepared` the same one cut for the search: the units are the same.
  Comparer(const Graph& given, std::shared_ptr<const Graph> prepared, Device& device, const CompareOptions& options,
           const JobContext& job)
      : given_(given),
        options_(options),
        job_(job),
        device_(device),
        source_(*prepared, device, options.batch, options.timing) {
    comparison_.graph = std::move(prepared);
    comparison_.device = device.info();
    comparison_.batch = options.batch;
  }

  Result<Comparison> run() && {
    for (const std::string& name : options_.schedules) {
      if (auto made = make(name, true); !made) return tl::unexpected(std::move(made.error()));
    }
    for (const Schedule& schedule : options_.given) add(schedule, true);
    for (const std::string_view name : kBaselines) {
      if (auto made = make(name, false); !made) return tl::unexpected(std::move(made.error()));
    }
    if (auto measured = measure(); !measured) return tl::unexpected(std::move(measured.error()));
    if (auto verified = verify(); !verified) return tl::unexpected(std::move(verified.error()));
    return std::move(comparison_);
  }

 private:
  const Graph& graph() const { return *comparison_.graph; }

  ScheduleResult& add(Schedule schedule, bool asked) {
    ScheduleResult& result = comparison_.results.emplace_back();
    result.schedule = std::move(schedule);
    result.asked = asked;
    return result;
  }

  Result<void> make(std::string_view name, bool asked) {
    if (std::find(made_.begin(), made_.end(), name) != made_.end()) return {};
    made_.push_back(name);
    if (const auto strategies = strategies_of(name)) return find(*strategies, name);
    add(name == "greedy" ? greedy_schedule(given_, options_.max_streams) : sequential_schedule(given_), asked);
    return {};
  }

  Result<void> find(StrategySet strategies, std::string_view name) {
    if (job_.stopped()) {
      comparison_.complete = false;
      return {};
    }
    SearchOptions options = options_.search;
    options.strategies = strategies;
    auto found = search(graph(), source_, options, named(job_, std::string(name)));
    if (!found) return tl::unexpected(std::move(found.error()));
    comparison_.complete = comparison_.complete && found->complete;
    if (!found->complete && found->solved_parts == 0) return {};  // nothing but sequential stages
    ScheduleResult& result = add(found->schedule, true);
    result.search = std::move(*found);
    return {};
  }

  // After a stop what was made is still run, once, unless it was abandoned; see compare(). A device that measures has
  // its users wait for that, so there it is one run without warm-up, whose own stage times serve.
  Result<void> measure() {
    if (!job_.stopped()) {
      auto measured = measure(Timing{.round = options_.timing}, job_);
      if (measured || !job_.stopped()) return measured;
    }
    comparison_.complete = false;
    const JobContext last{options_.abandon, job_.progress};
    if (device_.info().origin != Origin::kSimulated) return run_once(last);
    source_.set_timing(kOnce);
    return measure(Timing{.rounds = 1, .round = kOnce}, last);
  }

  Result<void> run_once(const JobContext& job) {
    RunOptions options{.timing = kOnce, .trace = true};
    options.timing.warmup = 0;
    for (ScheduleResult& result : comparison_.results) {
      result.plan = lower(graph(), result.schedule, options_.batch, device_.info().lowering);
      auto run = device_.run(result.plan, options, job);
      if (!run) return tl::unexpected(std::move(run.error()));
      result.latency = run->latency;
      result.rounds = {run->latency.value};
      result.trace = std::move(run->trace);
      result.peak_bytes = run->peak_bytes;
      result.clock_mhz = run->clock_mhz;
      result.discarded = run->discarded;
      result.low_clock = run->low_clock;
      result.stage_latencies = std::move(run->stage_latencies);
      result.stage_sum = Millis{0};
      for (const Latency& latency : result.stage_latencies) result.stage_sum += latency.value;
    }
    return {};
  }

  Result<void> measure(const Timing& timing, const JobContext& job) {
    std::vector<const ExecutionPlan*> plans;
    for (ScheduleResult& result : comparison_.results) {
      if (auto measured = measure_stages(result, source_, job); !measured) return measured;
      result.plan = lower(graph(), result.schedule, options_.batch, device_.info().lowering);
      plans.push_back(&result.plan);
    }
    auto runs = run_interleaved(device_, plans, timing, job);
    if (!runs) return tl::unexpected(std::move(runs.error()));
    for (std::size_t i = 0; i < runs->size(); ++i) take(std::move((*runs)[i]), comparison_.results[i]);
    return {};
  }

  Result<void> verify() {
    if (!options_.verify) return {};
    Verifier verifier(graph(), device_, options_.batch, {}, options_.reference);
    std::int64_t done = 0;
    for (ScheduleResult& result : comparison_.results) {
      job_.report("verifying " + result.schedule.name, done++, static_cast<std::int64_t>(comparison_.results.size()));
      auto verification = verifier.verify(result.plan, job_);
      if (!verification && job_.stopped()) {
        comparison_.complete = false;
        return {};
      }
      if (!verification) return tl::unexpected(std::move(verification.error()));
      result.verification = std::move(*verification);
    }
    return {};
  }

  const Graph& given_;
  const CompareOptions& options_;
  const JobContext& job_;
  Device& device_;
  DeviceLatencySource source_;
  Comparison comparison_;
  std::vector<std::string_view> made_;
};

}  // namespace

std::size_t Comparison::best() const {
  IOS_CHECK(!results.empty());
  std::size_t best = 0;
  for (std::size_t i = 1; i < results.size(); ++i) {
    if (results[i].latency.value < results[best].latency.value) best = i;
  }
  return best;
}

const ScheduleResult* Comparison::find(std::string_view schedule_name) const {
  for (const ScheduleResult& result : results) {
    if (result.schedule.name == schedule_name) return &result;
  }
  return nullptr;
}

Speedup Comparison::speedup(const ScheduleResult& result) const {
  const ScheduleResult* sequential = find("sequential");
  if (sequential == nullptr) return {0, 0, 0};
  return iosx::speedup(sequential->latency, sequential->rounds, result.latency, result.rounds);
}

bool Comparison::failed_verification() const {
  return std::ranges::any_of(
      results, [](const ScheduleResult& result) { return result.verification && !result.verification->passed(); });
}

std::span<const std::string_view> schedule_names() { return kNames; }

std::optional<StrategySet> strategies_of(std::string_view schedule_name) {
  for (const StrategySet set : {StrategySet::kMerge, StrategySet::kParallel, StrategySet::kBoth}) {
    if (iosx::schedule_name(set) == schedule_name) return set;
  }
  return std::nullopt;
}

Result<Comparison> compare(const Graph& graph, Device& device, const CompareOptions& options, const JobContext& job) {
  if (auto valid = check_options(options); !valid) return tl::unexpected(std::move(valid.error()));
  if (options.verify) {
    if (auto possible = check_verifies(device, options.reference); !possible) {
      return tl::unexpected(std::move(possible.error()));
    }
  }
  for (const Schedule& schedule : options.given) {
    if (auto legal = check_legal(graph, schedule); !legal) return tl::unexpected(std::move(legal.error()));
  }
  const EitherStop stop(job.stop, options.abandon);
  const JobContext stoppable{stop.token(), job.progress};
  auto prepared = prepare(graph, options.search, options.max_part_size, kPartBudget, stoppable);
  if (!prepared) return tl::unexpected(std::move(prepared.error()));
  auto shared = std::make_shared<const Graph>(std::move(*prepared));
  auto comparison = Comparer(graph, std::move(shared), device, options, stoppable).run();
  if (options.abandon.stop_requested()) return tl::unexpected(abandoned());
  return comparison;
}

Result<ScheduleResult> evaluate(const Graph& graph, Schedule schedule, Device& device, std::int64_t batch,
                                const TimingOptions& timing, const JobContext& job, bool verify, Device* reference) {
  if (verify) {
    if (auto possible = check_verifies(device, reference); !possible) {
      return tl::unexpected(std::move(possible.error()));
    }
  }
  if (auto valid = check_batch(batch); !valid) return tl::unexpected(std::move(valid.error()));
  if (auto legal = check_legal(graph, schedule); !legal) return tl::unexpected(std::move(legal.error()));
  DeviceLatencySource source(graph, device, batch, timing);
  ScheduleResult result;
  result.schedule = std::move(schedule);
  if (auto measured = measure_stages(result, source, job); !measured) {
    return tl::unexpected(std::move(measured.error()));
  }
  result.plan = lower(graph, result.schedule, batch, device.info().lowering);
  const ExecutionPlan* const plan = &result.plan;
  auto runs = run_interleaved(device, std::span(&plan, 1), Timing{.round = timing}, job);
  if (!runs) return tl::unexpected(std::move(runs.error()));
  take(std::move(runs->front()), result);
  if (!verify) return result;
  auto verification = Verifier(graph, device, batch, {}, reference).verify(result.plan, job);
  if (!verification) return tl::unexpected(std::move(verification.error()));
  result.verification = std::move(*verification);
  return result;
}

}  // namespace iosx
