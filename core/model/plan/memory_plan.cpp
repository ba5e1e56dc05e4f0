#include "core/model/plan/memory_plan.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <utility>

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

std::vector<Lifetime> lifetimes(const ExecutionPlan& plan, const LaneClocks& clocks) {
  std::vector<Lifetime> result(plan.buffers.size());
  std::vector<bool> read(plan.buffers.size(), false);
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

// Kernels in launch order: those before `first` have ended before the first access to a buffer, and those after `last`
// do not access it. So of two buffers whose spans do not overlap, one comes before the other.
struct Span {
  std::size_t first = 0;
  std::size_t last = 0;
};

std::vector<Span> spans_of(const ExecutionPlan& plan, const LaneClocks& clocks, const std::vector<Use>& uses) {
  const std::size_t end = plan.kernels.size();
  std::vector<std::vector<std::size_t>> by_lane(clocks.lanes());
  for (std::size_t k = 0; k < end; ++k) by_lane[clocks.lane(KernelId(k))].push_back(k);
  const auto first_not_ended = [&](KernelId kernel) {
    const auto ended = clocks.ended(kernel);
    std::size_t first = end;
    for (std::size_t lane = 0; lane < ended.size(); ++lane) {
      if (ended[lane] < by_lane[lane].size()) first = std::min(first, by_lane[lane][ended[lane]]);
    }
    return first;
  };
  std::vector<std::size_t> not_ended;
  for (std::size_t k = 0; k < end; ++k) not_ended.push_back(first_not_ended(KernelId(k)));
  std::vector<Span> spans;
  for (const Use& use : uses) {
    Span span{use.from_start || use.kernels.empty() ? 0 : end, use.to_end || use.kernels.empty() ? end : 0};
    for (const KernelId kernel : use.kernels) {
      span.first = std::min(span.first, not_ended[kernel.index()]);
      span.last = std::max(span.last, kernel.index());
    }
    spans.push_back(span);
  }
  return spans;
}

// Finds the spans that overlap another one, without looking at all.
class SpanIndex {
 public:
  explicit SpanIndex(std::size_t positions)
      : size_(std::bit_ceil(positions)), holding_(2 * size_), beginning_(positions) {}

  void add(std::size_t id, const Span& span) {
    beginning_[span.first].push_back(id);
    // The nodes of a binary tree over all positions that together make up the span.
    std::size_t end = span.last + 1 + size_;
    for (std::size_t begin = span.first + size_; begin < end; begin /= 2, end /= 2) {
      if (begin % 2 == 1) holding_[begin++].push_back(id);
      if (end % 2 == 1) holding_[--end].push_back(id);
    }
  }
  template <typename Visit>
  void visit(const Span& span, const Visit& visit) const {
    for (std::size_t node = span.first + size_; node > 0; node /= 2) std::ranges::for_each(holding_[node], visit);
    for (std::size_t at = span.first + 1; at <= span.last; ++at) std::ranges::for_each(beginning_[at], visit);
  }

 private:
  std::size_t size_;
  std::vector<std::vector<std::size_t>> holding_;    // by node: spans that it is a piece of
  std::vector<std::vector<std::size_t>> beginning_;  // by position
};

// Places buffers, one after another, into the smallest gap between those in use at the same time.
class Packing {
 public:
  Packing(const std::vector<Lifetime>& lifetimes, std::vector<Span> spans, std::size_t kernels)
      : lifetimes_(lifetimes), spans_(std::move(spans)), index_(kernels + 1) {}

  std::int64_t put(std::size_t buffer, std::int64_t size) {
    const std::int64_t begin = best_gap(in_use_with(buffer), size);
    index_.add(blocks_.size(), spans_[buffer]);
    blocks_.push_back({buffer, begin, begin + size});
    peak_ = std::max(peak_, begin + size);
    return begin;
  }

  std::int64_t peak() const { return peak_; }

 private:
  std::vector<Block> in_use_with(std::size_t buffer) const {
    std::vector<Block> found;
    index_.visit(spans_[buffer], [&](std::size_t block) {
      if (together(buffer, blocks_[block].buffer)) found.push_back(blocks_[block]);
    });
    std::ranges::sort(found, {}, &Block::begin);
    return found;
  }

  static std::int64_t best_gap(const std::vector<Block>& taken, std::int64_t size) {
    std::int64_t free_from = 0;  // below it no gap is left to look at
    std::int64_t best = -1;
    std::int64_t best_size = std::numeric_limits<std::int64_t>::max();
    for (const Block& block : taken) {
      if (block.end <= free_from) continue;
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
  std::vector<Span> spans_;  // by buffer
  SpanIndex index_;          // of blocks
  std::vector<Block> blocks_;
  std::int64_t peak_ = 0;
};

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
  const LaneClocks clocks(plan);
  const std::vector<Use> uses = uses_of(plan);
  const std::vector<Span> spans = spans_of(plan, clocks, uses);
  // Those that may be in use together are looked at in the order in which they come into use.
  std::ranges::stable_sort(blocks, {}, [&](const Block& block) { return spans[block.buffer].first; });
  const auto place = [](const Block& block) { return std::pair(block.begin, block.buffer); };
  std::optional<std::pair<Block, Block>> fault;  // the lowest
  std::vector<Block> in_use;
  for (const Block& block : blocks) {
    std::erase_if(in_use, [&](const Block& b) { return spans[b.buffer].last < spans[block.buffer].first; });
    for (const Block& other : in_use) {
      const auto [low, high] = place(other) < place(block) ? std::pair(other, block) : std::pair(block, other);
      const Use& one = uses[low.buffer];
      const Use& two = uses[high.buffer];
      if (high.begin >= low.end || comes_before(clocks, one, two) || comes_before(clocks, two, one)) continue;
      if (!fault || std::pair(place(low), place(high)) < std::pair(place(fault->first), place(fault->second))) {
        fault = {low, high};
      }
    }
    in_use.push_back(block);
  }
  if (!fault) return {};
  return fail(message("shares bytes with buffer {}, which may be in use at the same time", fault->first.buffer),
              fmt::format("buffers[{}]", fault->second.buffer));
}

MemoryPlan plan_memory(const ExecutionPlan& plan, std::int64_t element_bytes, std::int64_t alignment) {
  IOS_CHECK(element_bytes > 0 && alignment > 0);
  MemoryPlan result;
  result.offsets.assign(plan.buffers.size(), MemoryPlan::kNone);
  const LaneClocks clocks(plan);
  const std::vector<Lifetime> lives = lifetimes(plan, clocks);
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
  Packing packing(lives, spans_of(plan, clocks, uses_of(plan)), plan.kernels.size());
  for (const auto& [buffer, size] : wanted) result.offsets[buffer] = packing.put(buffer, size);
  result.peak_bytes = packing.peak();
  IOS_CHECK(check_memory(plan, result, element_bytes).has_value());
  return result;
}

}  // namespace iosx
