#include "gpu/measure/race.h"

#include <algorithm>
#include <limits>

#include "core/base/check.h"
#include "core/devices/measure/statistics.h"
#include "gpu/runtime/errors.h"

namespace iosx::gpu {

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
