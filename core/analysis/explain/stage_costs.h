#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "core/model/cost/latency_source.h"
#include "core/search/lazy/stage_facts.h"

namespace iosx {

// How a cost is known, the most reliable first.
enum class Basis {
  kSimulated,
  kLearned,  // by a device that predicts all of them
  kMeasured,
  kReused,     // measured on this device earlier, and kept
  kRecorded,   // measured elsewhere or earlier, from a saved run or replayed store
  kPredicted,  // from units alone and known stages
  kBound,      // a lower bound, as far as BoundFactors hold
  kUnknown,
};
std::string_view basis_name(Basis basis);  // "simulated", "measured", "reused", "recorded", "predicted", …
inline bool is_known(Basis basis) { return basis <= Basis::kRecorded; }

struct StageCost {
  Millis value{0};
  Basis basis = Basis::kUnknown;
  // Half width of the 95 % interval of the median, from the spread, for normally distributed samples; 0 without noise,
  // and for predictions and bounds.
  Millis error{0};
  friend bool operator==(const StageCost&, const StageCost&) = default;
};

// The costs of stages by themselves. A measuring source is asked for all of them. From another one known latencies
// count; others are predicted from known ones, or bounded where only some unit times are known.
class StageCosts {
 public:
  // The graph and the source must outlive it.
  StageCosts(const Graph& graph, LatencySource& source);

  // Returns its number, equal for equal stages. Single units have their UnitId's.
  std::size_t add(const Stage& stage);
  // Errors: the source's, or a stop.
  Result<void> find_out(const JobContext& job);

  const StageCost& of(std::size_t stage) const { return costs_[stage]; }
  const StageCost& of(UnitId unit) const { return costs_[unit.index()]; }
  // Returns how many stages of several units the predictions were learned from.
  std::size_t learned() const { return learned_; }
  // Lowered by every known stage of several known units below them.
  const BoundFactors& factors() const { return factors_; }

 private:
  Result<void> ask(const JobContext& job);
  Result<void> recall();
  void learn();

  const Graph& graph_;
  LatencySource& source_;
  std::vector<Stage> stages_;
  std::map<std::vector<std::size_t>, std::size_t> numbers_;  // by the stage in words
  std::vector<StageCost> costs_;
  std::size_t learned_ = 0;
  BoundFactors factors_;
};

}  // namespace iosx
