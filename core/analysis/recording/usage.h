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
// little. A copy from or to the host needs nothing; half of the device is assumed for another copy. None: it is not
// known, because the kernel has no shape or the device no size.
std::vector<std::optional<double>> known_shares(const Recording& recording);
// Returns the shares with one for every kernel. `given` is the share of those that are not known; none: the device
// divided by the kernels that ran at the same time, on average while it ran, so that a kernel that ran alone has all.
std::vector<double> shares_of(const Recording& recording, std::optional<double> given);
// Returns how many kernels have no known share, and which part of the time of all kernels but copies and collectives
// these are.
struct UnknownShares {
  std::size_t kernels = 0;
  double part = 0;
};
UnknownShares unknown_shares(const Recording& recording);

// Work without collectives, in µs.
struct DeviceNeed {
  double work = 0;    // of all kernels
  double needed = 0;  // the same if they filled the device: Σ share · duration
  // Returns what streams can win at most of running one kernel after another, as a fraction of the work: the part of
  // the device that the kernels leave idle. It needs no dependencies, and no schedule can win more in this model. 0
  // without work.
  double streams_at_most() const { return work > 0 ? 1 - needed / work : 0; }
};
// `given` is as that of shares_of(), but without it kernels of unknown share count as the whole device.
DeviceNeed need_of(const Recording& recording, std::optional<double> given);

}  // namespace iosx
