#include "core/model/plan/plan_validity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/model/graph/shape_inference.h"
#include "core/model/plan/lower_options.h"
#include "core/model/plan/patterns.h"

namespace iosx {
namespace {

constexpr std::int64_t kMostBatch = std::int64_t{1} << 24;

// The written channels of one buffer: begin → end of separate runs.
class Written {
 public:
  void add(std::int64_t begin, std::int64_t end) {
    auto at = runs_.upper_bound(begin);
    if (at != runs_.begin() && std::prev(at)->second >= begin) --at;
    while (at != runs_.end() && at->first <= end) {
      begin = std::min(begin, at->first);
      end = std::max(end, at->second);
      at = runs_.erase(at);
    }
    runs_.emplace(begin, end);
  }
  bool covers(std::int64_t begin, std::int64_t end) const {
    const auto after = runs_.upper_bound(begin);
    return after != runs_.begin() && std::prev(after)->second >= end;
  }

 private:
  std::map<std::int64_t, std::int64_t> runs_;
};

class PlanCheck {
 public:
  explicit PlanCheck(const ExecutionPlan& plan) : plan_(plan), written_(plan.buffers.size()) {}

  Result<void> run() {
    check_buffers();
    check_order();
    for (std::size_t k = 0; k < plan_.kernels.size() && !problem_; ++k) check_kernel(k);
    if (!problem_) check_races();
    if (!plan_.barrier_free && !problem_) check_barriers();
    for (std::size_t i = 0; i < plan_.inputs.size() && !problem_; ++i) check_input(i);
    for (std::size_t i = 0; i < plan_.outputs.size() && !problem_; ++i) {
      const std::string place = fmt::format("outputs[{}].view", i);
      check_view(plan_.outputs[i].view, place);
      check_made(plan_.outputs[i].view, place);
      if (!problem_ && has_blank(plan_.outputs[i].view)) refuse(message("has blank channels"), place);
      if (!problem_ && !plan_.outputs[i].view.seen.empty()) refuse(message("is seen in other axes"), place);
    }
    if (problem_) return tl::unexpected(std::move(*problem_));
    return {};
  }

 private:
  void refuse(Message what, std::string place) {
    if (!problem_) problem_ = Error{std::move(what), std::move(place), {}};
  }
  bool is_operator(OperatorId id) const { return id.valid() && id.index() < plan_.parameters->size(); }

  void check_buffers() {
    if (plan_.batch < 1 || plan_.batch > kMostBatch) {
      return refuse(message("{} must lie in 1..{}", plan_.batch, kMostBatch), "batch");
    }
    std::int64_t left = kMostPlanBytes / kFloat32Bytes;
    for (std::size_t i = 0; i < plan_.buffers.size() && !problem_; ++i) {
      const Buffer& buffer = plan_.buffers[i];
      const std::string place = fmt::format("buffers[{}]", i);
      std::int64_t elements = 1;
      for (const std::int64_t size : buffer.shape.dims()) {
        if (size < 1 || size > kMaxExtent || elements > kMaxElements / size)
          return refuse(message("has an invalid shape"), place);
        elements *= size;
      }
      if (elements > left / plan_.batch) {
        return refuse(message("with it the plan needs more than {} TiB", kMostPlanBytes >> 40U), place);
      }
      left -= elements * plan_.batch;
      if (buffer.source.valid() && !is_operator(buffer.source))
        return refuse(message("its source is not an operator"), place);
      if (buffer.axis > 0 && buffer.axis >= buffer.shape.rank()) {
        return refuse(message("is sliced along an axis that it does not have"), place);
      }
      const bool may_have_blank = buffer.external && !buffer.constant && !buffer.row_major && buffer.axis == 0;
      if (buffer.blank < 0 || (buffer.blank > 0 && (!may_have_blank || !buffer.shape.is_feature_map() ||
                                                    buffer.blank >= kMostInputChannelMultiple ||
                                                    buffer.blank >= buffer.shape.channels()))) {
        return refuse(message("has invalid blank channels"), place);
      }
      if (!buffer.constant) continue;
      const bool known = buffer.external && is_operator(buffer.source);
      if (!known || !std::ranges::equal(plan_.parameters->dims(buffer.source).weights, buffer.shape.dims())) {
        refuse(message("is a constant, but its source is not a constant of its shape"), place);
      }
    }
  }

