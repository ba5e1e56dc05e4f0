#include "core/model/plan/needs.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

namespace iosx {
namespace {

// The accesses to one buffer's channels that later ones may depend on: runs of channels without overlaps, each with its
// last writer and the readers since. So the cost of a query is the size of its result, however many kernels read the
// same tensor.
class Touched {
 public:
  void read(const TensorView& view, KernelId by, std::vector<KernelId>& needs) {
    for_each_run(view, [&](Run& run) {
      if (run.writer) needs.push_back(*run.writer);
      run.readers.push_back(by);
    });
  }

  // A write replaces all earlier accesses to the same channels.
  void write(const TensorView& view, KernelId by, std::vector<KernelId>& needs) {
    for_each_run(view, [&](Run& run) {
      if (run.writer) needs.push_back(*run.writer);
      std::ranges::copy_if(run.readers, std::back_inserter(needs), [by](KernelId reader) { return reader != by; });
      run.writer = by;
      run.readers.clear();
    });
  }

 private:
  struct Run {
    std::int64_t end = 0;
    std::optional<KernelId> writer = {};
    std::vector<KernelId> readers = {};
  };

  // Cuts a run in two where the channel lies inside of one.
  void cut(std::int64_t channel) {
    const auto after = runs_.upper_bound(channel);
    if (after == runs_.begin()) return;
    const auto run = std::prev(after);
    if (run->first == channel || run->second.end <= channel) return;
    runs_.emplace(channel, run->second);
    run->second.end = channel;
  }

  // Visits the runs of these channels, with one for each part without accesses yet.
  template <typename Visit>
  void for_each_run(const TensorView& view, const Visit& visit) {
    cut(view.begin);
    cut(view.end);
    std::int64_t next = view.begin;
    for (auto run = runs_.lower_bound(view.begin); next < view.end; ++run) {
      if (run == runs_.end() || run->first > next) {
        const std::int64_t end = run == runs_.end() ? view.end : std::min(run->first, view.end);
        run = runs_.emplace_hint(run, next, Run{end});
      }
      visit(run->second);
      next = run->second.end;
    }
  }

  std::map<std::int64_t, Run> runs_;  // by first channel
};

}  // namespace

std::vector<std::vector<KernelId>> needs_of(const ExecutionPlan& plan) {
  std::vector<Touched> buffers(plan.buffers.size());
  std::vector<std::vector<KernelId>> result(plan.kernels.size());
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    const Kernel& kernel = plan.kernels[k];
    std::vector<KernelId>& needs = result[k];
    for (const TensorView& read : kernel.reads) buffers[read.buffer.index()].read(read, KernelId(k), needs);
    buffers[kernel.writes.buffer.index()].write(kernel.writes, KernelId(k), needs);
    std::ranges::sort(needs);
    needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
  }
  return result;
}

}  // namespace iosx
