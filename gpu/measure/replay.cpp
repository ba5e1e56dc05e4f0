#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/check.h"
#include "core/devices/measure/statistics.h"
#include "core/devices/measure/stop_rule.h"
#include "gpu/exec/enqueue.h"
#include "gpu/measure/replay.h"
#include "gpu/runtime/errors.h"

namespace iosx::gpu {
namespace {

constexpr TimerId kFirst{0};
constexpr TimerId kFirstEnd{1};
constexpr TimerId kLastBegin{2};
constexpr TimerId kLast{3};
static_assert(kFirstPlanTimer > 3);
constexpr Millis kLongPass{10};

// Returns by what to multiply the copies: less than what is missing, because launch costs are in the time, at least 2.
int growth(Millis time, Millis at_least) {
  constexpr double kMost = CopyGraphs::kMaxCopies;
  const double missing = time.count() > 0 ? std::min(at_least / time, kMost) : kMost;
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(std::max(missing, 2.0))));
}

constexpr TimerId kBegin{0};
constexpr TimerId kEnd{1};
constexpr Millis kCopiesTakeLeast{0.05};  // a hundred times the 0.5 us that marks resolve
constexpr Millis kCopiesTakeMost{0.2};
constexpr Millis kReplaysTake{1};
constexpr Millis kLong{10};        // launches by the host do not matter then
constexpr int kMaxReplays = 1024;  // of an empty graph

// With `busy` a further replay before them keeps the GPU busy while the host launches them.
Millis time_of(Runtime& runtime, CapturedGraph& graph, int replays, bool busy) {
  if (busy) runtime.launch(kOrigin, graph);
  runtime.begin_clock(kOrigin);
  runtime.mark(kBegin, kOrigin);
  for (int i = 0; i < replays; ++i) runtime.launch(kOrigin, graph);
  runtime.mark(kEnd, kOrigin);
  runtime.end_clock(kOrigin);
  runtime.synchronize(kOrigin);
  return runtime.between(kBegin, kEnd);
}

// Returns how many copies take so long, going by how long one of them took.
int copies_to_take(Millis at_least, Millis one) {
  if (one.count() <= 0) return 1;
  return static_cast<int>(std::min(std::ceil(at_least / one), double{CopyGraphs::kMaxCopies}));
}

Latency not_below_zero(Latency latency) {
  if (latency.value.count() >= 0) return latency;
  latency.spread = std::max(latency.spread, -latency.value);
  latency.value = Millis{0};
  return latency;
}

}  // namespace

std::unique_ptr<CapturedGraph> capture_work(Runtime& runtime, FunctionRef<void()> enqueue) {
  runtime.begin_capture(kOrigin);
  try {
    enqueue();
    return runtime.end_capture(kOrigin);
  } catch (...) {
    runtime.abandon_capture(kOrigin);
    throw;
  }
}

CopyGraphs::CopyGraphs(Runtime& runtime, EnqueueCopies enqueue) : runtime_(&runtime), enqueue_(enqueue) {
  enqueue_(1);  // the library loads and compiles now what must not happen during a capture
  runtime_->synchronize(kOrigin);
  once_ = capture_work(*runtime_, [&] { enqueue_(1); });
}

CopyGraphs::CopyGraphs(Runtime& runtime, EnqueueCopies enqueue, int copies, std::function<void()> before)
    : runtime_(&runtime), enqueue_(enqueue), before_(std::move(before)), copies_(std::clamp(copies, 1, kMaxCopies)) {
  once_ = capture_work(*runtime_, [&] { enqueue_(copies_); });
}

Millis CopyGraphs::replay() {
  if (before_) before_();
  runtime_->begin_clock(kOrigin);
  runtime_->mark(kFirst, kOrigin);
  runtime_->launch(kOrigin, *once_);
  runtime_->mark(kLast, kOrigin);
  runtime_->end_clock(kOrigin);
  runtime_->synchronize(kOrigin);
  return runtime_->between(kFirst, kLast);
}

Millis CopyGraphs::shortest_replay() { return std::min({replay(), replay(), replay()}); }

bool CopyGraphs::grow(Millis at_least, const JobContext& job) {
  while (true) {
    if (job.stopped()) return false;
    const Millis time = shortest_replay();
    long_ = time >= kLongPass;
    if (time >= at_least || copies_ >= kMaxCopies) break;
    copies_ = std::min(copies_ * growth(time, at_least), kMaxCopies);
    once_ = capture_work(*runtime_, [&] { enqueue_(copies_); });
  }
  if (job.stopped()) return false;
  twice_ = capture_work(*runtime_, [&] { enqueue_(2 * copies_); });
  runtime_->launch(kOrigin, *twice_);
  runtime_->synchronize(kOrigin);
  return true;
}

