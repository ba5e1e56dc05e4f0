#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <shared_mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/devices/simulated/description.h"
#include "core/devices/simulated/implicit_gemm.h"
#include "core/devices/simulated/loads.h"
#include "core/model/plan/execution_plan.h"

namespace iosx::simulated {

// Holds everything of a plan's kernel that its loads depend on: they are worked out from this alone, and remembered for
// exactly this. A merged convolution's names are left out.
struct KernelForm {
  struct Read {
    Shape shape;  // of the channels that are read
    bool slice = false;
    bool columns = false;   // of a slice: along another axis than the first, so that one sample's is not dense either
    bool constant = false;  // one for the whole batch
    friend bool operator==(const Read&, const Read&) = default;
  };
  Attributes attributes;
  std::int64_t batch = 1;
  Shape output;
  std::vector<Read> reads;
  friend bool operator==(const KernelForm&, const KernelForm&) = default;
};

// Hashes what tells most forms apart, the same on every computer; equality tells all.
std::uint64_t hash_of(const KernelForm& form) noexcept;

// Answers which kernels the described library runs for one kernel of a plan, in order; none where the result is only
// another view of the input. With a draw, each is off as the model may be (residuals.h). It remembers what it worked
// out. Several threads may use it at once.
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
  std::shared_mutex mutex_;  // of known_; what is in it stays as it is
  std::unordered_map<KernelForm, std::vector<KernelLoad>, Hash> known_;
};

// Calls `sink` with every way that the library has for a convolution.
void convolution_ways(const DeviceDescription& device, const ConvProblem& problem, const WaySink& sink);

// Keeps the fastest of the ways that it is called with; of equals the first.
class Fastest {
 public:
  explicit Fastest(const Machine& machine) : machine_(machine) {}  // must outlive this

  void operator()(std::span<const KernelLoad> way);
  // Returns the kernels; there must have been a way.
  std::vector<KernelLoad> kernels() &&;

 private:
  const Machine& machine_;
  double least_us_ = std::numeric_limits<double>::infinity();
  std::vector<KernelLoad> kernels_;
};

}  // namespace iosx::simulated
