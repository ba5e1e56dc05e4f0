#include "core/devices/cpu/prepared_plan.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>

#include "core/base/check.h"
#include "core/devices/checks.h"
#include "core/devices/cpu/kernel_context.h"
#include "core/devices/cpu/kernels/kernels.h"
#include "core/model/graph/operator_table.h"
#include "core/model/layout/layout.h"
#include "core/model/plan/memory_plan.h"

namespace iosx::cpu {
namespace {

// The rate of an AVX-512 core in convolutions, and of one core of several from the shared cache.
constexpr double kFlopsPerSecond = 200e9;
constexpr double kBytesPerSecond = 20e9;
constexpr double kKernelSeconds = 1e-6;
// A further core of a team does so much of a core's work, and each fork and join costs so much.
constexpr double kFurtherCore = 0.92;
constexpr double kForkSeconds = 2e-6;

double time_of(const LaneLoad& load, int cores) {
  if (cores == 1) return load.seconds;
  return load.seconds / (1 + kFurtherCore * (cores - 1)) + kForkSeconds * static_cast<double>(load.kernels);
}

struct Candidate {
  LaneTeams teams;
  std::vector<LaneLoad> loads;  // of each team

  double end() const {
    double latest = 0;
    for (std::size_t t = 0; t < loads.size(); ++t) latest = std::max(latest, time_of(loads[t], teams.sizes[t]));
    return latest;
  }
};

// `order` has the lanes, the longest first.
Candidate deal(std::span<const LaneLoad> lanes, std::span<const std::size_t> order, std::size_t teams, int cores) {
  Candidate made{{std::vector<int>(teams, 1), std::vector<std::vector<std::size_t>>(teams)},
                 std::vector<LaneLoad>(teams)};
  for (const std::size_t lane : order) {
    const auto least = std::ranges::min_element(
        made.loads, [](const LaneLoad& a, const LaneLoad& b) { return a.seconds < b.seconds; });
    const auto team = static_cast<std::size_t>(least - made.loads.begin());
    least->seconds += lanes[lane].seconds;
    least->kernels += lanes[lane].kernels;
    made.teams.lanes[team].push_back(lane);
  }
  for (int left = cores - static_cast<int>(teams); left > 0; --left) {
    std::size_t slowest = 0;
    for (std::size_t t = 1; t < teams; ++t) {
      if (time_of(made.loads[t], made.teams.sizes[t]) > time_of(made.loads[slowest], made.teams.sizes[slowest])) {
        slowest = t;
      }
    }
    ++made.teams.sizes[slowest];
  }
  return made;
}

constexpr float kFill = 0.25F;  // of tensors that come from elsewhere; no speed depends on it

// Lets kernels write over their residual where no later kernel reads it: oneDNN's fastest convolutions add to
// their output, but cannot read a third tensor. The output of such a kernel moves into the residual's buffer.
class InPlace {
 public:
  explicit InPlace(ExecutionPlan plan)
      : plan_(std::move(plan)),
        of_a_stage_(plan_.outputs.empty()),
        accesses_(plan_.buffers.size()),
        kept_(plan_.buffers.size(), false) {
    for (std::size_t k = 0; k < plan_.kernels.size(); ++k) {
      for (const TensorView& view : plan_.kernels[k].reads) accesses_[view.buffer.index()].push_back(k);
      accesses_[plan_.kernels[k].writes.buffer.index()].push_back(k);
    }
    for (const PlanOutput& output : plan_.outputs) kept_[output.view.buffer.index()] = true;
  }

  ExecutionPlan run() && {
    for (std::size_t k = 0; k < plan_.kernels.size(); ++k) {
      if (possible(k)) move(k);
    }
    return std::move(plan_);
  }

 private:
  bool whole(const TensorView& view) const { return is_whole(plan_.buffers[view.buffer.index()], view); }

  // Returns whether kernel a ends before b starts.
  bool before(std::size_t a, std::size_t b) const {
    const Kernel& first = plan_.kernels[a];
    const Kernel& second = plan_.kernels[b];
    if (first.stage != second.stage) return first.stage < second.stage;
    return first.lane == second.lane && a < b;
  }

  bool possible(std::size_t k) const {
    const Kernel& kernel = plan_.kernels[k];
    if (!operator_row(kernel.attributes).takes_residual || kernel.reads.size() != 2) return false;
    const TensorView& residual = kernel.reads[1];
    const Buffer& buffer = plan_.buffers[residual.buffer.index()];
    if (buffer.constant || kept_[residual.buffer.index()]) return false;
    // External buffers of a stage's plan stay usable for measuring when overwritten.
    if (buffer.external && !of_a_stage_) return false;
    if (kernel.reads[0].buffer == residual.buffer || !whole(residual) || !whole(kernel.writes)) return false;
    const Buffer& written = plan_.buffers[kernel.writes.buffer.index()];
    if (written.external || written.shape != buffer.shape || written.row_major != buffer.row_major ||
        written.axis != buffer.axis) {
      return false;
    }
    const auto& others = accesses_[residual.buffer.index()];
    return std::ranges::all_of(others, [&](std::size_t other) { return other == k || before(other, k); });
  }

