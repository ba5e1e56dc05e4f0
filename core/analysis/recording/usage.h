#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/model/recording/recording.h"

namespace iosx {

enum class IdleReason : std::uint8_t { kLaunchedLate, kHostWait, kLatency, kQueued, kUnknown };
inline constexpr std::size_t kIdleReasons = static_cast<std::size_t>(IdleReason::kUnknown) + 1;

// A time in which no kernel ran, for one reason, in µs of the recording's clock. A gap may have two of them.
struct IdlePart {
  double begin = 0;
  double end = 0;
  IdleReason reason = IdleReason::kUnknown;
  friend bool operator==(const IdlePart&, const IdlePart&) = default;
};
// Returns all of them by their begin.
std::vector<IdlePart> idle_parts(const Recording& recording);

// Why a device was idle, in µs together.
struct IdleTime {
  double launched_late = 0;  // the host had not launched the next kernel
  double host_wait = 0;      // the same, because the host had waited for the device
  double latency = 0;        // from the end of the launch to the kernel's begin
  double queued = 0;         // the kernel was launched before the device became idle
  double unknown = 0;        // the recording does not say when the kernel was launched
  double total() const { return launched_late + host_wait + latency + queued + unknown; }
  double of(IdleReason reason) const;
};

// How a recording used its device. Times are in µs.
struct DeviceUsage {
  double span = 0;  // from the first begin to the last end
  double busy = 0;  // while at least one kernel ran
  double work = 0;  // of all kernels together
  IdleTime idle = {};
  std::vector<double> in_flight = {};  // [n]: how long n kernels ran at once; they add up to the span
  double utilization = 0;              // mean share of the multiprocessors in use over the span, 0 to 1
  double idle_share() const { return span > 0 ? 1 - busy / span : 0; }
};
DeviceUsage usage_of(const Recording& recording, const std::vector<double>& shares);

// Returns the share of the device that each kernel needs to run as fast as it did, 0 to 1: of kernels that compute, one
// block fills a multiprocessor; of others, which wait for memory, 16 warps do. Both say too much rather than too
// little. A copy from or to the host needs nothing, another copy half. `given` is the share of kernels without a shape;
// none: the whole device.
std::vector<double> shares_of(const Recording& recording, std::optional<double> given);
// Returns how many kernels have no known share: without a shape, or on a device of unknown size.
std::size_t without_share(const Recording& recording);

// Returns what streams can win at most, as a fraction of the work without collectives: the part of the device that
// these kernels leave idle while they run. It needs no dependencies, and no schedule can win more in this model. 0
// without work.
double streams_at_most(const Recording& recording, const std::vector<double>& shares);

}  // namespace iosx
