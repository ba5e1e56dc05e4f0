#include "gpu/measure/conv_selector.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <tuple>

#include "core/devices/measure/statistics.h"
#include "gpu/exec/conv_way.h"
#include "gpu/measure/replay.h"
#include "gpu/ops/conv/plan_store.h"
#include "gpu/runtime/errors.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {
namespace {

constexpr std::int64_t kSaveEvery = 16;  // problems, so that a crash does not lose everything
constexpr std::int64_t kAligned = 16;    // bytes: what PixelLayout knows of alignment

// A problem with its own operands for trying ways: random numbers (zeros use less power and may take short cuts), with
// the pitches and alignments of the problem.
class ConvTrial {
 public:
  ConvTrial(Runtime& runtime, const Problem& problem);  // throws OutOfMemory

  const Task& task() const { return task_; }
  // Allocates scratch memory for the largest of the ways, which run one after another. Skips ways that lack
  // memory, and returns the indices of the others.
  std::vector<std::size_t> make_room(std::span<const ConvWay> ways);
  // Enqueues that many copies on stream 0. The way must have room.
  void enqueue(const ConvWay& way, int copies);

 private:
  ConvTask task_of(const ConvProblem& problem);
  MatMulTask task_of(const MatMulProblem& problem);
  const DeviceMemory& random(std::int64_t elements, DataType type);
  // Returns random elements at an address that is aligned as badly as the problem's.
  std::byte* random(std::int64_t elements, DataType type, std::int64_t alignment);
  TensorRef pixels(const ConvProblem& problem, const PixelLayout& layout, std::int64_t channels, const Extent& extent);
  TensorRef matrices(const MatMulProblem& problem, const MatrixLayout& layout, std::int64_t rows, std::int64_t columns);

