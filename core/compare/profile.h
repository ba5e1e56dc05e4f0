#pragma once

#include "core/compare/comparison.h"
#include "core/device/device.h"

namespace iosx {

// Takes the traces of all results from profiles (LoadedPlan::profile): timelines with launches and hardware counters,
// where the device has them. Latencies stay as they were measured; what could not be seen is added to the comparison's
// notices, once. `device` is the one that the comparison was made on. Errors: another device, options out of range,
// the device's, a stop; the comparison is then as it was.
Result<void> profile(Comparison& comparison, Device& device, const ProfileOptions& options, const JobContext& job);

}  // namespace iosx
