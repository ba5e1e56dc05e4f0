#include "tests/gpu/support/host_convolutions.h"

#include <bit>

#include "core/base/check.h"

namespace iosx::gpu::test {
namespace {

class HostPlan final : public LibraryPlan {
 public:
  HostPlan(Problem problem, int engine, std::string version)
      : problem_(problem),
        workspace_(engine == 2 ? 4096 : 0),
        name_(fmt::format("host engine {}", engine)),
        serialised_(fmt::format("{} engine {}", version, engine)) {}

  const Problem& problem() const override { return problem_; }
  const std::string& name() const override { return name_; }
  std::int64_t workspace_bytes() const override { return workspace_; }
  std::string serialised() const override { return serialised_; }

 private:
  Problem problem_;
  std::int64_t workspace_;
  std::string name_;
  std::string serialised_;
};

using Numbers = std::vector<double>;

// Channels of pixels, without the gaps between them.
Numbers gather(const void* data, DataType type, std::int64_t pixels, std::int64_t channels, std::int64_t pitch) {
  Numbers numbers;
  numbers.reserve(static_cast<std::size_t>(pixels * channels));
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
    for (std::int64_t c = 0; c < channels; ++c) numbers.push_back(load(data, type, pixel * pitch + c));
  }
  return numbers;
}

std::int64_t pixels_of(const ConvProblem& p, const Extent& extent) { return p.batch * extent.height * extent.width; }

// A filter's tap on one axis: which small pixel (of x, or where transposed of y) meets which large one.
bool meets(std::int64_t strided, std::int64_t tap, std::int64_t stride, std::int64_t dilation, std::int64_t padding,
           std::int64_t size, std::int64_t& met) {
  met = strided * stride + tap * dilation - padding;
  return met >= 0 && met < size;
}

// All pairs of pixels that a tap of the filter joins. `coarse` pixels are those that are counted in strides: of y, or
// where transposed of x.
template <typename Function>
void each_tap(const ConvProblem& p, const Function& function) {
  const Extent& coarse = p.transposed ? p.input : p.output;
  const Extent& fine = p.transposed ? p.output : p.input;
  for (std::int64_t n = 0; n < p.batch; ++n) {
    for (std::int64_t y = 0; y < coarse.height; ++y) {
      for (std::int64_t x = 0; x < coarse.width; ++x) {
        for (std::int64_t r = 0; r < p.kernel.height; ++r) {
          std::int64_t row = 0;
          if (!meets(y, r, p.stride.height, p.dilation.height, p.padding.height, fine.height, row)) continue;
          for (std::int64_t s = 0; s < p.kernel.width; ++s) {
            std::int64_t column = 0;
            if (!meets(x, s, p.stride.width, p.dilation.width, p.padding.width, fine.width, column)) continue;
            function((n * coarse.height + y) * coarse.width + x, (n * fine.height + row) * fine.width + column,
                     r * p.kernel.width + s);
          }
        }
      }
    }
  }
}

// taps × channels of x × (channels of y in a group): what one channel of x adds to its group lies side by side.
Numbers filters(const ConvProblem& p, const void* weights, DataType type) {
  const std::int64_t taps = p.kernel.height * p.kernel.width;
  const std::int64_t in_group = p.channels / p.groups;
  const std::int64_t out_group = p.out_channels / p.groups;
  Numbers numbers(static_cast<std::size_t>(taps * p.channels * out_group));
  for (std::int64_t tap = 0; tap < taps; ++tap) {
    for (std::int64_t c = 0; c < p.channels; ++c) {
      const std::int64_t group = c / in_group;
      for (std::int64_t k = 0; k < out_group; ++k) {
        const std::int64_t from = p.transposed ? (c * taps + tap) * out_group + k
                                               : ((group * out_group + k) * taps + tap) * in_group + c % in_group;
        numbers[static_cast<std::size_t>((tap * p.channels + c) * out_group + k)] = load(weights, type, from);
      }
    }
  }
  return numbers;
}

void add_pixel(const ConvProblem& p, const double* x, const double* filter, double* y) {
  const std::int64_t in_group = p.channels / p.groups;
  const std::int64_t out_group = p.out_channels / p.groups;
  for (std::int64_t c = 0; c < p.channels; ++c) {
    double* const sums = y + c / in_group * out_group;
    const double* const factors = filter + c * out_group;
    for (std::int64_t k = 0; k < out_group; ++k) sums[k] += x[c] * factors[k];
  }
}

void multiply(const MatMulProblem& p, const Operands& operands) {
  const DataType type = data_type(p.math);
  const auto at = [](const MatrixLayout& layout, std::int64_t n, std::int64_t row, std::int64_t column) {
    return n * layout.batch + row * layout.row + column * layout.column;
  };
  for (std::int64_t n = 0; n < p.batch; ++n) {
    for (std::int64_t row = 0; row < p.rows; ++row) {
      for (std::int64_t column = 0; column < p.columns; ++column) {
        double sum = 0;
        for (std::int64_t k = 0; k < p.depth; ++k) {
          sum += static_cast<double>(load(operands.x, type, at(p.a, n, row, k))) *
                 load(operands.weights, type, at(p.b, n, k, column));
        }
        store(operands.y, type, at(p.y, n, row, column), static_cast<float>(sum));
      }
    }
  }
}

void attend(const AttentionProblem& p, const Operands& operands) {
  const DataType type = data_type(p.scores.math);
  const auto at = [](const MatrixLayout& layout, std::int64_t n, std::int64_t row, std::int64_t column) {
    return n * layout.batch + row * layout.row + column * layout.column;
  };
  for (std::int64_t n = 0; n < p.scores.batch; ++n) {
    for (std::int64_t row = 0; row < p.scores.rows; ++row) {
      Numbers shares;
      for (std::int64_t key = 0; key < p.scores.columns; ++key) {
        double sum = 0;
        for (std::int64_t f = 0; f < p.scores.depth; ++f) {
          sum += static_cast<double>(load(operands.x, type, at(p.scores.a, n, row, f))) *
                 load(operands.weights, type, at(p.scores.b, n, f, key));
        }
        shares.push_back(static_cast<double>(p.scale) * sum);
      }
      const double most = *std::ranges::max_element(shares);
      double total = 0;
      for (double& share : shares) total += share = std::exp(share - most);
      for (std::int64_t column = 0; column < p.context.columns; ++column) {
        double sum = 0;
        for (std::int64_t key = 0; key < p.scores.columns; ++key) {
          sum += shares[static_cast<std::size_t>(key)] / total *
                 load(operands.values, type, at(p.context.b, n, key, column));
        }
        store(operands.y, type, at(p.context.y, n, row, column), static_cast<float>(sum));
      }
    }
  }
}

}  // namespace

