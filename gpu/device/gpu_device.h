#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "core/devices/device.h"
#include "gpu/measure/clock_guard.h"
#include "gpu/measure/sentinel.h"
#include "gpu/ops/conv/conv_plan.h"
#include "gpu/profile/profiler.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// This is the version of layouts, kernels and ways. It is raised when latencies change, so that nothing that was kept
// of an earlier one counts.
inline constexpr int kProgramVersion = 3;

// Holds what a GpuDevice works with; tests give their own.
struct GpuParts {
  std::unique_ptr<Runtime> runtime;
  std::unique_ptr<ConvLibrary> library;
  std::unique_ptr<Profiler> profiler = {};                // null: profiles have event marks only
  std::optional<std::filesystem::path> plan_folder = {};  // see PlanStore
  // This is for debugging: plans are given to the streams launch by launch, not as captured graphs, and timed so. The
  // environment variable IOS_GPU_EAGER=1 does the same.
  bool eager = false;
  // Nothing is measured before plans run: convolutions are computed in the way that the library thinks best.
  // IOS_GPU_UNTUNED=1 does the same.
  bool untuned = false;
  ClockGuard::Options clock = {};
  Sentinel::Options sentinel = {};
};

// Returns what the device of this number and math will say of itself, without opening it: "gpu" (TF32), "gpu-f32"
// (strict), "gpu-f16", "gpu-bf16"; the second GPU's are "gpu1", "gpu1-f32", …
DeviceInfo gpu_device_info(const Properties& properties, int number, Math math, const std::string& library_version);

// Says whether IOS_GPU_EAGER and IOS_GPU_UNTUNED ask for what GpuParts can.
bool asked_for_eager();
bool asked_for_untuned();
// Lets the device say that it runs so, once: it is another one then, and whoever lists it must know that as well as
// whoever opens it.
void note_way(DeviceInfo& info, bool eager, bool untuned);

// Makes a device over the parts. Plans run captured in CUDA graphs. One request at a time runs on one GPU, whatever the
// device and the thread: others wait for their turn. Loaded plans may end at any time; their graphs are released with
// the next request. They share the memory for tensors, which is as large as the largest of them needs. Where memory is
// short, or after an error, all give up what they have there, and are prepared again when they run.
//
// The errors of its requests are operators that cannot be executed, not enough memory, a stop of a load or a run, and
// what CUDA or cuDNN say. After an error that the GPU does not recover from all requests fail, those of loaded plans
// too.
std::unique_ptr<Device> make_gpu_device(GpuParts parts, DeviceInfo info, Math math);

}  // namespace iosx::gpu
