#include "core/analysis/compare/why.h"
#include <nlohmann/json.hpp>
#include "core/analysis/compare/compare.h"
#include "core/analysis/compare/report.h"
#include "core/devices/simulated/simulated_device.h"
#include "core/model/trace/in_flight.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

Why ratios(double in_flight, double kernel_time, bool as_many = true) {
  return {.kernel_time = kernel_time,
          .in_flight = in_flight,
          .idle = 0.007,
          .baseline_idle = 0.097,
          .as_many_kernels = as_many};
}

TEST(Why, IsASentenceOfKernelTimeAndKernelsInFlight) {
  EXPECT_EQ(why_text(ratios(3.63, 1.85)),
            "3.63 times as many kernels in flight, on average each 1.85 times as long; no kernel in flight 9.7 % → 0.7 "
            "% of the "
            "time");
  const auto begins = [](const Why& why) {
    const std::string text = why_text(why).text();
    return text.substr(0, text.find(';'));
  };
  EXPECT_EQ(begins(ratios(3.63, 1.85, false)), "3.63 times as many kernels in flight, 1.85 times the kernel time");
  EXPECT_EQ(begins(ratios(1.002, 0.68, false)), "0.68 times the kernel time, as many kernels in flight");
  EXPECT_EQ(begins(ratios(1.01, 0.68, false)), "0.68 times the kernel time, about as many kernels in flight");
  EXPECT_EQ(begins(ratios(2, 1.001)), "2.00 times as many kernels in flight, of the same kernel time");
  EXPECT_EQ(begins(ratios(1, 1)), "as many kernels in flight, of the same kernel time");
  EXPECT_EQ(begins(ratios(0.8, 0.5)), "0.80 times as many kernels in flight, 0.50 times the kernel time");
}

// The ratios of the traces explain the ratio of the runs, for every schedule.
TEST(Why, ExplainsTheSpeedUpOfTheTracedRuns) {
  simulated::SimulatedDevice device(simulated_description("tesla-v100"));
  const Comparison comparison = must(compare(build_sample(), device, {}, {}));
  const ScheduleResult& sequential = *comparison.find(ScheduleKind::kSequential);
  EXPECT_FALSE(why(comparison, sequential));
  int told = 0;
  const auto json = comparison_json(comparison);
  for (std::size_t i = 0; i < comparison.results.size(); ++i) {
    const ScheduleResult& result = comparison.results[i];
    const auto because = why(comparison, result);
    EXPECT_EQ(json.at("schedules")[i].contains("why"), because.has_value()) << result.id.text();
    if (!because) continue;
    ++told;
    const auto before = must(kernels_in_flight(sequential.trace));
    const auto after = must(kernels_in_flight(result.trace));
    EXPECT_NEAR(because->speedup(), before.run() / after.run(), 1e-9) << result.id.text();
    EXPECT_EQ(json.at("schedules")[i].at("why").at("text"), why_text(*because).text());
  }
  EXPECT_GT(told, 2);
  EXPECT_THAT(comparison_table(comparison), HasSubstr("\nwhy: "));
}

}  // namespace
}  // namespace iosx
