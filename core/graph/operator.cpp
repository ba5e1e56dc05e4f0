#include "core/graph/operator.h"

namespace iosx {
namespace {

struct KindName {
  std::string_view operator()(const Input&) const { return "input"; }
  std::string_view operator()(const Conv& conv) const {
    if (!conv.merged_from.empty()) return "merged conv";
    return conv.groups > 1 ? (conv.groups == conv.out_channels ? "depthwise conv" : "grouped conv") : "conv";
  }
  std::string_view operator()(const Constant&) const { return "constant"; }
  std::string_view operator()(const ConvTranspose&) const { return "transposed conv"; }
  std::string_view operator()(const Pool& pool) const {
    switch (pool.kind) {
      case PoolKind::kMax: return "max pool";
      case PoolKind::kAverage: return "average pool";
      case PoolKind::kGlobalMax: return "global max pool";
      case PoolKind::kGlobalAverage: return "global average pool";
    }
    return "pool";
  }
  std::string_view operator()(const Activate& activate) const { return activation_name(activate.function); }
  std::string_view operator()(const Add&) const { return "add"; }
  std::string_view operator()(const Mul&) const { return "mul"; }
  std::string_view operator()(const Concat&) const { return "concat"; }
  std::string_view operator()(const Identity&) const { return "identity"; }
  std::string_view operator()(const Affine&) const { return "batch norm"; }
  std::string_view operator()(const Sub&) const { return "sub"; }
  std::string_view operator()(const Div&) const { return "div"; }
  std::string_view operator()(const Linear&) const { return "linear"; }
  std::string_view operator()(const MatMul&) const { return "matmul"; }
  std::string_view operator()(const Reshape&) const { return "reshape"; }
  std::string_view operator()(const Transpose&) const { return "transpose"; }
  std::string_view operator()(const Slice&) const { return "slice"; }
  std::string_view operator()(const Pad&) const { return "pad"; }
  std::string_view operator()(const Resize&) const { return "resize"; }
  std::string_view operator()(const Softmax&) const { return "softmax"; }
  std::string_view operator()(const Lrn&) const { return "lrn"; }
  std::string_view operator()(const ReduceMean&) const { return "reduce mean"; }
  std::string_view operator()(const Opaque&) const { return "not executable"; }
};

}  // namespace

std::string_view kind_name(const Attributes& attributes) { return std::visit(KindName{}, attributes); }

Activation fused_activation(const Attributes& attributes) {
  return std::visit(
      [](const auto& kind) {
        if constexpr (requires { kind.activation; }) {
          return kind.activation;
        } else {
          return Activation::kIdentity;
        }
      },
      attributes);
}

}  // namespace iosx
