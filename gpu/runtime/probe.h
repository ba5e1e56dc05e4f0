#pragma once

#include <string>
#include <vector>

#include "core/base/message.h"
#include "gpu/runtime/properties.h"

// These functions say what there is to run on, and why there is nothing. Finding out and judging are apart, so that
// every judgement can be tested.
namespace iosx::gpu {

struct DeviceFacts {
  Properties properties;
  std::string error;        // why the properties could not be read; empty if they could
  bool prohibited = false;  // compute mode "prohibited": nobody may use it
};

struct SystemFacts {
  std::string driver_library_error;  // why libcuda.so.1 cannot be loaded; empty if it can
  std::string driver;                // "580.65.06", of the running kernel module; empty if there is none
  int driver_cuda = 0;               // 13000: CUDA 13.0, the newest that the driver knows; 0: no answer
  int runtime_cuda = 0;              // what we are linked with
  int error = 0;                     // cudaError_t of cudaGetDeviceCount()
  std::string error_text;            // its name and text
  bool hidden = false;               // CUDA_VISIBLE_DEVICES is set
  std::vector<DeviceFacts> devices;
};

inline constexpr int kOldestCapability = 75;  // Turing: the oldest that CUDA 13 compiles for

// Returns "13.0" for 13000.
std::string cuda_version(int number);

// Says why there is no GPU to talk to at all, and what to do; empty where there are some.
Message refusal(const SystemFacts& facts);
// Says why this one cannot be used; empty if it can.
Message refusal(const DeviceFacts& device);

// Asks the driver, without creating a context on any GPU. Call it before anything else of CUDA, while the environment
// may be changed: it asks for as many connections to a GPU as there can be, unless the user has chosen a number.
SystemFacts probe_system();
// Throws GpuError.
Properties read_properties(int device);

}  // namespace iosx::gpu
