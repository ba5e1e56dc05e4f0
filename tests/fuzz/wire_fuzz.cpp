#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/check.h"
#include "core/formats/wire/device_wire.h"
#include "core/formats/wire/graph_wire.h"
#include "core/formats/wire/plan_wire.h"
#include "models/networks/networks.h"

namespace {

const std::string kOrigin = "fuzz";

iosx::Result<std::shared_ptr<const iosx::Graph>> sample(const std::string& /*graph*/) {
  static const auto graph = std::make_shared<const iosx::Graph>(iosx::build_sample());
  return graph;
}

iosx::WeightsReference weights_of_sample() { return iosx::weights_reference(**sample("sample"), "sample"); }

void try_graph(std::string_view text) {
  const auto graph = iosx::graph_from_wire(text, kOrigin);
  if (!graph) {
    IOS_CHECK(!graph.error().what.empty());
    return;
  }
  const std::string written = iosx::graph_to_wire(*graph);
  const auto again = iosx::graph_from_wire(written, "written");
  IOS_CHECK(again);
  IOS_CHECK(iosx::graph_to_wire(*again) == written);
}

void try_plan(std::string_view text) {
  const auto plan = iosx::plan_from_wire(text, kOrigin, sample);
  if (!plan) {
    IOS_CHECK(!plan.error().what.empty());
    return;
  }
  const auto again = iosx::plan_from_wire(iosx::plan_to_wire(*plan, weights_of_sample()), "written", sample);
  IOS_CHECK(again);
  IOS_CHECK(*again == *plan);
}

void try_messages(std::string_view text) {
  const auto measure = iosx::measure_request_from_wire(text, kOrigin, sample);
  if (measure) {
    const auto again =
        iosx::measure_request_from_wire(iosx::request_to_wire(*measure, weights_of_sample()), "written", sample);
    IOS_CHECK(again);
    IOS_CHECK(again->plans == measure->plans && again->timing == measure->timing);
  }
  const auto run = iosx::run_request_from_wire(text, kOrigin, sample);
  IOS_CHECK(run || !run.error().what.empty());
  static const iosx::MeasureRequest asked{.plans = std::vector<iosx::ExecutionPlan>(3), .timing = {}};
  const auto latencies = iosx::latencies_from_wire(text, kOrigin, asked);
  IOS_CHECK(!latencies || latencies->size() <= asked.plans.size());
  static const iosx::RunRequest nothing{};
  const auto result = iosx::run_result_from_wire(text, kOrigin, nothing);
  IOS_CHECK(result || !result.error().what.empty());
}

}  // namespace

// libFuzzer's entry: any bytes as what another process may send us.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_graph(text);
  try_plan(text);
  try_messages(text);
  return 0;
}
