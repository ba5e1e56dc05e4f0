#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/search/lazy/stage_facts.h"

namespace iosx {

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
