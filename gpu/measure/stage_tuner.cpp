#include "gpu/measure/stage_tuner.h"

#include <algorithm>
#include <optional>

#include "core/base/check.h"
#include "core/model/graph/attribute_list.h"
#include "gpu/exec/enqueue.h"
#include "gpu/exec/problem_of.h"
#include "gpu/measure/replay.h"
#include "gpu/ops/conv/plan_store.h"
#include "gpu/runtime/errors.h"

namespace iosx::gpu {
namespace {

constexpr Millis kStageTime{500};
constexpr int kPasses = 2;
constexpr int kRounds = 11;
constexpr int kEnoughRounds = 6;         // for an interval
constexpr double kClearlySlower = 1.05;  // ends a comparison then
constexpr Millis kCopiesTake{0.2};
constexpr Millis kComparisonTime{100};

using Problems = std::vector<std::optional<Problem>>;

// Returns the convolutions and products of a stage's plan, lane by lane.
std::vector<KernelId> convolutions(const ExecutionPlan& stage, const Problems& problems) {
  std::vector<KernelId> result;
  for (const auto& lane : stage.stages.front().lanes) {
    for (const KernelId id : lane) {
      if (problems[id.index()]) result.push_back(id);
    }
  }
  return result;
}

bool side_by_side(const ExecutionPlan& stage, const std::vector<KernelId>& convolutions) {
  return std::any_of(convolutions.begin(), convolutions.end(),
                     [&](KernelId id) { return stage.kernel(id).lane != stage.kernel(convolutions.front()).lane; });
}

// Returns what the stage's latency depends on. Ranks mean something only together with the ways that they are of.
std::string stage_key(const ExecutionPlan& stage, const Problems& problems, WayChooser& chooser) {
  std::string key = "x";
  put(key, stage.batch);
  std::string ways;
  for (const auto& lane : stage.stages.front().lanes) {
    key += '[';
    for (const KernelId id : lane) {
      if (const auto& problem = problems[id.index()]) {
        key += key_of(*problem);
        for (const Way& way : chooser.ways(*problem)) ways += way.name() + '\n';
      } else {
        put_attributes(key, stage.kernel(id).attributes);
        put(key, static_cast<std::int64_t>(stage.kernel(id).reads.size()));
        put(key, '=', stage.kernel(id).output);
      }
      key += ';';
    }
    key += ']';
  }
  return key + hex(hash_of(ways));
}

class Tuning {
 public:
  Tuning(const ExecutionPlan& stage, ExecContext& exec_context, ReplayTimer& timer, const JobContext& job)
      : stage_(stage), exec_context_(exec_context), timer_(timer), job_(job) {}

  // Returns the ranks of the stage's plan; none if stopped.
  std::optional<WayRanks> best(std::vector<KernelId> convolutions, const std::vector<std::size_t>& way_counts) {
    const WayRanks alone(stage_.kernels.size(), 0);
    WayRanks ranks = alone;
    std::stable_sort(convolutions.begin(), convolutions.end(), [&](KernelId a, KernelId b) {
      return stage_.kernel(a).work.flops > stage_.kernel(b).work.flops;  // what time allows goes to the largest
    });
    for (int pass = 0; pass < kPasses; ++pass) {
      const WayRanks before = ranks;
      for (const KernelId id : convolutions) {
        if (!try_others(ranks, id, way_counts[id.index()])) return std::nullopt;
      }
      if (ranks == before) break;
    }
    if (ranks == alone) return ranks;
    const std::optional<bool> wins = beats(ranks, alone);
    if (!wins) return std::nullopt;
    return *wins ? ranks : alone;
  }

 private:
  bool try_others(WayRanks& ranks, KernelId id, std::size_t ways) {
    for (std::size_t rank = 0; rank < ways; ++rank) {
      if (rank == ranks[id.index()]) continue;
      if (took_ >= kStageTime) return true;
      WayRanks other = ranks;
      other[id.index()] = rank;
      const std::optional<bool> better = beats(other, ranks);
      if (!better) return false;
      if (*better) ranks = std::move(other);
    }
    return true;
  }

  // Returns whether the challenger is faster beyond the noise; none if stopped.
  std::optional<bool> beats(const WayRanks& challenger, const WayRanks& holder) {
    try {
      return race(challenger, holder);
    } catch (const OutOfMemory&) {
    } catch (const Unsupported&) {
    }
    return job_.stopped() ? std::nullopt : std::optional(false);
  }

  // Both plans use the same memory. Their buffers lie at the same places whatever the ways are, so that neither changes
  // the random numbers that the other reads.
  std::optional<bool> race(const WayRanks& challenger, const WayRanks& holder) {
    auto first = prepare(holder);
    auto second = first ? prepare(challenger) : std::nullopt;
    if (second && moved_) first = prepare(holder);  // the memory grew; it holds both of them now
    if (!first || !second) return job_.stopped() ? std::nullopt : std::optional(false);
    const auto holds = [&](int copies) { enqueue(*first, exec_context_.runtime, {}, copies); };
    const auto challenges = [&](int copies) { enqueue(*second, exec_context_.runtime, {}, copies); };
    Race race(exec_context_.runtime, timer_.guard(),
              {.rounds = kRounds,
               .copies_take = kCopiesTake,
               .max_time = kComparisonTime,
               .hopeless = kClearlySlower,
               .hopeless_after = kEnoughRounds});
    race.add(holds);
    race.add(challenges);
    const bool done = race.run(job_);
    took_ += race.took();
    if (!done) return std::nullopt;
    return race.finished(1) && faster(race.samples(1), race.samples(0));
  }

