#include "core/model/plan/execution_plan.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/base/check.h"

namespace iosx {

std::size_t ExecutionPlan::lane_count() const {
  std::size_t lanes = 0;
  if (barrier_free) {
    for (const Kernel& kernel : kernels) lanes = std::max(lanes, kernel.lane + 1);
  } else {
    for (const PlanStage& stage : stages) lanes = std::max(lanes, stage.lanes.size());
  }
  return lanes;
}

Shape filled_shape(const Buffer& buffer) {
  return buffer.blank == 0 ? buffer.shape : buffer.shape.with(0, buffer.shape.channels() - buffer.blank);
}

std::int64_t channels_of(const Buffer& buffer) {
  return buffer.axis == 0 ? buffer.shape.channels() : buffer.shape[buffer.axis];
}

Shape shape_of(const Buffer& buffer, const TensorView& view) {
  if (!view.seen.empty()) {
    std::array<std::int64_t, Shape::kMaxRank> sizes{};
    const std::size_t rank = std::min(view.seen.size(), sizes.size());
    for (std::size_t i = 0; i < rank; ++i) sizes[i] = view.seen[i].size;
    return Shape(std::span<const std::int64_t>(sizes.data(), rank));
  }
  return buffer.shape.rank() == 0 ? buffer.shape : buffer.shape.with(buffer.axis, view.end - view.begin);
}

bool sees_inside(const Shape& shape, std::span<const SeenAxis> seen) {
  if (seen.size() > Shape::kMaxRank) return false;
  struct Reach {
    std::int64_t from = 0;
    std::int64_t size = 1;
  };
  std::array<Reach, Shape::kMaxRank> reaches;  // of the elements so far, by axis
  std::vector<SeenAxis> parts(seen.begin(), seen.end());
  std::ranges::sort(parts, {}, &SeenAxis::step);  // a larger step leads past all of the smaller ones
  for (const SeenAxis& part : parts) {
    if (part.axis >= shape.rank() || part.size < 1 || part.begin < 0) return false;
    Reach& reach = reaches[part.axis];
    const std::int64_t room = shape[part.axis] - reach.from - reach.size;
    if (part.begin > room) return false;
    if (part.size > 1 && (part.step < reach.size || part.step > (room - part.begin) / (part.size - 1))) return false;
    reach.from += part.begin;
    if (part.size > 1) reach.size += part.step * (part.size - 1);
  }
  return true;
}

bool sees_all(const Shape& shape, std::span<const SeenAxis> seen) {
  if (!sees_inside(shape, seen)) return false;
  std::int64_t elements = 1;
  for (const SeenAxis& part : seen) elements *= part.size;
  return elements == shape.elements();
}

bool is_whole(const Buffer& buffer, const TensorView& view) {
  return view.begin == 0 && view.end == channels_of(buffer);
}

namespace {

// The accesses to one buffer's channels that later ones may depend on: runs of channels without overlaps, each with its
// last writer and the readers since. So the cost of a query is the size of its result, however many kernels read the
// same tensor.
class Touched {
 public:
  void read(const TensorView& view, KernelId by, std::vector<KernelId>& needs) {
    for_each_run(view, [&](Run& run) {
      if (run.writer) needs.push_back(*run.writer);
      run.readers.push_back(by);
    });
  }

  // A write replaces all earlier accesses to the same channels.
  void write(const TensorView& view, KernelId by, std::vector<KernelId>& needs) {
    for_each_run(view, [&](Run& run) {
      if (run.writer) needs.push_back(*run.writer);
      std::ranges::copy_if(run.readers, std::back_inserter(needs), [by](KernelId reader) { return reader != by; });
      run.writer = by;
      run.readers.clear();
    });
  }

 private:
  struct Run {
    std::int64_t end = 0;
    std::optional<KernelId> writer = {};
    std::vector<KernelId> readers = {};
  };

