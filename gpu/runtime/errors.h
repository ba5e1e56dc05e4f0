#pragma once

#include <stdexcept>

#include "core/base/message.h"

// These exceptions are for inside the back end; GpuDevice turns them into Errors at its edge.
namespace iosx::gpu {

// A call of CUDA or cuDNN failed. The GPU may be unusable afterwards: an illegal access ends every later call.
class GpuError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// There is not enough device memory; what was there before is untouched.
class OutOfMemory : public MessageError {
 public:
  using MessageError::MessageError;
};

// What a plan asks for cannot be computed by this device. The message names it.
class Unsupported : public MessageError {
 public:
  using MessageError::MessageError;
};

}  // namespace iosx::gpu
