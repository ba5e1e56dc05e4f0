#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <shared_mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/devices/simulated/description.h"
#include "core/devices/simulated/kernel_form.h"
#include "core/devices/simulated/loads.h"
#include "core/model/plan/execution_plan.h"

namespace iosx::simulated {

// Returns the kernels that the library runs for one kernel of a plan, in order; none where the result is a view of
// the input. With a draw, each has an error factor. It remembers results. Several threads may use it at once.
class KernelModel {
 public:
  explicit KernelModel(const DeviceDescription& device, std::optional<std::uint64_t> draw = {})  // must outlive this
      : device_(device), draw_(draw) {}

  const std::vector<KernelLoad>& loads(const ExecutionPlan& plan, const Kernel& kernel);

 private:
  struct Hash {
    std::size_t operator()(const KernelForm& form) const noexcept { return hash_of(form); }
  };
  std::vector<KernelLoad> made(const KernelForm& form) const;

  const DeviceDescription& device_;
  std::optional<std::uint64_t> draw_;
  std::shared_mutex mutex_;  // of known_; its values never change
  std::unordered_map<KernelForm, std::vector<KernelLoad>, Hash> known_;
};

// Calls `sink` with each of the library's ways to compute a convolution.
void convolution_ways(const DeviceDescription& device, const ConvProblem& problem, const WaySink& sink);

// Keeps the fastest way; the first one on a tie.
class Fastest {
 public:
  explicit Fastest(const Machine& machine) : machine_(machine) {}  // must outlive this

  void operator()(std::span<const KernelLoad> way);
  // Returns the kernels; needs at least one way.
  std::vector<KernelLoad> kernels() &&;

 private:
  const Machine& machine_;
  double least_us_ = std::numeric_limits<double>::infinity();
  std::vector<KernelLoad> kernels_;
};

}  // namespace iosx::simulated
