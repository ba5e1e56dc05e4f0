#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/devices/device.h"

namespace iosx {

struct Comparison;

// Says which answers of a simulated comparison hang on the errors of the device's model: its schedules are run again on
// devices that are off as the model may be (Device::redrawn()).
struct Doubt {
  // Of one result of the comparison, in its order.
  struct Entry {
    std::int64_t wins = 0;    // draws in which it was fastest; of equals the first result
    std::int64_t behind = 0;  // draws in which the comparison's best was faster than it
    std::int64_t before = 0;  // draws in which it was faster than the best
    // How many times as fast as sequential: nine of ten draws lie between. 0 without sequential.
    double speedup_low = 0;
    double speedup_high = 0;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  std::int64_t draws = 0;
  std::vector<Entry> entries;
  friend bool operator==(const Doubt&, const Doubt&) = default;

  // The results that the best does not beat in nineteen of twenty draws, although it differs from them in some: with
  // these it is a tie.
  std::vector<std::size_t> ties() const;
};

// Draws at most 100 times, fewer of large networks, the same ones every time; nothing of a device that measures, and of
// a comparison without results. A stop leaves the draws that were made. Errors are the device's.
Result<std::optional<Doubt>> doubt_of(const Comparison& comparison, const Device& device, const JobContext& job);

// "in 100 draws of the model's errors ios-both is fastest in 93 and greedy in 7; it is 1.31 to 1.58 times as fast as
// sequential in nine of ten"; a best that is not clear of another result is called a tie with it.
std::string doubt_text(const Comparison& comparison, const Doubt& doubt);

}  // namespace iosx
