#include "core/model/graph/operator.h"

#include <algorithm>

#include "core/model/graph/operator_table.h"

namespace iosx {
namespace {

// In the order of the enumerators.
constexpr std::string_view kPoolNames[]{"max pool", "average pool", "global max pool", "global average pool"};
constexpr std::string_view kRecurrentNames[]{"rnn", "gru", "lstm"};
constexpr std::string_view kReduceNames[]{"reduce mean",    "reduce sum", "reduce max", "reduce min",
                                          "reduce product", "reduce l1",  "reduce l2",  "reduce sum of squares",
                                          "arg max",        "arg min"};

std::string_view name_in(const auto& names, auto kind) { return names[static_cast<std::size_t>(kind)]; }

template <typename Kind>
concept HasActivation = requires(Kind& kind) {
  { kind.activation } -> std::same_as<Activation&>;
};

// The row suffices for fusing an activation into an operator.
template <typename... Kinds>
consteval bool rows_fit(std::type_identity<std::variant<Kinds...>> /*variant*/) {
  return ((HasActivation<Kinds> || (!kOperatorRow<Kinds>.takes_residual && !LayerKind<Kinds>)) && ...);
}
static_assert(rows_fit(std::type_identity<Attributes>{}), "a layer, and what takes a residual, has an activation");

struct Row {
  std::string_view letter;
  std::string_view name;
};

// By OperatorClass.
constexpr std::array<Row, kOperatorClasses> kRows{{
    {"1", said("convolution 1×1")},
    {"3", said("convolution 3×3")},
    {"n", said("convolution n×1 or 1×n")},
    {"K", said("convolution, other kernel")},
    {"D", said("depthwise convolution")},
    {"G", said("grouped convolution")},
    {"T", said("transposed convolution")},
    {"P", said("pooling")},
    {"L", said("linear")},
    {"&", said("concat, copy")},
    {"+", said("arithmetic")},
    {"f", said("activation")},
    {"I", said("input")},
    {"!", said("not executable")},
}};

OperatorClass conv_class(const Conv& conv) {
  using enum OperatorClass;
  if (conv.groups > 1) return conv.groups < conv.out_channels ? kGroupedConv : kDepthwiseConv;
  const auto [least, most] = std::minmax(conv.kernel.height, conv.kernel.width);
  if (most == 1) return kConv1x1;
  if (least == 1) return kConvLine;
  return least == 3 && most == 3 ? kConv3x3 : kConvOther;
}

}  // namespace

std::string_view reduce_name(ReduceKind kind) {
  const std::string_view name = name_in(kReduceNames, kind);
  return name.starts_with("reduce ") ? name.substr(7) : name;
}

bool is_merged(const Attributes& attributes) {
  const auto* const conv = std::get_if<Conv>(&attributes);
  return conv != nullptr && !conv->merged_from.empty();
}

std::string_view kind_name(const Attributes& attributes) {
  if (is_merged(attributes)) return "merged conv";
  if (const auto* conv = std::get_if<Conv>(&attributes)) {
    if (conv->groups > 1) return conv->groups == conv->out_channels ? "depthwise conv" : "grouped conv";
  }
  if (const auto* pool = std::get_if<Pool>(&attributes)) return name_in(kPoolNames, pool->kind);
  if (const auto* recurrent = std::get_if<Recurrent>(&attributes)) return name_in(kRecurrentNames, recurrent->kind);
  if (const auto* activate = std::get_if<Activate>(&attributes)) return activation_name(activate->function);
  if (const auto* binary = std::get_if<Binary>(&attributes)) return binary_row(binary->function).name;
  if (const auto* reduce = std::get_if<Reduce>(&attributes)) return name_in(kReduceNames, reduce->kind);
  if (const auto* norm = std::get_if<Normalize>(&attributes); norm != nullptr && !norm->centred) return "rms norm";
  if (const auto* gather = std::get_if<Gather>(&attributes); gather != nullptr) {
    return gather->kind == GatherKind::kSlices ? "gather" : "gather elements";
  }
  return operator_row(attributes).name;
}

Activation* fused_activation(Attributes& attributes) {
  return std::visit(
      [](auto& kind) -> Activation* {
        if constexpr (HasActivation<std::remove_reference_t<decltype(kind)>>) {
          return &kind.activation;
        } else {
          return nullptr;
        }
      },
      attributes);
}

Activation fused_activation(const Attributes& attributes) {
  return std::visit(
      [](const auto& kind) {
        if constexpr (HasActivation<std::remove_cvref_t<decltype(kind)>>) {
          return kind.activation;
        } else {
          return Activation::kIdentity;
        }
      },
      attributes);
}

OperatorClass operator_class(const Attributes& attributes) {
  const auto* const conv = std::get_if<Conv>(&attributes);
  return conv != nullptr ? conv_class(*conv) : operator_row(attributes).drawn;
}

std::string_view class_letter(OperatorClass what) { return kRows[static_cast<std::size_t>(what)].letter; }
std::string_view class_name(OperatorClass what) { return kRows[static_cast<std::size_t>(what)].name; }

}  // namespace iosx
