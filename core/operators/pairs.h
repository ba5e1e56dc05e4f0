#pragma once

#include "core/operators/predictor.h"
#include "core/operators/profiling.h"

namespace iosx {

// A stage of two operators side by side whose times alone are known on the same device. It points into the stages
// passed in.
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

// The best rates of operators alone on a device: nearly the most FLOPs and bytes per ms of all measured ones.
struct BestRates {
  double flops_per_ms = 1;
  double bytes_per_ms = 1;
};

// Returns the time of two operators side by side, in ms, by the contention model of the simulated devices, from their
// times alone. Each is a kernel of one block on a device of one multiprocessor, which stands for all compute units: its
// FLOPs use these at the best rate, its bytes the memory, and the rest of its time it waits. Blocks that are present
// together share the compute units evenly, waiting ones too, and share the memory where their demand exceeds it.
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
  // "sum of both", "the longer one", "contention model", and, with enough training data, "boosted trees". The trees
  // predict each fifth of the pairs from all other stages.
  std::vector<PredictionErrors> guesses;
};
// Returns the errors of several predictions for the measured pairs of one device. Errors: those of training, and a
// stop.
Result<JudgedPairs> judge_pairs(std::span<const KnownStage> stages, const JobContext& job = {});

// How much two kinds of operators gain side by side: their time together over the sum of their times alone. 0.5 is the
// best for two; 1 is no gain.
struct PairOfKinds {
  std::string one;  // one <= other
  std::string other;
  std::int64_t pairs = 0;
  double over_sum = 0;     // the median
  double over_longer = 0;  // the median of the time together over the longer time alone
  double worst_over_sum = 0;
};

// The rank correlation (Spearman) of a column with a time: 1 and -1 are equal and reverse order.
struct Correlation {
  std::string column;
  double with_time = 0;      // of operators alone
  double with_together = 0;  // of two operators' time together over their sum
};

struct OperatorInsight {
  std::int64_t alone = 0;
  std::int64_t pairs = 0;  // of two operators with known times alone
  std::vector<PairOfKinds> kinds;
  std::vector<PairOfKinds> times;  // by the two times alone
  std::vector<Correlation> correlations;
};

// Analyses a device's times of operators alone and of pairs side by side.
OperatorInsight look_into(std::span<const KnownStage> stages);

std::string insight_table(const OperatorInsight& insight);
// Returns an SVG drawing: a square per pair of kinds with the median, bluer for more gain, redder for more loss, and
// small where fewer than kFewPairs pairs were measured.
inline constexpr std::int64_t kFewPairs = 5;
std::string insight_svg(const OperatorInsight& insight);

}  // namespace iosx
