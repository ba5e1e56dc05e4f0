#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <shared_mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/devices/simulated/description.h"
#include "core/devices/simulated/loads.h"
#include "core/model/plan/execution_plan.h"

namespace iosx::simulated {

// All facts about a plan's kernel that determine its loads; the key of remembered loads. It leaves out the names of a
// merged convolution.
struct KernelForm {
  struct Read {
    Shape shape;  // of the channels read
    bool slice = false;
    bool columns = false;   // the slice runs along another axis than the first, so one sample is not dense either
    bool constant = false;  // one for all samples
    friend bool operator==(const Read&, const Read&) = default;
  };
  Attributes attributes;
  std::int64_t batch = 1;
  Shape output;
  std::vector<Read> reads;
  bool writes_slice = false;  // of a larger buffer
  bool cold = false;          // its weights come from memory
  friend bool operator==(const KernelForm&, const KernelForm&) = default;
};

// Hashes the fields that distinguish most forms, equally on every computer; equality compares all.
std::uint64_t hash_of(const KernelForm& form) noexcept;

// Returns the kernels that the library runs for one kernel of a plan, in order; none where the result is a view of
// the input. With a draw, each has an error factor. It remembers results. Several threads may use it
// at once.
class KernelModel {
 public:
  explicit KernelModel(const DeviceDescription& device, std::optional<std::uint64_t> draw = {})  // must outlive this
      : device_(device), draw_(draw) {}

  const std::vector<KernelLoad>& loads(const ExecutionPlan& plan, const Kernel& kernel);

 private:
  struct Hash {
    std::size_t operator()(const KernelForm& form) const noexcept { return hash_of(form); }
  };
  std::vector<KernelLoad> expanded(const KernelForm& form) const;
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

// The error of the kernel model. A redrawn simulated device multiplies every kernel's time by a factor of this spread,
// which shows which of its answers depend on the model's errors.

// Kinds of kernels with separate measurements: convolutions, matrix products, streams (elementwise, pools, copies)
// and reductions of rows.
enum class ResidualKind { kConvolution, kMatrix, kStream, kRows };
ResidualKind residual_kind(const Attributes& attributes);

// Returns the standard deviation of ln(measured / simulated) for a kernel of that kind and duration. It comes from the
// operators that iosx validate reads, in float32 where available, as 1.25 times the mean absolute error (a normal
// distribution). Kernels shorter than all measured ones get the value of the shortest.
double residual_spread(ResidualKind kind, double microseconds);

// Returns the kernel's factor in that draw: exp(spread · z) with normal z. Operator, sizes and draw alone determine
// it, not what is fused into the kernel, so the same operator has the same factor everywhere; different ones are
// independent. It leaves out the contention model's own error, whose size nothing measured tells.
double residual_factor(const KernelForm& form, double microseconds, std::uint64_t draw);

}  // namespace iosx::simulated
