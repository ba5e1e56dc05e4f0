#include "tests/devices/cpu/feeds.h"

#include "core/model/schedule/baselines.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"

namespace iosx::test {

std::unique_ptr<Device> open_cpu(DataType precision, int cores) {
  return must(open_cpu_device(CpuOptions{.cores = cores, .precision = precision}));
}

std::vector<Tensor> made_up_inputs(const Graph& graph, const Feed& feed) {
  return synthetic_inputs(lower(graph, one_by_one_schedule(graph), feed.batch), feed.init);
}

std::vector<Tensor> outputs_of(Device& device, const Graph& graph, const Schedule& schedule, const Feed& feed) {
  return outputs_with(device, graph, schedule, made_up_inputs(graph, feed), feed.batch);
}

std::vector<Tensor> outputs_with(Device& device, const Graph& graph, const Schedule& schedule,
                                 const std::vector<Tensor>& inputs, std::int64_t batch) {
  RunOptions options;
  options.timing = {.warmup = 0, .repeats = 2, .max_repeats = 2};
  options.outputs = true;
  options.inputs = inputs;
  auto result = load_and_run(device, lower(graph, schedule, batch, device.info().lowering), options, {});
  EXPECT_TRUE(result) << graph.name() << ", " << schedule.name << ": " << result.error().text();
  return result ? std::move(result->outputs) : std::vector<Tensor>();
}

}  // namespace iosx::test
