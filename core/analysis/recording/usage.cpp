#include "core/analysis/recording/usage.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace iosx {
namespace {

constexpr double kLeastShare = 0.01;
constexpr double kShareOfCopy = 0.5;
constexpr double kWarpsThatFill = 16;  // a multiprocessor, of kernels that wait for memory
constexpr double kThreadsOfAWarp = 32;
constexpr double kAtOnce = 1;              // µs: the host goes on this soon behind a wait
constexpr std::size_t kMostInFlight = 64;  // more count as this many

bool computes(KernelKind kind) {
  return kind == KernelKind::kGemm || kind == KernelKind::kConvolution || kind == KernelKind::kAttention ||
         kind == KernelKind::kCollective || kind == KernelKind::kOther;
}

const RecordedDevice* device_of(const Recording& recording, const RecordedKernel& kernel) {
  const std::int64_t id = recording.lanes[kernel.lane].device;
  const auto found = std::ranges::find(recording.devices, id, &RecordedDevice::id);
  return found == recording.devices.end() ? nullptr : &*found;
}

bool is_copy(const RecordedKernel& kernel) {
  return kernel.kind == KernelKind::kCopy || kernel.kind == KernelKind::kHostCopy;
}

std::optional<double> share_of(const Recording& recording, const RecordedKernel& kernel) {
  if (kernel.kind == KernelKind::kHostCopy) return 0;
  if (kernel.kind == KernelKind::kCopy) return kShareOfCopy;
  const RecordedDevice* const device = device_of(recording, kernel);
  if (device == nullptr || !device->multiprocessors || !kernel.has_shape()) return std::nullopt;
  double blocks = 1;
  for (const std::uint32_t axis : kernel.grid) blocks *= std::max<double>(axis, 1);
  double threads = 1;
  for (const std::uint16_t axis : kernel.block) threads *= std::max<double>(axis, 1);
  const double warps = std::ceil(threads / kThreadsOfAWarp);
  const double full = computes(kernel.kind) ? blocks : blocks * warps / std::min<double>(kWarpsThatFill, device->warps);
  return std::clamp(full / *device->multiprocessors, kLeastShare, 1.0);
}

// Adds how many kernels ran at once, and how much of the device they used.
void add_in_flight(const Recording& recording, const std::vector<double>& shares, DeviceUsage& usage) {
  std::vector<std::tuple<double, int, double>> changes;
  for (std::size_t i = 0; i < recording.kernels.size(); ++i) {
    if (recording.kernels[i].duration() <= 0) continue;  // it would end before it begins
    changes.emplace_back(recording.kernels[i].begin, 1, shares[i]);
    changes.emplace_back(recording.kernels[i].end, -1, -shares[i]);
  }
  std::ranges::sort(changes);
  std::size_t running = 0;
  double share = 0;
  double used = 0;
  double at = recording.kernels.front().begin;
  for (const auto& [time, change, part] : changes) {
    const std::size_t count = std::min(running, kMostInFlight);
    if (usage.in_flight.size() <= count) usage.in_flight.resize(count + 1, 0);
    usage.in_flight[count] += time - at;
    used += (time - at) * std::clamp(share, 0.0, 1.0);
    at = time;
    running = change > 0 ? running + 1 : running - 1;
    share = running == 0 ? 0 : share + part;
  }
  usage.utilization = usage.span > 0 ? used / usage.span : 0;
}

// Returns the mean of 1 / (kernels that ran at the same time) while each kernel ran, without copies.
std::vector<double> seen_shares(const Recording& recording) {
  std::vector<std::pair<double, int>> changes;
  for (const RecordedKernel& kernel : recording.kernels) {
    if (kernel.duration() <= 0 || is_copy(kernel)) continue;
    changes.emplace_back(kernel.begin, 1);
    changes.emplace_back(kernel.end, -1);
  }
  std::ranges::sort(changes);
  std::vector<double> times;     // of the changes, ascending
  std::vector<double> received;  // [i]: until times[i], of the device, by a kernel that ran all the time
  double part = 0;
  int running = 0;
  for (const auto& [time, change] : changes) {
    if (running > 0) part += (time - times.back()) / running;
    times.push_back(time);
    received.push_back(part);
    running += change;
  }
  const auto until = [&](double time) {
    const auto at = std::ranges::lower_bound(times, time);
    return at == times.end() ? part : received[static_cast<std::size_t>(at - times.begin())];
  };
  std::vector<double> shares;
  shares.reserve(recording.kernels.size());
  for (const RecordedKernel& kernel : recording.kernels) {
    const bool counts = kernel.duration() > 0 && !is_copy(kernel);
    const double share = counts ? (until(kernel.end) - until(kernel.begin)) / kernel.duration() : 1;
    shares.push_back(std::clamp(share, kLeastShare, 1.0));
  }
  return shares;
}

}  // namespace

