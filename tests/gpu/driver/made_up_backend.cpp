// A back end like libios_gpu.so on the GPU of machine.h: all of gpu/ but CUPTI, the CUDA runtime of cuda_runtime.cpp,
// and the real cuDNN, which builds plans for a described GPU.
#include <exception>

#include "core/devices/backend.h"
#include "gpu/backend/gpu_entries.h"
#include "gpu/device/gpu_device.h"
#include "gpu/ops/conv/cudnn_library.h"
#include "gpu/ops/conv/plan_store.h"
#include "gpu/runtime/cuda_runtime.h"
#include "tests/gpu/conv/descriptions.h"
#include "tests/gpu/driver/machine.h"

namespace iosx::gpu::test {
namespace {

Result<std::unique_ptr<Device>> open_made_up(int number, Math math, const DeviceInfo& info) {
  try {
    GpuParts parts{.runtime = make_cuda_runtime(number),
                   .library = CudnnLibrary::described(description(machine())),
                   .plan_folder = default_plan_folder()};
    // Its clock is always the same: one run of a work warms it up, so that a run is launch by launch as the one before.
    parts.clock = {.warm_up_min = {}, .step = {}, .idle = std::chrono::hours(1)};
    return make_gpu_device(std::move(parts), info, math);
  } catch (const std::exception& error) {
    return fail(verbatim(error.what()), info.name);
  }
}

void list_devices(std::vector<DeviceRegistry::Entry>& entries) {
  for (DeviceRegistry::Entry& entry : gpu_entries(probe_system(), cudnn_version(), open_made_up)) {
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
