#pragma once

#include "core/devices/cpu/cpu_device.h"
#include "core/model/graph/graph.h"
#include "core/model/schedule/schedule.h"
#include "tests/support/prelude.h"

namespace iosx::test {

// Opens a device with 2 cores, even on one.
std::unique_ptr<Device> open_cpu(DataType precision = DataType::kFloat32, int cores = 2);

struct Feed {
  std::int64_t batch = 1;
  ParameterInit init = ParameterInit::kScaled;  // of the inputs
};
std::vector<Tensor> made_up_inputs(const Graph& graph, const Feed& feed);
// Returns the outputs of one run of the device's plan; none, and a test failure, on an error.
std::vector<Tensor> outputs_of(Device& device, const Graph& graph, const Schedule& schedule, const Feed& feed);
// Does the same with these inputs, and with batch 1.
std::vector<Tensor> outputs_with(Device& device, const Graph& graph, const Schedule& schedule,
                                 const std::vector<Tensor>& inputs, std::int64_t batch = 1);

}  // namespace iosx::test
