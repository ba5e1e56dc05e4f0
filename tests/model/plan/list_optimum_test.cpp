#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "core/model/plan/lanes/lane_schedule.h"

namespace iosx {
namespace {

using Needs = std::vector<std::vector<KernelId>>;

constexpr Micros kWait{0.6};
constexpr Micros kTolerance{1e-6};
constexpr std::size_t kMostKernels = 7;

struct Instance {
  Needs needs;
  std::vector<Micros> takes;
};

Instance random_instance(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Instance made;
  const std::size_t kernels = 2 + random() % (kMostKernels - 1);
  const std::uint64_t percent = 10 + random() % 50;
  for (std::size_t k = 0; k < kernels; ++k) {
    made.needs.emplace_back();
    for (std::size_t other = 0; other < k; ++other) {
      if (random() % 100 < percent) made.needs[k].emplace_back(other);
    }
    made.takes.emplace_back(0.5 + static_cast<double>(random() % 1000) / 100);
  }
  return made;
}

// When the last kernel ends: each starts when its lane is free and what it needs has ended, with a wait where that ran
// on another lane.
Micros end_of(const Instance& instance, const LaneSchedule& lanes) {
  std::vector<Micros> free(kMostLanes, Micros(0));
  std::vector<Micros> end(instance.takes.size(), Micros(0));
  std::vector<std::size_t> lane_of(instance.takes.size(), 0);
  for (const auto& [kernel, lane, name] : lanes.launches) {
    Micros start = free[lane];
    for (const KernelId need : instance.needs[kernel.index()]) {
      start = std::max(start, end[need.index()] + (lane_of[need.index()] == lane ? Micros(0) : kWait));
    }
    lane_of[kernel.index()] = lane;
    free[lane] = end[kernel.index()] = start + instance.takes[kernel.index()];
  }
  return *std::ranges::max_element(end);
}

// Returns for every kernel the longest way from its start to an end, and the longest of all. `wait` counts on each
// edge.
std::vector<Micros> ways(const Instance& instance, Micros wait) {
  std::vector<Micros> way = instance.takes;
  for (std::size_t k = way.size(); k-- > 0;) {
    for (const KernelId need : instance.needs[k]) {
      way[need.index()] = std::max(way[need.index()], instance.takes[need.index()] + wait + way[k]);
    }
  }
  return way;
}

// Tries every order and every choice of lanes. Kernels are launched in the order in which they start, which loses no
// schedule; of lanes without a kernel one stands for all.
class BruteForce {
 public:
  BruteForce(const Instance& instance, std::size_t lanes)
      : instance_(instance),
        way_(ways(instance, Micros(0))),
        most_lanes_(std::min(lanes, instance.takes.size())),
        end_(instance.takes.size(), Micros(0)),
        lane_of_(instance.takes.size(), kNone),
        free_(most_lanes_, Micros(0)) {
    best_ = Micros(1e9);
    try_next(0, 0, Micros(0), Micros(0));
  }
  Micros best() const { return best_; }

 private:
  static constexpr std::size_t kNone = kMostLanes;

  void try_next(std::size_t launched, std::size_t used, Micros started, Micros ended) {
    if (launched == end_.size()) {
      best_ = std::min(best_, ended);
      return;
    }
    for (std::size_t k = 0; k < end_.size(); ++k) {
      const auto launched_before = [&](KernelId need) { return lane_of_[need.index()] != kNone; };
      if (lane_of_[k] != kNone || !std::ranges::all_of(instance_.needs[k], launched_before)) continue;
      for (std::size_t lane = 0; lane < std::min(used + 1, most_lanes_); ++lane) {
        try_on(k, lane, launched, used, started, ended);
      }
    }
  }