CopyGraphs::Sample CopyGraphs::sample() {
  IOS_CHECK(twice_ != nullptr);
  reversed_ = !reversed_;
  if (!long_) runtime_->launch(kOrigin, *twice_);
  if (before_) before_();
  runtime_->begin_clock(kOrigin);
  runtime_->mark(kFirst, kOrigin);
  runtime_->launch(kOrigin, reversed_ ? *twice_ : *once_);
  runtime_->mark(kFirstEnd, kOrigin);
  if (before_) before_();
  runtime_->mark(kLastBegin, kOrigin);
  runtime_->launch(kOrigin, reversed_ ? *once_ : *twice_);
  runtime_->mark(kLast, kOrigin);
  runtime_->end_clock(kOrigin);
  runtime_->synchronize(kOrigin);
  Millis once = runtime_->between(kFirst, kFirstEnd);
  Millis twice = runtime_->between(kLastBegin, kLast);
  if (reversed_) std::swap(once, twice);
  return {.per_copy = (twice - once) / copies_, .took = once + twice};
}

std::optional<Latency> ReplayTimer::of_samples(const TimingOptions& timing, const JobContext& job,
                                               FunctionRef<void()> work, FunctionRef<CopyGraphs::Sample()> sample,
                                               std::vector<Millis>* runs, FunctionRef<void()> after_sample) {
  StopRule rule(timing, Origin::kMeasured);
  rule.start();
  while (!rule.done()) {
    if (job.stopped()) return std::nullopt;
    const bool warming_up = rule.warming_up();
    const CopyGraphs::Sample taken = sample();
    if (!guard_.sample_counts(work, job)) continue;
    rule.add(taken.per_copy, taken.took);
    if (!warming_up) after_sample();
  }
  if (runs != nullptr) *runs = rule.samples();
  Latency latency = rule.latency();
  latency.clock_mhz = guard_.take_clock_mhz();
  return latency;
}

std::optional<Latency> ReplayTimer::per_copy(EnqueueCopies enqueue_copies, const TimingOptions& timing,
                                             const JobContext& job, std::optional<Millis> ran,
                                             const std::function<void()>& before) {
  if (job.stopped()) return std::nullopt;
  guard_.take_clock_mhz();  // of other work
  const Millis take = std::clamp(timing.min_time / 10.0, kCopiesTakeLeast, kCopiesTakeMost);
  CopyGraphs graphs = ran ? CopyGraphs(runtime_, enqueue_copies, copies_to_take(take, *ran), before)
                          : CopyGraphs(runtime_, enqueue_copies);
  if (!guard_.warm_up([&] { graphs.replay(); }, job)) return std::nullopt;
  if (!graphs.grow(take, job)) return std::nullopt;
  TimingOptions warm = timing;
  warm.warmup = 0;  // it grew by running
  const auto latency = of_samples(
      warm, job, [&] { graphs.replay(); }, [&] { return graphs.sample(); });
  return latency ? std::optional(not_below_zero(*latency)) : std::nullopt;
}

std::optional<Latency> ReplayTimer::per_replay(CapturedGraph& graph, const TimingOptions& timing, const JobContext& job,
                                               FunctionRef<void()> after_sample, std::vector<Millis>* runs) {
  guard_.take_clock_mhz();  // of other work
  const auto work = [&] { time_of(runtime_, graph, 1, false); };
  if (!guard_.warm_up(work, job)) return std::nullopt;
  int replays = 1;
  Millis together{0};
  while (replays < kMaxReplays) {
    if (job.stopped()) return std::nullopt;
    together = time_of(runtime_, graph, replays, true);
    if (together >= kReplaysTake) break;
    replays *= 2;
  }
  const bool busy = together < kLong;
  const auto sample = [&]() -> CopyGraphs::Sample {
    const Millis took = time_of(runtime_, graph, replays, busy);
    return {.per_copy = took / replays, .took = took};
  };
  return of_samples(timing, job, work, sample, replays == 1 ? runs : nullptr, after_sample);
}

std::optional<Latency> ReplayTimer::per_wait(FunctionRef<void()> launch, const TimingOptions& timing,
                                             const JobContext& job, std::vector<Millis>* runs) {
  guard_.take_clock_mhz();  // of other work
  const auto watched = [&] {
    runtime_.begin_clock(kOrigin);
    launch();
    runtime_.end_clock(kOrigin);
    runtime_.synchronize(kOrigin);
  };
  if (!guard_.warm_up(watched, job)) return std::nullopt;
  const auto sample = [&]() -> CopyGraphs::Sample {
    const auto begin = guard_.now();
    launch();
    runtime_.synchronize(kOrigin);
    const Millis waited = guard_.now() - begin;
    watched();
    return {.per_copy = waited, .took = waited};
  };
  return of_samples(timing, job, watched, sample, runs);
}

void Race::put_out(Contender& contender) {
  contender.out = true;
  contender.graphs.reset();
}

