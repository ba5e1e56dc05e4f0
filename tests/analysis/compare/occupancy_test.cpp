#include "core/analysis/compare/profile.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

Trace counted(std::vector<Counter> counters) { return {.duration = Micros(100), .counters = std::move(counters)}; }

TEST(Occupancy, IsOfWarpsWhereverTheyStandAmongTheCounters) {
  const Counter work{"GPU at work", "%", 100, {Micros(0)}, {90}};
  EXPECT_EQ(occupancy(counted({work, {"active warps", "warps", 200, {Micros(0)}, {100}}}))->name, "active warps");
  EXPECT_EQ(occupancy(counted({work}))->name, "GPU at work");
}

TEST(Occupancy, IsNotKnownWithoutValuesOrPeak) {
  EXPECT_EQ(occupancy(Trace{}), nullptr);
  EXPECT_EQ(occupancy(counted({{"active warps", "warps", 0, {Micros(0)}, {100}}})), nullptr);
  EXPECT_EQ(occupancy(counted({{"active warps", "warps", 200, {}, {}}})), nullptr);
}

}  // namespace
}  // namespace iosx
