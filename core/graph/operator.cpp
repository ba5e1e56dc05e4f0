#include "core/graph/operator.h"

namespace iosx {
namespace {

struct KindName {
  std::string_view operator()(const Input&) const { return "input"; }
  std::string_view operator()(const Conv& conv) const {
    if (!conv.merged_from.empty()) return "merged conv";
    return conv.groups > 1 ? (conv.groups == conv.out_channels ? "depthwise conv" : "grouped conv") : "conv";
  }
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
  std::string_view operator()(const Linear&) const { return "linear"; }
};

}  // namespace

std::string_view kind_name(const Attributes& attributes) { return std::visit(KindName{}, attributes); }

std::string_view activation_name(Activation activation) {
  switch (activation) {
    case Activation::kIdentity: return "identity";
    case Activation::kRelu: return "relu";
    case Activation::kSigmoid: return "sigmoid";
    case Activation::kTanh: return "tanh";
  }
  return "identity";
}

}  // namespace iosx