  void move(std::size_t k) {
    const BufferId from = plan_.kernels[k].writes.buffer;
    const BufferId to = plan_.kernels[k].reads[1].buffer;
    for (const std::size_t user : accesses_[from.index()]) {
      for (TensorView& view : plan_.kernels[user].reads) {
        if (view.buffer == from) view.buffer = to;
      }
      if (plan_.kernels[user].writes.buffer == from) plan_.kernels[user].writes.buffer = to;
    }
    for (PlanOutput& output : plan_.outputs) {
      if (output.view.buffer == from) output.view.buffer = to;
    }
    auto& users = accesses_[to.index()];
    users.insert(users.end(), accesses_[from.index()].begin(), accesses_[from.index()].end());
    accesses_[from.index()].clear();
    kept_[to.index()] = kept_[from.index()];
  }

  ExecutionPlan plan_;
  bool of_a_stage_;
  std::vector<std::vector<std::size_t>> accesses_;  // kernels, by buffer
  std::vector<bool> kept_;                          // by buffer: an output of the plan
};

}  // namespace

LaneLoad load_of(const ExecutionPlan& plan, std::span<const KernelId> lane) {
  LaneLoad load{0, lane.size()};
  for (const KernelId id : lane) {
    const Work& work = plan.kernel(id).work;
    load.seconds +=
        kKernelSeconds + std::max(work.flops / kFlopsPerSecond, static_cast<double>(work.bytes()) / kBytesPerSecond);
  }
  return load;
}

LaneTeams share_cores(std::span<const LaneLoad> lanes, int cores) {
  std::vector<std::size_t> order(lanes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return lanes[a].seconds > lanes[b].seconds; });
  const std::size_t most = std::min(lanes.size(), static_cast<std::size_t>(std::max(cores, 1)));
  LaneTeams best;
  double soonest = std::numeric_limits<double>::infinity();
  for (std::size_t teams = most; teams > 0; --teams) {
    Candidate candidate = deal(lanes, order, teams, cores);
    if (candidate.end() >= soonest) continue;
    soonest = candidate.end();
    best = std::move(candidate.teams);
  }
  return best;
}

Workplace::Workplace(DataType data_type, int cores, std::int64_t memory_limit, std::int64_t weight_cache)
    : type(data_type), engine(dnnl::engine::kind::cpu, 0), budget(memory_limit), weights(engine, budget, weight_cache) {
  for (int core = 0; core < cores; ++core) scratch.emplace_back(budget);
}

std::byte* Workplace::arena(std::int64_t bytes) {
  if (arena_ == nullptr || arena_->bytes() < bytes) {
    arena_.reset();  // first, so that both need not fit
    ++arena_number_;
    arena_ = std::make_unique<Block>(budget, bytes, Sentence{"tensors"});
  }
  return arena_->data();
}

void Workplace::clear() {
  arena_.reset();
  ++arena_number_;
  weights.clear();
  for (Scratch& each : scratch) each.clear();
}

Result<PreparedPlan> PreparedPlan::prepare(const ExecutionPlan& plan, Workplace& workplace, TeamPool& pool,
                                           const JobContext& job, bool careful) {
  IOS_TRY(check_executable(plan, kCpuDevice));
  PreparedPlan prepared(InPlace(plan).run(), workplace, careful);
  prepared.place_buffers();
  for (Scratch& scratch : workplace.scratch) scratch.reset_peak();
  for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
    IOS_TRY(prepared.prepare_stage(stage, pool, job));
  }
  if (job.stopped()) return fail(message("stopped"), kCpuDevice);
  for (const Scratch& scratch : workplace.scratch) prepared.peak_bytes_ += scratch.peak_bytes();
  prepared.enter();
  return prepared;
}

bool PreparedPlan::enter() {
  IOS_CHECK(usable());
  if (!workplace_->hand_over(number_)) return false;
  fill_externals();
  return true;
}

void PreparedPlan::place_buffers() {
  const MemoryPlan memory = plan_memory(plan_, bytes_of(workplace_->type), kAlignment);
  peak_bytes_ = memory.peak_bytes + memory.constant_bytes;
  std::byte* const base = workplace_->arena(memory.peak_bytes);
  arena_number_ = workplace_->arena_number();
  buffers_.assign(plan_.buffers.size(), nullptr);
  for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
    if (memory.offsets[i] != MemoryPlan::kNone) {
      buffers_[i] = base + memory.offsets[i];
    } else if (plan_.buffers[i].constant) {
      place_constant(i);
    }
  }
}

