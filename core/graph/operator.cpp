#include "core/graph/operator.h"

#include "core/graph/operator_table.h"

namespace iosx {
namespace {

std::string_view pool_name(PoolKind kind) {
  switch (kind) {
    case PoolKind::kMax: return "max pool";
    case PoolKind::kAverage: return "average pool";
    case PoolKind::kGlobalMax: return "global max pool";
    case PoolKind::kGlobalAverage: return "global average pool";
  }
  return "pool";
}

std::string_view recurrent_name(RecurrentKind kind) {
  switch (kind) {
    case RecurrentKind::kRnn: return "rnn";
    case RecurrentKind::kGru: return "gru";
    case RecurrentKind::kLstm: return "lstm";
  }
  return "recurrent";
}

template <typename Kind>
concept HasActivation = requires(Kind& kind) {
  { kind.activation } -> std::same_as<Activation&>;
};

// What fuses an activation into an operator asks no more than its row.
template <typename... Kinds>
consteval bool rows_fit(std::type_identity<std::variant<Kinds...>> /*variant*/) {
  return ((HasActivation<Kinds> || (!kOperatorRow<Kinds>.takes_residual && !LayerKind<Kinds>)) && ...);
}
static_assert(rows_fit(std::type_identity<Attributes>{}), "a layer, and what takes a residual, has an activation");

}  // namespace

std::string_view kind_name(const Attributes& attributes) {
  if (const auto* conv = std::get_if<Conv>(&attributes)) {
    if (!conv->merged_from.empty()) return "merged conv";
    if (conv->groups > 1) return conv->groups == conv->out_channels ? "depthwise conv" : "grouped conv";
  }
  if (const auto* pool = std::get_if<Pool>(&attributes)) return pool_name(pool->kind);
  if (const auto* recurrent = std::get_if<Recurrent>(&attributes)) return recurrent_name(recurrent->kind);
  if (const auto* activate = std::get_if<Activate>(&attributes)) return activation_name(activate->function);
  return operator_row(attributes).name;
}

OperatorClass operator_class(const Attributes& attributes) {
  if (const auto* conv = std::get_if<Conv>(&attributes)) {
    if (!conv->merged_from.empty()) return OperatorClass::kMergedConv;
    if (conv->groups > 1) return OperatorClass::kGroupedConv;
  }
  if (const auto* conv = std::get_if<ConvTranspose>(&attributes); conv != nullptr && conv->groups > 1) {
    return OperatorClass::kGroupedConv;
  }
  return operator_row(attributes).drawn;
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

}  // namespace iosx
