#include "models/compute_graph.h"

#ifdef IOS_HAVE_CPU
#include "core/devices/cpu/cpu_device.h"
#include "core/model/plan/stage_planner.h"
#include "core/model/schedule/baselines.h"
#endif

namespace iosx {

#ifdef IOS_HAVE_CPU

Result<std::vector<Tensor>> compute_graph(const Graph& graph, const std::vector<Tensor>& inputs) {
  IOS_TRY(const auto device, open_cpu_device({.cores = 1, .accurate = true, .pin = false}));
  const RunOptions options{.timing = {.warmup = 0, .repeats = 1, .max_repeats = 1, .min_time = Millis{0}},
                           .outputs = true,
                           .inputs = inputs};
  ExecutionPlan plan = StagePlanner(graph, 1, device->info().lowering).plan(sequential_schedule(graph));
  IOS_TRY(auto run, load_and_run(*device, std::move(plan), options, {}));
  return std::move(run.outputs);
}

#else

Result<std::vector<Tensor>> compute_graph(const Graph&, const std::vector<Tensor>&) {
  return fail(message("this program was built without the CPU device"));
}

#endif

}  // namespace iosx
