#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/graph/work.h"
#include "core/schedule/schedule.h"

namespace iosx {

using BufferId = Id<struct BufferTag>;
using KernelId = Id<struct KernelTag>;

// A tensor in device memory, batch × shape.
struct Buffer {
  std::string name;
  Shape shape;
  bool external = false;  // filled before the run: a graph input, or a tensor of an earlier stage
};

// Channels [begin, end) of a buffer.
struct TensorView {
  BufferId buffer;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

// One kernel launch: an operator, or a merged convolution.
struct Kernel {
  std::string name;
  Attributes attributes;              // what to compute; for a merged convolution the merged attributes
  std::vector<OperatorId> operators;  // one, or the merged ones in channel order
  std::vector<UnitId> units;
  std::vector<TensorView> reads;
  TensorView writes;
  Shape output;
  Work work;                    // for the whole batch
  std::size_t stage = 0;        // index into ExecutionPlan::stages
  std::size_t lane = 0;         // stream
  std::vector<KernelId> waits;  // kernels on other lanes that must have ended before this one starts
};

struct PlanStage {
  std::vector<std::vector<KernelId>> lanes;  // one a group, kernels in order
};

// A schedule lowered to launches, without any hardware in it: what every Device runs.
struct ExecutionPlan {
  std::int64_t batch = 1;
  std::vector<Buffer> buffers;
  std::vector<Kernel> kernels;  // in an order that respects every dependency; KernelId indexes it
  std::vector<PlanStage> stages;

  std::size_t lane_count() const;
  const Kernel& kernel(KernelId id) const { return kernels[id.index()]; }
};

}  // namespace iosx
