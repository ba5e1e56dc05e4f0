#include "gpu/profile/occupancy.h"

#include <gtest/gtest.h>

namespace iosx::gpu {
namespace {

Properties hopper() {
  Properties gpu;
  gpu.warps_per_sm = 64;
  gpu.blocks_per_sm = 32;
  gpu.registers_per_sm = 65536;
  gpu.shared_bytes_per_sm = 233472;
  gpu.reserved_shared_bytes = 1024;
  return gpu;
}

LaunchRecord launch(int threads, int registers, std::int64_t shared_bytes) {
  LaunchRecord launch;
  launch.block = {threads, 1, 1};
  launch.registers = registers;
  launch.shared_bytes = shared_bytes;
  return launch;
}

// Expected by NVIDIA's occupancy calculator for compute capability 9.0.
TEST(Occupancy, IsLimitedByWhateverIsShort) {
  const Properties gpu = hopper();
  EXPECT_DOUBLE_EQ(occupancy(launch(256, 32, 0), gpu), 1);
  EXPECT_DOUBLE_EQ(occupancy(launch(32, 32, 0), gpu), 0.5) << "32 blocks at most";
  EXPECT_DOUBLE_EQ(occupancy(launch(256, 64, 0), gpu), 0.5) << "registers";
  EXPECT_DOUBLE_EQ(occupancy(launch(256, 255, 0), gpu), 0.125);
  EXPECT_DOUBLE_EQ(occupancy(launch(128, 168, 0), gpu), 0.1875) << "a scheduler's share holds 3 warps";
  EXPECT_DOUBLE_EQ(occupancy(launch(384, 168, 229376), gpu), 0.1875) << "one block's shared memory";
  EXPECT_DOUBLE_EQ(occupancy(launch(128, 32, 49152), gpu), 0.25) << "four blocks' shared memory";
  EXPECT_DOUBLE_EQ(occupancy(launch(1024, 65, 0), gpu), 0) << "cannot be launched";
}

TEST(Occupancy, IsUnknownWithoutLimits) {
  EXPECT_EQ(occupancy(launch(256, 32, 0), Properties{}), 0);
  EXPECT_EQ(occupancy(LaunchRecord{}, hopper()), 0);
}

}  // namespace
}  // namespace iosx::gpu
