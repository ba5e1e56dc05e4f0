#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// Owns a block of device memory. The runtime must outlive it.
class DeviceMemory {
 public:
  DeviceMemory(Runtime& runtime, std::int64_t bytes)
      : runtime_(&runtime), data_(static_cast<std::byte*>(runtime.allocate(bytes))), bytes_(bytes) {}
  ~DeviceMemory() {
    if (data_ != nullptr) runtime_->release(data_);
  }
  DeviceMemory(DeviceMemory&& other) noexcept
      : runtime_(other.runtime_), data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    std::swap(runtime_, other.runtime_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  std::byte* data() const { return data_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  Runtime* runtime_;
  std::byte* data_;
  std::int64_t bytes_;
};

}  // namespace iosx::gpu
