#include "gpu/measure/way_selector.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <tuple>

#include "core/devices/measure/statistics.h"
#include "gpu/exec/way.h"
#include "gpu/measure/replay.h"
#include "gpu/measure/way_trial.h"
#include "gpu/ops/conv/plan_store.h"
#include "gpu/runtime/errors.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {
namespace {

constexpr std::int64_t kSaveEvery = 16;  // problems, so that a crash does not lose everything

// Returns indices into the race's contenders, the fastest first. The first is the cheapest of those that may be the
// fastest.
std::vector<std::size_t> order_of(const Race& race, const std::function<const Way&(std::size_t)>& way,
                                  const Task& task) {
  std::vector<std::size_t> order = race.ranking();
  if (order.empty()) return order;
  const auto fastest = race.samples(order.front());
  const auto cost = [&](std::size_t i) { return std::tuple(scratch_bytes(way(i), task), way(i).name()); };
  auto best = order.begin();
  for (auto i = std::next(order.begin()); i != order.end(); ++i) {
    if (!faster(fastest, race.samples(*i)) && cost(*i) < cost(*best)) best = i;
  }
  std::rotate(order.begin(), best, std::next(best));
  return order;
}

// A way's use of resources that its neighbours need, besides time.
struct Footprint {
  std::int64_t scratch = 0;  // bytes
  std::int64_t shared = 0;   // bytes a thread block; 0: not known

  // Returns whether it is smaller by half in one respect, and larger in none.
  bool clearly_smaller(const Footprint& other) const {
    const bool shared_known = shared > 0 && other.shared > 0;
    const bool no_larger = scratch <= other.scratch && (!shared_known || shared <= other.shared);
    return no_larger && (2 * scratch < other.scratch || (shared_known && 2 * shared <= other.shared));
  }
};

// Returns the first kKept, and the first of the others that is clearly smaller than all of these.
std::vector<std::size_t> kept_of(std::vector<std::size_t> order,
                                 const std::function<Footprint(std::size_t)>& footprint) {
  if (order.size() <= WaySelector::kKept) return order;
  const auto rest = order.begin() + static_cast<std::ptrdiff_t>(WaySelector::kKept);
  const auto small = std::find_if(rest, order.end(), [&](std::size_t candidate) {
    return std::all_of(order.begin(), rest,
                       [&](std::size_t fast) { return footprint(candidate).clearly_smaller(footprint(fast)); });
  });
  const std::optional<std::size_t> also = small == order.end() ? std::nullopt : std::optional(*small);
  order.erase(rest, order.end());
  if (also) order.push_back(*also);
  return order;
}

std::string trial_of(const std::string& key, const Way& way) { return fmt::format("run {}: {}", key, way.name()); }

}  // namespace

WaySelector::WaySelector(Runtime& runtime, KernelLibrary& library, ReplayTimer& timer, PlanStore& store)
    : runtime_(runtime), library_(library), timer_(timer), store_(store) {}

const std::vector<Way>& WaySelector::ways(const Problem& problem) {
  const std::string key = key_of(problem);
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  if (auto ways = stored(problem, key)) return known_[key] = std::move(*ways);
  std::vector<Way> candidates = candidate_ways(problem, library_, *this);
  if (const TrialLog* const trials = library_.trials()) {
    std::erase_if(candidates, [&](const Way& way) { return trials->ended(trial_of(key, way)); });
    if (candidates.empty()) {
      throw Unsupported(
          message("every way to compute {} ended an earlier run of this program; delete the file {} to "
                  "try them again",
                  key, trials->file().string()));
    }
  }
  if (auto ways = measured(problem, key, candidates)) return known_[key] = std::move(*ways);
  if (candidates.size() > kKept) candidates.resize(kKept);
  return unmeasured_ = std::move(candidates);
}

std::optional<std::vector<Way>> WaySelector::stored(const Problem& problem, const std::string& key) {
  const std::vector<PlanStore::Way>* kept = store_.ways(key);
  if (kept == nullptr || kept->empty() || kept->size() > kMost) return std::nullopt;
  std::vector<Way> ways;
  for (const PlanStore::Way& one : *kept) {
    auto way = restored_way(problem, one.name, one.plan, library_, *this);
    if (!way) return std::nullopt;
    ways.push_back(std::move(*way));
  }
  return ways;
}

std::optional<std::vector<Way>> WaySelector::measured(const Problem& problem, const std::string& key,
                                                      const std::vector<Way>& candidates) {
  static const JobContext kEndless;
  const JobContext& job = job_ == nullptr ? kEndless : *job_;
  if (job.stopped()) return std::nullopt;
  job.report(message("measuring convolutions"), measured_, 0);
  std::optional<WayTrial> trial;
  try {
    trial.emplace(runtime_, problem);
  } catch (const OutOfMemory&) {
    return std::nullopt;
  }
  const std::vector<std::size_t> fit = trial->make_room(candidates);
  const auto way = [&](std::size_t contender) -> const Way& { return candidates[fit[contender]]; };
  if (fit.empty()) return std::nullopt;
  Race race(runtime_, timer_.guard(), Race::Options{});
  std::deque<std::function<void(int)>> works;  // the race sees them by reference
  for (std::size_t i = 0; i < fit.size(); ++i) {
    if (job.stopped()) return std::nullopt;
    const Trial first(library_.trials(), trial_of(key, way(i)));
    race.add(works.emplace_back([&trial, &one = way(i)](int copies) { trial->enqueue(one, copies); }));
  }
  if (!race.run(job)) return std::nullopt;
  std::vector<std::size_t> order = order_of(race, way, trial->task());
  if (order.empty()) std::rethrow_exception(race.failure());
  order = kept_of(std::move(order), [&](std::size_t i) -> Footprint {
    return {scratch_bytes(way(i), trial->task()), way(i).plan == nullptr ? 0 : way(i).plan->shared_bytes()};
  });
  std::vector<Way> ways;
  std::vector<PlanStore::Way> kept;
  for (const std::size_t i : order) {
    const Way& one = ways.emplace_back(way(i));
    kept.push_back({.name = one.name(),
                    .plan = one.plan == nullptr ? std::string() : one.plan->serialised(),
                    .latency = median(race.samples(i))});
  }
  store_.set_ways(key, std::move(kept));
  if (++measured_ % kSaveEvery == 0) store_.save();
  return ways;
}

}  // namespace iosx::gpu
