#pragma once

#include <cstdint>
#include <memory>

#include "core/devices/device.h"
#include "core/model/layout/tensor_ref.h"

namespace iosx {

struct CpuOptions {
  int cores = 0;  // 0: all that the process may use
  DataType precision = DataType::kFloat32;
  bool accurate = false;          // by direct methods only
  bool pin = true;                // a thread stays on its processor, unless there are more of them than processors
  std::int64_t memory_limit = 0;  // bytes for tensors and weights; 0: nine tenths of what is available
};

// Says whether the processor computes in bfloat16 itself.
bool cpu_has_bfloat16();

// Returns what the device's info() will say, without opening it.
DeviceInfo cpu_device_info(const CpuOptions& options = {});

// Opens the processor that the program runs on: plans really run, on oneDNN and kernels of our own, and give real
// outputs. A stage's lanes share out the cores (lane_teams.h); denormals count as zero.
//
// Plans that it holds share the memory for tensors, which is as large as the largest of them needs. Where all memory is
// used, the others give up theirs, and are prepared again when they run.
//
// Errors of its requests are operators that cannot be executed, not enough memory, a stop of a load or a run. A stop is
// honoured before the next kernel. In bfloat16 tensors and weights are bfloat16, sums float32; inputs and outputs are
// float32.
Result<std::unique_ptr<Device>> open_cpu_device(const CpuOptions& options = {});

}  // namespace iosx