  std::optional<PreparedPlan> prepare(const WayRanks& ranks) {
    auto plan = PreparedPlan::prepare(stage_, exec_context_, ranks, job_);
    if (!plan) return std::nullopt;
    const std::byte* arena = exec_context_.arena(0);
    moved_ = std::exchange(arena_, arena) != arena;
    return std::move(*plan);
  }

  const ExecutionPlan& stage_;
  ExecContext& exec_context_;
  ReplayTimer& timer_;
  const JobContext& job_;
  const std::byte* arena_ = nullptr;
  bool moved_ = false;  // the arena, since the plan before
  Millis took_{0};
};

bool fits(const std::vector<std::size_t>& ranks, const std::vector<KernelId>& convolutions,
          const std::vector<std::size_t>& way_counts) {
  if (ranks.size() != convolutions.size()) return false;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] >= way_counts[convolutions[i].index()]) return false;
  }
  return true;
}

class Cut {
 public:
  Cut(const ExecutionPlan& plan, std::size_t stage)
      : plan_(plan), stage_(stage), kernels_(plan.kernels.size()), buffers_(plan.buffers.size()) {
    result_.plan.batch = plan.batch;
    result_.plan.parameters = plan.parameters;
    result_.plan.stages.emplace_back();
  }

  StagePlan make() {
    for (const auto& lane : plan_.stages[stage_].lanes) {
      auto& copy = result_.plan.stages.front().lanes.emplace_back();
      for (const KernelId id : lane) copy.push_back(add(id));
    }
    mark_external();
    return std::move(result_);
  }

 private:
  KernelId add(KernelId id) {
    Kernel kernel = plan_.kernel(id);
    kernel.stage = 0;
    kernel.lane = result_.plan.stages.front().lanes.size() - 1;
    for (TensorView& view : kernel.reads) view.buffer = buffer(view.buffer);
    kernel.writes.buffer = buffer(kernel.writes.buffer);
    kernel.waits.clear();  // the lanes of a stage do not wait for one another
    kernels_[id.index()] = KernelId(result_.plan.kernels.size());
    result_.plan.kernels.push_back(std::move(kernel));
    result_.kernels.push_back(id);
    return kernels_[id.index()];
  }

  BufferId buffer(BufferId id) {
    BufferId& copy = buffers_[id.index()];
    if (!copy.valid()) {
      copy = BufferId(result_.plan.buffers.size());
      result_.plan.buffers.push_back(plan_.buffers[id.index()]);
    }
    return copy;
  }

  void mark_external() {
    for (const Kernel& kernel : plan_.kernels) {
      const BufferId copy = buffers_[kernel.writes.buffer.index()];
      if (kernel.stage == stage_ || !copy.valid()) continue;
      Buffer& made_elsewhere = result_.plan.buffers[copy.index()];
      if (made_elsewhere.external) continue;
      made_elsewhere.external = true;
      made_elsewhere.source = kernel.result();
    }
  }

  const ExecutionPlan& plan_;
  std::size_t stage_;
  std::vector<KernelId> kernels_;  // by KernelId of the whole plan; invalid: not in the stage
  std::vector<BufferId> buffers_;
  StagePlan result_;
};

}  // namespace

Result<bool> StageTuner::tune_stage(const ExecutionPlan& plan, std::size_t index, WayRanks& ranks,
                                    const JobContext& job) {
  const StagePlan stage = stage_of(plan, index);
  const Problems problems = problems_by_kernel(stage.plan, exec_context_.math);
  const std::vector<KernelId> found = convolutions(stage.plan, problems);
  if (!side_by_side(stage.plan, found)) return true;
  std::vector<std::size_t> way_counts(stage.plan.kernels.size(), 1);
  for (const KernelId id : found) {
    if (job.stopped()) return false;
    way_counts[id.index()] = exec_context_.chooser.ways(*problems[id.index()]).size();
  }
  const std::string key = stage_key(stage.plan, problems, exec_context_.chooser);
  if (job.stopped()) return false;
  const std::vector<std::size_t>* known = store_.ranks(key);
  std::vector<std::size_t> best;
  if (known != nullptr && fits(*known, found, way_counts)) {
    best = *known;
  } else {
    // A fault of the stage is an error here, and later a reason to skip a way.
    const auto prepared = PreparedPlan::prepare(stage.plan, exec_context_, {}, job);
    if (job.stopped()) return false;
    if (!prepared) return tl::unexpected(prepared.error());
    const auto tuned = Tuning(stage.plan, exec_context_, timer_, job).best(found, way_counts);
    if (!tuned) return false;
    for (const KernelId id : found) best.push_back((*tuned)[id.index()]);
    store_.set_ranks(key, best);
    ++tuned_;
  }
  for (std::size_t i = 0; i < found.size(); ++i) ranks[stage.kernels[found[i].index()].index()] = best[i];
  return true;
}

Result<WayRanks> StageTuner::tune(const ExecutionPlan& plan, const JobContext& job) {
  WayRanks ranks(plan.kernels.size(), 0);
  for (std::size_t i = 0; i < plan.stages.size(); ++i) {
    if (plan.stages[i].lanes.size() < 2) continue;
    if (job.stopped()) break;
    job.report(message("choosing algorithms for concurrent convolutions"), static_cast<std::int64_t>(i),
               static_cast<std::int64_t>(plan.stages.size()));
    IOS_TRY(const auto more, tune_stage(plan, i, ranks, job));
    if (!more) break;
  }
  return ranks;
}

StagePlan stage_of(const ExecutionPlan& plan, std::size_t stage) {
  IOS_CHECK(stage < plan.stages.size());
  return Cut(plan, stage).make();
}

}  // namespace iosx::gpu
