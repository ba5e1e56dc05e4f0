#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/message.h"
#include "gpu/runtime/properties.h"

// Find out what there is to run on, or why there is nothing. Probing and judging are separate, so that every
// judgement can be tested.
namespace iosx::gpu {

struct DeviceFacts {
  Properties properties;
  std::string error;        // why the properties could not be read; empty if they could
  bool prohibited = false;  // compute mode "prohibited": no process may use it
};

struct SystemFacts {
  std::string driver_library_error;  // why libcuda.so.1 cannot be loaded; empty if it can
  std::string driver;                // "580.65.06", of the running kernel module; empty without one
  int driver_cuda = 0;               // 13000: CUDA 13.0, the newest that the driver supports; 0: no answer
  int runtime_cuda = 0;              // the linked version
  int error = 0;                     // cudaError_t of cudaGetDeviceCount()
  std::string error_text;            // its name and text
  bool hidden = false;               // CUDA_VISIBLE_DEVICES is set
  std::vector<DeviceFacts> devices;
};

inline constexpr int kOldestCapability = 75;  // Turing: the oldest that CUDA 13 supports

// Returns "13.0" for 13000.
std::string cuda_version(int number);

// Returns why there is no GPU at all, with the remedy; empty where there are GPUs.
Message refusal(const SystemFacts& facts);
// Returns why this GPU cannot be used; empty if it can.
Message refusal(const DeviceFacts& device);

// Queries the driver without creating a context on any GPU. Call it before all other CUDA calls, while the environment
// may be changed: it requests as many connections to a GPU as possible, unless the user has chosen a number.
SystemFacts probe_system();
// Throws GpuError.
Properties read_properties(int device);

// Returns why a shared library cannot be loaded; empty if it can.
std::string why_not_loadable(const char* library);

// Returns the version in the text of /proc/driver/nvidia/version, "580.65.06"; empty if there is none.
std::string version_in(std::string_view text);

// Returns the version of the running driver from /proc, or else from NVML, which it loads for that. Empty if unknown.
std::string driver_version();

}  // namespace iosx::gpu
