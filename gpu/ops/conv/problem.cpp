#include "gpu/ops/conv/problem.h"

#include <fmt/format.h>

#include <array>

namespace iosx::gpu {
namespace {

constexpr std::array kMathNames{"tf32", "f32", "f16", "bf16"};  // by Math

std::string text(const Extent& extent) { return fmt::format("{}x{}", extent.height, extent.width); }
std::string text(const PixelLayout& layout) { return fmt::format("{}@{}", layout.pitch, layout.alignment); }
std::string text(const MatrixLayout& layout) {
  return fmt::format("{} {} {}@{}", layout.batch, layout.row, layout.column, layout.alignment);
}

}  // namespace

DataType data_type(Math math) {
  switch (math) {
    case Math::kTf32:
    case Math::kStrict: return DataType::kFloat32;
    case Math::kHalf: return DataType::kFloat16;
    case Math::kBfloat16: return DataType::kBfloat16;
  }
  return DataType::kFloat32;
}

Math math_of(const Problem& problem) {
  const auto* const attention = std::get_if<AttentionProblem>(&problem);
  if (attention != nullptr) return attention->scores.math;
  const auto* const conv = std::get_if<ConvProblem>(&problem);
  return conv != nullptr ? conv->math : std::get<MatMulProblem>(problem).math;
}

bool fuses_well(const Activation& activation) {
  return activation.kind == ActivationKind::kIdentity || activation.kind == ActivationKind::kRelu;
}

std::string key_of(const ConvProblem& problem) {
  // {:a} writes every bit of a float.
  const auto function = [](const Activation& x) {
    return fmt::format("{} {:a} {:a}", activation_name(x), x.alpha, x.beta);
  };
  const std::string before =
      problem.before == Activation::kIdentity ? "" : fmt::format(" after {}", function(problem.before));
  return fmt::format(
      "{} {} n{} c{} {} k{} {} filter {} stride {} dilation {} pad {} {} groups {} x {} y {} bias {} z {} {} "
      "{}{}",
      problem.transposed ? "transposed" : "conv", kMathNames.at(static_cast<std::size_t>(problem.math)), problem.batch,
      problem.channels, text(problem.input), problem.out_channels, text(problem.output), text(problem.kernel),
      text(problem.stride), text(problem.dilation), text(problem.padding), text(problem.padding_end), problem.groups,
      text(problem.x), text(problem.y), problem.bias ? 1 : 0, problem.residual ? 1 : 0, text(problem.z),
      function(problem.activation), before);
}

std::string key_of(const MatMulProblem& problem) {
  return fmt::format("matmul {} n{} {}x{}x{} a {} b {} y {}", kMathNames.at(static_cast<std::size_t>(problem.math)),
                     problem.batch, problem.rows, problem.depth, problem.columns, text(problem.a), text(problem.b),
                     text(problem.y));
}

std::string key_of(const AttentionProblem& problem) {
  return fmt::format("attention {:a} {} {}", problem.scale, key_of(problem.scores), key_of(problem.context));
}

std::string key_of(const Problem& problem) {
  return std::visit([](const auto& one) { return key_of(one); }, problem);
}

}  // namespace iosx::gpu
