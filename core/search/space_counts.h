#pragma once

#include "core/base/duration.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/model/graph/graph.h"
#include "core/search/options.h"
#include "core/search/state_space.h"

namespace iosx {

// A number of schedules. Schedules of a part are ordered partitions of at most 64 units, fewer than 2^331 (the 64th
// Fubini number, about 64! / (2 ln(2)^65) = 1.4e99), so 384 bits never overflow.
class BigCount {
 public:
  constexpr BigCount() = default;
  constexpr explicit BigCount(std::uint64_t value) : limbs_{value} {}

  BigCount& operator+=(const BigCount& other) {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < limbs_.size(); ++i) {
      const std::uint64_t sum = limbs_[i] + other.limbs_[i];
      const std::uint64_t with_carry = sum + carry;
      carry = static_cast<std::uint64_t>(sum < limbs_[i]) | static_cast<std::uint64_t>(with_carry < sum);
      limbs_[i] = with_carry;
    }
    return *this;
  }

  std::string decimal() const;

 private:
  std::array<std::uint64_t, 6> limbs_{};  // the lowest first
};

// Estimates the number of states of a search of these units (sorted by id) without listing them: non-empty sets of
// units that contain all their predecessors. Limits on stages do not matter, because a unit alone is always a stage. It
// uses random descents through the sets after Knuth, "Estimating the efficiency of backtrack programs" (1975), with
// resampling; it is deterministic and right within a factor of two.
double estimated_states(const Graph& graph, std::span<const UnitId> units);

struct PartCount {
  std::size_t units = 0;
  std::size_t width = 0;  // most units of which none depends on another
  SpaceCount space;
};
struct PartCounts {
  std::vector<PartCount> parts;  // in the graph's order
  bool complete = true;          // false: stopped
  Seconds elapsed{0};
};

// Counts the search space of these options, part by part, for a graph from prepare(). Progress counts parts. A part
// of more than 50 million states is an error.
Result<PartCounts> count_parts(const Graph& graph, const SearchOptions& options, const JobContext& job);

}  // namespace iosx
