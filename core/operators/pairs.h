#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/operators/predictor.h"
#include "core/operators/profiling.h"

namespace iosx {

// Is a stage of two operators side by side, of which it is known what both take alone on the same device. It points
// into the stages that it was found in.
struct MeasuredPair {
  const KnownStage* stage = nullptr;
  const OperatorFeatures* longer = nullptr;
  const OperatorFeatures* shorter = nullptr;
  double longer_ms = 0;  // alone
  double shorter_ms = 0;
  double ms = 0;  // together

  double over_sum() const { return ms / (longer_ms + shorter_ms); }
};
std::vector<MeasuredPair> measured_pairs(std::span<const KnownStage> stages);

// Is what operators alone do at most on a device: nearly the most FLOPs and bytes a ms of all that were measured.
struct BestRates {
  double flops_per_ms = 1;
  double bytes_per_ms = 1;
};
BestRates best_rates(std::span<const KnownStage> stages);

// Returns what the simulated devices' model of contention says of two operators side by side, in ms, from what each
// takes alone. Each is a kernel of one block on a device of one multiprocessor, which stands for all compute units: its
// FLOPs take these at the best rate, its bytes the memory, and the rest of its time it waits. Blocks that are there
// together share the compute units evenly, those that wait too, and the memory where both ask for more than it gives.
//
//   alone                                          together
//   both at the best rate of FLOPs, 1 ms each      2 ms
//   both at the best rate of bytes, 1 ms each      2 ms
//   one of each                                    1.5 ms: for 1 ms FLOPs have half of the units
//   both at half the best rate of FLOPs            1.5 ms
double contention_ms(const MeasuredPair& pair, const BestRates& rates);

struct JudgedPairs {
  std::int64_t pairs = 0;
  BestRates rates;
  // "sum of both", "the longer one", "contention model", and, where enough was measured to learn from, "boosted trees",
  // which are learned from all stages but a fifth of the pairs after another, which they predict.
  std::vector<PredictionErrors> guesses;
};
// Says how far it is off what is guessed of measured pairs of one device. Errors are those of learning, and a stop.
Result<JudgedPairs> judge_pairs(std::span<const KnownStage> stages, const JobContext& job = {});

}  // namespace iosx