  // Every kernel occurs once, in its stage. With barriers their numbers follow stages and lanes.
  void check_order() {
    std::vector<bool> stands(plan_.kernels.size(), false);
    std::size_t next = 0;
    for (std::size_t s = 0; s < plan_.stages.size() && !problem_; ++s) {
      for (std::size_t l = 0; l < plan_.stages[s].lanes.size() && !problem_; ++l) {
        const std::string place = fmt::format("stages[{}].lanes[{}]", s, l);
        if (plan_.stages[s].lanes[l].empty()) return refuse(message("is empty"), place);
        for (const KernelId id : plan_.stages[s].lanes[l]) {
          const bool known = id.valid() && id.index() < plan_.kernels.size() && !stands[id.index()];
          if (!known || (!plan_.barrier_free && id.index() != next)) {
            return refuse(message("kernel {} should come next", next), place);
          }
          const Kernel& kernel = plan_.kernel(id);
          if (kernel.stage != s || (!plan_.barrier_free && kernel.lane != l)) {
            return refuse(message("is in another stage or lane"), fmt::format("kernels[{}]", id.index()));
          }
          stands[id.index()] = true;
          ++next;
        }
      }
    }
    for (std::size_t k = 0; k < stands.size() && !problem_; ++k) {
      if (!stands[k]) return refuse(message("is in no lane"), fmt::format("kernels[{}]", k));
    }
    check_lanes();
  }

  // Clocks of all lanes are kept for every kernel.
  void check_lanes() {
    constexpr std::size_t kMostClocks = std::size_t{1} << 24U;
    const std::size_t most = plan_.barrier_free ? std::min(kMostLanes, plan_.kernels.size()) : plan_.kernels.size();
    for (std::size_t k = 0; k < plan_.kernels.size() && !problem_; ++k) {
      if (plan_.kernels[k].lane >= most)
        return refuse(message("its lane must lie in 0..{}", most - 1), fmt::format("kernels[{}]", k));
    }
    if (!problem_ && plan_.lane_count() > kMostClocks / std::max<std::size_t>(plan_.kernels.size(), 1)) {
      refuse(message("has {} lanes for {} kernels, too many", plan_.lane_count(), plan_.kernels.size()), "stages");
    }
  }

  // With barriers the first kernel of a lane waits for the ends of the other lanes of the stage before.
  void check_barriers() {
    std::span<const std::vector<KernelId>> before;
    for (const PlanStage& stage : plan_.stages) {
      for (std::size_t lane = 0; lane < stage.lanes.size(); ++lane) {
        const KernelId first = stage.lanes[lane].front();
        const std::vector<KernelId>& waits = plan_.kernel(first).waits;
        for (std::size_t l = 0; l < before.size(); ++l) {
          if (l == lane || std::ranges::find(waits, before[l].back()) != waits.end()) continue;
          return refuse(message("does not wait for kernel {}, the last on lane {} of the stage before",
                                before[l].back().index(), l),
                        fmt::format("kernels[{}].waits", first.index()));
        }
      }
      if (!stage.lanes.empty()) before = stage.lanes;
    }
  }

  // Lane order and waits say that a kernel starts after what it needs.
  void check_races() {
    const LaneClocks clocks(plan_);
    const std::vector<std::vector<KernelId>> needs = needs_of(plan_);
    for (std::size_t k = 0; k < needs.size(); ++k) {
      for (const KernelId need : needs[k]) {
        if (clocks.before(need, KernelId(k))) continue;
        return refuse(message("does not wait for kernel {}, which touches the same channels", need.index()),
                      fmt::format("kernels[{}].waits", k));
      }
    }
  }

  void check_view(const TensorView& view, const std::string& place) {
    if (!view.buffer.valid() || view.buffer.index() >= plan_.buffers.size())
      return refuse(message("there is no such buffer"), place);
    const Buffer& buffer = plan_.buffers[view.buffer.index()];
    const std::int64_t channels = channels_of(buffer);
    if (view.begin < 0 || view.begin >= view.end || view.end > channels)
      return refuse(message("channels [{}, {}) of a buffer with {}", view.begin, view.end, channels), place);
    if (view.seen.empty()) return;
    const Shape slice = iosx::shape_of(buffer, {view.buffer, view.begin, view.end});
    if (!sees_inside(slice, view.seen)) refuse(message("sees elements outside of it, or some of them twice"), place);
  }

  // Only matrix products see tensors in other axes.
  void check_seen(const Kernel& kernel, const std::string& place) {
    const auto other = [](const TensorView& view) { return !view.seen.empty(); };
    if (std::holds_alternative<MatMul>(kernel.attributes)) {
      const TensorView& to = kernel.writes;
      const Shape slice = iosx::shape_of(plan_.buffers[to.buffer.index()], {to.buffer, to.begin, to.end});
      if (!other(to) || sees_all(slice, to.seen)) return;
      return refuse(message("does not see all that it writes"), place + ".writes");
    }
    if (other(kernel.writes) || std::ranges::any_of(kernel.reads, other)) {
      refuse(message("sees a tensor in other axes, as only matrix products can"), place);
    }
  }

