#pragma once

#include "core/model/graph/graph.h"
#include "core/model/schedule/schedule.h"
#include "gpu/exec/context.h"
#include "gpu/exec/enqueue.h"
#include "gpu/exec/prepared_plan.h"
#include "gpu/exec/way.h"
#include "tests/gpu/support/host_convolutions.h"
#include "tests/gpu/support/host_runtime.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"

namespace iosx::gpu::test {

// Everything for preparing a plan, on the host.
struct Bench {
  explicit Bench(Math math = Math::kStrict, HostRuntime::Options options = {},
                 HostConvolutions::Options convolutions = {})
      : runtime(std::move(options)), library(convolutions), chooser(library), exec_context(runtime, chooser, math) {}

  HostRuntime runtime;
  HostConvolutions library;
  FirstWay chooser;
  ExecContext exec_context;
};

constexpr LowerOptions kLowering{.fuse = true,
                                 .fuse_sums = true,
                                 .fuse_before = true,
                                 .fuse_attention = true,
                                 .fuse_excitation = true,
                                 .concat_in_place = true,
                                 .free_columns = true,
                                 .strided_products = true,
                                 .input_channel_multiple = 8};

// Fails the test if it cannot be prepared.
PreparedPlan prepared(Bench& bench, const ExecutionPlan& plan, const WayRanks& ranks = {});

// How a plan runs.
struct Mode {
  bool graph = false;
  int copies = 1;
};
void run(const PreparedPlan& plan, Runtime& runtime, const Mode& mode = {});
// Of a run with these inputs, after poisoning everything that it should write.
std::vector<Tensor> outputs_of(Bench& bench, PreparedPlan& plan, const std::vector<Tensor>& inputs,
                               const Mode& mode = {});

// Fails the test unless all outputs are within `tolerance`, relative to the largest number of each.
void expect_close(const std::vector<Tensor>& expected, const std::vector<Tensor>& actual, double tolerance,
                  const std::string& what);
// Compares the schedule's outputs with those of plain loops.
void expect_reference(Bench& bench, const Graph& graph, const Schedule& schedule, std::int64_t batch, double tolerance,
                      const Mode& mode = {});
// Does the same for a plan of the graph.
void expect_reference(Bench& bench, const Graph& graph, const ExecutionPlan& plan, double tolerance, const Mode& mode,
                      const std::string& what);
// Returns the allowed error of this precision.
double tolerance_of(Math math);
const char* name_of(Math math);

}  // namespace iosx::gpu::test
