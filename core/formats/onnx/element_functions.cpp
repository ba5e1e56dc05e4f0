#include "core/formats/onnx/element_functions.h"

#include <algorithm>
#include <array>

namespace iosx::onnx_import {
namespace {

using enum ActivationKind;
using ElementType::kBool;

constexpr std::array kElementFunctions{
    ElementFunction{"Abs", kAbs},
    ElementFunction{"Acos", kAcos},
    ElementFunction{"Acosh", kAcosh},
    ElementFunction{"Asin", kAsin},
    ElementFunction{"Asinh", kAsinh},
    ElementFunction{"Atan", kAtan},
    ElementFunction{"Atanh", kAtanh},
    ElementFunction{"Ceil", kCeil},
    ElementFunction{"Celu", kCelu, {"alpha", 1}},
    ElementFunction{"Cos", kCos},
    ElementFunction{"Cosh", kCosh},
    ElementFunction{"Elu", kElu, {"alpha", 1}},
    ElementFunction{"Erf", kErf},
    ElementFunction{"Exp", kExp},
    ElementFunction{"Floor", kFloor},
    ElementFunction{"HardSigmoid", kHardSigmoid, {"alpha", 0.2F}, {"beta", 0.5F}},
    ElementFunction{"HardSwish", kHardSwish},
    ElementFunction{"IsNaN", kIsNan, {}, {}, kBool},
    ElementFunction{"LeakyRelu", kLeakyRelu, {"alpha", 0.01F}},
    ElementFunction{"Log", kLog},
    ElementFunction{"Mish", kMish},
    ElementFunction{"Neg", kNeg},
    ElementFunction{"Not", kNot, {}, {}, kBool},
    ElementFunction{"Reciprocal", kReciprocal},
    ElementFunction{"Relu", kRelu},
    ElementFunction{"Round", kRound},
    ElementFunction{"Selu", kSelu, {"alpha", 1.67326319F}, {"gamma", 1.05070102F}},
    ElementFunction{"Shrink", kShrink, {"lambd", 0.5F}, {"bias", 0}},
    ElementFunction{"Sigmoid", kSigmoid},
    ElementFunction{"Sign", kSign},
    ElementFunction{"Sin", kSin},
    ElementFunction{"Sinh", kSinh},
    ElementFunction{"Softplus", kSoftplus},
    ElementFunction{"Softsign", kSoftsign},
    ElementFunction{"Sqrt", kSqrt},
    ElementFunction{"Tan", kTan},
    ElementFunction{"Tanh", kTanh},
    ElementFunction{"ThresholdedRelu", kThresholdedRelu, {"alpha", 1}},
};

constexpr std::array kBinaryOperators{
    BinaryOperator{"Add", BinaryFunction::kAdd},
    BinaryOperator{"And", BinaryFunction::kAnd, false, true, kBool},
    BinaryOperator{"Div", BinaryFunction::kDiv},
    BinaryOperator{"Equal", BinaryFunction::kEqual, false, false, kBool},
    BinaryOperator{"Greater", BinaryFunction::kGreater, false, false, kBool},
    BinaryOperator{"GreaterOrEqual", BinaryFunction::kGreaterOrEqual, false, false, kBool},
    BinaryOperator{"Less", BinaryFunction::kLess, false, false, kBool},
    BinaryOperator{"LessOrEqual", BinaryFunction::kLessOrEqual, false, false, kBool},
    BinaryOperator{"Max", BinaryFunction::kMax, true},
    BinaryOperator{"Min", BinaryFunction::kMin, true},
    BinaryOperator{"Mod", BinaryFunction::kMod},
    BinaryOperator{"Mul", BinaryFunction::kMul},
    BinaryOperator{"Or", BinaryFunction::kOr, false, true, kBool},
    BinaryOperator{"PRelu", BinaryFunction::kPRelu},
    BinaryOperator{"Pow", BinaryFunction::kPow},
    BinaryOperator{"Sub", BinaryFunction::kSub},
    BinaryOperator{"Sum", BinaryFunction::kAdd, true},
    BinaryOperator{"Xor", BinaryFunction::kXor, false, true, kBool},
};

constexpr std::array kReduceOperators{
    ReduceOperator{"ReduceL1", ReduceKind::kL1},
    ReduceOperator{"ReduceL2", ReduceKind::kL2},
    ReduceOperator{"ReduceLogSum", ReduceKind::kSum, false, true},
    ReduceOperator{"ReduceLogSumExp", ReduceKind::kSum, true, true},
    ReduceOperator{"ReduceMax", ReduceKind::kMax},
    ReduceOperator{"ReduceMean", ReduceKind::kMean},
    ReduceOperator{"ReduceMin", ReduceKind::kMin},
    ReduceOperator{"ReduceProd", ReduceKind::kProduct},
    ReduceOperator{"ReduceSum", ReduceKind::kSum},
    ReduceOperator{"ReduceSumSquare", ReduceKind::kSumOfSquares},
};

template <typename Rows, typename Matches>
auto first(const Rows& rows, Matches matches) -> decltype(rows.data()) {
  const auto found = std::ranges::find_if(rows, matches);
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

std::span<const ElementFunction> element_functions() { return kElementFunctions; }
std::span<const BinaryOperator> binary_operators() { return kBinaryOperators; }
std::span<const ReduceOperator> reduce_operators() { return kReduceOperators; }

const ElementFunction* element_function(std::string_view op_type) {
  return first(kElementFunctions, [&](const ElementFunction& row) { return row.op_type == op_type; });
}
const ElementFunction* element_function(ActivationKind kind) {
  return first(kElementFunctions, [&](const ElementFunction& row) { return row.kind == kind; });
}
const BinaryOperator* binary_operator(std::string_view op_type) {
  return first(kBinaryOperators, [&](const BinaryOperator& row) { return row.op_type == op_type; });
}
const BinaryOperator* binary_operator(BinaryFunction function) {
  return first(kBinaryOperators, [&](const BinaryOperator& row) { return row.function == function; });
}
const ReduceOperator* reduce_operator(std::string_view op_type) {
  return first(kReduceOperators, [&](const ReduceOperator& row) { return row.op_type == op_type; });
}

std::string_view reduce_op_type(ReduceKind kind) {
  if (is_arg(kind)) return kind == ReduceKind::kArgMax ? "ArgMax" : "ArgMin";
  return first(kReduceOperators, [&](const ReduceOperator& row) { return row.kind == kind && !row.logarithm; })
      ->op_type;
}

}  // namespace iosx::onnx_import
