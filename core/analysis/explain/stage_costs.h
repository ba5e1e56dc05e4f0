#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "core/model/cost/latency_source.h"
#include "core/search/lazy/stage_facts.h"

namespace iosx {

// How a cost is known, the surest first.
enum class Basis {
  kSimulated,
  kLearned,  // by a device that predicts all of them
  kMeasured,
  kReused,     // measured on this device earlier, and kept
  kRecorded,   // measured elsewhere or earlier, of a saved run or replayed store
  kPredicted,  // by what units take by themselves and the stages that are known
  kBound,      // at least so much, as far as BoundFactors hold
  kUnknown,
};
std::string_view basis_name(Basis basis);  // "simulated", "measured", "reused", "recorded", "predicted", …
inline bool is_known(Basis basis) { return basis <= Basis::kRecorded; }

struct StageCost {
  Millis value{0};
  Basis basis = Basis::kUnknown;
  // Half width of the 95 % interval of the median, from the spread of the samples as if they were normally distributed;
  // 0 for what has no noise, is predicted or bounded.
  Millis error{0};
  friend bool operator==(const StageCost&, const StageCost&) = default;
};

// Knows what stages cost by themselves. A source that measures is asked for all of them. Of another one what it knows
// counts; of the rest what the known ones let predict, or a bound where the times of its units are known in part.
class StageCosts {
 public:
  // The graph and the source must outlive it.
  StageCosts(const Graph& graph, LatencySource& source);

  // Its number; the same for the same stage. Single units have their UnitId's.
  std::size_t add(const Stage& stage);
  // The error is the source's, or that a stop came.
  Result<void> find_out(const JobContext& job);

  const StageCost& of(std::size_t stage) const { return costs_[stage]; }
  const StageCost& of(UnitId unit) const { return costs_[unit.index()]; }
  // How many stages of several units predictions were learned from.
  std::size_t learned() const { return learned_; }
  // Lowered by every known stage of several known units that went below them.
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