std::vector<std::optional<double>> known_shares(const Recording& recording) {
  std::vector<std::optional<double>> shares;
  shares.reserve(recording.kernels.size());
  for (const RecordedKernel& kernel : recording.kernels) shares.push_back(share_of(recording, kernel));
  return shares;
}

std::vector<double> shares_of(const Recording& recording, std::optional<double> given) {
  const std::vector<std::optional<double>> known = known_shares(recording);
  std::vector<double> shares;
  shares.reserve(known.size());
  for (const auto& share : known) shares.push_back(share.value_or(given.value_or(1)));
  if (given) return shares;
  const std::vector<double> seen = seen_shares(recording);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (!known[i]) shares[i] = seen[i];
  }
  return shares;
}

UnknownShares unknown_shares(const Recording& recording) {
  UnknownShares unknown;
  double all = 0;
  double time = 0;
  const auto known = known_shares(recording);
  for (std::size_t i = 0; i < known.size(); ++i) {
    const RecordedKernel& kernel = recording.kernels[i];
    unknown.kernels += known[i] ? 0 : 1;
    if (is_copy(kernel) || kernel.kind == KernelKind::kCollective) continue;
    all += kernel.duration();
    time += known[i] ? 0 : kernel.duration();
  }
  unknown.part = all > 0 ? time / all : unknown.kernels > 0 ? 1 : 0;
  return unknown;
}

double IdleTime::of(IdleReason reason) const {
  switch (reason) {
    case IdleReason::kLaunchedLate: return launched_late;
    case IdleReason::kHostWait: return host_wait;
    case IdleReason::kLatency: return latency;
    case IdleReason::kQueued: return queued;
    case IdleReason::kUnknown: return unknown;
  }
  return 0;
}

std::vector<IdlePart> idle_parts(const Recording& recording) {
  std::vector<IdlePart> parts;
  if (recording.kernels.empty()) return parts;
  std::vector<double> waits;
  for (const HostWait& wait : recording.host_waits) waits.push_back(wait.end);
  std::ranges::sort(waits);
  double stop = recording.kernels.front().begin;  // the end of all kernels so far
  for (const RecordedKernel& kernel : recording.kernels) {
    if (kernel.begin > stop && kernel.launch == kNoIndex) {
      parts.push_back({stop, kernel.begin, IdleReason::kUnknown});
    } else if (kernel.begin > stop) {
      const HostLaunch& launch = recording.launches[kernel.launch];
      const double launched = std::clamp(launch.end, stop, kernel.begin);
      const auto after = std::ranges::upper_bound(waits, launch.begin);
      const bool waited = after != waits.begin() && *std::prev(after) >= stop - kAtOnce;
      const bool late = launched > stop;
      if (late) parts.push_back({stop, launched, waited ? IdleReason::kHostWait : IdleReason::kLaunchedLate});
      if (launched < kernel.begin)
        parts.push_back({launched, kernel.begin, late ? IdleReason::kLatency : IdleReason::kQueued});
    }
    stop = std::max(stop, kernel.end);
  }
  return parts;
}

DeviceUsage usage_of(const Recording& recording, const std::vector<double>& shares) {
  DeviceUsage usage;
  if (recording.kernels.empty()) return usage;
  for (const IdlePart& part : idle_parts(recording)) {
    IdleTime& idle = usage.idle;
    double& time = part.reason == IdleReason::kLaunchedLate ? idle.launched_late
                   : part.reason == IdleReason::kHostWait   ? idle.host_wait
                   : part.reason == IdleReason::kLatency    ? idle.latency
                   : part.reason == IdleReason::kQueued     ? idle.queued
                                                            : idle.unknown;
    time += part.end - part.begin;
  }
  const double first = recording.kernels.front().begin;
  double stop = first;  // the end of all kernels so far
  for (const RecordedKernel& kernel : recording.kernels) {
    usage.busy += std::max(0.0, kernel.end - std::max(kernel.begin, stop));
    usage.work += kernel.duration();
    stop = std::max(stop, kernel.end);
  }
  usage.span = stop - first;
  add_in_flight(recording, shares, usage);
  return usage;
}

DeviceNeed need_of(const Recording& recording, std::optional<double> given) {
  DeviceNeed need;
  const auto known = known_shares(recording);
  for (std::size_t i = 0; i < known.size(); ++i) {
    const RecordedKernel& kernel = recording.kernels[i];
    if (kernel.kind == KernelKind::kCollective) continue;
    need.work += kernel.duration();
    need.needed += known[i].value_or(given.value_or(1)) * kernel.duration();
  }
  return need;
}

}  // namespace iosx