  bool has_blank(const TensorView& view) const { return plan_.buffers[view.buffer.index()].blank > 0; }

  // Blank channels are no part of what is read, written or put out, but for convolutions.
  void check_blank(const Kernel& kernel, const std::string& place) {
    if (has_blank(kernel.writes)) return refuse(message("writes a tensor with blank channels"), place + ".writes");
    for (std::size_t i = 0; i < kernel.reads.size(); ++i) {
      const TensorView& view = kernel.reads[i];
      if (!has_blank(view)) continue;
      const auto* const conv = std::get_if<Conv>(&kernel.attributes);
      const bool whole = is_whole(plan_.buffers[view.buffer.index()], view);
      if (i == 0 && whole && conv != nullptr && conv->groups == 1) continue;
      return refuse(message("cannot use blank channels"), fmt::format("{}.reads[{}]", place, i));
    }
  }

  void check_made(const TensorView& view, const std::string& place) {
    if (problem_ || plan_.buffers[view.buffer.index()].external) return;
    if (!written_[view.buffer.index()].covers(view.begin, view.end))
      refuse(message("reads channels that no kernel has written"), place);
  }

  Shape shape_of(const TensorView& view) const { return iosx::shape_of(plan_.buffers[view.buffer.index()], view); }

  void check_input(std::size_t i) {
    const BufferId id = plan_.inputs[i];
    const bool known = id.valid() && id.index() < plan_.buffers.size();
    if (!known || plan_.buffers[id.index()].constant)
      refuse(message("is not a buffer that can be filled"), fmt::format("inputs[{}]", i));
  }

  void check_kernel(std::size_t index) {
    const Kernel& kernel = plan_.kernels[index];
    const std::string place = fmt::format("kernels[{}]", index);
    for (const KernelId wait : kernel.waits) {
      if (!wait.valid() || wait.index() >= index)
        return refuse(message("can wait only for earlier kernels"), place + ".waits");
    }
    if (kernel.operators.empty() || !std::ranges::all_of(kernel.operators, [&](auto id) { return is_operator(id); }) ||
        !std::ranges::all_of(kernel.fused, [&](auto id) { return is_operator(id); })) {
      return refuse(message("names operators that do not exist"), place);
    }
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < kernel.reads.size() && !problem_; ++i) {
      const std::string read = fmt::format("{}.reads[{}]", place, i);
      check_view(kernel.reads[i], read);
      check_made(kernel.reads[i], read);
      if (!problem_) shapes.push_back(shape_of(kernel.reads[i]));
    }
    check_view(kernel.writes, place + ".writes");
    if (!problem_) check_blank(kernel, place);
    if (!problem_) check_seen(kernel, place);
    if (problem_) return;
    check_before(kernel, shapes, place);
    if (!problem_) check_patterns(kernel, shapes, place);
    if (!problem_) check_output(kernel, shapes, place);
    if (!problem_) check_parameters(kernel, std::move(shapes), place);
    written_[kernel.writes.buffer.index()].add(kernel.writes.begin, kernel.writes.end);
  }

  void check_before(const Kernel& kernel, const std::vector<Shape>& shapes, const std::string& place) {
    if (kernel.before == Activation::kIdentity) return;
    const auto* const conv = std::get_if<Conv>(&kernel.attributes);
    const bool image = conv != nullptr && !shapes.empty() && shapes.front().is_feature_map();
    if (!image || kernel.operators.size() > 1 || kernel.fused.empty() || has_blank(kernel.reads.front()) ||
        !takes_before(*conv, shapes.front().channels(), kernel.before)) {
      refuse(message("cannot apply a function to what it reads"), place + ".before");
    }
  }

  void check_output(const Kernel& kernel, std::vector<Shape>& shapes, const std::string& place) {
    const bool window =
        std::holds_alternative<Conv>(kernel.attributes) || std::holds_alternative<Linear>(kernel.attributes);
    if (window && shapes.size() == 2) {  // the residual
      if (shapes.back() != kernel.output)
        return refuse(message("adds a tensor of a different shape"), place + ".reads[1]");
      shapes.pop_back();
    }
    if (std::holds_alternative<Input>(kernel.attributes) || std::holds_alternative<Constant>(kernel.attributes)) {
      return refuse(message("is a source, which no kernel computes"), place + ".attributes");
    }
    const auto made = shape_made(kernel, shapes);
    if (!made) return refuse(made.error().what, place + ".attributes");
    if (*made != kernel.output || shape_of(kernel.writes) != kernel.output) {
      return refuse(message("produces {}, not {}", shape_text(*made), shape_text(kernel.output)), place + ".output");
    }
    if (plan_.buffers[kernel.writes.buffer.index()].constant)
      return refuse(message("writes a constant"), place + ".writes");
    for (const TensorView& read : kernel.reads) {
      if (read.buffer == kernel.writes.buffer && read.begin < kernel.writes.end && kernel.writes.begin < read.end) {
        return refuse(message("reads channels that it writes"), place);
      }
    }
  }

