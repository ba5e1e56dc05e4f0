#include "tests/gpu/exec/bench.h"

#include "core/devices/device.h"
#include "tests/support/prelude.h"
#include "tests/support/reference.h"

namespace iosx::gpu::test {

PreparedPlan prepared(Bench& bench, const ExecutionPlan& plan, const WayRanks& ranks) {
  return must(PreparedPlan::prepare(plan, bench.exec_context, ranks, {}));
}

void run(const PreparedPlan& plan, Runtime& runtime, const Mode& mode) {
  const StreamId origin(0);
  if (mode.graph) {
    const Captured captured = capture(plan, runtime, {}, mode.copies);
    runtime.launch(origin, *captured.graph);
    runtime.synchronize(origin);
  } else {
    enqueue(plan, runtime, {}, mode.copies);
    runtime.synchronize(origin);
  }
}

std::vector<Tensor> outputs_of(Bench& bench, PreparedPlan& plan, const std::vector<Tensor>& inputs, const Mode& mode) {
  must(plan.set_inputs(inputs));
  plan.poison();
  run(plan, bench.runtime, mode);
  return plan.outputs();
}

void expect_close(const std::vector<Tensor>& expected, const std::vector<Tensor>& actual, double tolerance,
                  const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_LE(iosx::test::largest_error(expected[i], actual[i]), tolerance) << what << ", output " << i;
  }
}

void expect_reference(Bench& bench, const Graph& graph, const Schedule& schedule, std::int64_t batch, double tolerance,
                      const Mode& mode) {
  expect_reference(bench, graph, lower(graph, schedule, batch, kLowering), tolerance, mode, schedule.name);
}

void expect_reference(Bench& bench, const Graph& graph, const ExecutionPlan& plan, double tolerance, const Mode& mode,
                      const std::string& what) {
  const std::vector<Tensor> inputs = synthetic_inputs(plan);
  PreparedPlan made = prepared(bench, plan);
  expect_close(iosx::test::reference_outputs(graph, inputs, plan.batch), outputs_of(bench, made, inputs, mode),
               tolerance, graph.name() + ", " + what);
}

double tolerance_of(Math math) {
  switch (math) {
    case Math::kTf32:
    case Math::kStrict: return 2e-5;
    case Math::kHalf: return 4e-3;
    case Math::kBfloat16: return 3e-2;
  }
  return 0;
}

const char* name_of(Math math) {
  switch (math) {
    case Math::kTf32: return "tf32";
    case Math::kStrict: return "f32";
    case Math::kHalf: return "f16";
    case Math::kBfloat16: return "bf16";
  }
  return "";
}

}  // namespace iosx::gpu::test
