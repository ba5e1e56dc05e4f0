#pragma once

#include <algorithm>

#include "core/model/graph/graph.h"

namespace iosx {

// The facts that a prediction uses of a stage, besides the kinds of its units. Times are in ms, of units run alone.
struct StageFacts {
  float sum = 0;      // of its units
  float longest = 0;  // group, by the sum of its units
  float second = 0;   // next longest group; 0: only one group
  float largest = 0;  // unit
  float root = 0;     // root of the sum of the units' squares
  float flops = 0;    // as their time at the network's mean rate
  float bytes = 0;    // likewise
  float chained = 0;  // units that follow another unit of their group
  float light = 0;    // of these, those that could be fused: they only move data or work elementwise
  float heavy = 0;    // longest group without such units
  std::uint16_t units = 0;
  std::uint16_t groups = 0;
  bool merged = false;
};

// The units' own times, by UnitId, as far as known.
struct UnitTimes {
  std::vector<double> ms;        // NaN: unknown
  std::vector<double> flops_ms;  // their work as its time at the mean rate of the known units
  std::vector<double> bytes_ms;
  double mean_ms = 0;
};
UnitTimes unit_times(const Graph& graph, std::vector<double> ms);

// One unit of a stage.
struct UnitFacts {
  double ms = 0;  // alone
  double flops_ms = 0;
  double bytes_ms = 0;
  std::size_t group = 0;  // of the stage, from 0
  bool follows = false;   // another unit of its group
  bool light = false;     // is_light()
};

// Units are sorted by id. `merged`: all run as one convolution.
StageFacts stage_facts(std::span<const UnitFacts> units, bool merged);

// Returns whether a unit only moves data or works elementwise, so that a device may fuse it into the previous one.
bool is_light(const Graph& graph, const Unit& unit);

// How far a stage may be below its expectation, by experience so far. Measured units bound the stages that contain
// them, by how devices behave and not strictly. The factors start at values from simulations and experience, and fall
// below every measurement that is lower.
struct BoundFactors {
  double chain = 0.89;       // one group: relative to the sum of its units
  double concurrent = 1;     // several groups: relative to the longest
  double merged = 0.8;       // relative to the largest unit
  bool light_counts = true;  // units that could be fused into the previous one count

  double least() const { return std::min({1.0, chain, concurrent, merged}); }
};

// Returns a lower bound of a stage's latency in ms, as far as the factors hold.
double stage_bound(const StageFacts& facts, const BoundFactors& factors);
// Lowers the factors where a stage took less than they say. Returns its latency relative to the bound, 1 where it is
// not below.
double lower_factors(BoundFactors& factors, const StageFacts& facts, double ms);

// Predicts a stage's latency relative to the sum of its units' by ridge regression of relative errors. Features are
// group lengths, work, hinges between them, and the share of each kind of unit in the sum. It learns from every
// measurement and knows nothing of devices.
class StagePredictor {
 public:
  // `mean_unit_ms`: over all units of the network.
  StagePredictor(std::size_t kinds, double mean_unit_ms);

  // `of_kind` has the time of the stage's units of every kind. `weight` is 1 for a measurement, and
  // less for a source's prediction.
  void learn(const StageFacts& facts, std::span<const float> of_kind, double latency_ms, double weight = 1);
  void fit();

  // Returns the ms that one ms of a unit of that kind adds.
  double weight(std::size_t kind) const { return weights_[kOwn + kind]; }
  // Returns ms; `weighed` is the sum over its units of weight() × time. At least the longest group of a concurrent
  // stage, and the largest unit.
  double predict(const StageFacts& facts, double weighed) const;

  std::size_t learned() const { return learned_; }

 private:
  static constexpr std::size_t kOwn = 25;  // features independent of kinds
  using Own = std::array<double, kOwn>;
  Own own_features(const StageFacts& facts) const;
  void reset(std::vector<double>& weights) const;

  double mean_unit_ms_;
  std::size_t size_;
  std::size_t learned_ = 0;
  std::vector<double> products_;  // size_ × size_, lower half: weighted sums of products of features
  std::vector<double> targets_;   // weighted sums of features × target
  std::vector<double> weights_;
};

}  // namespace iosx
