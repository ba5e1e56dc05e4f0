#include "core/model/plan/needs.h"

#include <algorithm>

namespace iosx {
namespace {

// Holds who touched the channels of one buffer, as far as anybody still has to come after it.
class Touched {
 public:
  void read(const TensorView& view, KernelId by, std::vector<KernelId>& needs) {
    for (const Access& other : accesses_) {
      if (other.write && overlap(other.view, view)) needs.push_back(other.kernel);
    }
    fresh_.push_back({view, by, false});
  }

  void write(const TensorView& view, KernelId by, std::vector<KernelId>& needs) {
    for (const Access& other : accesses_) {
      if (overlap(other.view, view)) needs.push_back(other.kernel);
    }
    fresh_.push_back({view, by, true});
  }

  // Ends a kernel: what it wrote stands for whatever was done to the same channels before.
  void end_kernel() {
    for (const Access& written : fresh_) {
      if (!written.write) continue;
      std::erase_if(accesses_, [&](const Access& other) {
        return written.view.begin <= other.view.begin && other.view.end <= written.view.end;
      });
    }
    accesses_.insert(accesses_.end(), fresh_.begin(), fresh_.end());
    fresh_.clear();
  }

 private:
  struct Access {
    TensorView view;
    KernelId kernel;
    bool write = false;
  };
  static bool overlap(const TensorView& a, const TensorView& b) { return a.begin < b.end && b.begin < a.end; }

  std::vector<Access> accesses_;
  std::vector<Access> fresh_;  // of the kernel that is looked at
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
    for (const TensorView& read : kernel.reads) buffers[read.buffer.index()].end_kernel();
    buffers[kernel.writes.buffer.index()].end_kernel();
    std::ranges::sort(needs);
    needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
  }
  return result;
}

}  // namespace iosx
