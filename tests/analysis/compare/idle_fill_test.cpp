#include "core/analysis/compare/profile.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

// Holds a run of 100 µs in which so many of 200 warps are active, each value for as long.
Trace trace_of(std::vector<double> values, double peak = 200, std::string name = "active warps") {
  Trace trace{.duration = Micros(100)};
  Counter counter{std::move(name), "warps", peak, {}, {}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    counter.times.push_back(trace.duration * (static_cast<double>(i) / static_cast<double>(values.size())));
  }
  counter.values = std::move(values);
  trace.counters = {std::move(counter)};
  return trace;
}

TEST(IdleFill, IsAShareOfWhatTheBaselineLeavesIdle) {
  // The baseline has a quarter of the warps active on average, the schedule half: a third of the idle three quarters.
  const auto fill = must(idle_fill(trace_of({0, 100}), trace_of({100})));
  EXPECT_DOUBLE_EQ(fill.baseline, 0.25);
  EXPECT_DOUBLE_EQ(fill.schedule, 0.5);
  EXPECT_DOUBLE_EQ(fill.filled(), 1.0 / 3);
}

TEST(IdleFill, HasItsEnds) {
  EXPECT_DOUBLE_EQ(idle_fill(trace_of({50}), trace_of({200}))->filled(), 1);
  EXPECT_DOUBLE_EQ(idle_fill(trace_of({50}), trace_of({50}))->filled(), 0);
  EXPECT_DOUBLE_EQ(idle_fill(trace_of({200}), trace_of({200}))->filled(), 0) << "nothing was idle";
  EXPECT_DOUBLE_EQ(idle_fill(trace_of({100}), trace_of({50}))->filled(), -0.5) << "it leaves more idle";
  // A counter that samples beyond the peak is not more than full.
  EXPECT_DOUBLE_EQ(idle_fill(trace_of({50}), trace_of({300}))->filled(), 1);
}

TEST(IdleFill, MeansAreOverEachOnesOwnRun) {
  Trace longer = trace_of({100});
  longer.duration = Micros(400);  // the last value holds to the end
  EXPECT_DOUBLE_EQ(idle_fill(longer, trace_of({150}))->filled(), 0.5);
}

TEST(IdleFill, IsOfWarpsWhereverTheyStandAmongTheCounters) {
  Trace trace = trace_of({100});
  trace.counters.insert(trace.counters.begin(), Counter{"GPU at work", "%", 100, {Micros(0)}, {90}});
  EXPECT_EQ(occupancy(trace)->name, "active warps");
  EXPECT_DOUBLE_EQ(idle_fill(trace, trace_of({150}))->filled(), 0.5);
}

TEST(IdleFill, OfAProcessorIsOfItsCores) {
  const auto fill = must(idle_fill(trace_of({1}, 4, "busy cores"), trace_of({3}, 4, "busy cores")));
  EXPECT_DOUBLE_EQ(fill.filled(), 2.0 / 3);
}

TEST(IdleFill, SaysNothingOfWhatIsNotCounted) {
  const Trace counted = trace_of({100});
  EXPECT_FALSE(idle_fill(Trace{}, counted));
  EXPECT_FALSE(idle_fill(counted, Trace{}));
  EXPECT_FALSE(idle_fill(counted, trace_of({100}, 0))) << "no peak is known";
  EXPECT_EQ(occupancy(trace_of({100}, 0)), nullptr);
  EXPECT_FALSE(idle_fill(counted, trace_of({1}, 2, "busy cores"))) << "another quantity";
  Trace instant = counted;
  instant.duration = Micros(0);
  EXPECT_FALSE(idle_fill(instant, counted));
  Trace empty = counted;
  empty.counters.front().times.clear();
  empty.counters.front().values.clear();
  EXPECT_EQ(occupancy(empty), nullptr);
}

}  // namespace
}  // namespace iosx
