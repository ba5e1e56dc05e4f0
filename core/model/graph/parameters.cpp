#include "core/model/graph/parameters.h"

#include <cmath>
#include <numeric>

#include "core/model/graph/operator_table.h"

namespace iosx {
namespace {

std::int64_t elements(std::span<const std::int64_t> dims) {
  return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
}

struct DimsOf {
  std::span<const Shape> inputs;

  std::int64_t in_channels() const { return inputs.front().channels(); }

  ParameterDims operator()(const Constant& constant) const {
    return {{constant.shape.dims().begin(), constant.shape.dims().end()}, {}};
  }
  ParameterDims operator()(const Conv& conv) const {
    return {{conv.out_channels, in_channels() / conv.groups, conv.kernel.height, conv.kernel.width},
            {conv.out_channels}};
  }
  ParameterDims operator()(const ConvTranspose& conv) const {
    return {{in_channels(), conv.out_channels / conv.groups, conv.kernel.height, conv.kernel.width},
            {conv.out_channels}};
  }
  ParameterDims operator()(const Linear& linear) const {
    return {{linear.out_features, inputs.front().elements_from(linear.axis)}, {linear.out_features}};
  }
  ParameterDims operator()(const Recurrent& recurrent) const {
    const std::int64_t directions = directions_of(recurrent.direction);
    const std::int64_t rows = gates_of(recurrent.kind) * recurrent.hidden;
    const std::int64_t peepholes = recurrent.peepholes ? 3 * recurrent.hidden : 0;
    return {{directions * rows, inputs.front()[2] + recurrent.hidden}, {directions * (2 * rows + peepholes)}};
  }
  ParameterDims operator()(const Affine& /*affine*/) const { return {{in_channels()}, {in_channels()}}; }
  ParameterDims operator()(const Normalize& normalize) const {
    if (!normalize.scaled) return {};
    const auto dims = inputs.front().dims().subspan(normalize.axis);
    return {{dims.begin(), dims.end()}, {dims.begin(), dims.end()}};
  }
  ParameterDims otherwise() const { return {}; }
};

// splitmix64: good bits from a counter, without state.
std::uint64_t scrambled(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

}  // namespace

ParameterDims parameter_dims(const Attributes& attributes, std::span<const Shape> inputs) {
  return visit_kind(DimsOf{inputs}, attributes);
}

std::uint64_t synthetic_seed(std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;  // FNV-1a, the same on every machine
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return hash;
}

std::vector<float> synthetic_values(std::uint64_t seed, std::int64_t count, ParameterInit init) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t bits = scrambled(seed + i * 0xD1B54A32D192ED03ULL);
    if (init == ParameterInit::kIntegers) {
      values[i] = static_cast<float>(static_cast<int>(bits % 3) - 1);
    } else {
      values[i] = static_cast<float>(static_cast<std::int32_t>(bits >> 40) - (1 << 23)) * (1.0F / (1 << 23));
    }
  }
  return values;
}

void Parameters::add(std::string_view operator_name, ParameterDims dims, Tensor weights, Tensor bias, bool biased) {
  Entry entry{std::move(dims), std::move(weights), std::move(bias), synthetic_seed(operator_name)};
  entry.biased = biased && !entry.dims.bias.empty();
  entry.constant = entry.dims.bias.empty() && !entry.weights.empty();
  entries_.push_back(std::move(entry));
}

void Parameters::add_outline(std::uint64_t seed, ParameterDims dims, bool biased) {
  entries_.push_back({.dims = std::move(dims), .weights = {}, .bias = {}, .seed = seed, .biased = biased});
}

void Parameters::give(OperatorId id, Tensor weights, Tensor bias) {
  Entry& entry = entries_[id.index()];
  entry.weights = std::move(weights);
  entry.bias = std::move(bias);
}

Tensor Parameters::weights(OperatorId id) const {
  const Entry& entry = entries_[id.index()];
  if (!entry.weights.empty() || entry.dims.weights.empty()) return entry.weights;
  auto values = synthetic_values(entry.seed, elements(entry.dims.weights), init_);
  if (init_ == ParameterInit::kScaled) {
    if (entry.dims.weights == entry.dims.bias) {  // the scale of an affine or of a normalisation
      for (float& value : values) value = 1 + 0.25F * value;
    } else {
      // Uniform in [-1, 1) has variance 1/3; 2 / fan-in keeps the mean square through a rectifier.
      const std::int64_t fan_in = elements(std::span(entry.dims.weights).subspan(1));
      const float scale = std::sqrt(6.0F / static_cast<float>(fan_in));
      for (float& value : values) value *= scale;
    }
  }
  return {entry.dims.weights, std::move(values)};
}

Tensor Parameters::bias(OperatorId id) const {
  const Entry& entry = entries_[id.index()];
  if (!entry.bias.empty() || entry.dims.bias.empty()) return entry.bias;
  const std::int64_t count = elements(entry.dims.bias);
  if (!entry.biased) return {entry.dims.bias, std::vector<float>(static_cast<std::size_t>(count), 0.0F)};
  auto values = synthetic_values(scrambled(entry.seed), count, init_);
  if (init_ == ParameterInit::kScaled) {
    for (float& value : values) value *= 0.1F;
  }
  return {entry.dims.bias, std::move(values)};
}

bool Parameters::complete() const {
  for (const Entry& entry : entries_) {
    if (entry.weights.empty() && !entry.dims.weights.empty()) return false;
  }
  return true;
}

bool Parameters::any_given() const {
  for (const Entry& entry : entries_) {
    if (!entry.weights.empty() && !entry.constant) return true;
  }
  return false;
}

Parameters Parameters::synthetic(ParameterInit init) const {
  Parameters other = *this;
  other.init_ = init;
  for (Entry& entry : other.entries_) {
    if (entry.constant) continue;
    entry.weights = {};
    entry.bias = {};
  }
  return other;
}

}  // namespace iosx