  // Cuts a run in two where the channel lies inside of one.
  void cut(std::int64_t channel) {
    const auto after = runs_.upper_bound(channel);
    if (after == runs_.begin()) return;
    const auto run = std::prev(after);
    if (run->first == channel || run->second.end <= channel) return;
    runs_.emplace(channel, run->second);
    run->second.end = channel;
  }

  // Visits the runs of these channels, with one for each part without accesses yet.
  template <typename Visit>
  void for_each_run(const TensorView& view, const Visit& visit) {
    cut(view.begin);
    cut(view.end);
    std::int64_t next = view.begin;
    for (auto run = runs_.lower_bound(view.begin); next < view.end; ++run) {
      if (run == runs_.end() || run->first > next) {
        const std::int64_t end = run == runs_.end() ? view.end : std::min(run->first, view.end);
        run = runs_.emplace_hint(run, next, Run{end});
      }
      visit(run->second);
      next = run->second.end;
    }
  }

  std::map<std::int64_t, Run> runs_;  // by first channel
};

constexpr std::size_t kNotYet = static_cast<std::size_t>(-1);

class StepMaker {
 public:
  explicit StepMaker(const Graph& graph)
      : graph_(graph), step_of_(graph.operators().size(), kNotYet), kernel_(graph.operators().size(), false) {}

  std::vector<OperatorStep> run(const ExecutionPlan& plan) && {
    for (const Kernel& kernel : plan.kernels) {
      if (is_copy(kernel)) continue;
      for (const OperatorId id : kernel.operators) kernel_[id.index()] = true;
      for (const OperatorId id : kernel.fused) kernel_[id.index()] = true;
    }
    std::vector<OperatorStep> late;
    for (const Kernel& kernel : plan.kernels) {
      if (is_copy(kernel)) continue;
      late.push_back(step_of(kernel));
      for (auto next = late.begin(); next != late.end();) {
        if (!is_ready(next->operators)) {
          ++next;
          continue;
        }
        OperatorStep step = std::move(*next);
        late.erase(next);
        add(std::move(step));
        next = late.begin();
      }
    }
    IOS_CHECK(late.empty());
    for (std::size_t i = 0; i < graph_.operators().size(); ++i) {  // concatenations that nobody reads
      if (step_of_[i] != kNotYet || graph_.operators()[i].is_source()) continue;
      const OperatorStep* const last = last_input(OperatorId(i));
      add_without_kernel(OperatorId(i), last == nullptr ? OperatorStep{} : *last);
    }
    return std::move(steps_);
  }

 private:
  // Into the place of a concatenation, or out of a merged layer.
  bool is_copy(const Kernel& kernel) const {
    return std::holds_alternative<Identity>(kernel.attributes) &&
           graph_.op(kernel.operators.front()).as<Identity>() == nullptr;
  }

  static OperatorStep step_of(const Kernel& kernel) {
    const auto own = kernel.fused.begin() + static_cast<std::ptrdiff_t>(kernel.fused_before());
    OperatorStep step{{kernel.fused.begin(), own}, kernel.operators.size() > 1, kernel.stage, kernel.lane};
    step.operators.insert(step.operators.end(), kernel.operators.begin(), kernel.operators.end());
    step.operators.insert(step.operators.end(), own, kernel.fused.end());
    IOS_CHECK(!step.merged || kernel.fused.empty());
    return step;
  }

  // Returns whether their inputs exist. A kernel may read some channels of a concatenation in place before the others
  // are made; here the concatenation is made at once.
  bool is_ready(const std::vector<OperatorId>& operators) const {
    return std::ranges::all_of(operators, [&](OperatorId id) {
      return std::ranges::all_of(graph_.op(id).inputs, [&](const Value& value) {
        const OperatorId read = value.producer;
        if (graph_.op(read).is_source() || step_of_[read.index()] != kNotYet) return true;
        if (std::ranges::find(operators, read) != operators.end()) return true;
        return !kernel_[read.index()] && is_ready({read});
      });
    });
  }

