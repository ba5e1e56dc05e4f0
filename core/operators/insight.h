#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/operators/pairs.h"

namespace iosx {

// Says how two kinds of operators get on side by side: what both take together, over what they take one after another.
// 0.5 is as good as it gets for two; 1 is no gain.
struct PairOfKinds {
  std::string one;  // one <= other
  std::string other;
  std::int64_t pairs = 0;
  double over_sum = 0;     // the median
  double over_longer = 0;  // the median of what both take together over what the longer one takes alone
  double worst_over_sum = 0;
};

// Says how a column goes along with a time, by ranks (Spearman): 1 and -1 are the same order and its reverse.
struct Correlation {
  std::string column;
  double with_time = 0;      // of operators alone
  double with_together = 0;  // of what two take together over their sum
};

struct OperatorInsight {
  std::int64_t alone = 0;
  std::int64_t pairs = 0;  // of two operators of which both are known alone
  std::vector<PairOfKinds> kinds;
  std::vector<PairOfKinds> times;  // by what the two take alone
  std::vector<Correlation> correlations;
};

// Looks at what a device took for operators alone and for two of them side by side.
OperatorInsight look_into(std::span<const KnownStage> stages);

std::string insight_table(const OperatorInsight& insight);
// Returns an SVG drawing: a square a pair of kinds with the median in it, the bluer the more is won side by side, the
// redder the more is lost, and small where fewer pairs than kFewPairs were measured.
inline constexpr std::int64_t kFewPairs = 5;
std::string insight_svg(const OperatorInsight& insight);

}  // namespace iosx
