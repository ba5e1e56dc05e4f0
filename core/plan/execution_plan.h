#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/graph/parameters.h"
#include "core/graph/work.h"
#include "core/schedule/schedule.h"

namespace iosx {

using BufferId = Id<struct BufferTag>;
using KernelId = Id<struct KernelTag>;

// A tensor in device memory, batch × shape; a constant has no batch.
struct Buffer {
  std::string name;
  Shape shape;
  bool external = false;  // filled before the run: a graph input, a constant, or a tensor of an earlier stage
  bool constant = false;  // holds parameters->weights(source)
  OperatorId source;      // whose output an external buffer holds; invalid for what the plan itself computes
};

// Channels [begin, end) of a buffer: a slice along the shape's first axis.
struct TensorView {
  BufferId buffer;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

// One kernel launch: an operator with what is fused into it, or a merged convolution. A Conv or Linear may read a
// second tensor, of its output's shape: the residual, added before the activation.
struct Kernel {
  std::string name;
  Attributes attributes;              // what to compute; for a merged convolution the merged attributes
  std::vector<OperatorId> operators;  // one, or the merged ones in channel order; their parameters are the kernel's
  std::vector<OperatorId> fused;      // Add and Activate operators computed along with it, in order
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

// A result of the network: what nobody reads.
struct PlanOutput {
  std::string name;  // of the operator
  TensorView view;
};

// A schedule lowered to launches, without any hardware in it: what every Device runs.
struct ExecutionPlan {
  std::int64_t batch = 1;
  std::shared_ptr<const Parameters> parameters;  // of the graph's operators
  std::vector<BufferId> inputs;                  // the graph's, in its order; empty in the plan of a stage
  std::vector<PlanOutput> outputs;               // in the order of Graph::outputs(); empty in the plan of a stage
  std::vector<Buffer> buffers;
  std::vector<Kernel> kernels;  // in an order that respects every dependency; KernelId indexes it
  std::vector<PlanStage> stages;

  std::size_t lane_count() const;
  const Kernel& kernel(KernelId id) const { return kernels[id.index()]; }
};

}  // namespace iosx
