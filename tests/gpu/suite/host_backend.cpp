// A back end like libios_gpu.so whose GPU is made of host memory, so that the suite for real GPUs runs anywhere.

#include "core/devices/backend.h"
#include "tests/gpu/device/host_device.h"

namespace iosx::gpu::test {
namespace {

void list_devices(std::vector<DeviceRegistry::Entry>& entries) {
  for (const Math math : {Math::kTf32, Math::kStrict, Math::kHalf, Math::kBfloat16}) {
    DeviceRegistry::Entry entry{.info =
                                    gpu_device_info(HostRuntime().properties(), 0, math, HostConvolutions().version())};
    entry.open = [math]() -> Result<std::unique_ptr<Device>> {
      HostRuntime::Options host = slow_host();
      HostProfiler::Options profiler;
      // As where a driver does not survive that its counters are read.
      if (std::getenv("IOS_HOST_GPU_DIES_COUNTING") != nullptr) {
        host.compute = false;
        profiler.before_sampler = [] { std::_Exit(9); };
      }
      return open_on_host({.host = std::move(host), .math = math, .profiler = std::move(profiler)}).device;
    };
    entries.push_back(std::move(entry));
  }
}

}  // namespace
}  // namespace iosx::gpu::test

extern "C" __attribute__((visibility("default"))) const iosx::DeviceBackend* ios_explorer_backend() {
  static const iosx::DeviceBackend backend{
      .abi = iosx::kBackendAbi, .build = iosx::backend_build(), .list_devices = iosx::gpu::test::list_devices};
  return &backend;
}
