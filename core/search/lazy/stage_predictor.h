#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace iosx {

// What a prediction knows of a stage, besides the kinds of its units. Times in ms, from units run alone.
struct StageFacts {
  float sum = 0;      // of its units
  float longest = 0;  // group, as the sum of its units
  float second = 0;   // the next longest group; 0: there is one only
  float largest = 0;  // unit
  float root = 0;     // of the sum of the units' squares
  float flops = 0;    // as the time that they take at the network's mean rate
  float bytes = 0;    // the same
  float chained = 0;  // units that follow another one of their group
  float light = 0;    // of these, those that could be fused: they only move data or work element by element
  float heavy = 0;    // of the longest group without such units
  std::uint8_t units = 0;
  std::uint8_t groups = 0;
  bool merged = false;
};

// Predicts a stage's latency, over the sum of its units', by ridge regression of relative errors: features are group
// lengths, work, hinges between them, and what each kind of unit has of the sum. Learns from every measurement; knows
// nothing of devices.
class StagePredictor {
 public:
  // `mean_unit_ms`: of all units of the network.
  StagePredictor(std::size_t kinds, double mean_unit_ms);

  // `of_kind` has the time of the stage's units of every kind.
  void learn(const StageFacts& facts, std::span<const float> of_kind, double latency_ms);
  void fit();

  // What one ms of a unit of that kind adds.
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
