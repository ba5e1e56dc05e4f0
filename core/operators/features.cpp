#include "core/operators/features.h"

#include <algorithm>

#include "core/formats/wire/document.h"
#include "core/model/graph/operator_table.h"

namespace iosx {
namespace wire {

IOS_FIELDS(OperatorFeatures, all, field("kind", x.kind), not_negative("batch", x.batch),
           not_negative("channels", x.channels), not_negative("height", x.height), not_negative("width", x.width),
           not_negative("out_channels", x.out_channels), not_negative("out_height", x.out_height),
           not_negative("out_width", x.out_width), not_negative("kernel_height", x.kernel_height),
           not_negative("kernel_width", x.kernel_width), not_negative("stride", x.stride),
           not_negative("groups", x.groups), not_negative("fused", x.fused), not_negative("inputs", x.inputs),
           not_negative("slices", x.slices), not_negative("function", x.function), not_negative("flops", x.flops),
           not_negative("bytes_read", x.bytes_read), not_negative("bytes_written", x.bytes_written));

}  // namespace wire

namespace {

constexpr std::string_view kFormat = "iosx-stage";
constexpr int kVersion = 1;

constexpr std::array<std::string_view, 14> kKinds{
    "conv",        "depthwise",   "transposed conv", "linear",    "matmul", "max pool", "average pool",
    "global pool", "elementwise", "softmax",         "normalize", "copy",   "resize",   "other"};

constexpr std::array kColumns{
    FeatureColumn{"batch", [](const OperatorFeatures& x) { return static_cast<double>(x.batch); }},
    FeatureColumn{"channels", [](const OperatorFeatures& x) { return static_cast<double>(x.channels); }},
    FeatureColumn{"height", [](const OperatorFeatures& x) { return static_cast<double>(x.height); }},
    FeatureColumn{"width", [](const OperatorFeatures& x) { return static_cast<double>(x.width); }},
    FeatureColumn{"out_channels", [](const OperatorFeatures& x) { return static_cast<double>(x.out_channels); }},
    FeatureColumn{"out_height", [](const OperatorFeatures& x) { return static_cast<double>(x.out_height); }},
    FeatureColumn{"out_width", [](const OperatorFeatures& x) { return static_cast<double>(x.out_width); }},
    FeatureColumn{"kernel", [](const OperatorFeatures& x) { return static_cast<double>(x.kernel_height); }},
    FeatureColumn{"kernel_width", [](const OperatorFeatures& x) { return static_cast<double>(x.kernel_width); }},
    FeatureColumn{"stride", [](const OperatorFeatures& x) { return static_cast<double>(x.stride); }},
    FeatureColumn{"groups", [](const OperatorFeatures& x) { return static_cast<double>(x.groups); }},
    FeatureColumn{"fused", [](const OperatorFeatures& x) { return static_cast<double>(x.fused); }},
    FeatureColumn{"inputs", [](const OperatorFeatures& x) { return static_cast<double>(x.inputs); }},
    FeatureColumn{"slices", [](const OperatorFeatures& x) { return static_cast<double>(x.slices); }},
    FeatureColumn{"function", [](const OperatorFeatures& x) { return static_cast<double>(x.function); }},
    FeatureColumn{"flops", [](const OperatorFeatures& x) { return x.flops; }},
    FeatureColumn{"bytes_read", [](const OperatorFeatures& x) { return x.bytes_read; }},
    FeatureColumn{"bytes_written", [](const OperatorFeatures& x) { return x.bytes_written; }},
};

struct KindOf {
  std::int64_t in_channels;

