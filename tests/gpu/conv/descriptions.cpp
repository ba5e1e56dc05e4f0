#include "tests/gpu/conv/descriptions.h"

#include <nlohmann/json.hpp>

namespace iosx::gpu::test {
namespace {

struct Chip {
  std::string name;
  int generation = 0;  // compute capability × 100
  int multiprocessors = 0;
  long long memory_bytes = 0;
  int clock_khz = 0;
  int memory_clock_khz = 0;
  int l2_bytes = 0;
  int block_shared_bytes = 0;
  int threads = 2048;  // of a multiprocessor
  int blocks = 32;
};

std::string description(const Chip& chip) {
  return nlohmann::json{{"deviceName", chip.name},
                        {"deviceVer", chip.generation},
                        {"driverVer", 13000},
                        {"cudaDeviceId", 0},
                        {"pciDeviceId", 0},
                        {"isTccDriver", 0},
                        {"supportCoopLaunch", 1},
                        {"multiProcessorCount", chip.multiprocessors},
                        {"totalGlobalMem", chip.memory_bytes},
                        {"smClockRateKHz", chip.clock_khz},
                        {"memClockRateKHz", chip.memory_clock_khz},
                        {"l2CacheSize", chip.l2_bytes},
                        {"warpSize", 32},
                        {"regsPerBlock", 65536},
                        {"maxRegistersPerSM", 65536},
                        {"maxSharedMemoryPerBlock", 49152},
                        {"maxSharedMemoryPerBlockOptin", chip.block_shared_bytes},
                        {"reservedSharedMemoryPerBlock", chip.generation >= 800 ? 1024 : 0},
                        {"maxCtasPerSM", chip.blocks},
                        {"maxThreadsPerSM", chip.threads},
                        {"maxThreadsPerBlock", 1024},
                        {"maxBlockSize", {1024, 1024, 64}},
                        {"maxGridSize", {2147483647, 65535, 65535}}}
      .dump();
}

}  // namespace

std::string h200() {
  return description({"NVIDIA H200", 900, 132, 141LL << 30, 1980000, 3201000, 60 << 20, 227 << 10});
}

std::string a100() {
  return description({"NVIDIA A100-SXM4-80GB", 800, 108, 80LL << 30, 1410000, 1593000, 40 << 20, 163 << 10});
}

std::string t4() {
  return description({"Tesla T4", 750, 40, 15LL << 30, 1590000, 5001000, 4 << 20, 64 << 10, 1024, 16});
}

}  // namespace iosx::gpu::test
