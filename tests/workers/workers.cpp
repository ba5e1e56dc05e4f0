#include "tests/workers/workers.h"

#include <fmt/format.h>

#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"

namespace iosx::test {

std::string scripted_worker(const std::string& options) { return fmt::format("{} {}", SCRIPTED_WORKER, options); }

std::vector<ExecutionPlan> stage_plans(std::size_t count) {
  const Graph graph = chain(count);
  StagePlanner planner(graph, 1, test::FakeDevice().info().lowering);
  std::vector<ExecutionPlan> plans;
  for (std::size_t i = 0; i < count; ++i) {
    plans.push_back(planner.plan(Stage{{Group{{Step{{UnitId(i)}}}}}}).plan);
  }
  return plans;
}

}  // namespace iosx::test
