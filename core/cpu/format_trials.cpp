#include "core/cpu/format_trials.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/cpu/onednn.h"

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
  Contender(const FormatTrial& trial, const dnnl::convolution_forward::primitive_desc& description,
            const dnnl::engine& engine, const dnnl::stream& stream, MemoryBudget& budget)
      : engine_(engine), budget_(budget) {
    const memory from = filled(trial.source);
    const memory to = filled(trial.target);
    memory source = from;
    memory target = to;
    const auto reorder = [&](const memory& a, const memory& b) {
      steps_.push_back(call(dnnl::reorder(a, b), stream, {{DNNL_ARG_FROM, a}, {DNNL_ARG_TO, b}}));
    };
    if (description.src_desc() != trial.source) reorder(from, source = filled(description.src_desc()));
    const bool other_target = description.dst_desc() != trial.target;
    if (other_target) target = filled(description.dst_desc());
    if (other_target && trial.residual) reorder(to, target);
    steps_.push_back(call(dnnl::convolution_forward(description), stream,
                          {{DNNL_ARG_SRC, source},
                           {DNNL_ARG_WEIGHTS, filled(description.weights_desc())},
                           {DNNL_ARG_BIAS, filled(description.bias_desc())},
                           {DNNL_ARG_DST, target},
                           {DNNL_ARG_SCRATCHPAD, filled(description.scratchpad_desc())}}));
    if (other_target) reorder(target, to);
  }

  void run() {
    const auto start = Clock::now();
    for (const Step& step : steps_) step();
    best_ = std::min(best_, std::chrono::duration<double>(Clock::now() - start).count());
  }
  double best() const { return best_; }

 private:
  // With numbers that are neither large nor denormal, in float32 and in bfloat16.
  memory filled(const memory::desc& desc) {
    const auto bytes = static_cast<std::int64_t>(desc.get_size());
    Block& block = *blocks_.emplace_back(std::make_unique<Block>(budget_, std::max(bytes, kTrialBlock), "a trial"));
    auto* const begin = reinterpret_cast<float*>(block.data());
    std::fill_n(begin, static_cast<std::size_t>(bytes) / sizeof(float), kContent);
    return {desc, engine_, block.data()};
  }

  const dnnl::engine& engine_;
  MemoryBudget& budget_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<Step> steps_;
  double best_ = std::numeric_limits<double>::infinity();  // seconds
};

}  // namespace

bool may_gain_from_formats(const char* implementation) {
  const std::string_view name = implementation;
  const auto has = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
  return !has("avx512") && !has("dw");  // depthwise ones have little to do between two reorders
}

std::optional<bool> own_formats_win(const FormatTrial& trial, const dnnl::engine& engine, const dnnl::stream& stream,
                                    MemoryBudget& budget, const JobContext& job) {
  try {
    // Of many samples each of these takes its time.
    if (job.stopped()) return std::nullopt;
    Contender plain(trial, trial.plain, engine, stream, budget);
    if (job.stopped()) return std::nullopt;
    Contender own(trial, trial.own, engine, stream, budget);
    for (int run = 0; run < kRuns; ++run) {
      if (job.stopped()) return std::nullopt;
      plain.run();
      if (job.stopped()) return std::nullopt;
      own.run();
      const double ratio = plain.best() / own.best();
      if (run > 0 && (ratio > kClear || ratio * kClear < 1)) break;
    }
    return plain.best() > kWorth * own.best();
  } catch (const OutOfMemory&) {
    return false;
  }
}

bool FormatTrials::own_wins(const std::string& problem, FunctionRef<std::optional<bool>()> find_out) {
  const auto known = won_.find(problem);
  if (known != won_.end()) return known->second;
  const std::optional<bool> won = find_out();
  if (won) won_.emplace(problem, *won);
  return won.value_or(false);
}

}  // namespace iosx::cpu
