#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/operators/pairs.h"

namespace iosx {

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
