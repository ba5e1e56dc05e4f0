#include "core/model/trace/in_flight.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

KernelSpan span(double begin, double end) { return {.begin = Micros(begin), .end = Micros(end)}; }

Trace trace_of(std::vector<KernelSpan> kernels, double duration) {
  return {.lanes = 2, .duration = Micros(duration), .kernels = std::move(kernels)};
}

TEST(InFlight, CountsKernelsOverTheWholeRun) {
  // 0 to 1 none, to 3 one, to 4 two, to 6 one, to 10 none.
  const auto found = must(kernels_in_flight(trace_of({span(1, 4), span(3, 6)}, 10)));
  EXPECT_THAT(found.times, ElementsAre(Micros(5), Micros(4), Micros(1)));
  EXPECT_EQ(found.run(), Micros(10));
  EXPECT_EQ(found.kernel_time(), Micros(6));
  EXPECT_DOUBLE_EQ(found.mean(), 0.6);
  EXPECT_DOUBLE_EQ(found.share_of_none(), 0.5);
}

TEST(InFlight, KernelsThatMeetAreNotInFlightTogether) {
  const auto found = must(kernels_in_flight(trace_of({span(0, 2), span(2, 3)}, 3)));
  EXPECT_EQ(found.times.front(), Micros(0));
  EXPECT_EQ(found.times.at(1), Micros(3));
  EXPECT_DOUBLE_EQ(found.mean(), 1);
}

TEST(InFlight, RunsEndNotBeforeTheirKernels) {
  EXPECT_EQ(must(kernels_in_flight(trace_of({span(0, 5)}, 3))).run(), Micros(5));
}

TEST(InFlight, IsNotKnownWithoutKernelTime) {
  EXPECT_FALSE(kernels_in_flight({}));
  EXPECT_FALSE(kernels_in_flight(trace_of({}, 3)));
  EXPECT_FALSE(kernels_in_flight(trace_of({span(2, 2)}, 3)));
}

TEST(InFlight, FoldsWhatIsAboveTheMost) {
  const InFlight found{.times = {Micros(1), Micros(2), Micros(3), Micros(4)}};
  EXPECT_THAT(found.up_to(2), ElementsAre(Micros(1), Micros(2), Micros(7)));
  EXPECT_THAT(found.up_to(8), ElementsAre(Micros(1), Micros(2), Micros(3), Micros(4)));
}

TEST(InFlight, StepsTellHowManyAreInFlightOverTime) {
  const InFlightSteps steps = in_flight_steps(trace_of({span(1, 4), span(3, 6), span(6, 8), span(7, 7)}, 10));
  EXPECT_THAT(steps.times, ElementsAre(Micros(0), Micros(1), Micros(3), Micros(4), Micros(6), Micros(8)));
  EXPECT_THAT(steps.counts, ElementsAre(0, 1, 2, 1, 1, 0));
  EXPECT_EQ(steps.end, Micros(10));
  EXPECT_EQ(in_flight_steps(trace_of({span(0, 5)}, 3)).end, Micros(5));
}

// Whatever the spans, run time is kernel time divided by the mean number in flight.
TEST(InFlight, TheIdentityHoldsForRandomRuns) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> time(0, 40);
  for (int i = 0; i < 200; ++i) {
    std::vector<KernelSpan> kernels;
    Micros sum{0};
    for (int k = 0; k < 12; ++k) {
      const int begin = time(random);
      kernels.push_back(span(begin, begin + time(random)));
      sum += kernels.back().end - kernels.back().begin;
    }
    const auto found = kernels_in_flight(trace_of(kernels, 60));
    if (!found) continue;
    EXPECT_NEAR(found->kernel_time().count(), sum.count(), 1e-9);
    EXPECT_NEAR(found->run().count(), found->kernel_time().count() / found->mean(), 1e-9);
  }
}

}  // namespace
}  // namespace iosx
