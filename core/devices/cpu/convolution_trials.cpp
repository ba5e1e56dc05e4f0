#include "core/devices/cpu/convolution_trials.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "core/devices/cpu/kernels/winograd.h"
#include "core/devices/cpu/onednn.h"
#include "core/devices/cpu/team.h"
#include "core/model/layout/layout.h"

namespace iosx::cpu {
namespace {

using dnnl::memory;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kTrialBlock = std::int64_t{2} << 20;  // bytes: a large page
constexpr int kRuns = 6;                                     // of each, of which the first warms the caches
constexpr double kClear = 1.3;                               // a ratio that two runs show well enough
constexpr double kWorth = 1.05;                              // less is not worth the memory
constexpr float kContent = 0.25F;                            // no speed depends on it

class Contender {
 public:
  Contender(ConvolutionWay way, const ConvolutionTrial& trial, MemoryBudget& budget)
      : way_(way),
        budget_(budget),
        source_(dense_like(trial.source, filled(bytes(trial.source)))),
        target_(dense_like(trial.target, filled(bytes(trial.target)))) {}

  void add_primitive(const dnnl::convolution_forward::primitive_desc& description, bool residual,
                     const dnnl::engine& engine, const dnnl::stream& stream) {
    const memory from = memory_of(source_, engine);
    const memory to = memory_of(target_, engine);
    memory source = from;
    memory target = to;
    const auto fresh = [&](const memory::desc& desc) {
      return memory(desc, engine, filled(static_cast<std::int64_t>(desc.get_size())));
    };
    const auto reorder = [&](const memory& a, const memory& b) {
      steps_.push_back(call(dnnl::reorder(a, b), stream, {{DNNL_ARG_FROM, a}, {DNNL_ARG_TO, b}}));
    };
    if (description.src_desc() != from.get_desc()) reorder(from, source = fresh(description.src_desc()));
    const bool other_target = description.dst_desc() != to.get_desc();
    if (other_target) target = fresh(description.dst_desc());
    if (other_target && residual) reorder(to, target);
    steps_.push_back(call(dnnl::convolution_forward(description), stream,
                          {{DNNL_ARG_SRC, source},
                           {DNNL_ARG_WEIGHTS, fresh(description.weights_desc())},
                           {DNNL_ARG_BIAS, fresh(description.bias_desc())},
                           {DNNL_ARG_DST, target},
                           {DNNL_ARG_SCRATCHPAD, fresh(description.scratchpad_desc())}}));
    if (other_target) reorder(target, to);
  }

  void add_winograd(const Conv& conv, bool residual) {
    const std::int64_t in_channels = source_.dims[1];
    const auto floats = [&](std::int64_t count) {
      return reinterpret_cast<float*>(filled(count * bytes_of(DataType::kFloat32)));
    };
    const WinogradConv work{.weights = floats(winograd_weight_count(conv.out_channels, in_channels)),
                            .bias = floats(conv.out_channels),
                            .padding = conv.padding,
                            .activation = conv.activation};
    float* const scratch = floats(winograd_scratch(in_channels, Team::current().size()));
    const std::optional<TensorRef> sum = residual ? std::optional(target_) : std::nullopt;
    steps_.emplace_back([=, in = source_, out = target_] { winograd(in, work, sum, out, scratch); });
  }

  void run() {
    const auto start = Clock::now();
    for (const Step& step : steps_) step();
    best_ = std::min(best_, std::chrono::duration<double>(Clock::now() - start).count());
  }
  ConvolutionWay way() const { return way_; }
  double best() const { return best_; }

 private:
  static std::int64_t bytes(const TensorRef& tensor) { return tensor.elements() * bytes_of(tensor.type); }

  // Fills memory with numbers that are neither large nor denormal, in float32 and in bfloat16.
  std::byte* filled(std::int64_t bytes) {
    Block& block =
        *blocks_.emplace_back(std::make_unique<Block>(budget_, std::max(bytes, kTrialBlock), Sentence{"trials"}));
    auto* const begin = reinterpret_cast<float*>(block.data());
    std::fill_n(begin, static_cast<std::size_t>(bytes) / sizeof(float), kContent);
    return block.data();
  }

