#include "tests/support/single_operators.h"

#include "core/analysis/compare/compare.h"
#include "core/formats/onnx/convert/load_onnx.h"
#include "core/formats/onnx/read/read_model.h"
#include "models/devices/simulated_devices.h"
#include "tests/support/prelude.h"

namespace iosx::test {

void expect_one_piece_of_work(const Graph& graph, const std::string& name) {
  EXPECT_EQ(graph.units().size(), 1U) << name;
  static const auto devices = [] {
    std::vector<std::unique_ptr<Device>> all;
    DeviceRegistry registry;
    add_simulated_devices(registry);
    for (const DeviceRegistry::Entry* const entry : registry.entries()) all.push_back(must(entry->open()));
    return all;
  }();
  for (const auto& device : devices) {
    const auto comparison = must(compare(graph, *device, {}, {}));
    const ScheduleResult& sequential = *must(comparison.find(ScheduleKind::kSequential));
    for (const ScheduleResult& result : comparison.results) {
      const double alone = sequential.latency.value.count();  // 0 where nothing runs
      EXPECT_NEAR(result.latency.value.count(), alone, 1e-9 * alone)
          << name << ", " << device->info().id << ", " << result.id.text();
    }
  }
}

std::size_t expect_one_piece_of_work_each(std::span<const std::filesystem::path> models) {
  std::size_t tried = 0;
  for (std::size_t i = 0; i < models.size(); i += static_cast<std::size_t>(every(20))) {
    const auto model = onnx_import::read_onnx(models[i]);
    if (!model || model->nodes.size() != 1) continue;
    const std::string& type = model->nodes.front().op_type;
    if (type == "If" || type == "Loop") continue;
    const auto loaded = onnx_import::to_graph(*model);
    if (!loaded) continue;
    expect_one_piece_of_work(loaded->graph, models[i].string());
    ++tried;
  }
  return tried;
}

}  // namespace iosx::test
