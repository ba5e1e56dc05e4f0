#pragma once

#include "core/model/graph/graph.h"
#include "core/model/graph/operator.h"
#include "core/model/graph/parameters.h"
#include "core/model/graph/work.h"
#include "core/model/schedule/schedule.h"

namespace iosx {

using BufferId = Id<struct BufferTag>;
using KernelId = Id<struct KernelTag>;

inline constexpr std::size_t kMostLanes = 64;  // in a barrier-free plan

// A tensor in device memory, batch × shape; a constant has no batch. With concatenations in place a buffer has the
// shape of the outermost concatenation and several kernels write it, each its own channels. In the plan of a stage such
// a buffer is external if any content comes from an earlier stage, even if the stage's kernels write other channels.
struct Buffer {
  std::string name;
  Shape shape;
  bool external = false;  // filled before the run: a graph input, a constant, or tensors of earlier stages
  bool constant = false;  // holds parameters->weights(source)
  OperatorId source;      // whose output an external buffer holds; invalid for results of the plan itself
  // Three axes that are not channels, height and width: stored in their own order (core/model/plan/tensor_places.h).
  bool row_major = false;
  // How many of its last channels are zeros before the run and belong to no tensor; whoever fills the buffer keeps
  // them zero. Only convolutions without groups read it, all of it, as if their weights had zeros there. Only for
  // external buffers, below kMostInputChannelMultiple.
  std::int64_t blank = 0;
  // The shape's axis of slices: 0 (channels), except for features of neighbouring linear layers.
  std::size_t axis = 0;
  friend bool operator==(const Buffer&, const Buffer&) = default;
};

// Returns the shape of the tensor in a buffer, without blank channels.
Shape filled_shape(const Buffer& buffer);

// An axis in which a kernel sees a tensor: its element i is begin + i * step along one of the tensor's axes, added to
// what other such axes say of that one.
struct SeenAxis {
  std::size_t axis = 0;
  std::int64_t size = 1;
  std::int64_t step = 1;
  std::int64_t begin = 0;
  friend bool operator==(const SeenAxis&, const SeenAxis&) = default;
};

// Channels [begin, end) of a buffer: a slice along the buffer's axis.
struct TensorView {
  BufferId buffer;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  // The axes in which a MatMul sees the slice (LowerOptions::strided_products). Empty: its own.
  // Example: {{1, 12, 64}, {0, 197, 1}, {1, 64, 1}} are the 12 heads of 197 × 768 features, 12 × 197 × 64.
  std::vector<SeenAxis> seen = {};
  friend bool operator==(const TensorView&, const TensorView&) = default;
};

// Returns the size of the buffer along its axis; a scalar has 1.
std::int64_t channels_of(const Buffer& buffer);
Shape shape_of(const Buffer& buffer, const TensorView& view);
// Return whether the axes lie in the shape, no two of their elements are the same, and together they have all of it.
bool sees_inside(const Shape& shape, std::span<const SeenAxis> seen);
bool sees_all(const Shape& shape, std::span<const SeenAxis> seen);
// Returns whether it covers the whole buffer.
bool is_whole(const Buffer& buffer, const TensorView& view);

// Squeeze and excitation of a feature map x: every channel of x by its own number of
// gate(excite(inner(squeeze(mean of x's pixels)))).
struct Excitation {
  OperatorId squeeze;  // 1 × 1 convolutions or linear layers, whose parameters the kernel uses
  OperatorId excite;
  std::int64_t squeezed = 0;  // channels between them
  Activation inner;
  Activation gate;
  friend bool operator==(const Excitation&, const Excitation&) = default;
};

// One kernel launch: an operator with its fused ones, or a merged layer. A Conv or Linear may read a second tensor,
// of its output's shape: the residual, added before the activation. It never shares channels with the kernel's
// output. An Activate that reads several tensors applies its function to their sum: it is an Add with its activation
// (LowerOptions::fuse_sums). A MatMul that reads three tensors q, k and v is attention, softmax(scale · q k) v
// (LowerOptions::fuse_attention). A Mul that reads one is squeeze and excitation (LowerOptions::fuse_excitation).
//
// Copies are Identity kernels with one read and one operator:
// - with concatenations in place (LowerOptions), a Concat along axis 0 with some inputs in place is one copy per other
//   input, or no kernel at all (operators: the Concat). One with no input in place stays a Concat kernel, which copies
//   every input;
// - a merged layer whose outputs belong into separate places is followed, on its lane, by one copy per source
//   (operators: that source).
// A copy of a constant repeats it for every sample of the batch.
struct Kernel {
  std::string name;
  Attributes attributes;              // what to compute; for a merged layer the merged attributes
  std::vector<OperatorId> operators;  // one, or the merged ones in channel order; their parameters are the kernel's
  // A function of the first tensor, applied as a convolution reads it (LowerOptions::fuse_before). Padding is zeros
  // after it. Where it is not the identity, `fused` begins with its operator.
  Activation before;
  float scale = 1;                // of attention
  Excitation excitation;          // without layers: none
  std::vector<OperatorId> fused;  // further operators computed in the same kernel, in order
  std::vector<UnitId> units;      // of all these operators
  UnitId piece;                   // the whole unit that it is a part of; invalid: none
  std::vector<TensorView> reads;
  TensorView writes;            // channels of a larger buffer, where its output shares one
  Shape output;                 // shape of the written tensor
  Work work;                    // for the whole batch
  std::size_t stage = 0;        // index into ExecutionPlan::stages; in a barrier-free plan its origin
  std::size_t lane = 0;         // stream
  std::vector<KernelId> waits;  // kernels on other lanes that must end before this one starts