  Runtime& runtime_;
  std::vector<DeviceMemory> operands_;
  std::vector<DeviceMemory> scratch_;  // one, or none
  Task task_;
};

const DeviceMemory& ConvTrial::random(std::int64_t elements, DataType type) {
  const DeviceMemory& memory = operands_.emplace_back(runtime_, elements * bytes_of(type));
  TensorRef all{.data = memory.data(), .type = type, .rank = 1, .dims = {}, .strides = {}};
  all.dims[0] = elements;
  all.strides[0] = 1;
  runtime_.launch(kOrigin, FillCall{.out = all, .seed = static_cast<std::uint32_t>(operands_.size())});
  return memory;
}

std::byte* ConvTrial::random(std::int64_t elements, DataType type, std::int64_t alignment) {
  const std::int64_t offset = alignment < kAligned ? alignment : 0;
  return random(elements + offset / bytes_of(type), type).data() + offset;
}

TensorRef ConvTrial::pixels(const ConvProblem& problem, const PixelLayout& layout, std::int64_t channels,
                            const Extent& extent) {
  const DataType type = data_type(problem.math);
  const std::int64_t elements = problem.batch * extent.height * extent.width * layout.pitch;
  std::byte* const data = random(elements, type, layout.alignment);
  TensorRef tensor{.data = data, .type = type, .rank = 4, .dims = {}, .strides = {}};
  tensor.dims = {problem.batch, channels, extent.height, extent.width};
  tensor.strides = {extent.height * extent.width * layout.pitch, 1, extent.width * layout.pitch, layout.pitch};
  return tensor;
}

TensorRef ConvTrial::matrices(const MatMulProblem& problem, const MatrixLayout& layout, std::int64_t rows,
                              std::int64_t columns) {
  const DataType type = data_type(problem.math);
  const std::int64_t last =
      (problem.batch - 1) * layout.batch + (rows - 1) * layout.row + (columns - 1) * layout.column;
  std::byte* const data = random(last + 1, type, layout.alignment);
  TensorRef tensor{.data = data, .type = type, .rank = 3, .dims = {}, .strides = {}};
  tensor.dims = {problem.batch, rows, columns};
  tensor.strides = {layout.batch, layout.row, layout.column};
  return tensor;
}

ConvTrial::ConvTrial(Runtime& runtime, const Problem& problem) : runtime_(runtime) {
  task_ = std::visit([&](const auto& one) -> Task { return task_of(one); }, problem);
}

MatMulTask ConvTrial::task_of(const MatMulProblem& problem) {
  return {.problem = problem,
          .a = matrices(problem, problem.a, problem.rows, problem.depth),
          .b = matrices(problem, problem.b, problem.depth, problem.columns),
          .y = matrices(problem, problem.y, problem.rows, problem.columns)};
}

ConvTask ConvTrial::task_of(const ConvProblem& problem) {
  const DataType type = data_type(problem.math);
  ConvTask task;
  task.problem = problem;
  task.x = pixels(problem, problem.x, problem.channels, problem.input);
  task.y = pixels(problem, problem.y, problem.out_channels, problem.output);
  if (problem.residual) task.residual = pixels(problem, problem.z, problem.out_channels, problem.output);
  const std::int64_t weights =
      problem.channels * problem.out_channels / problem.groups * problem.kernel.height * problem.kernel.width;
  task.weights = random(weights, type).data();
  if (!problem.bias) return task;
  task.bias = random(problem.out_channels, type).data();
  task.bias_float = reinterpret_cast<const float*>(random(problem.out_channels, DataType::kFloat32).data());
  return task;
}

std::vector<std::size_t> ConvTrial::make_room(std::span<const ConvWay> ways) {
  scratch_.clear();
  std::vector<std::size_t> fit(ways.size());
  for (std::size_t i = 0; i < ways.size(); ++i) fit[i] = i;
  const auto bytes = [&](std::size_t i) { return scratch_bytes(ways[i], task_); };
  while (!fit.empty()) {
    std::int64_t most = 0;
    for (const std::size_t i : fit) most = std::max(most, bytes(i));
    if (most == 0) break;
    try {
      scratch_.emplace_back(runtime_, most);
      break;
    } catch (const OutOfMemory&) {
      std::erase_if(fit, [&](std::size_t i) { return bytes(i) == most; });
    }
  }
  return fit;
}

void ConvTrial::enqueue(const ConvWay& way, int copies) {
  void* scratch = scratch_.empty() ? nullptr : scratch_.front().data();
  const std::vector<Step> steps = steps_of(way, task_, scratch);
  for (int copy = 0; copy < copies; ++copy) {
    for (const Step& step : steps) {
      if (const auto* conv = std::get_if<ConvStep>(&step)) {
        runtime_.execute(kOrigin, *conv->plan, conv->operands);
      } else {
        runtime_.launch(kOrigin, std::get<KernelCall>(step));
      }
    }
  }
}

// Returns indices into the race's contenders, the fastest first. The first is the cheapest of those that may be the
// fastest.
std::vector<std::size_t> order_of(const Race& race, const std::function<const ConvWay&(std::size_t)>& way,
                                  const Task& task) {
  std::vector<std::size_t> order = race.ranking();
  if (order.empty()) return order;
  const auto fastest = race.samples(order.front());
  const auto cost = [&](std::size_t i) { return std::tuple(scratch_bytes(way(i), task), way(i).name()); };
  auto best = order.begin();
  for (auto i = std::next(order.begin()); i != order.end(); ++i) {
    if (!faster(fastest, race.samples(*i)) && cost(*i) < cost(*best)) best = i;
  }
  std::rotate(order.begin(), best, std::next(best));
  return order;
}

// A way's use of resources that its neighbours need, besides time.
struct Footprint {
  std::int64_t scratch = 0;  // bytes
  std::int64_t shared = 0;   // bytes a thread block; 0: not known

  // Returns whether it is smaller by half in one respect, and larger in none.
  bool clearly_smaller(const Footprint& other) const {
    const bool shared_known = shared > 0 && other.shared > 0;
    const bool no_larger = scratch <= other.scratch && (!shared_known || shared <= other.shared);
    return no_larger && (2 * scratch < other.scratch || (shared_known && 2 * shared <= other.shared));
  }
};

// Returns the first kKept, and the first of the others that is clearly smaller than all of these.
std::vector<std::size_t> kept_of(std::vector<std::size_t> order,
                                 const std::function<Footprint(std::size_t)>& footprint) {
  if (order.size() <= ConvSelector::kKept) return order;
  const auto rest = order.begin() + static_cast<std::ptrdiff_t>(ConvSelector::kKept);
  const auto small = std::find_if(rest, order.end(), [&](std::size_t candidate) {
    return std::all_of(order.begin(), rest,
                       [&](std::size_t fast) { return footprint(candidate).clearly_smaller(footprint(fast)); });
  });
  const std::optional<std::size_t> also = small == order.end() ? std::nullopt : std::optional(*small);
  order.erase(rest, order.end());
  if (also) order.push_back(*also);
  return order;
}

std::string trial_of(const std::string& key, const ConvWay& way) { return fmt::format("run {}: {}", key, way.name()); }

}  // namespace