void PreparedPlan::place_constant(std::size_t index) {
  const Buffer& buffer = plan_.buffers[index];
  const TensorRef place = buffer_ref(buffer, 1, workplace_->type, nullptr);
  const TensorRef host = host_ref(buffer.shape, 1, nullptr);
  const std::array<OperatorId, 1> source{buffer.source};
  constants_.push_back(workplace_->weights.packed({plan_.parameters, source, "constant"}, desc_of(place), [&] {
    return WeightStore::Plain{plan_.parameters->weights(buffer.source), desc_of(host)};
  }));
  buffers_[index] = static_cast<std::byte*>(constants_.back().memory.get_data_handle());
}

void PreparedPlan::fill_externals() {
  for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
    const Buffer& buffer = plan_.buffers[i];
    if (!buffer.external || buffer.constant || buffers_[i] == nullptr) continue;
    fill(filled_ref(buffer, plan_.batch, workplace_->type, buffers_[i]), kFill);
    if (buffer.blank > 0) fill(blank_ref(buffer, plan_.batch, workplace_->type, buffers_[i]), 0);
  }
}

TensorRef PreparedPlan::view(const TensorView& view) const {
  std::byte* const data = buffers_[view.buffer.index()];
  IOS_CHECK(data != nullptr);
  return view_ref(plan_.buffers[view.buffer.index()], view, plan_.batch, workplace_->type, data);
}

// oneDNN fixes a primitive's number of threads when it is made, so that each is made on a team of the size that will
// execute it.
Result<void> PreparedPlan::prepare_stage(std::size_t index, TeamPool& pool, const JobContext& job) {
  const PlanStage& stage = plan_.stages[index];
  std::vector<LaneLoad> loads;
  for (const auto& lane : stage.lanes) loads.push_back(load_of(plan_, lane));
  PreparedStage& prepared = stages_.emplace_back();
  prepared.teams = share_cores(loads, pool.cores());
  prepared.lanes.resize(stage.lanes.size());
  std::size_t first_core = 0;
  Result<void> done;
  for (std::size_t team = 0; team < prepared.teams.sizes.size(); ++team) {
    const std::array<int, 1> size{prepared.teams.sizes[team]};
    pool.run(size, [&](int) {
      for (const std::size_t lane : prepared.teams.lanes[team]) {
        for (const KernelId id : stage.lanes[lane]) {
          if (job.stopped() || !done) return;
          auto kernel = prepare_kernel(id, workplace_->scratch[first_core], job);
          if (kernel) {
            prepared.lanes[lane].push_back(*std::move(kernel));
          } else {
            done = tl::unexpected(std::move(kernel.error()));
          }
        }
      }
    });
    first_core += static_cast<std::size_t>(size[0]);
  }
  return done;
}

Result<PreparedKernel> PreparedPlan::prepare_kernel(KernelId id, Scratch& scratch, const JobContext& job) {
  check_room_for_primitive();
  const Kernel& kernel = plan_.kernel(id);
  Workshop shop{workplace_->engine,
                dnnl::stream(workplace_->engine),
                workplace_->weights,
                workplace_->trials,
                workplace_->winograd_layers,
                job,
                workplace_->type,
                careful_};
  KernelContext context{kernel, plan_.parameters, shop, scratch, {}, view(kernel.writes)};
  for (const TensorView& read : kernel.reads) context.reads.push_back(view(read));
  IOS_TRY(add_kernel_steps(context));
  return PreparedKernel{id, std::move(context.steps), std::move(context.implementation)};
}

Result<void> PreparedPlan::set_inputs(const std::vector<Tensor>& inputs) {
  if (auto fit = check_inputs(plan_, inputs, kCpuDevice); !fit) return fit;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::size_t index = plan_.inputs[i].index();
    const Buffer& buffer = plan_.buffers[index];
    if (buffers_[index] == nullptr) continue;  // nobody reads it
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): copy() only reads its source
    auto* const values = const_cast<float*>(inputs[i].elements().data());
    copy(host_ref(filled_shape(buffer), plan_.batch, values),
         filled_ref(buffer, plan_.batch, workplace_->type, buffers_[index]));
  }
  return {};
}

std::vector<Tensor> PreparedPlan::outputs() const {
  std::vector<Tensor> tensors;
  for (const PlanOutput& output : plan_.outputs) {
    const std::vector<std::int64_t> dims = output_dims(plan_, output);
    const Shape shape(std::span<const std::int64_t>(dims).subspan(1));
    std::vector<float> values(static_cast<std::size_t>(plan_.batch * shape.elements()));
    copy(view(output.view), host_ref(shape, plan_.batch, values.data()));
    tensors.emplace_back(dims, std::move(values));
  }
  return tensors;
}

}  // namespace iosx::cpu
