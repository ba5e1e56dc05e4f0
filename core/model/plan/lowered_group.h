#pragma once

#include "core/base/hash.h"
#include "core/model/graph/graph.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/plan/tensor_places.h"
#include "core/model/schedule/schedule.h"

namespace iosx {

// The kernels of one group. They depend on the group alone: fusion does not cross its border, and the places of
// tensors are fixed for the whole graph. Stages and runs are composed of these.
struct LoweredGroup {
  struct Tensor {
    RegionId region;  // invalid: scratch of the group, written and read in it
    Shape shape;
    std::string scratch_name;
    std::size_t axis = 0;        // see Buffer; this and the next are for scratch
    bool row_major = false;      // see Buffer
    bool filled_before = false;  // the group reads content that it does not make itself
  };
  std::vector<Tensor> tensors;     // in the order of their first use by the kernels
  std::vector<Kernel> kernels;     // BufferId indexes `tensors`; stage, lane and waits are not set
  double flops = 0;                // of all kernels
  std::int64_t first_channel = 0;  // of its region, written by the last kernel
  // Hash of everything above that a device could notice, without names and ids.
  Hash128 hash;
};

LoweredGroup lower_group(const Graph& graph, const TensorPlaces& places, const LowerOptions& wishes, std::int64_t batch,
                         const Group& group);

}  // namespace iosx