ConvSelector::ConvSelector(Runtime& runtime, ConvLibrary& library, ReplayTimer& timer, PlanStore& store)
    : runtime_(runtime), library_(library), timer_(timer), store_(store) {}

const std::vector<ConvWay>& ConvSelector::ways(const Problem& problem) {
  const std::string key = key_of(problem);
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  if (auto ways = stored(problem, key)) return known_[key] = std::move(*ways);
  std::vector<ConvWay> candidates = candidate_ways(problem, library_);
  if (const TrialLog* const trials = library_.trials()) {
    std::erase_if(candidates, [&](const ConvWay& way) { return trials->ended(trial_of(key, way)); });
    if (candidates.empty()) {
      throw Unsupported(
          message("every way to compute {} ended an earlier run of this program; delete the file {} to "
                  "try them again",
                  key, trials->file().string()));
    }
  }
  if (auto ways = measured(problem, key, candidates)) return known_[key] = std::move(*ways);
  if (candidates.size() > kKept) candidates.resize(kKept);
  return unmeasured_ = std::move(candidates);
}

std::optional<std::vector<ConvWay>> ConvSelector::stored(const Problem& problem, const std::string& key) {
  const std::vector<PlanStore::Way>* kept = store_.ways(key);
  if (kept == nullptr || kept->empty() || kept->size() > kMost) return std::nullopt;
  std::vector<ConvWay> ways;
  for (const PlanStore::Way& one : *kept) {
    auto way = restored_way(problem, one.name, one.plan, library_);
    if (!way) return std::nullopt;
    ways.push_back(std::move(*way));
  }
  return ways;
}

std::optional<std::vector<ConvWay>> ConvSelector::measured(const Problem& problem, const std::string& key,
                                                           const std::vector<ConvWay>& candidates) {
  static const JobContext kEndless;
  const JobContext& job = job_ == nullptr ? kEndless : *job_;
  if (job.stopped()) return std::nullopt;
  job.report(message("measuring convolutions"), measured_, 0);
  std::optional<ConvTrial> trial;
  try {
    trial.emplace(runtime_, problem);
  } catch (const OutOfMemory&) {
    return std::nullopt;
  }
  const std::vector<std::size_t> fit = trial->make_room(candidates);
  const auto way = [&](std::size_t contender) -> const ConvWay& { return candidates[fit[contender]]; };
  if (fit.empty()) return std::nullopt;
  Race race(runtime_, timer_.guard(), Race::Options{});
  std::deque<std::function<void(int)>> works;  // the race sees them by reference
  for (std::size_t i = 0; i < fit.size(); ++i) {
    if (job.stopped()) return std::nullopt;
    const Trial first(library_.trials(), trial_of(key, way(i)));
    race.add(works.emplace_back([&trial, &one = way(i)](int copies) { trial->enqueue(one, copies); }));
  }
  if (!race.run(job)) return std::nullopt;
  std::vector<std::size_t> order = order_of(race, way, trial->task());
  if (order.empty()) std::rethrow_exception(race.failure());
  order = kept_of(std::move(order), [&](std::size_t i) -> Footprint {
    return {scratch_bytes(way(i), trial->task()), way(i).plan == nullptr ? 0 : way(i).plan->shared_bytes()};
  });
  std::vector<ConvWay> ways;
  std::vector<PlanStore::Way> kept;
  for (const std::size_t i : order) {
    const ConvWay& one = ways.emplace_back(way(i));
    kept.push_back({.name = one.name(),
                    .plan = one.plan == nullptr ? std::string() : one.plan->serialised(),
                    .latency = median(race.samples(i))});
  }
  store_.set_ways(key, std::move(kept));
  if (++measured_ % kSaveEvery == 0) store_.save();
  return ways;
}

}  // namespace iosx::gpu
