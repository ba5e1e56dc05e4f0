#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

namespace iosx::gpu::test {

// Host memory in place of a device's: aligned to 256 bytes, limited, and full of NaNs until it is written.
class HostMemory {
 public:
  HostMemory(std::int64_t limit, bool fill) : limit_(limit), fill_(fill) {}

  void* allocate(std::int64_t bytes);  // throws OutOfMemory
  bool release(void* memory);          // false if it is not ours
  std::int64_t allocated_bytes() const { return allocated_; }
  // Returns whether all of [begin, end) lies in one block.
  bool contains(std::uintptr_t begin, std::uintptr_t end) const;

 private:
  struct Free {
    void operator()(std::byte* data) const;
  };
  struct Block {
    std::unique_ptr<std::byte, Free> data;
    std::int64_t bytes = 0;
  };

  std::int64_t limit_;
  bool fill_;
  std::int64_t allocated_ = 0;
  std::map<std::uintptr_t, Block> blocks_;  // by address
};

}  // namespace iosx::gpu::test