bool HostConvolutions::fuses(const Activation& activation) const {
  return options_.activations || activation == Activation::kIdentity;
}

bool HostConvolutions::takes(const ConvProblem& problem) const {
  const bool sliced = problem.x.pitch != problem.channels || problem.y.pitch != problem.out_channels ||
                      (problem.residual && problem.z.pitch != problem.out_channels);
  if (sliced && !options_.slices) return false;
  if (problem.residual && !options_.residuals) return false;
  return fuses(problem.activation) && fuses(problem.before);
}

std::vector<LibraryPlanPtr> HostConvolutions::plans(const Problem& problem) {
  ++asked;
  const auto* const conv = std::get_if<ConvProblem>(&problem);
  const bool attention = std::holds_alternative<AttentionProblem>(problem);
  if (conv != nullptr ? !takes(*conv) : !(attention ? options_.attention : options_.products)) return {};
  std::vector<LibraryPlanPtr> plans;
  for (const int engine : {1, 2}) plans.push_back(std::make_shared<HostPlan>(problem, engine, version_));
  return plans;
}

LibraryPlanPtr HostConvolutions::restore(const Problem& problem, const std::string& serialised) {
  for (const int engine : {1, 2}) {
    auto plan = std::make_shared<HostPlan>(problem, engine, version_);
    if (plan->serialised() == serialised) return plan;
  }
  return nullptr;
}

