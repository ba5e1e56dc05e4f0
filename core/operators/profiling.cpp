#include "core/operators/profiling.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "core/devices/measure/latency_sources.h"
#include "core/operators/predictor.h"

namespace iosx {
namespace {

constexpr std::size_t kRound = 48;  // stages between two looks at what was learned

class Profiler {
 public:
  Profiler(std::vector<Candidate> candidates, DeviceLatencySource& source, MeasurementStore& store,
           const OperatorProfileOptions& options, const JobContext& job)
      : candidates_(std::move(candidates)), source_(source), store_(store), options_(options), job_(job) {}

  Result<OperatorProfile> run() {
    result_.candidates = std::ssize(candidates_);
    IOS_TRY(take_known());
    std::vector<std::size_t> alone = open(true);
    std::shuffle(alone.begin(), alone.end(), random_);
    const std::size_t third = std::max<std::size_t>(options_.most / 3, 1);
    if (alone.size() > third) alone.resize(third);
    IOS_TRY(measure(alone));
    while (left() > 0 && !job_.stopped()) {
      const std::vector<std::size_t> next = unsurest();
      if (next.empty()) break;
      IOS_TRY(measure(next));
    }
    for (const StageSample& sample : samples_) ++(is_alone(sample.stage) ? result_.alone : result_.together);
    return result_;
  }

 private:
  std::size_t left() const {
    return options_.most - std::min(options_.most, static_cast<std::size_t>(result_.measured));
  }
  std::vector<std::size_t> open(bool alone) const {
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (!known_[i] && is_alone(candidates_[i].features) == alone) list.push_back(i);
    }
    return list;
  }
  void learn(std::size_t i, const Latency& latency) {
    known_[i] = true;
    if (latency.is_left_out() || latency.value <= Millis(0)) return;
    samples_.push_back({candidates_[i].features, latency.value.count(), {}});
  }

  Result<void> take_known() {
    known_.assign(candidates_.size(), false);
    if (options_.anew) return {};
    std::vector<Stage> stages;
    for (const Candidate& candidate : candidates_) stages.push_back(candidate.stage.stage);
    IOS_TRY(const auto known, source_.known_latencies(stages));
    std::vector<DescribedStage> described;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (!known[i]) continue;
      learn(i, *known[i]);
      described.push_back({candidates_[i].stage.key, to_text(candidates_[i].features)});
    }
    result_.known = std::ssize(described);
    return store_.describe(described);
  }

  Result<void> measure(std::span<const std::size_t> wanted) {
    std::vector<std::size_t> some(wanted.begin(), wanted.end());
    if (some.size() > left()) some.resize(left());
    for (std::size_t at = 0; at < some.size() && !job_.stopped(); at += kRound) {
      const std::span<const std::size_t> round = std::span(some).subspan(at, std::min(kRound, some.size() - at));
      std::vector<Stage> stages;
      for (const std::size_t i : round) stages.push_back(candidates_[i].stage.stage);
      job_.report(message("measuring operators"), result_.measured, static_cast<std::int64_t>(options_.most));
      IOS_TRY(const auto latencies, source_.refined_latencies(stages, {job_.stop, {}}));
      std::vector<DescribedStage> described;
      for (std::size_t k = 0; k < latencies.size(); ++k) {
        learn(round[k], latencies[k]);
        described.push_back({candidates_[round[k]].stage.key, to_text(candidates_[round[k]].features)});
      }
      result_.measured += std::ssize(latencies);
      IOS_TRY(store_.describe(described));
      if (latencies.size() < round.size()) break;
    }
    return {};
  }

  // Returns the open stages over which the two kinds of regression differ most. Before anything can be learned, any.
  std::vector<std::size_t> unsurest() {
    std::vector<std::size_t> list = open(true);
    const std::vector<std::size_t> together = open(false);
    list.insert(list.end(), together.begin(), together.end());
    std::shuffle(list.begin(), list.end(), random_);
    std::vector<double> doubt(list.size(), 0);
    const auto ridge = OperatorPredictor::fit(samples_, RegressorKind::kRidge, job_);
    const auto trees = OperatorPredictor::fit(samples_, RegressorKind::kTrees, job_);
    if (ridge && trees) {
      std::vector<StageFeatures> stages;
      stages.reserve(list.size());
      for (const std::size_t i : list) stages.push_back(candidates_[i].features);
      const auto one = ridge->stage_ms(stages);
      const auto other = trees->stage_ms(stages);
      for (std::size_t k = 0; k < list.size(); ++k) doubt[k] = std::abs(std::log(one[k] / other[k]));
    }
    std::vector<std::size_t> order(list.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return doubt[a] > doubt[b]; });
    // A quarter of a round is taken from anywhere: where both are wrong in the same way they agree.
    std::vector<std::size_t> next;
    for (std::size_t k = 0; k < order.size() && next.size() < kRound * 3 / 4; ++k) next.push_back(list[order[k]]);
    for (std::size_t k = order.size(); k-- > kRound * 3 / 4 && next.size() < kRound;) next.push_back(list[order[k]]);
    return next;
  }

  std::vector<Candidate> candidates_;
  DeviceLatencySource& source_;
  MeasurementStore& store_;
  const OperatorProfileOptions& options_;
  const JobContext& job_;
  std::vector<bool> known_;
  std::vector<StageSample> samples_;
  OperatorProfile result_;
  std::mt19937_64 random_{7};
};

}  // namespace

Result<OperatorProfile> profile_operators(const Graph& graph, Device& device, MeasurementStore& store,
                                          const std::string& program, const OperatorProfileOptions& options,
                                          const JobContext& job) {
  DeviceLatencySource source(graph, device, options.batch, options.timing,
                             {.store = &store, .program = program, .anew = options.anew});
  auto candidates = candidates_of(source.planner(), options.candidates);
  auto found = Profiler(std::move(candidates), source, store, options, job).run();
  if (found) found->notices = source.take_notices();
  return found;
}

Result<std::vector<KnownStage>> known_stages(MeasurementStore& store, const MeasurementFilter& selection) {
  std::vector<KnownStage> known;
  IOS_TRY(store.visit_described(
      selection,
      [&](const MeasurementSet& set, const Measurement& measurement, const std::string& text) -> Result<void> {
        // Descriptions of another version are written anew when measured or requested again.
        auto features = parse_stage_features(text, {});
        if (features) known.push_back({measurement.key, set, std::move(*features), measurement.latency});
        return {};
      }));
  return known;
}

Result<std::vector<KnownDevice>> known_devices(MeasurementStore& store, const JobContext& job) {
  std::vector<KnownDevice> devices;
  const auto visited = store.visit_described(
      {}, [&](const MeasurementSet& set, const Measurement& measurement, const std::string& text) -> Result<void> {
        if (job.stopped()) return fail(message("stopped"));
        const auto features = parse_stage_features(text, {});
        if (!features || features->empty()) return {};
        if (measurement.latency.is_left_out() || measurement.latency.value <= Millis(0)) return {};
        auto found = std::ranges::find_if(
            devices, [&](const KnownDevice& each) { return each.set.fingerprint == set.fingerprint; });
        if (found == devices.end()) found = devices.insert(devices.end(), {.set = set});
        ++(is_alone(*features) ? found->alone : found->together);
        return {};
      });
  if (!visited && !job.stopped()) return tl::unexpected(visited.error());
  return devices;
}

}  // namespace iosx
