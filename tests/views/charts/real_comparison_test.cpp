#include <gtest/gtest.h>

#include "core/analysis/compare/compare.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "views/compare/comparison_chart.h"
#include "views/compare/stage_latency_chart.h"
#include "views/explore/timeline/timeline_figure.h"
#include "views/explore/utilization/utilization_data.h"
#include "views/explore/utilization/utilization_view.h"
#include "views/figures/exporter.h"
#include "views/text/latency_text.h"

namespace iosx {
namespace {

TEST(RealComparison, TheSampleNetworkOnTheSimulatedV100GivesAllFigures) {
  DeviceRegistry devices;
  add_simulated_devices(devices);
  const auto device = devices.open("tesla-v100");
  ASSERT_TRUE(device) << device.error().text();
  auto graph = zoo_network("sample");
  ASSERT_TRUE(graph) << graph.error().text();
  auto compared = compare(*graph, **device, {}, {});
  ASSERT_TRUE(compared) << compared.error().text();
  const auto comparison = std::make_shared<const Comparison>(std::move(*compared));
  const std::vector<std::size_t> shown = default_results(*comparison);
  const bool flow = comparison->find(ScheduleKind::kIosFlow)->lanes.has_value();
  ASSERT_EQ(shown.size(), flow ? 4U : 3U);
  EXPECT_EQ(utilization_rows(unaligned(tracks_of(comparison, shown)).tracks).size(), shown.size());
  EXPECT_TRUE(summary_sentence(*comparison).contains("simulated"));
  const std::unique_ptr<Figure> figures[] = {make_comparison_figure(comparison), make_stage_latency_figure(comparison),
                                             make_timeline_figure(comparison, shown, {}),
                                             make_utilization_figure(comparison, shown, {})};
  for (const auto& figure : figures) {
    for (const FigureFormat format : kFigureFormats) {
      const auto bytes = render_figure(*figure, format);
      ASSERT_TRUE(bytes) << bytes.error().text();
      EXPECT_GT(bytes->size(), 200);
    }
  }
}

}  // namespace
}  // namespace iosx