  // Returns the operator whose output it writes; of a merged layer the first.
  OperatorId result() const { return fused.size() > fused_before() ? fused.back() : operators.front(); }
  // Returns how many of `fused` come before the kernel's own operator.
  std::size_t fused_before() const { return before == Activation::kIdentity ? 0 : 1; }
  bool is_attention() const { return std::holds_alternative<MatMul>(attributes) && reads.size() > 2; }
  // Returns whether it computes several layers as one, merged by the schedule or in the network's file.
  bool merged() const { return operators.size() > 1 || is_merged(attributes); }
  friend bool operator==(const Kernel&, const Kernel&) = default;
};

// Returns whether a kernel of the convolution, which reads so many channels, may apply the function to its input as it
// reads it. These functions take no time and the convolutions read each number for few channels: depthwise ones, and
// those of one pixel without padding.
bool takes_before(const Conv& conv, std::int64_t channels, const Activation& function);

// A lane per group of the schedule's stage, with its kernels in order; a group without kernels (only concatenations
// in place) has no lane. A stage may be empty: plans and schedules have the same stages. In a barrier-free plan these
// are the groups from which its kernels come, and do not tell when or on which lane they run.
struct PlanStage {
  std::vector<std::vector<KernelId>> lanes;
  friend bool operator==(const PlanStage&, const PlanStage&) = default;
};

// A result of the network, which no operator reads.
struct PlanOutput {
  std::string name;  // of the operator
  TensorView view;
  friend bool operator==(const PlanOutput&, const PlanOutput&) = default;
};

// A schedule lowered to launches, independent of hardware: what every Device runs.
struct ExecutionPlan {
  std::int64_t batch = 1;
  std::shared_ptr<const Parameters> parameters;  // of the graph's operators
  std::vector<BufferId> inputs;                  // the graph's, in its order; empty in the plan of a stage
  std::vector<PlanOutput> outputs;               // in the order of Graph::outputs(); empty in the plan of a stage
  std::vector<Buffer> buffers;
  std::vector<Kernel> kernels;  // in an order that respects every dependency; KernelId indexes it
  std::vector<PlanStage> stages;
  // False: a stage starts when the one before it has ended, and a kernel's lane is its group in the stage. True:
  // only the order on the lanes and the waits count, see core/model/plan/lanes/lane_schedule.h.
  bool barrier_free = false;
  bool cold_weights = false;  // a run finds no weights in the device's cache: see LowerOptions::cached_weights

  std::size_t lane_count() const;
  const Kernel& kernel(KernelId id) const { return kernels[id.index()]; }
  friend bool operator==(const ExecutionPlan&, const ExecutionPlan&) = default;  // parameters: the same object
};

// Returns for every kernel the earlier ones that must have ended before it starts: writers of channels that it reads
// or writes, readers of channels that it writes, and the last one of its piece. Those implied by others, because a
// kernel between wrote the same channels, may be missing. Views must lie inside their buffers.
std::vector<std::vector<KernelId>> needs_of(const ExecutionPlan& plan);

// Tells which kernels of a plan have ended when another starts, in any order that the plan allows: a kernel starts
// after those before it on its lane and after those that it waits for (vector clocks). Kernels must be in launch
// order, waits must name earlier ones, and lanes must lie in 0..lane_count().
class LaneClocks {
 public:
  explicit LaneClocks(const ExecutionPlan& plan);

  std::size_t lanes() const { return lanes_; }
  std::size_t lane(KernelId kernel) const { return places_[kernel.index()].lane; }
  // Returns the kernel's position on its lane, from 1.
  std::uint32_t position(KernelId kernel) const { return places_[kernel.index()].position; }
  // Returns for each lane how many of its first kernels have ended when the kernel starts.
  std::span<const std::uint32_t> ended(KernelId kernel) const {
    return std::span(ended_).subspan(kernel.index() * lanes_, lanes_);
  }
  bool before(KernelId first, KernelId then) const { return ended(then)[lane(first)] >= position(first); }

 private:
  struct Place {
    std::size_t lane = 0;
    std::uint32_t position = 0;
  };
  std::size_t lanes_;
  std::vector<Place> places_;         // by kernel
  std::vector<std::uint32_t> ended_;  // kernel × lane
};

// One kernel's computation, for programs in which every concatenation is an operator: there in-place writes become
// separate tensors, and copies into place or out of a merged layer disappear.
struct OperatorStep {
  std::vector<OperatorId> operators;  // in order; for a merged layer the merged ones
  bool merged = false;
  std::size_t stage = 0;  // the kernel's; for a concatenation without one, its first reader's
  std::size_t lane = 0;
};

// Returns every operator of the graph except sources in one step, in the plan's launch order as far as operators come
// after those that they read: a kernel may read channels of a concatenation in place before the others exist.
std::vector<OperatorStep> operator_steps(const Graph& graph, const ExecutionPlan& plan);

}  // namespace iosx