  void add(OperatorStep step) {
    for (const OperatorId id : step.operators) {
      for (const Value& value : graph_.op(id).inputs) {
        const OperatorId read = value.producer;
        if (graph_.op(read).is_source() || step_of_[read.index()] != kNotYet || kernel_[read.index()]) continue;
        add_without_kernel(read, step);
      }
    }
    for (const OperatorId id : step.operators) step_of_[id.index()] = steps_.size();
    steps_.push_back(std::move(step));
  }

  void add_without_kernel(OperatorId id, const OperatorStep& beside) {
    add(OperatorStep{{id}, false, beside.stage, beside.lane});
  }

  const OperatorStep* last_input(OperatorId id) const {
    std::size_t last = kNotYet;
    for (const Value& value : graph_.op(id).inputs) {
      const std::size_t step = step_of_[value.producer.index()];
      if (step != kNotYet && (last == kNotYet || step > last)) last = step;
    }
    return last == kNotYet ? nullptr : &steps_[last];
  }

  const Graph& graph_;
  std::vector<std::size_t> step_of_;  // by operator
  std::vector<bool> kernel_;          // by operator: a kernel computes it
  std::vector<OperatorStep> steps_;
};

}  // namespace

bool takes_before(const Conv& conv, std::int64_t channels, const Activation& function) {
  constexpr Extent kNone{0, 0};
  constexpr Extent kPixel{1, 1};
  const bool depthwise = conv.groups == channels && conv.groups == conv.out_channels;
  const bool pixel = conv.groups == 1 && conv.kernel == kPixel && conv.padding == kNone && conv.end_padding == kNone;
  const bool bounds = function.kind == ActivationKind::kRelu || function.kind == ActivationKind::kClip;
  return bounds && (depthwise || pixel);
}

std::vector<std::vector<KernelId>> needs_of(const ExecutionPlan& plan) {
  std::vector<Touched> buffers(plan.buffers.size());
  std::vector<std::vector<KernelId>> result(plan.kernels.size());
  std::unordered_map<UnitId, KernelId> last_of;  // by piece
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    const Kernel& kernel = plan.kernels[k];
    std::vector<KernelId>& needs = result[k];
    for (const TensorView& read : kernel.reads) buffers[read.buffer.index()].read(read, KernelId(k), needs);
    buffers[kernel.writes.buffer.index()].write(kernel.writes, KernelId(k), needs);
    if (kernel.piece.valid()) {
      const auto [last, is_first] = last_of.try_emplace(kernel.piece, k);
      if (!is_first) needs.push_back(std::exchange(last->second, KernelId(k)));
    }
    std::ranges::sort(needs);
    needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
  }
  return result;
}

LaneClocks::LaneClocks(const ExecutionPlan& plan) : lanes_(plan.lane_count()) {
  places_.reserve(plan.kernels.size());
  ended_.assign(plan.kernels.size() * lanes_, 0);
  std::vector<std::optional<KernelId>> last(lanes_);
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    const Kernel& kernel = plan.kernels[k];
    const std::span<std::uint32_t> now = std::span(ended_).subspan(k * lanes_, lanes_);
    const auto learn = [&](KernelId other) {
      const std::span<const std::uint32_t> its = ended(other);
      for (std::size_t lane = 0; lane < lanes_; ++lane) now[lane] = std::max(now[lane], its[lane]);
      now[this->lane(other)] = std::max(now[this->lane(other)], position(other));
    };
    std::optional<KernelId>& before = last[kernel.lane];
    if (before) learn(*before);
    for (const KernelId wait : kernel.waits) learn(wait);
    places_.push_back({kernel.lane, now[kernel.lane] + 1});
    before = KernelId(k);
  }
}

std::vector<OperatorStep> operator_steps(const Graph& graph, const ExecutionPlan& plan) {
  return StepMaker(graph).run(plan);
}

}  // namespace iosx
