#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <cstring>

#include "gpu/runtime/cuda_check.h"
#include "gpu/runtime/driver_version.h"
#include "gpu/runtime/errors.h"
#include "gpu/runtime/probe.h"

namespace iosx::gpu {
namespace {

// Returns the id as nvidia-smi writes it.
std::string uuid_text(const cudaUUID_t& uuid) {
  std::array<unsigned char, sizeof(uuid.bytes)> bytes{};
  std::memcpy(bytes.data(), uuid.bytes, bytes.size());
  std::string text = "GPU";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", bytes[i]);
  }
  return text;
}

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

std::string why_not_loadable(const char* library) {
  void* const handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (handle != nullptr) {
    dlclose(handle);
    return "";
  }
  const char* const words = dlerror();
  return words == nullptr ? fmt::format("{} cannot be loaded", library) : words;
}

DeviceFacts read_device(int device) {
  DeviceFacts facts;
  try {
    facts.properties = read_properties(device);
    facts.prohibited = attribute(cudaDevAttrComputeMode, device) == cudaComputeModeProhibited;
  } catch (const std::runtime_error& error) {
    facts.error = error.what();
  }
  return facts;
}

}  // namespace

Properties read_properties(int device) {
  cudaDeviceProp from{};
  check(cudaGetDeviceProperties(&from, device), "cudaGetDeviceProperties");
  int driver_cuda = 0;
  int runtime_cuda = 0;
  check(cudaDriverGetVersion(&driver_cuda), "cudaDriverGetVersion");
  check(cudaRuntimeGetVersion(&runtime_cuda), "cudaRuntimeGetVersion");
  Properties properties;
  properties.name = from.name;
  properties.uuid = uuid_text(from.uuid);
  properties.multiprocessors = from.multiProcessorCount;
  properties.compute_capability = from.major * 10 + from.minor;
  properties.memory_bytes = static_cast<std::int64_t>(from.totalGlobalMem);
  properties.l2_bytes = from.l2CacheSize;
  properties.warps_per_sm = from.maxThreadsPerMultiProcessor / from.warpSize;
  properties.blocks_per_sm = from.maxBlocksPerMultiProcessor;
  properties.registers_per_sm = from.regsPerMultiprocessor;
  properties.shared_bytes_per_sm = static_cast<std::int64_t>(from.sharedMemPerMultiprocessor);
  properties.reserved_shared_bytes = static_cast<std::int64_t>(from.reservedSharedMemPerBlock);
  properties.max_clock_mhz = attribute(cudaDevAttrClockRate, device) / 1000.0;
  properties.driver = driver_version();
  if (properties.driver.empty()) properties.driver = "for CUDA " + cuda_version(driver_cuda);
  properties.cuda = cuda_version(runtime_cuda);
  return properties;
}

SystemFacts probe_system() {
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", /*overwrite=*/0);
  SystemFacts facts;
  facts.driver_library_error = why_not_loadable("libcuda.so.1");
  facts.driver = driver_version();
  facts.hidden = std::getenv("CUDA_VISIBLE_DEVICES") != nullptr;
  cudaRuntimeGetVersion(&facts.runtime_cuda);
  if (!facts.driver_library_error.empty()) return facts;
  if (cudaDriverGetVersion(&facts.driver_cuda) != cudaSuccess) facts.driver_cuda = 0;
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  cudaGetLastError();
  facts.error = status;
  facts.error_text = describe(status);
  for (int i = 0; status == cudaSuccess && i < count; ++i) facts.devices.push_back(read_device(i));
  return facts;
}

}  // namespace iosx::gpu
