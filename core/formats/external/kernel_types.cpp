#include <array>

#include "core/formats/external/csv_times.h"
#include "core/formats/external/match.h"

namespace iosx::external {
namespace {

// What functions of cuDNN, cuBLAS, CUTLASS and ATen compute, by a piece of their names, mangled or not, in lower case.
struct FunctionWord {
  std::string_view piece;
  std::string_view type;
};
// The first that fits counts: an implicit GEMM is a convolution.
constexpr std::array kFunctionWords{
    FunctionWord{"nchwtonhwc", "reorder"},
    FunctionWord{"nhwctonchw", "reorder"},
    FunctionWord{"splitkreduce", "reorder"},
    FunctionWord{"im2col", "reorder"},
    FunctionWord{"computeoffsets", "reorder"},
    FunctionWord{"fprop", "conv"},
    FunctionWord{"implicit_gemm", "conv"},
    FunctionWord{"implicitgemm", "conv"},
    FunctionWord{"winograd", "conv"},
    FunctionWord{"convolve", "conv"},
    FunctionWord{"scudnn", "conv"},
    FunctionWord{"conv", "conv"},
    FunctionWord{"pool", "pool"},
    FunctionWord{"batch_norm", "batchnorm"},
    FunctionWord{"batchnorm", "batchnorm"},
    FunctionWord{"bn_fw", "batchnorm"},
    FunctionWord{"softmax", "softmax"},
    FunctionWord{"norm", "norm"},
    FunctionWord{"gemm", "gemm"},
    FunctionWord{"gemv", "gemm"},
    FunctionWord{"cutlass", "gemm"},
    FunctionWord{"nvjet", "gemm"},
    FunctionWord{"cublas", "gemm"},
    FunctionWord{"cijk", "gemm"},
    FunctionWord{"catarray", "concat"},
    FunctionWord{"clamp", "relu"},
    FunctionWord{"threshold", "relu"},
    FunctionWord{"relu", "relu"},
    FunctionWord{"sigmoid", "sigmoid"},
    FunctionWord{"gelu", "gelu"},
    FunctionWord{"silu", "silu"},
    FunctionWord{"hardswish", "swish"},
    FunctionWord{"hardtanh", "hardtanh"},
    FunctionWord{"tanh", "tanh"},
    FunctionWord{"meanops", "mean"},
    FunctionWord{"functor_add", "add"},
    FunctionWord{"addfunctor", "add"},
    FunctionWord{"mulfunctor", "mul"},
    FunctionWord{"divfunctor", "div"},
    FunctionWord{"upsample", "resize"},
    FunctionWord{"embedding", "gather"},
    FunctionWord{"index_select", "gather"},
    FunctionWord{"reduce_kernel", "reduce"},
};

}  // namespace

std::uint64_t kinds_of_kernel(std::string_view name) {
  const std::string lower = lower_case(name);
  for (const FunctionWord& word : kFunctionWords) {
    if (lower.find(word.piece) != std::string::npos) return kinds_of_type(word.type);
  }
  return kinds_of_type(name);
}

Beside beside_of_kernel(std::string_view name) {
  const std::string lower = lower_case(name);
  const auto has = [&](std::string_view piece) { return lower.find(piece) != std::string::npos; };
  if (has("nchwtonhwc") || has("im2col") || has("computeoffsets")) return Beside::kNext;
  return has("nhwctonchw") || has("splitkreduce") ? Beside::kPrevious : Beside::kNone;
}

}  // namespace iosx::external
