#pragma once

#include <stdexcept>

#include "core/base/message.h"

// The back end throws these exceptions internally; GpuDevice converts them to Errors at its edge.
namespace iosx::gpu {

// A call of CUDA or cuDNN failed. The GPU may be unusable afterwards: an illegal access makes every later call fail.
class GpuError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Device memory is too small; existing memory is untouched.
class OutOfMemory : public MessageError {
 public:
  using MessageError::MessageError;
};

// This device cannot compute a kernel of the plan. The message names it.
class Unsupported : public MessageError {
 public:
  using MessageError::MessageError;
};

}  // namespace iosx::gpu
