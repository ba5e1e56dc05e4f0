#include "core/analysis/compare/doubt.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "core/analysis/compare/comparison.h"
#include "core/base/parallel.h"

namespace iosx {
namespace {

constexpr std::size_t kMostDraws = 100;
constexpr std::size_t kLeastDraws = 20;
constexpr std::size_t kKernelsInAll = 200'000;  // that are simulated for it: about a second
constexpr double kClear = 0.95;                 // of the draws
constexpr double kTail = 0.05;                  // left out at each end of what nine of ten draws say

using Draw = std::vector<double>;  // ms, one a result; empty: not made

std::size_t draws_for(const Comparison& comparison) {
  std::size_t kernels = 1;
  for (const ScheduleResult& result : comparison.results) kernels += result.plan.kernels.size();
  return std::clamp(kKernelsInAll / kernels, kLeastDraws, kMostDraws);
}

Result<Draw> run(const Comparison& comparison, Device& device, const JobContext& job) {
  Draw latencies;
  for (const ScheduleResult& result : comparison.results) {
    IOS_TRY(const auto run, load_and_run(device, result.plan, {}, job));
    latencies.push_back(run.latency.value.count());
  }
  return latencies;
}

double quantile(std::vector<double> values, double part) {
  std::ranges::sort(values);
  const double at = part * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

void count(const Draw& draw, std::size_t best, Doubt& doubt) {
  ++doubt.draws;
  ++doubt.entries[static_cast<std::size_t>(std::ranges::min_element(draw) - draw.begin())].wins;
  for (std::size_t i = 0; i < draw.size(); ++i) {
    doubt.entries[i].behind += draw[best] < draw[i] ? 1 : 0;
    doubt.entries[i].before += draw[i] < draw[best] ? 1 : 0;
  }
}

}  // namespace

std::vector<std::size_t> Doubt::ties() const {
  std::vector<std::size_t> ties;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const bool clear = static_cast<double>(entries[i].behind) >= kClear * static_cast<double>(draws);
    if (!clear && entries[i].behind + entries[i].before > 0) ties.push_back(i);
  }
  return ties;
}

Result<std::optional<Doubt>> doubt_of(const Comparison& comparison, const Device& device, const JobContext& job) {
  if (comparison.results.empty() || device.redrawn(0) == nullptr) return std::nullopt;
  std::vector<Draw> draws(draws_for(comparison));
  std::mutex mutex;
  std::optional<Error> error;
  parallel_for(draws.size(), [&](std::size_t number) {
    if (job.stopped()) return;
    auto made = run(comparison, *device.redrawn(number), {job.stop, {}});
    if (made) {
      draws[number] = *std::move(made);
    } else if (!job.stopped()) {
      const std::scoped_lock lock(mutex);
      error = std::move(made.error());
    }
  });
  if (error) return tl::unexpected(*std::move(error));
  std::erase_if(draws, [](const Draw& draw) { return draw.empty(); });
  if (draws.empty()) return std::nullopt;

  Doubt doubt{.entries = std::vector<Doubt::Entry>(comparison.results.size())};
  for (const Draw& draw : draws) count(draw, comparison.best(), doubt);
  const ScheduleResult* sequential = comparison.find(ScheduleKind::kSequential);
  if (sequential == nullptr) return doubt;
  const auto base = static_cast<std::size_t>(sequential - comparison.results.data());
  for (std::size_t i = 0; i < doubt.entries.size(); ++i) {
    std::vector<double> ratios;
    ratios.reserve(draws.size());
    for (const Draw& draw : draws) ratios.push_back(draw[base] / draw[i]);
    doubt.entries[i].speedup_low = quantile(ratios, kTail);
    doubt.entries[i].speedup_high = quantile(ratios, 1 - kTail);
  }
  return doubt;
}

std::string doubt_text(const Comparison& comparison, const Doubt& doubt) {
  std::vector<std::string> fastest;
  for (std::size_t i = 0; i < doubt.entries.size(); ++i) {
    if (doubt.entries[i].wins > 0) {
      fastest.push_back(fmt::format("{} in {}", comparison.results[i].id.text(), doubt.entries[i].wins));
    }
  }
  const std::size_t best = comparison.best();
  std::string text =
      fmt::format("in {} draws of the model's errors the fastest is {}", doubt.draws, fmt::join(fastest, ", "));
  const Doubt::Entry& own = doubt.entries[best];
  if (own.speedup_low > 0 && comparison.results[best].schedule_kind != ScheduleKind::kSequential) {
    text += fmt::format("; {} is {:.2f} to {:.2f} times as fast as sequential in nine of ten",
                        comparison.results[best].id.text(), own.speedup_low, own.speedup_high);
  }
  std::vector<std::string> ties;
  for (const std::size_t i : doubt.ties()) ties.push_back(comparison.results[i].id.text());
  if (!ties.empty()) text += fmt::format("; a tie with {}", fmt::join(ties, ", "));
  return text;
}

}  // namespace iosx
