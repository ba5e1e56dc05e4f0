#include "core/model/plan/memory_plan.h"

#include <algorithm>
#include <limits>

#include "core/base/check.h"

namespace iosx {
namespace {

// The time of a buffer's use: from its first accesses to its last, on every lane.
struct Lifetime {
  bool used = false;
  bool from_start = false;
  bool to_end = false;
  std::vector<std::uint32_t> begin;  // by lane: so many of its kernels have ended before any access
  std::vector<std::uint32_t> end;    // by lane: the last of its kernels with an access, from 1

  void access(const LaneClocks& clocks, KernelId kernel) {
    const auto ended = clocks.ended(kernel);
    if (begin.empty()) {
      begin.assign(ended.begin(), ended.end());
      end.assign(ended.size(), 0);
    }
    for (std::size_t lane = 0; lane < begin.size(); ++lane) begin[lane] = std::min(begin[lane], ended[lane]);
    end[clocks.lane(kernel)] = clocks.position(kernel);
    used = true;
  }

  // Every access comes before every access of the other.
  bool before(const Lifetime& other) const {
    if (to_end || other.from_start || end.empty() || other.begin.empty()) return false;
    for (std::size_t lane = 0; lane < end.size(); ++lane) {
      if (end[lane] > other.begin[lane]) return false;
    }
    return true;
  }
};

struct Block {
  std::size_t buffer = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

std::vector<Lifetime> lifetimes(const ExecutionPlan& plan) {
  std::vector<Lifetime> result(plan.buffers.size());
  std::vector<bool> read(plan.buffers.size(), false);
  const LaneClocks clocks(plan);
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    const Kernel& kernel = plan.kernels[k];
    for (const TensorView& view : kernel.reads) {
      result[view.buffer.index()].access(clocks, KernelId(k));
      read[view.buffer.index()] = true;
    }
    result[kernel.writes.buffer.index()].access(clocks, KernelId(k));
  }
  for (const PlanOutput& output : plan.outputs) result[output.view.buffer.index()].to_end = true;
  for (std::size_t b = 0; b < result.size(); ++b) {
    Lifetime& life = result[b];
    life.from_start = plan.buffers[b].external;
    life.to_end = life.to_end || life.from_start || !read[b];
    life.used = life.used || life.from_start;
  }
  return result;
}

// Places buffers, one after another, into the smallest gap between those in use at the same time.
class Packing {
 public:
  explicit Packing(const std::vector<Lifetime>& lifetimes) : lifetimes_(lifetimes) {}

  std::int64_t put(std::size_t buffer, std::int64_t size) {
    const std::int64_t begin = best_gap(buffer, size);
    const Block block{buffer, begin, begin + size};
    blocks_.insert(std::ranges::upper_bound(blocks_, begin, {}, &Block::begin), block);
    peak_ = std::max(peak_, block.end);
    return begin;
  }

  std::int64_t peak() const { return peak_; }

 private:
  std::int64_t best_gap(std::size_t buffer, std::int64_t size) const {
    std::int64_t free_from = 0;  // below it no gap is left to look at
    std::int64_t best = -1;
    std::int64_t best_size = std::numeric_limits<std::int64_t>::max();
    for (const Block& block : blocks_) {
      if (block.end <= free_from || !together(buffer, block.buffer)) continue;
      const std::int64_t gap = block.begin - free_from;
      if (gap >= size && gap < best_size) {
        best = free_from;
        best_size = gap;
      }
      free_from = block.end;
    }
    return best >= 0 ? best : free_from;
  }

  bool together(std::size_t a, std::size_t b) const {
    return !lifetimes_[a].before(lifetimes_[b]) && !lifetimes_[b].before(lifetimes_[a]);
  }

  const std::vector<Lifetime>& lifetimes_;
  std::vector<Block> blocks_;  // by begin
  std::int64_t peak_ = 0;
};

// The kernels that access each buffer, and whether it is needed before or after all of them.
struct Use {
  std::vector<KernelId> kernels;
  bool from_start = false;
  bool to_end = false;
};

std::vector<Use> uses_of(const ExecutionPlan& plan) {
  std::vector<Use> uses(plan.buffers.size());
  for (std::size_t b = 0; b < uses.size(); ++b) {
    uses[b].from_start = plan.buffers[b].external;
    uses[b].to_end = true;  // until somebody reads it
  }
  for (const Kernel& kernel : plan.kernels) {
    for (const TensorView& view : kernel.reads) uses[view.buffer.index()].to_end = false;
  }
  for (std::size_t b = 0; b < uses.size(); ++b) uses[b].to_end = uses[b].to_end || plan.buffers[b].external;
  for (const PlanOutput& output : plan.outputs) uses[output.view.buffer.index()].to_end = true;
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    for (const TensorView& view : plan.kernels[k].reads) uses[view.buffer.index()].kernels.emplace_back(k);
    uses[plan.kernels[k].writes.buffer.index()].kernels.emplace_back(k);
  }
  return uses;
}

bool comes_before(const LaneClocks& clocks, const Use& first, const Use& then) {
  if (first.to_end || then.from_start) return false;
  return std::ranges::all_of(first.kernels, [&](KernelId one) {
    return std::ranges::all_of(then.kernels, [&](KernelId other) { return clocks.before(one, other); });
  });
}

}  // namespace

Result<void> check_memory(const ExecutionPlan& plan, const MemoryPlan& memory, std::int64_t element_bytes) {
  std::vector<Block> blocks;
  for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
    if (memory.offsets[b] == MemoryPlan::kNone) continue;
    const std::int64_t bytes = plan.buffers[b].shape.elements() * plan.batch * element_bytes;
    blocks.push_back({b, memory.offsets[b], memory.offsets[b] + bytes});
  }
  std::ranges::stable_sort(blocks, {}, &Block::begin);
  const LaneClocks clocks(plan);
  const std::vector<Use> uses = uses_of(plan);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    for (std::size_t j = i + 1; j < blocks.size() && blocks[j].begin < blocks[i].end; ++j) {
      const Use& one = uses[blocks[i].buffer];
      const Use& other = uses[blocks[j].buffer];
      if (comes_before(clocks, one, other) || comes_before(clocks, other, one)) continue;
      return fail(message("shares bytes with buffer {}, which may be in use at the same time", blocks[i].buffer),
                  fmt::format("buffers[{}]", blocks[j].buffer));
    }
  }
  return {};
}

MemoryPlan plan_memory(const ExecutionPlan& plan, std::int64_t element_bytes, std::int64_t alignment) {
  IOS_CHECK(element_bytes > 0 && alignment > 0);
  MemoryPlan result;
  result.offsets.assign(plan.buffers.size(), MemoryPlan::kNone);
  const std::vector<Lifetime> lives = lifetimes(plan);
  struct Wanted {
    std::size_t buffer = 0;
    std::int64_t size = 0;
  };
  std::vector<Wanted> wanted;
  for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
    const Buffer& buffer = plan.buffers[b];
    const std::int64_t sample = buffer.shape.elements() * element_bytes;
    if (buffer.constant) {
      result.constant_bytes += sample;
    } else if (lives[b].used) {
      wanted.push_back({b, (sample * plan.batch + alignment - 1) / alignment * alignment});
    }
  }
  std::ranges::stable_sort(wanted, [](const Wanted& a, const Wanted& b) { return a.size > b.size; });
  Packing packing(lives);
  for (const auto& [buffer, size] : wanted) result.offsets[buffer] = packing.put(buffer, size);
  result.peak_bytes = packing.peak();
  IOS_CHECK(check_memory(plan, result, element_bytes).has_value());
  return result;
}

}  // namespace iosx
