#include "views/style/operator_class.h"

#include <variant>

namespace iosx {
namespace {

struct Classify {
  OperatorClass operator()(const Conv& conv) const {
    if (!conv.merged_from.empty()) return OperatorClass::kMergedConv;
    return conv.groups > 1 ? OperatorClass::kGroupedConv : OperatorClass::kConv;
  }
  OperatorClass operator()(const ConvTranspose& conv) const {
    return conv.groups > 1 ? OperatorClass::kGroupedConv : OperatorClass::kConv;
  }
  OperatorClass operator()(const Pool&) const { return OperatorClass::kPool; }
  OperatorClass operator()(const ReduceMean&) const { return OperatorClass::kPool; }
  OperatorClass operator()(const Linear&) const { return OperatorClass::kLinear; }
  OperatorClass operator()(const MatMul&) const { return OperatorClass::kLinear; }
  OperatorClass operator()(const Add&) const { return OperatorClass::kArithmetic; }
  OperatorClass operator()(const Mul&) const { return OperatorClass::kArithmetic; }
  OperatorClass operator()(const Sub&) const { return OperatorClass::kArithmetic; }
  OperatorClass operator()(const Div&) const { return OperatorClass::kArithmetic; }
  OperatorClass operator()(const Affine&) const { return OperatorClass::kArithmetic; }
  OperatorClass operator()(const Lrn&) const { return OperatorClass::kArithmetic; }
  OperatorClass operator()(const Activate&) const { return OperatorClass::kActivation; }
  OperatorClass operator()(const Softmax&) const { return OperatorClass::kActivation; }
  OperatorClass operator()(const Input&) const { return OperatorClass::kInput; }
  OperatorClass operator()(const Constant&) const { return OperatorClass::kInput; }
  OperatorClass operator()(const Opaque&) const { return OperatorClass::kOpaque; }
  OperatorClass operator()(const Concat&) const { return OperatorClass::kConcat; }
  OperatorClass operator()(const Identity&) const { return OperatorClass::kConcat; }
  OperatorClass operator()(const Reshape&) const { return OperatorClass::kConcat; }
  OperatorClass operator()(const Transpose&) const { return OperatorClass::kConcat; }
  OperatorClass operator()(const Slice&) const { return OperatorClass::kConcat; }
  OperatorClass operator()(const Pad&) const { return OperatorClass::kConcat; }
  OperatorClass operator()(const Resize&) const { return OperatorClass::kConcat; }
};

}  // namespace

OperatorClass operator_class(const Attributes& attributes) { return std::visit(Classify{}, attributes); }

}  // namespace iosx
