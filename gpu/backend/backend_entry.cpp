// The one visible function of libios_gpu.so.
#include <exception>

#include "core/devices/backend.h"
#include "gpu/backend/gpu_entries.h"
#include "gpu/device/gpu_device.h"
#include "gpu/ops/conv/cudnn_library.h"
#include "gpu/ops/conv/plan_store.h"
#include "gpu/profile/cupti_profiler.h"
#include "gpu/runtime/cuda_runtime.h"

namespace iosx::gpu {
namespace {

Result<std::unique_ptr<Device>> open_gpu(int number, Math math, const DeviceInfo& info) {
  try {
    GpuParts parts;
    parts.runtime = make_cuda_runtime(number);
    parts.library = CudnnLibrary::open(number);
    parts.profiler = make_cupti_profiler(number, parts.runtime->properties());
    parts.plan_folder = default_plan_folder();
    return make_gpu_device(std::move(parts), info, math);
  } catch (const std::exception& error) {
    return fail(verbatim(error.what()), info.name,
                message("end other programs that use the GPU, or choose another device"));
  }
}

void list_devices(std::vector<DeviceRegistry::Entry>& entries) {
  try {
    const SystemFacts facts = probe_system();
    const bool found = refusal(facts).empty();
    for (DeviceRegistry::Entry& entry : gpu_entries(facts, found ? cudnn_version() : "", open_gpu)) {
      entries.push_back(std::move(entry));
    }
  } catch (const std::exception& error) {
    entries.push_back(unavailable_gpu(verbatim(error.what())));
  }
}

}  // namespace
}  // namespace iosx::gpu

extern "C" __attribute__((visibility("default"))) const iosx::DeviceBackend* ios_explorer_backend() {
  static const iosx::DeviceBackend backend{
      .abi = iosx::kBackendAbi, .build = iosx::backend_build(), .list_devices = iosx::gpu::list_devices};
  return &backend;
}
