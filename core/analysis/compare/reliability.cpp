#include "core/analysis/compare/reliability.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <utility>

#include "core/analysis/compare/compare_options.h"
#include "core/base/parallel.h"
#include "core/devices/measure/statistics.h"
#include "core/model/graph/work.h"
#include "core/model/plan/memory_plan.h"

namespace iosx {
namespace {

constexpr double kUnreliableGap = 0.25;   // between a run and the sum of its stages, relative to the run
constexpr double kUnreliableShare = 0.1;  // of the stage latencies with a spread of kUnreliableSpread

Message remedy() {
  return message(
      "another program used the device at the same time, or its clock changed; measure again while the device is idle, "
      "without stored measurements ({}; in the window: Schedule, Kept measurements)",
      info_of(&JobOptions::anew).flag());
}

constexpr std::size_t kMostDraws = 100;
constexpr std::size_t kLeastDraws = 20;
constexpr std::size_t kKernelsInAll = 200'000;  // that are simulated for it: about a second
constexpr double kClear = 0.95;                 // of the draws
constexpr double kTail = 0.05;                  // left out at each end of what nine of ten draws say
constexpr double kSameWithin = 1e-9;            // sums of the same latencies in another order

using Draw = std::vector<double>;  // ms, one a result; empty: not made

bool faster(double a, double b) { return a < b * (1 - kSameWithin); }

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

// Returns whether it is as fast as any in a draw, of those within the memory limit.
bool wins(const Comparison& comparison, const Draw& draw, std::size_t result) {
  if (!comparison.fits(comparison.results[result])) return false;
  for (std::size_t i = 0; i < draw.size(); ++i) {
    if (faster(draw[i], draw[result]) && comparison.fits(comparison.results[i])) return false;
  }
  return true;
}

Sensitivity sensitivity_of(const Comparison& comparison, std::size_t result, const std::vector<Draw>& draws,
                           std::size_t best, const std::size_t* sequential) {
  Sensitivity sensitivity;
  std::vector<double> ratios;
  ratios.reserve(draws.size());
  for (const Draw& draw : draws) {
    ++sensitivity.draws;
    sensitivity.wins += wins(comparison, draw, result) ? 1 : 0;
    sensitivity.behind += faster(draw[best], draw[result]) ? 1 : 0;
    sensitivity.before += faster(draw[result], draw[best]) ? 1 : 0;
    if (sequential != nullptr) ratios.push_back(draw[*sequential] / draw[result]);
  }
  if (sequential != nullptr) {
    sensitivity.speedup_low = quantile(ratios, kTail);
    sensitivity.speedup_high = quantile(ratios, 1 - kTail);
  }
  return sensitivity;
}

}  // namespace

std::vector<Message> reliability_warnings(const Comparison& comparison, const StageLatencySource::Noise& noise) {
  std::vector<Message> sentences;
  if (is_modelled(comparison.device.origin)) return sentences;

  Message apart;
  for (const ScheduleResult& result : comparison.results) {
    if (result.lanes) continue;  // its stages do not run one after another
    const double gap = result.stage_sum / result.latency.value - 1;
    if (std::abs(gap) > kUnreliableGap) {
      const Message one = gap < 0 ? message("{} ({:.0f} % less)", result.title(), -gap * 100)
                                  : message("{} ({:.0f} % more)", result.title(), gap * 100);
      apart = apart.empty() ? one : message("{}, {}", apart, one);
    }
  }
  if (!apart.empty()) {
    sentences.push_back(
        message("The stage latencies do not add up to the latency of the run in {}: {}", apart, remedy()));
  }
  if (static_cast<double>(noise.noisy) > kUnreliableShare * static_cast<double>(noise.known)) {
    sentences.push_back(message("{} of {} stage latencies spread over more than {:.0f} % of their median: {}",
                                noise.noisy, noise.known, kUnreliableSpread * 100, remedy()));
  }
  return sentences;
}

std::vector<Message> ignored_options(const Comparison& comparison, const CompareOptions& options) {
  std::vector<Message> sentences;
  const bool searches = std::ranges::any_of(options.schedule_kinds,
                                            [](ScheduleKind kind) { return row_of(kind).strategies.has_value(); });
  std::vector<std::string> unused;
  SearchOptions usual;
  SearchOptions given = options.search;
  if (given.effort.lazy()) given.method = usual.method;  // which settle() chose
  for (const OptionChange& change :
       changed_options(bind_options(usual, use::kCompare), bind_options(given, use::kCompare))) {
    unused.push_back(change.info->flag());
  }
  if (options.warm_start) unused.emplace_back("warm start");
  if (!searches && !unused.empty()) {
    sentences.push_back(message("No requested schedule is searched, so these options have no effect: {}",
                                fmt::format("{}", fmt::join(unused, ", "))));
  }
  const auto lazy = [](const ScheduleResult& result) { return result.search && result.search->lazy; };
  if (searches && given.effort.seed != usual.effort.seed && std::ranges::none_of(comparison.results, lazy)) {
    sentences.push_back(message("{} has no effect: no search was lazy", info_of(&SearchEffort::seed).flag()));
  }
  const auto drawn = [](const ScheduleResult& result) { return result.sensitivity.has_value(); };
  if (options.sensitivity && comparison.complete && std::ranges::none_of(comparison.results, drawn)) {
    sentences.push_back(
        message("{} has no effect: it draws errors of the model of a device that this program simulates. "
                "Measured latencies show the noise of the measurements",
                info_of(&CompareOptions::sensitivity).flag()));
  }
  return sentences;
}

Message does_not_fit(const Device& device, const ExecutionPlan& plan, const Graph& graph) {
  const auto rates = device.peak_rates();
  if (!is_modelled(device.info().origin) || !rates || rates->memory_bytes == 0) return {};
  constexpr std::int64_t kAlignment = 256;  // of CUDA's allocations
  constexpr double kGigabyte = 1e9;
  const auto has = static_cast<double>(rates->memory_bytes);
  const auto element = static_cast<double>(rates->element_bytes);
  const double weights = static_cast<double>(total_work(graph, 1).parameters) * element;
  double together = weights;  // if no two tensors shared bytes: what fits then need not be packed
  for (const Buffer& buffer : plan.buffers) {
    together += static_cast<double>(buffer.shape.elements()) * static_cast<double>(plan.batch) * element;
  }
  if (together <= has) return {};
  const auto tensors = static_cast<double>(plan_memory(plan, rates->element_bytes, kAlignment).peak_bytes);
  if (tensors + weights <= has) return {};
  return message(
      "A {} with {:.0f} GB cannot run this: batch {} needs {:.1f} GB for tensors and {:.1f} GB for weights. The "
      "latency is simulated without this limit; a smaller batch fits",
      device.info().name, has / kGigabyte, plan.batch, tensors / kGigabyte, weights / kGigabyte);
}

Result<void> add_sensitivity(Comparison& comparison, const Device& device, const JobContext& job) {
  if (comparison.results.empty() || device.info().origin != Origin::kSimulated || job.stopped()) return {};
  std::vector<Draw> draws(draws_for(comparison));
  job.report(message("drawing errors of the model"), 0, 0);
  std::mutex mutex;
  std::optional<Error> error;
  parallel_for(draws.size(), [&](std::size_t number) {
    const auto redrawn = job.stopped() ? nullptr : device.redrawn(number);
    if (redrawn == nullptr) return;
    auto made = run(comparison, *redrawn, {job.stop, {}});
    if (made) {
      draws[number] = *std::move(made);
    } else if (!job.stopped()) {
      const std::scoped_lock lock(mutex);
      error = std::move(made.error());
    }
  });
  if (error) return tl::unexpected(*std::move(error));
  // With fewer draws after a stop the answer would depend on when that came.
  if (std::ranges::any_of(draws, &Draw::empty)) return {};
  const ScheduleResult* sequential = comparison.find(ScheduleKind::kSequential);
  const std::size_t base = sequential == nullptr ? 0 : static_cast<std::size_t>(sequential - comparison.results.data());
  const std::size_t best = comparison.best();
  for (std::size_t i = 0; i < comparison.results.size(); ++i) {
    comparison.results[i].sensitivity =
        sensitivity_of(comparison, i, draws, best, sequential == nullptr ? nullptr : &base);
  }
  return {};
}

std::vector<std::size_t> ties_with_best(const Comparison& comparison) {
  std::vector<std::size_t> ties;
  const std::size_t best = comparison.best();
  for (std::size_t i = 0; i < comparison.results.size(); ++i) {
    const auto& sensitivity = comparison.results[i].sensitivity;
    if (i == best || !sensitivity || !comparison.results[best].sensitivity) continue;
    if (!comparison.fits(comparison.results[i])) continue;
    if (static_cast<double>(sensitivity->behind) < kClear * static_cast<double>(sensitivity->draws)) ties.push_back(i);
  }
  return ties;
}

std::string sensitivity_text(const Comparison& comparison) {
  const ScheduleResult& best = comparison.results[comparison.best()];
  if (!best.sensitivity || !comparison.fits(best)) return {};
  std::string text = fmt::format("{} is the fastest in {} of {} draws of the model's errors", best.id.text(),
                                 best.sensitivity->wins, best.sensitivity->draws);
  if (best.sensitivity->speedup_low > 0 && best.schedule_kind != ScheduleKind::kSequential) {
    text += fmt::format(" and {:.2f} to {:.2f} times as fast as sequential in nine of ten",
                        best.sensitivity->speedup_low, best.sensitivity->speedup_high);
  }
  std::vector<std::string> others;
  for (const ScheduleResult& result : comparison.results) {
    if (&result == &best || !result.sensitivity || result.sensitivity->wins == 0) continue;
    others.push_back(fmt::format("{} in {}", result.id.text(), result.sensitivity->wins));
  }
  if (!others.empty()) text += fmt::format("; {}", fmt::join(others, ", "));
  std::vector<std::string> ties;
  for (const std::size_t i : ties_with_best(comparison)) ties.push_back(comparison.results[i].id.text());
  if (!ties.empty()) text += fmt::format("; a tie with {}", fmt::join(ties, ", "));
  return text;
}

}  // namespace iosx
