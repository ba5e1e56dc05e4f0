#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "core/devices/device.h"
#include "gpu/measure/drift.h"
#include "gpu/ops/conv/problem.h"
#include "gpu/profile/profiler.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// The version of layouts, kernels and ways. It rises when latencies change, so that stored results of earlier
// versions no longer count.
inline constexpr int kProgramVersion = 4;

// The parts of a GpuDevice; tests pass their own.
struct GpuParts {
  std::unique_ptr<Runtime> runtime;
  std::unique_ptr<KernelLibrary> library;
  std::unique_ptr<Profiler> profiler = {};                // null: profiles have event marks only
  std::optional<std::filesystem::path> plan_folder = {};  // see PlanStore
  // For debugging: plans run on the streams launch by launch, without captured graphs, and are timed that way. The
  // environment variable IOS_GPU_EAGER=1 does the same.
  bool eager = false;
  // Measures nothing before plans run: convolutions use the library's preferred way. IOS_GPU_UNTUNED=1 does
  // the same.
  bool untuned = false;
  ClockGuard::Options clock = {};
  Sentinel::Options sentinel = {};
};

// Returns the info of the device with this number and math without opening it: "gpu" (TF32), "gpu-f32" (strict),
// "gpu-f16", "gpu-bf16"; the second GPU's are "gpu1", "gpu1-f32", …
DeviceInfo gpu_device_info(const Properties& properties, int number, Math math, const std::string& library_version);

// Return whether IOS_GPU_EAGER and IOS_GPU_UNTUNED request the options of GpuParts.
bool asked_for_eager();
bool asked_for_untuned();
// Marks the device's info as eager or untuned, once: it is then another device, and both listing and opening must
// say so.
void note_way(DeviceInfo& info, bool eager, bool untuned);

// Makes a device from the parts. Plans run as captured CUDA graphs. One request at a time runs on a GPU, for all
// devices and threads; others wait for their turn. Loaded plans may be destroyed at any time; the next request releases
// their graphs. They share tensor memory, as large as the largest plan needs. Where memory is short, or after an error,
// all give up their memory, and are prepared again when they run.
//
// Errors of its requests: an operator that cannot be executed, too little memory, a stop of a load or a run, and
// errors of CUDA or cuDNN. After an error from which the GPU does not recover all requests fail, also those of loaded
// plans.
std::unique_ptr<Device> make_gpu_device(GpuParts parts, DeviceInfo info, Math math);

}  // namespace iosx::gpu
