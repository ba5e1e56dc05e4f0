#pragma once

#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/model/graph/graph.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/plan/tensor_places.h"
#include "core/model/schedule/schedule.h"

namespace iosx {

// The kernels of one group. They depend on the group alone: fusion does not look beyond it, and where tensors lie is
// settled for the whole graph. Stages and runs are put together from these.
struct LoweredGroup {
  struct Tensor {
    RegionId region;  // invalid: scratch of the group, written and read in it
    Shape shape;
    std::string scratch_name;
    std::size_t axis = 0;        // see Buffer; this and the next are of scratch
    bool row_major = false;      // see Buffer
    bool filled_before = false;  // the group reads something in it that it does not make itself
  };
  std::vector<Tensor> tensors;     // in the order in which the kernels first name them
  std::vector<Kernel> kernels;     // BufferId indexes `tensors`; stage, lane and waits are not set
  double flops = 0;                // of all kernels
  std::int64_t first_channel = 0;  // of its region that the last kernel writes
  // Everything that a device could notice of the group alone: all the above, without names and ids.
  Hash128 hash;
};

LoweredGroup lower_group(const Graph& graph, const TensorPlaces& places, const LowerOptions& wishes, std::int64_t batch,
                         const Group& group);

}  // namespace iosx
