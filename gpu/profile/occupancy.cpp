#include "gpu/profile/occupancy.h"

#include <algorithm>
#include <cstdint>

namespace iosx::gpu {
namespace {

constexpr std::int64_t kWarp = 32;           // threads
constexpr std::int64_t kRegisterUnit = 256;  // a warp's registers
constexpr std::int64_t kSharedUnit = 128;    // bytes
constexpr std::int64_t kWarpSchedulers = 4;  // of a multiprocessor, which share its registers out evenly

std::int64_t rounded_up(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

double occupancy(const LaunchRecord& launch, const Properties& gpu) {
  const std::int64_t threads = std::int64_t{launch.block[0]} * launch.block[1] * launch.block[2];
  if (gpu.warps_per_sm <= 0 || threads <= 0) return 0;
  const std::int64_t warps = rounded_up(threads, kWarp) / kWarp;
  std::int64_t blocks = gpu.warps_per_sm / warps;
  if (gpu.blocks_per_sm > 0) blocks = std::min<std::int64_t>(blocks, gpu.blocks_per_sm);
  if (launch.registers > 0 && gpu.registers_per_sm > 0) {
    const std::int64_t of_warp = rounded_up(launch.registers * kWarp, kRegisterUnit);
    const std::int64_t possible = gpu.registers_per_sm / kWarpSchedulers / of_warp * kWarpSchedulers;
    blocks = std::min(blocks, possible / warps);
  }
  const std::int64_t shared = rounded_up(launch.shared_bytes + gpu.reserved_shared_bytes, kSharedUnit);
  if (shared > 0 && gpu.shared_bytes_per_sm > 0) blocks = std::min(blocks, gpu.shared_bytes_per_sm / shared);
  return static_cast<double>(blocks * warps) / gpu.warps_per_sm;
}

}  // namespace iosx::gpu