  static Result<Shape> shape_made(const Kernel& kernel, std::span<const Shape> shapes) {
    if (kernel.is_attention() && shapes.size() == 3) {
      IOS_TRY(const Shape scores, infer_shape(kernel.attributes, shapes.first(2)));
      return infer_shape(kernel.attributes, std::array{scores, shapes[2]});
    }
    if (kernel.excitation.squeeze.valid() && shapes.size() == 1) return shapes.front();
    const bool sum = std::holds_alternative<Activate>(kernel.attributes) && shapes.size() > 1;
    return infer_shape(sum ? Attributes(Add{}) : kernel.attributes, shapes);
  }

  // Only attention has a scale, and only a product with a feature map of its own excitation.
  void check_patterns(const Kernel& kernel, const std::vector<Shape>& shapes, const std::string& place) {
    const MatMul* const product = std::get_if<MatMul>(&kernel.attributes);
    const bool attention = kernel.is_attention() && !product->sparse;
    if (!std::isfinite(kernel.scale) || (!attention && kernel.scale != 1)) {
      return refuse(message("has a scale, as only attention can"), place + ".scale");
    }
    const Excitation& excitation = kernel.excitation;
    if (excitation == Excitation{}) return;
    const auto has = [&](OperatorId layer, std::int64_t out, std::int64_t in) {
      if (!is_operator(layer)) return false;
      const std::vector<std::int64_t>& dims = plan_.parameters->dims(layer).weights;
      return dims.size() >= 2 && dims[0] == out && dims[1] == in &&
             std::all_of(dims.begin() + 2, dims.end(), [](std::int64_t size) { return size == 1; });
    };
    const std::int64_t channels = shapes.size() == 1 ? shapes.front().channels() : 0;
    const bool map = excitation.squeezed > 0 && channels > 0 && may_excite(shapes.front(), excitation.squeezed);
    if (!map || !std::holds_alternative<Mul>(kernel.attributes) ||
        !has(excitation.squeeze, excitation.squeezed, channels) ||
        !has(excitation.excite, channels, excitation.squeezed)) {
      refuse(message("is no squeeze and excitation"), place + ".excitation");
    }
  }

  void check_parameters(const Kernel& kernel, std::vector<Shape> shapes, const std::string& place) {
    if (!kernel.reads.empty() && has_blank(kernel.reads.front())) {
      shapes.front() = filled_shape(plan_.buffers[kernel.reads.front().buffer.index()]);
    }
    const ParameterDims wanted = parameter_dims(kernel.attributes, shapes);
    const auto* const conv = std::get_if<Conv>(&kernel.attributes);
    const bool merges = conv != nullptr ? conv->groups == 1 : std::holds_alternative<Linear>(kernel.attributes);
    if (kernel.operators.size() == 1) {
      if (wanted.weights.empty()) return;
      const ParameterDims& own = plan_.parameters->dims(kernel.operators.front());
      if (own.weights == wanted.weights && own.bias == wanted.bias) return;
    } else if (merges) {
      // With equal inputs, possibly smaller kernels of a convolution, and the total of the outputs.
      std::int64_t channels = 0;
      const bool fit = std::ranges::all_of(kernel.operators, [&](OperatorId id) {
        const std::vector<std::int64_t>& own = plan_.parameters->dims(id).weights;
        if (own.size() != wanted.weights.size() || own[1] != wanted.weights[1] ||
            plan_.parameters->dims(id).bias.size() != 1 ||
            !std::equal(own.begin() + 2, own.end(), wanted.weights.begin() + 2, std::less_equal<>())) {
          return false;
        }
        channels += own[0];
        return true;
      });
      if (fit && channels == wanted.weights[0]) return;
    }
    refuse(message("the weights of its operators have different dims"), place + ".operators");
  }

  const ExecutionPlan& plan_;
  std::vector<Written> written_;  // by buffer
  std::optional<Error> problem_;
};

}  // namespace

Result<void> check_plan(const ExecutionPlan& plan) { return PlanCheck(plan).run(); }

}  // namespace iosx