  std::string_view operator()(const Conv& conv) const {
    return conv.groups > 1 && conv.groups == in_channels ? "depthwise" : "conv";
  }
  std::string_view operator()(const ConvTranspose& /*op*/) const { return "transposed conv"; }
  std::string_view operator()(const Linear& /*op*/) const { return "linear"; }
  std::string_view operator()(const MatMul& /*op*/) const { return "matmul"; }
  std::string_view operator()(const Pool& pool) const {
    if (pool.kind == PoolKind::kMax) return "max pool";
    return pool.kind == PoolKind::kAverage ? "average pool" : "global pool";
  }
  std::string_view operator()(const Reduce& /*op*/) const { return "global pool"; }
  std::string_view operator()(const OneOf<Activate, Affine, Add, Mul, Binary, Where> auto& /*op*/) const {
    return "elementwise";
  }
  std::string_view operator()(const Softmax& /*op*/) const { return "softmax"; }
  std::string_view operator()(const Normalize& /*op*/) const { return "normalize"; }
  std::string_view operator()(const OneOf<Concat, Identity, Transpose, Slice, Pad, Expand, Gather> auto& /*op*/) const {
    return "copy";
  }
  std::string_view operator()(const Resize& /*op*/) const { return "resize"; }
  std::string_view otherwise() const { return "other"; }
};

std::int64_t cost_of(const Activation& function) {
  switch (function.kind) {
    case ActivationKind::kIdentity: return 0;
    case ActivationKind::kRelu:
    case ActivationKind::kLeakyRelu:
    case ActivationKind::kClip:
    case ActivationKind::kHardSigmoid:
    case ActivationKind::kHardSwish:
    case ActivationKind::kSoftsign:
    case ActivationKind::kThresholdedRelu:
    case ActivationKind::kShrink:
    case ActivationKind::kAbs:
    case ActivationKind::kNeg:
    case ActivationKind::kReciprocal:
    case ActivationKind::kFloor:
    case ActivationKind::kCeil:
    case ActivationKind::kRound:
    case ActivationKind::kFloat16:
    case ActivationKind::kBfloat16:
    case ActivationKind::kTruncate: return 1;
    default: return 3;
  }
}

std::int64_t cost_of(const Attributes& attributes) {
  if (const auto* activate = std::get_if<Activate>(&attributes)) return cost_of(activate->function);
  if (std::holds_alternative<Add>(attributes) || std::holds_alternative<Mul>(attributes)) return 1;
  return cost_of(fused_activation(attributes));
}

void set_window(OperatorFeatures& made, const Extent& kernel, const Extent& stride) {
  made.kernel_height = kernel.height;
  made.kernel_width = kernel.width;
  made.stride = std::max(stride.height, stride.width);
}

}  // namespace

std::span<const std::string_view> operator_kinds() { return kKinds; }
std::span<const FeatureColumn> feature_columns() { return kColumns; }

std::span<const std::string_view> time_classes() {
  static constexpr std::array<std::string_view, 5> kClasses{"below 0.02 ms", "0.02 to 0.1 ms", "0.1 to 0.5 ms",
                                                            "0.5 to 2 ms", "2 ms and more"};
  return kClasses;
}

std::size_t time_class_of(double ms) {
  constexpr std::array kBounds{0.02, 0.1, 0.5, 2.0};
  return static_cast<std::size_t>(std::ranges::upper_bound(kBounds, ms) - kBounds.begin());
}

OperatorFeatures features_of(const ExecutionPlan& plan, const Kernel& kernel) {
  OperatorFeatures made;
  Shape input = kernel.output;
  if (!kernel.reads.empty()) {
    const TensorView& view = kernel.reads.front();
    input = shape_of(plan.buffers[view.buffer.index()], view);
  }
  made.kind = visit_kind(KindOf{input.channels()}, kernel.attributes);
  made.batch = plan.batch;
  made.channels = input.channels();
  made.height = input.height();
  made.width = input.width();
  made.out_channels = kernel.output.channels();
  made.out_height = kernel.output.height();
  made.out_width = kernel.output.width();
  made.fused = std::ssize(kernel.fused);
  made.inputs = std::max<std::int64_t>(std::ssize(kernel.reads), 1);
  made.function = cost_of(kernel.attributes);
  const auto is_slice = [&](const TensorView& view) { return !is_whole(plan.buffers[view.buffer.index()], view); };
  made.slices = std::ranges::count_if(kernel.reads, is_slice) + (is_slice(kernel.writes) ? 1 : 0);
  made.flops = kernel.work.flops;
  made.bytes_read = static_cast<double>(kernel.work.bytes_read);
  made.bytes_written = static_cast<double>(kernel.work.bytes_written);
  if (const auto* conv = std::get_if<Conv>(&kernel.attributes)) {
    set_window(made, conv->kernel, conv->stride);
    made.groups = conv->groups;
  } else if (const auto* transposed = std::get_if<ConvTranspose>(&kernel.attributes)) {
    set_window(made, transposed->kernel, transposed->stride);
    made.groups = transposed->groups;
  } else if (const auto* pool = std::get_if<Pool>(&kernel.attributes); pool != nullptr && made.kind != "global pool") {
    set_window(made, pool->kernel, pool->stride);
  } else if (const auto* linear = std::get_if<Linear>(&kernel.attributes)) {
    const std::int64_t features = input.elements_from(linear->axis);
    made.channels = features;
    made.height = made.out_height = features > 0 ? input.elements() / features : 0;
    made.width = made.out_width = 1;
    made.out_channels = linear->out_features;
  } else if (made.kind == "matmul" && kernel.output.rank() >= 2) {
    const std::size_t rank = kernel.output.rank();
    const std::int64_t rows = kernel.output[rank - 2];
    const std::int64_t columns = kernel.output[rank - 1];
    const std::int64_t matrix = std::max<std::int64_t>(rows * columns, 1);
    made.batch = plan.batch * std::max<std::int64_t>(kernel.output.elements() / matrix, 1);
    made.channels = input.rank() > 0 ? input[input.rank() - 1] : 1;
    made.height = made.out_height = rows;
    made.width = made.out_width = 1;
    made.out_channels = columns;
  }
  return made;
}

StageFeatures stage_features(const ExecutionPlan& plan, std::size_t stage) {
  StageFeatures groups;
  for (const std::vector<KernelId>& lane : plan.stages[stage].lanes) {
    std::vector<OperatorFeatures> group;
    group.reserve(lane.size());
    for (const KernelId id : lane) group.push_back(features_of(plan, plan.kernel(id)));
    if (!group.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

std::string to_text(const StageFeatures& stage) { return wire::write_document(kFormat, stage, kVersion); }

Result<StageFeatures> parse_stage_features(std::string_view text, const std::string& origin) {
  return wire::read_document<StageFeatures>(text, origin, kFormat, kVersion);
}

}  // namespace iosx