  ConvolutionWay way_;
  MemoryBudget& budget_;
  std::vector<std::unique_ptr<Block>> blocks_;
  TensorRef source_;
  TensorRef target_;
  std::vector<Step> steps_;
  double best_ = std::numeric_limits<double>::infinity();  // seconds
};

// Returns the contenders, the plain one first. With many samples each takes its time to make: there are none where the
// job was stopped.
std::vector<Contender> contenders(const ConvolutionTrial& trial, const dnnl::engine& engine, const dnnl::stream& stream,
                                  MemoryBudget& budget, const JobContext& job) {
  std::vector<Contender> all;
  const auto add = [&](ConvolutionWay way, const auto& fill) {
    if (!job.stopped()) fill(all.emplace_back(way, trial, budget));
  };
  add(ConvolutionWay::kPlain,
      [&](Contender& plain) { plain.add_primitive(trial.plain, trial.residual, engine, stream); });
  if (trial.own) {
    add(ConvolutionWay::kOwnFormats,
        [&](Contender& own) { own.add_primitive(*trial.own, trial.residual, engine, stream); });
  }
  if (trial.winograd != nullptr) {
    add(ConvolutionWay::kWinograd, [&](Contender& own) { own.add_winograd(*trial.winograd, trial.residual); });
  }
  return all;
}

const Contender& fastest(const std::vector<Contender>& all) {
  return *std::ranges::min_element(all, {}, [](const Contender& each) { return each.best(); });
}

bool clear(const std::vector<Contender>& all) {
  const Contender& first = fastest(all);
  return std::ranges::all_of(
      all, [&](const Contender& each) { return &each == &first || each.best() > kClear * first.best(); });
}

constexpr std::int64_t kSide = 4;  // of the tile
constexpr std::int64_t kPatchSide = kSide + 2;
constexpr std::int64_t kTaps = 9;

// Returns numbers between `least` and 1.
std::vector<float> sample(std::int64_t count, float least) {
  std::minstd_rand generator;  // the same numbers everywhere, which std::uniform_real_distribution's need not be
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = least + (1 - least) * static_cast<float>(generator() % 65'536) / 65'536;
  return values;
}

// Returns the outputs of one pixel: `patch` has the channels of a pixel side by side.
std::vector<double> direct(std::span<const float> weights, std::int64_t out_channels, std::int64_t in_channels,
                           const float* patch) {
  std::vector<double> sums(static_cast<std::size_t>(out_channels));
  for (std::int64_t o = 0; o < out_channels; ++o) {
    double sum = 0;
    const float* taps = weights.data() + o * in_channels * kTaps;
    for (std::int64_t c = 0; c < in_channels; ++c) {
      for (std::int64_t t = 0; t < kTaps; ++t, ++taps) {
        sum += double{*taps} * double{patch[(t / 3 * kPatchSide + t % 3) * in_channels + c]};
      }
    }
    sums[static_cast<std::size_t>(o)] = sum;
  }
  return sums;
}

double error_of(std::span<const float> weights, std::int64_t out_channels, std::int64_t in_channels,
                std::vector<float> input) {
  std::vector<float> output(static_cast<std::size_t>(kSide * kSide * out_channels));
  std::vector<float> scratch(static_cast<std::size_t>(winograd_scratch(in_channels, Team::current().size())));
  const std::vector<float> transformed = winograd_weights(weights, out_channels, in_channels);
  const std::vector<float> bias(static_cast<std::size_t>(out_channels));
  const auto tensor = [](std::int64_t channels, std::int64_t side, std::vector<float>& values) {
    return tensor_ref(Shape{channels, side, side}, 1, DataType::kFloat32, values.data());
  };
  const WinogradConv work{transformed.data(), bias.data(), {0, 0}, Activation::kIdentity};
  winograd(tensor(in_channels, kPatchSide, input), work, {}, tensor(out_channels, kSide, output), scratch.data());
  double largest = 0;
  double error = 0;
  for (std::int64_t pixel = 0; pixel < kSide * kSide; ++pixel) {
    const float* const patch = input.data() + (pixel / kSide * kPatchSide + pixel % kSide) * in_channels;
    const std::vector<double> right = direct(weights, out_channels, in_channels, patch);
    for (std::int64_t o = 0; o < out_channels; ++o) {
      const double value = right[static_cast<std::size_t>(o)];
      largest = std::max(largest, std::abs(value));
      error = std::max(error, std::abs(value - output[static_cast<std::size_t>(pixel * out_channels + o)]));
    }
  }
  return largest > 0 ? error / largest : 0;
}

}  // namespace

bool may_gain_from_formats(const char* implementation) {
  const std::string_view name = implementation;
  const auto has = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
  return !has("avx512") && !has("dw");  // depthwise ones have little to do between two reorders
}

std::optional<ConvolutionWay> fastest_way(const ConvolutionTrial& trial, const dnnl::engine& engine,
                                          const dnnl::stream& stream, MemoryBudget& budget, const JobContext& job) {
  try {
    std::vector<Contender> all = contenders(trial, engine, stream, budget, job);
    if (job.stopped()) return std::nullopt;  // some are missing, or all
    for (int run = 0; run < kRuns; ++run) {
      for (Contender& each : all) {
        if (job.stopped()) return std::nullopt;
        each.run();
      }
      if (run > 0 && clear(all)) break;
    }
    if (job.stopped()) return std::nullopt;
    const Contender& plain = all.front();
    const Contender& first = fastest(all);
    return plain.best() > kWorth * first.best() ? first.way() : ConvolutionWay::kPlain;
  } catch (const OutOfMemory&) {
    return std::nullopt;  // another time there may be room
  }
}

std::string_view name_of(ConvolutionWay way) {
  constexpr std::array<std::string_view, 3> kNames{"plain", "own formats", "winograd"};
  return kNames.at(static_cast<std::size_t>(way));
}

ConvolutionWay ConvolutionTrials::way(const std::string& problem, ConvolutionWay rule,
                                      FunctionRef<std::optional<ConvolutionWay>()> find_out) {
  if (keeper_ == nullptr) return rule;
  if (const auto known = found_.find(problem); known != found_.end()) return known->second;
  std::optional<std::string> kept = keeper_->find(problem);
  if (!kept) {
    const std::optional<ConvolutionWay> found = find_out();
    if (!found) return ConvolutionWay::kPlain;
    kept = keeper_->keep(problem, std::string(name_of(*found)));
  }
  ConvolutionWay way = ConvolutionWay::kPlain;  // also for a name that nobody knows
  for (const ConvolutionWay each : {ConvolutionWay::kOwnFormats, ConvolutionWay::kWinograd}) {
    if (*kept == name_of(each)) way = each;
  }
  found_.emplace(problem, way);
  return way;
}

void ConvolutionTrials::set_keeper(std::unique_ptr<MethodKeeper> keeper) {
  keeper_ = std::move(keeper);
  found_.clear();
}

double winograd_error(std::span<const float> weights, std::int64_t out_channels, std::int64_t in_channels) {
  const std::int64_t count = kPatchSide * kPatchSide * in_channels;
  return std::max(error_of(weights, out_channels, in_channels, sample(count, -1)),
                  error_of(weights, out_channels, in_channels, sample(count, 0)));  // as after an activation
}

bool WinogradLayers::accurate(const std::shared_ptr<const Parameters>& parameters,
                              std::span<const OperatorId> operators, FunctionRef<bool()> find_out) {
  std::erase_if(known_, [](const auto& each) { return each.first.expired(); });
  const std::vector<OperatorId> layer(operators.begin(), operators.end());
  if (const auto at = known_.find(parameters); at != known_.end() && at->second.contains(layer)) {
    return at->second.at(layer);
  }
  const bool accurate = find_out();  // which throws where memory is short: then nothing is known
  known_[parameters].emplace(layer, accurate);
  return accurate;
}

}  // namespace iosx::cpu
