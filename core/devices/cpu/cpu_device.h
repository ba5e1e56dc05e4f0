#pragma once

#include <cstdint>
#include <memory>

#include "core/devices/device.h"
#include "core/model/layout/tensor_ref.h"

namespace iosx {

struct CpuOptions {
  int cores = 0;  // 0: all that the process may use
  DataType precision = DataType::kFloat32;
  bool accurate = false;          // direct methods only
  bool pin = true;                // binds each thread to a processor, unless there are more threads than processors
  std::int64_t memory_limit = 0;  // bytes for tensors and weights; 0: nine tenths of the available memory
};

// Returns whether the processor has bfloat16 arithmetic.
bool cpu_has_bfloat16();

// Returns the device's info() without opening it.
DeviceInfo cpu_device_info(const CpuOptions& options = {});

// Opens this computer's processor as a device. It executes plans with oneDNN and its own kernels and returns real
// outputs. The lanes of a stage share the cores (prepared_plan.h); denormals count as zero.
//
// Loaded plans share one block of tensor memory, as large as the largest plan needs. Where memory is full, other plans
// give theirs up and are prepared again when they run.
//
// Errors of its requests: an operator that it cannot execute, too little memory, a stop of a load or a run. It honours
// a stop before the next kernel. In bfloat16, tensors and weights are bfloat16 and sums float32; inputs and outputs are
// float32.
Result<std::unique_ptr<Device>> open_cpu_device(const CpuOptions& options = {});

}  // namespace iosx
