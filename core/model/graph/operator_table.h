#pragma once

#include <concepts>
#include <type_traits>

#include "core/model/graph/operator.h"

// This table has what every kind of operator says of itself, and shows how code asks something of its own of every
// kind. A new kind is an alternative of Attributes (attributes.h); the compiler then names what it lacks: its row here,
// the fields of its attributes (operator_fields.h), and a case in each visitor that has no default: the shape of its
// output (shape_inference.cpp) and its FLOPs (work.cpp).
namespace iosx {

enum class OperatorRole {
  kSource,   // nothing computes it
  kLayer,    // sums of products with weights, with a fused activation: what convolution libraries compute
  kKernel,   // everything else that devices compute
  kUnknown,  // nothing can compute it
};

struct OperatorRow {
  std::size_t kind;       // index in Attributes
  std::string_view id;    // in files and, with _ for spaces, in Python: fixed
  std::string_view name;  // the field's standard term; kind_name() is more exact
  std::string_view mark;  // the same for small boxes, in two or three characters where there are such
  OperatorClass drawn;    // operator_class() is more exact with convolutions
  OperatorRole role;
  std::size_t least_inputs;
  std::size_t most_inputs;
  bool takes_residual;  // one kernel of it may add a tensor of its output's shape before its activation
};

namespace operator_table {

inline constexpr std::size_t kAnyNumber = SIZE_MAX;

// Returns the index of a type in the variant; the number of its types for another one.
template <typename Kind, typename... Kinds>
consteval std::size_t index_in(std::type_identity<std::variant<Kinds...>> /*variant*/) {
  std::size_t index = 0;
  static_cast<void>(((std::same_as<Kind, Kinds> || (++index, false)) || ...));
  return index;
}

template <typename Kind>
inline constexpr std::size_t kIndex = index_in<Kind>(std::type_identity<Attributes>{});

template <typename Kind>
consteval OperatorRow row(std::string_view id, std::string_view name, std::string_view mark, OperatorClass drawn,
                          OperatorRole role, std::size_t least_inputs, std::size_t most_inputs,
                          bool takes_residual = false) {
  return {kIndex<Kind>, id, name, mark, drawn, role, least_inputs, most_inputs, takes_residual};
}

consteval auto rows() {
  using enum OperatorClass;
  using enum OperatorRole;
  return std::array{
      row<Input>("input", "input", "in", kInput, kSource, 0, 0),
      row<Constant>("constant", "constant", "constant", kInput, kSource, 0, 0),
      row<Conv>("conv", "conv", "conv", kConvOther, kLayer, 1, 1, true),
      row<ConvTranspose>("transposed conv", "transposed conv", "convᵀ", kTransposedConv, kLayer, 1, 1),
      row<Pool>("pool", "pool", "pool", kPool, kKernel, 1, 1),
      row<Activate>("activate", "activation", "f", kActivation, kKernel, 1, 1),
      row<Affine>("affine", "batch norm", "bn", kArithmetic, kKernel, 1, 1),
      row<Add>("add", "add", "+", kArithmetic, kKernel, 2, kAnyNumber),
      row<Mul>("mul", "mul", "×", kArithmetic, kKernel, 2, kAnyNumber),
      row<Binary>("binary", "element-wise function", "f(a, b)", kArithmetic, kKernel, 2, 2),
      row<Where>("where", "where", "where", kArithmetic, kKernel, 3, 3),
      row<Concat>("concat", "concat", "cat", kConcat, kKernel, 1, kAnyNumber),
      row<Identity>("identity", "identity", "=", kConcat, kKernel, 1, 1),
      row<Linear>("linear", "linear", "fc", kLinear, kLayer, 1, 1, true),
      row<MatMul>("matmul", "matmul", "matmul", kLinear, kKernel, 2, 2),
      row<Recurrent>("recurrent", "recurrent", "rnn", kLinear, kKernel, 1, 3),
      row<TopK>("top k", "top k", "top", kPool, kKernel, 1, 1),
      row<GridSample>("grid sample", "grid sample", "grid", kConcat, kKernel, 2, 2),
      row<Reshape>("reshape", "reshape", "reshape", kConcat, kKernel, 1, 1),
      row<Expand>("expand", "expand", "expand", kConcat, kKernel, 1, 1),
      row<Transpose>("transpose", "transpose", "transpose", kConcat, kKernel, 1, 1),
      row<Slice>("slice", "slice", "slice", kConcat, kKernel, 1, 1),
      row<Pad>("pad", "pad", "pad", kConcat, kKernel, 1, 1),
      row<Resize>("resize", "resize", "resize", kConcat, kKernel, 1, 1),
      row<Gather>("gather", "gather", "gather", kConcat, kKernel, 2, 2),
      row<Softmax>("softmax", "softmax", "softmax", kActivation, kKernel, 1, 1),
      row<Normalize>("normalize", "layer norm", "norm", kArithmetic, kKernel, 1, 1),
      row<Lrn>("lrn", "lrn", "lrn", kArithmetic, kKernel, 1, 1),
      row<Reduce>("reduce", "reduce", "reduce", kPool, kKernel, 1, 1),
      row<Opaque>("opaque", "not executable", "not executable", kOpaque, kUnknown, 0, kAnyNumber),
  };
}

inline constexpr auto kRows = rows();

// Row i is that of alternative i, and each has one.
consteval bool complete() {
  if (kRows.size() != std::variant_size_v<Attributes>) return false;
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].kind != i || kRows[i].id.empty() || kRows[i].name.empty() || kRows[i].mark.empty()) return false;
  }
  return true;
}
static_assert(complete(), "a row for each alternative of Attributes, in its order, with every text");