void compute(const Problem& problem, const Operands& operands) {
  if (const auto* const conv = std::get_if<ConvProblem>(&problem)) return convolve(*conv, operands);
  if (const auto* const product = std::get_if<MatMulProblem>(&problem)) return multiply(*product, operands);
  attend(std::get<AttentionProblem>(problem), operands);
}

void convolve(const ConvProblem& p, const Operands& operands) {
  const DataType type = data_type(p.math);
  Numbers x = gather(operands.x, type, pixels_of(p, p.input), p.channels, p.x.pitch);
  for (double& number : x) number = apply(p.before, static_cast<float>(number));
  const Numbers filter = filters(p, operands.weights, type);
  Numbers y(static_cast<std::size_t>(pixels_of(p, p.output) * p.out_channels), 0.0);
  const std::int64_t tap_size = p.channels * (p.out_channels / p.groups);
  each_tap(p, [&](std::int64_t coarse, std::int64_t fine, std::int64_t tap) {
    const std::int64_t from = p.transposed ? coarse : fine;
    const std::int64_t to = p.transposed ? fine : coarse;
    add_pixel(p, x.data() + from * p.channels, filter.data() + tap * tap_size, y.data() + to * p.out_channels);
  });
  for (std::int64_t pixel = 0; pixel < pixels_of(p, p.output); ++pixel) {
    for (std::int64_t k = 0; k < p.out_channels; ++k) {
      double sum = y[static_cast<std::size_t>(pixel * p.out_channels + k)];
      if (p.bias) sum += load(operands.bias, type, k);
      if (p.residual) sum += load(operands.residual, type, pixel * p.z.pitch + k);
      store(operands.y, type, pixel * p.y.pitch + k, apply(p.activation, static_cast<float>(sum)));
    }
  }
}

namespace {

float half_to_float(std::uint16_t bits) {
  const float sign = (bits & 0x8000U) != 0 ? -1.0F : 1.0F;
  const int exponent = (bits >> 10U) & 0x1F;
  const auto mantissa = static_cast<float>(bits & 0x3FFU);
  if (exponent == 31) return mantissa == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(mantissa + 1024, exponent - 25);
}

// To the nearest, ties to even: what lrint does with the mantissa as an integer.
std::uint16_t float_to_half(float value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000U : 0U);
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) return sign | 0x7E00U;
  if (magnitude == 0) return sign;
  if (magnitude >= 65520.0F) return sign | 0x7C00U;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  if (exponent < -13) return sign | static_cast<std::uint16_t>(std::lrint(std::ldexp(magnitude, 24)));
  const auto mantissa = static_cast<unsigned>(std::lrint(std::ldexp(magnitude, 11 - exponent)));  // 1024 to 2048
  return sign | static_cast<std::uint16_t>((static_cast<unsigned>(exponent + 14) << 10U) + mantissa - 1024U);
}

std::uint16_t float_to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>((bits >> 16U) | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U);
}

}  // namespace

float load(const void* data, DataType type, std::int64_t index) {
  if (type == DataType::kFloat32) return static_cast<const float*>(data)[index];
  const std::uint16_t bits = static_cast<const std::uint16_t*>(data)[index];
  if (type == DataType::kFloat16) return half_to_float(bits);
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

void store(void* data, DataType type, std::int64_t index, float value) {
  if (type == DataType::kFloat32) {
    static_cast<float*>(data)[index] = value;
  } else {
    static_cast<std::uint16_t*>(data)[index] =
        type == DataType::kFloat16 ? float_to_half(value) : float_to_bfloat16(value);
  }
}

}  // namespace iosx::gpu::test
