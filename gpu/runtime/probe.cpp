#include "gpu/runtime/probe.h"

#include <dlfcn.h>
#include <driver_types.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>

#include "gpu/runtime/cuda_check.h"
#include "gpu/runtime/errors.h"

namespace iosx::gpu {
namespace {

constexpr Sentence kInstall{"install NVIDIA driver 580 or newer"};

// Returns the remedy for an error of counting the devices.
Message count_remedy(const SystemFacts& facts) {
  switch (facts.error) {
    case cudaErrorNoDevice:
      if (facts.hidden) return message("CUDA_VISIBLE_DEVICES hides GPUs: unset it or name one that exists");
      return message(
          "nvidia-smi lists the available GPUs; a container needs --gpus all; where MIG is on, an instance must exist");
    case cudaErrorInvalidDevice: return message("CUDA_VISIBLE_DEVICES names a GPU that does not exist: unset it");
    case cudaErrorSystemDriverMismatch:
      return message("the driver and libcuda.so.1 have different versions: restart the computer");
    case cudaErrorSystemNotReady:
      return message("start the services that the GPUs need, on NVSwitch systems nvidia-fabricmanager");
    case cudaErrorStubLibrary:
      return message("libcuda.so.1 is the toolkit's stub: remove its folder from LD_LIBRARY_PATH and {}",
                     Message(kInstall));
    case cudaErrorCompatNotSupportedOnDevice:
      return message("this GPU does not support a compatibility libcuda.so.1: {}", Message(kInstall));
    case cudaErrorDevicesUnavailable:
      return message("another process uses the GPU exclusively: wait for it, or end it");
    case cudaErrorOperatingSystem:
    case cudaErrorNotPermitted:
      return message(
          "this user or container is not allowed to use the GPU: check /dev/nvidia*, or start the container with "
          "--gpus all");
    default: return message("run nvidia-smi; if it fails, repair the driver, or start the container with --gpus all");
  }
}

bool is_version(std::string_view word) {
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  const auto is_part = [&](char c) { return c == '.' || is_digit(static_cast<unsigned char>(c)); };
  return word.size() >= 5 && is_digit(static_cast<unsigned char>(word.front())) &&
         is_digit(static_cast<unsigned char>(word.back())) && word.find('.') != std::string_view::npos &&
         std::all_of(word.begin(), word.end(), is_part);
}

// Uses NVML without its header, which is not part of every toolkit. It reads one string and changes nothing.
std::string version_from_nvml() {
  const auto close = [](void* library) { dlclose(library); };
  const std::unique_ptr<void, decltype(close)> library(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL), close);
  if (!library) return "";
  const auto init = reinterpret_cast<int (*)()>(dlsym(library.get(), "nvmlInit_v2"));
  const auto shutdown = reinterpret_cast<int (*)()>(dlsym(library.get(), "nvmlShutdown"));
  const auto read = reinterpret_cast<int (*)(char*, unsigned)>(dlsym(library.get(), "nvmlSystemGetDriverVersion"));
  if (init == nullptr || shutdown == nullptr || read == nullptr || init() != 0) return "";
  std::array<char, 96> text{};
  const bool known = read(text.data(), static_cast<unsigned>(text.size()) - 1) == 0;
  shutdown();
  return known ? text.data() : "";
}

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

std::string why_not_loadable(const char* library) {
  void* const handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (handle != nullptr) {
    dlclose(handle);
    return "";
  }
  const char* const words = dlerror();
  return words == nullptr ? fmt::format("{} cannot be loaded", library) : words;
}

std::string cuda_version(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

Message refusal(const SystemFacts& facts) {
  if (!facts.driver_library_error.empty()) {
    if (!facts.driver.empty()) {
      return message(
          "NVIDIA driver {} runs, but its library cannot be loaded here: {}; a container must be started with --gpus "
          "all, elsewhere install the driver's libraries",
          facts.driver, facts.driver_library_error);
    }
    return message("there is no NVIDIA driver: {}; {}, or start the container with --gpus all",
                   facts.driver_library_error, Message(kInstall));
  }
  // Every CUDA 13.x runs with a driver for 13.0.
  if (facts.driver_cuda / 1000 < facts.runtime_cuda / 1000 &&
      (facts.driver_cuda > 0 || facts.error != cudaErrorStubLibrary)) {
    const Message known = facts.driver_cuda > 0 ? message("supports CUDA {}", cuda_version(facts.driver_cuda))
                                                : message("does not say which CUDA it supports");
    return message("the NVIDIA driver{} is too old: it {}, but CUDA {} is needed; {}",
                   facts.driver.empty() ? "" : " " + facts.driver, known,
                   cuda_version(facts.runtime_cuda / 1000 * 1000), Message(kInstall));
  }
  if (facts.error == cudaErrorNoDevice || (facts.error == cudaSuccess && facts.devices.empty())) {
    SystemFacts none = facts;
    none.error = cudaErrorNoDevice;
    return message("there is no NVIDIA GPU; {}", count_remedy(none));
  }
  if (facts.error != cudaSuccess) return message("CUDA says {}; {}", facts.error_text, count_remedy(facts));
  return {};
}

Message refusal(const DeviceFacts& device) {
  if (!device.error.empty()) return verbatim(device.error);
  const Properties& properties = device.properties;
  if (properties.compute_capability < kOldestCapability) {
    return message(
        "{} is too old: its compute capability is {}.{}; a GPU of the Turing generation (7.5) or newer is needed",
        properties.name, properties.compute_capability / 10, properties.compute_capability % 10);
  }
  if (device.prohibited) {
    return message("{} is in compute mode 'prohibited'; its administrator can allow it with nvidia-smi -c DEFAULT",
                   properties.name);
  }
  return {};
}

std::string version_in(std::string_view text) {
  // The first line is the driver's, the next one the compiler's.
  std::istringstream words{std::string(text.substr(0, text.find('\n')))};
  for (std::string word; words >> word;) {
    if (is_version(word)) return word;
  }
  return "";
}

std::string driver_version() {
  std::ifstream stream("/proc/driver/nvidia/version");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  std::string version = version_in(text);
  return version.empty() ? version_from_nvml() : version;
}

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