// This is no kind of operator: a visitor that takes it would take a forgotten kind too.
struct NoKind {};

// A visitor with otherwise() says by it what holds of every kind that it has no case for: that a device cannot run it,
// that it reads and writes its tensors once, that it has no parameters.
template <typename Visitor>
concept HasDefault = requires(Visitor& visitor) {
  visitor.otherwise();
};

template <typename Visitor, typename... Kinds>
consteval bool has_every_case(std::type_identity<std::variant<Kinds...>> /*variant*/) {
  return HasDefault<Visitor> || (std::invocable<Visitor&, const Kinds&> && ...);
}

// Its own instantiation for each kind, so that the compiler names the kind that fails.
template <typename Visitor, typename Kind>
consteval bool check_case() {
  static_assert(HasDefault<Visitor> || std::invocable<Visitor&, const Kind&>,
                "the visitor has no case for this kind of operator");
  return true;
}
template <typename Visitor, typename... Kinds>
consteval bool check_every_case(std::type_identity<std::variant<Kinds...>> /*variant*/) {
  static_assert(!std::invocable<Visitor&, const NoKind&>, "the visitor takes anything, also kinds it does not know");
  return (check_case<Visitor, Kinds>() && ...);
}

template <typename Visitor, typename Kind>
decltype(auto) visit_one(Visitor& visitor, const Kind& kind) {
  if constexpr (std::invocable<Visitor&, const Kind&>) {
    return visitor(kind);
  } else {
    return visitor.otherwise();
  }
}

}  // namespace operator_table

template <typename Kind>
concept OperatorKind = operator_table::kIndex<Kind> < std::variant_size_v<Attributes>;

template <OperatorKind Kind>
inline constexpr const OperatorRow& kOperatorRow = operator_table::kRows[operator_table::kIndex<Kind>];

inline const OperatorRow& operator_row(const Attributes& attributes) {
  return operator_table::kRows[attributes.index()];
}

template <typename Kind>
concept LayerKind = OperatorKind<Kind> && kOperatorRow<Kind>
.role == OperatorRole::kLayer;

// Has a case for each kind of operator or a default, and no case that would take something else.
template <typename Visitor>
concept CoversEveryKind = operator_table::has_every_case<Visitor>(std::type_identity<Attributes>{}) &&
    !std::invocable<Visitor&, const operator_table::NoKind&>;

// Calls the visitor's case for the operator's kind, or its otherwise(). A visitor without a default covers every kind:
// several in one case are written with OneOf.
template <typename Visitor>
decltype(auto) visit_kind(Visitor&& visitor, const Attributes& attributes) {
  using Plain = std::remove_cvref_t<Visitor>;
  static_assert(operator_table::check_every_case<Plain>(std::type_identity<Attributes>{}));
  return std::visit([&visitor](const auto& kind) -> decltype(auto) { return operator_table::visit_one(visitor, kind); },
                    attributes);
}

// Calls function.operator()<Kind>() for each kind of operator, in their order.
template <typename Function>
void for_each_kind(Function&& function) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (function.template operator()<std::variant_alternative_t<I, Attributes>>(), ...);
  }
  (std::make_index_sequence<std::variant_size_v<Attributes>>());
}

}  // namespace iosx