bool Race::attempt(Contender& contender, FunctionRef<void()> work) {
  try {
    work();
    return true;
  } catch (const OutOfMemory&) {
    failure_ = std::current_exception();
  } catch (const Unsupported&) {
    failure_ = std::current_exception();
  } catch (const GpuError&) {
    failure_ = std::current_exception();
    runtime_.synchronize(StreamId{0});  // throws as well if the GPU is unusable
  }
  put_out(contender);
  return false;
}

void Race::add(EnqueueCopies enqueue) {
  Contender& one = contenders_.emplace_back();
  attempt(one, [&] { one.graphs.emplace(runtime_, enqueue); });
}

std::size_t Race::remaining() const {
  return static_cast<std::size_t>(
      std::count_if(contenders_.begin(), contenders_.end(), [](const Contender& one) { return !one.out; }));
}

bool Race::prepare(const JobContext& job) {
  const auto first = std::find_if(contenders_.begin(), contenders_.end(), [](const auto& one) { return !one.out; });
  if (first == contenders_.end()) return !job.stopped();
  bool stopped = false;
  attempt(*first, [&] { stopped = !guard_.warm_up([&] { first->graphs->replay(); }, job); });
  // The launch is in all of these times, which makes them more alike than the works are.
  std::vector<Millis> times(contenders_.size(), Millis{std::numeric_limits<double>::infinity()});
  for (std::size_t i = 0; i < contenders_.size(); ++i) {
    if (stopped || job.stopped()) return false;
    Contender& one = contenders_[i];
    if (!one.out) attempt(one, [&] { times[i] = one.graphs->shortest_replay(); });
  }
  const double hopeless = options_.hopeless_after > 0 ? std::numeric_limits<double>::infinity() : options_.hopeless;
  const Millis best = *std::min_element(times.begin(), times.end());
  for (std::size_t i = 0; i < contenders_.size(); ++i) {
    Contender& one = contenders_[i];
    if (!one.out && times[i] > hopeless * best) put_out(one);
    if (!one.out) attempt(one, [&] { stopped = !one.graphs->grow(options_.copies_take, job); });
    if (stopped) return false;
  }
  return true;
}

bool Race::round(const JobContext& job) {
  for (Contender& one : contenders_) {
    if (one.out) continue;
    if (job.stopped()) return false;
    attempt(one, [&] {
      const CopyGraphs::Sample sample = one.graphs->sample();
      one.samples.push_back(sample.per_copy);
      took_ += sample.took;
    });
  }
  const auto work = [&] {
    const auto one = std::ranges::find(contenders_, false, &Contender::out);
    if (one != contenders_.end()) attempt(*one, [&] { one->graphs->replay(); });
  };
  if (remaining() == 0 || guard_.sample_counts(work, job)) return true;
  for (Contender& one : contenders_) {
    if (!one.out) one.samples.pop_back();
  }
  return true;
}

void Race::drop_hopeless() {
  std::vector<std::optional<Millis>> medians;
  Millis best{std::numeric_limits<double>::infinity()};
  for (const Contender& one : contenders_) {
    medians.push_back(one.out ? std::nullopt : std::optional(median(one.samples)));
    if (medians.back()) best = std::min(best, *medians.back());
  }
  for (std::size_t i = 0; i < contenders_.size(); ++i) {
    if (best.count() > 0 && medians[i] && *medians[i] > options_.hopeless * best) put_out(contenders_[i]);
  }
}

bool Race::run(const JobContext& job) {
  IOS_CHECK(!contenders_.empty());
  if (!prepare(job)) return false;
  for (int rounds = 0; rounds < options_.rounds && (rounds == 0 || took_ < options_.max_time);) {
    if (!round(job)) return false;
    if (remaining() == 0) break;
    rounds = 0;
    for (const Contender& one : contenders_) rounds = std::max(rounds, static_cast<int>(one.samples.size()));
    if (rounds > 0 && rounds >= options_.hopeless_after) drop_hopeless();
    if (rounds > 0 && contenders_.size() > 1 && remaining() == 1) break;
  }
  return true;
}

std::vector<std::size_t> Race::ranking() const {
  std::vector<std::pair<Millis, std::size_t>> order;
  for (std::size_t i = 0; i < contenders_.size(); ++i) {
    if (!contenders_[i].out) order.emplace_back(median(contenders_[i].samples), i);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> result;
  result.reserve(order.size());
  for (const auto& [time, contender] : order) result.push_back(contender);
  return result;
}

bool faster(std::span<const Millis> a, std::span<const Millis> b) {
  constexpr double kClearly = 0.02;
  const std::size_t rounds = std::min(a.size(), b.size());
  if (rounds == 0) return false;
  std::vector<Millis> differences;
  for (std::size_t i = 0; i < rounds; ++i) differences.push_back(a[i] - b[i]);
  if (const auto interval = median_interval(differences)) return interval->high.count() < 0;
  const bool always = std::all_of(differences.begin(), differences.end(), [](Millis d) { return d.count() < 0; });
  return always && median(differences) < -kClearly * median(b.first(rounds));
}

}  // namespace iosx::gpu
