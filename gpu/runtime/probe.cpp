#include "gpu/runtime/probe.h"

#include <driver_types.h>
#include <fmt/format.h>

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

}  // namespace

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

}  // namespace iosx::gpu
