#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/search/lazy/stage_facts.h"

namespace iosx {

// Predicts a stage's latency, over the sum of its units', by ridge regression of relative errors: features are group
// lengths, work, hinges between them, and what each kind of unit has of the sum. Learns from every measurement; knows
// nothing of devices.
class StagePredictor {
 public:
  // `mean_unit_ms`: of all units of the network.
  StagePredictor(std::size_t kinds, double mean_unit_ms);

  // `of_kind` has the time of the stage's units of every kind.
  // `weight` is that of a measurement; less of what somebody guesses.
  void learn(const StageFacts& facts, std::span<const float> of_kind, double latency_ms, double weight = 1);
  void fit();

  // Returns what one ms of a unit of that kind adds, in ms.
  double weight(std::size_t kind) const { return weights_[kOwn + kind]; }
  // ms; `weighed` is the sum over its units of weight() × time. Never less than what the longest group of a concurrent
  // stage takes, nor than the largest unit.
  double predict(const StageFacts& facts, double weighed) const;

  std::size_t learned() const { return learned_; }

 private:
  static constexpr std::size_t kOwn = 25;  // features that do not speak of kinds
  using Own = std::array<double, kOwn>;
  Own own_features(const StageFacts& facts) const;
  void reset(std::vector<double>& weights) const;

  double mean_unit_ms_;
  std::size_t size_;
  std::size_t learned_ = 0;
  std::vector<double> products_;  // size_ × size_, the lower half: weighted sums of features' products
  std::vector<double> targets_;   // weighted sums of features × target
  std::vector<double> weights_;
};

}  // namespace iosx
