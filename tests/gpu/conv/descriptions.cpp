#include "tests/gpu/conv/descriptions.h"

#include <nlohmann/json.hpp>

namespace iosx::gpu::test {

std::string description(const Chip& chip) {
  return nlohmann::json{{"deviceName", chip.name},
                        {"deviceVer", chip.capability * 10},
                        {"driverVer", 13000},
                        {"cudaDeviceId", 0},
                        {"pciDeviceId", 0},
                        {"isTccDriver", 0},
                        {"supportCoopLaunch", 1},
                        {"multiProcessorCount", chip.multiprocessors},
                        {"totalGlobalMem", chip.memory},
                        {"smClockRateKHz", chip.clock},
                        {"memClockRateKHz", chip.memory_clock},
                        {"l2CacheSize", chip.l2},
                        {"warpSize", 32},
                        {"regsPerBlock", Chip::kRegisters},
                        {"maxRegistersPerSM", Chip::kRegisters},
                        {"maxSharedMemoryPerBlock", Chip::kUsualShared},
                        {"maxSharedMemoryPerBlockOptin", chip.block_shared},
                        {"reservedSharedMemoryPerBlock", chip.reserved_shared()},
                        {"maxCtasPerSM", chip.blocks},
                        {"maxThreadsPerSM", chip.threads},
                        {"maxThreadsPerBlock", 1024},
                        {"maxBlockSize", {1024, 1024, 64}},
                        {"maxGridSize", {2147483647, 65535, 65535}}}
      .dump();
}

}  // namespace iosx::gpu::test