  void try_on(std::size_t k, std::size_t lane, std::size_t launched, std::size_t used, Micros started, Micros ended) {
    Micros start = free_[lane];
    for (const KernelId need : instance_.needs[k]) {
      start = std::max(start, end_[need.index()] + (lane_of_[need.index()] == lane ? Micros(0) : kWait));
    }
    if (start < started || start + way_[k] >= best_) return;
    const Micros free = free_[lane];
    lane_of_[k] = lane;
    free_[lane] = end_[k] = start + instance_.takes[k];
    try_next(launched + 1, std::max(used, lane + 1), start, std::max(ended, end_[k]));
    free_[lane] = free;
    lane_of_[k] = kNone;
  }

  const Instance& instance_;
  std::vector<Micros> way_;
  std::size_t most_lanes_;
  std::vector<Micros> end_;
  std::vector<std::size_t> lane_of_;
  std::vector<Micros> free_;
  Micros best_;
};

// How much longer than the optimum, in per cent.
struct Losses {
  double sum = 0;
  double worst = 0;
  int count = 0;
  int optimal = 0;
  void add(Micros found, Micros optimum) {
    const double loss = 100 * (found / optimum - 1);
    sum += loss;
    worst = std::max(worst, loss);
    ++count;
    if (loss < 1e-6) ++optimal;
  }
  std::string text() const {
    return fmt::format("mean {:.2f} %, worst {:.1f} %, optimal {} of {}", sum / count, worst, optimal, count);
  }
};

LaneSchedule listed(const Instance& instance, std::size_t lanes) {
  return list_schedule(instance.needs, longest_way_first(instance.needs, instance.takes), instance.takes, lanes, kWait);
}

// The better of both orders that find_lanes() tries.
Micros listed_end(const Instance& instance, std::size_t lanes) {
  std::vector<KernelId> given;
  for (std::size_t k = 0; k < instance.takes.size(); ++k) given.emplace_back(k);
  return std::min(end_of(instance, listed(instance, lanes)),
                  end_of(instance, list_schedule(instance.needs, given, instance.takes, lanes, kWait)));
}

// With as many lanes as kernels none waits for a lane: a list schedule ends no later than the longest way on which
// every kernel waits for the one before, and no schedule ends before the longest way without waits. Fewer lanes have no
// bound that holds for every order, so there the figures stand alone.
TEST(ListSchedule, IsNearTheOptimum) {
  for (const std::size_t lanes : {std::size_t{2}, std::size_t{3}, kMostKernels}) {
    Losses longest_first;
    Losses better_of_both;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      SCOPED_TRACE(seed);
      const Instance instance = random_instance(seed);
      const Micros optimum = BruteForce(instance, lanes).best();
      EXPECT_GE(optimum, std::ranges::max(ways(instance, Micros(0))) - kTolerance);
      const Micros found = end_of(instance, listed(instance, lanes));
      const Micros better = listed_end(instance, lanes);
      EXPECT_GE(better, optimum - kTolerance) << "the optimum is none";
      if (lanes >= instance.takes.size()) {
        EXPECT_LE(found, std::ranges::max(ways(instance, kWait)) + kTolerance);
      }
      longest_first.add(found, optimum);
      better_of_both.add(better, optimum);
    }
    RecordProperty(fmt::format("{} lanes, longest way first", lanes), longest_first.text());
    RecordProperty(fmt::format("{} lanes, better of both orders", lanes), better_of_both.text());
    fmt::print("{} lanes: longest way first: {}; better of both orders: {}\n", lanes, longest_first.text(),
               better_of_both.text());
  }
}

// a takes 1, b and c 3 each; b and c need a: 1 + 3 on a's lane, and 0.6 more on the other.
TEST(ListSchedule, BruteForceKnowsWhatCanBeReckonedByHand) {
  const Instance instance{{{}, {KernelId(0)}, {KernelId(0)}}, {Micros(1), Micros(3), Micros(3)}};
  EXPECT_NEAR(BruteForce(instance, 1).best().count(), 7, 1e-9);
  EXPECT_NEAR(BruteForce(instance, 2).best().count(), 4.6, 1e-9);
}

}  // namespace
}  // namespace iosx
