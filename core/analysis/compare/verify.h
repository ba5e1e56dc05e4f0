#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/devices/device.h"

namespace iosx {

// The distance of one output from the reference's. With a and b the elements at the same place, d = |a − b|,
// and the magnitude M = max |b| over the output:
//   max_abs = max d
//   max_rel = max d / max(|b|, M / 100): so small a value counts as M / 100, because it is a sum of larger ones that
//             cancel, and rounding of those is all that is left of it
// Infinities and NaN have to be at the same places in both; there d = 0. The output passes if they are and max_abs <=
// tolerance · M.
struct OutputDifference {
  std::string name = {};
  std::vector<std::int64_t> dims = {};
  double max_abs = 0;
  double max_rel = 0;
  double magnitude = 0;
  std::size_t worst = 0;  // row-major index of the first element with max_abs, or of the first where `finite` fails
  float value = 0;        // there
  float reference = 0;    // there
  bool finite = true;     // false: one is infinite or not a number, and the other not the same; not in the maxima
  bool passed = false;

  // Returns max_abs relative to the magnitude, the value that the tolerance bounds. Infinite if not
  // finite, or if only the reference is all 0.
  double scaled() const;
  friend bool operator==(const OutputDifference&, const OutputDifference&) = default;
};

struct Verification {
  std::string reference;  // the compared run: "sequential on CPU"
  double tolerance = 0;   // relative to an output's magnitude
  std::vector<OutputDifference> outputs = {};
  bool passed() const;
  // Returns the output with the largest scaled().
  const OutputDifference& worst() const;
  friend bool operator==(const Verification&, const Verification&) = default;
};

// Returns 1e-4 for "f32", 1e-2 for "f16" and "tf32", 5e-2 for "bf16": possible differences of sums of thousands of
// products in another order.
double tolerance_of(std::string_view precision);

// Returns an error, with a remedy, for a device that only simulates.
Result<void> check_computes(const DeviceInfo& device);

// Compares outputs in the same order, with one name each. A different count or shape is an error: a bug of a device.
Result<std::vector<OutputDifference>> differences(std::span<const std::string> names, std::span<const Tensor> outputs,
                                                  std::span<const Tensor> reference, double tolerance);

// Compares outputs of a graph's schedules with those of the sequential one for the same inputs. The
// sequential one runs once, on the first request. The graph and the devices must outlive it.
class Verifier {
 public:
  // The reference runs on the device itself, or on another one if given; the coarser of two precisions sets the
  // tolerance. Without inputs they are made up (synthetic_inputs()).
  Verifier(const Graph& graph, Device& device, std::int64_t batch, std::vector<Tensor> inputs = {},
           Device* reference_device = nullptr);

  // Makes one run. The plan is one of the graph, loaded on the device. Errors: a device's, a device that does not
  // compute, a stop.
  Result<Verification> verify(LoadedPlan& plan, const JobContext& job);

 private:
  Result<std::vector<Tensor>> outputs(LoadedPlan& plan, const JobContext& job) const;
  Result<void> run_reference(const JobContext& job);

  const Graph& graph_;
  Device& device_;
  Device& reference_device_;
  std::int64_t batch_;
  std::vector<Tensor> inputs_;
  std::optional<std::vector<Tensor>> reference_;  // after its run
};

}  // namespace iosx
