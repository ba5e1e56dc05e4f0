#include "tests/gpu/support/host_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "gpu/runtime/errors.h"

namespace iosx::gpu::test {
namespace {

constexpr std::align_val_t kAlignment{256};
constexpr int kNan = 0xFF;  // every byte: a NaN in each of the number formats

}  // namespace

void HostMemory::Free::operator()(std::byte* data) const { ::operator delete(data, kAlignment); }

void* HostMemory::allocate(std::int64_t bytes) {
  if (bytes < 0) throw GpuError(fmt::format("allocation of {} bytes", bytes));
  const auto too_much = [&] {
    return OutOfMemory(message("{} bytes wanted, {} of {} are in use", bytes, allocated_, limit_));
  };
  if (bytes > limit_ - allocated_) throw too_much();
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1));
  std::unique_ptr<std::byte, Free> data(static_cast<std::byte*>(::operator new(size, kAlignment, std::nothrow)));
  if (data == nullptr) throw too_much();
  if (fill_) std::memset(data.get(), kNan, size);
  allocated_ += bytes;
  std::byte* const address = data.get();
  blocks_.emplace(reinterpret_cast<std::uintptr_t>(address), Block{std::move(data), bytes});
  return address;
}

bool HostMemory::release(void* memory) {
  const auto block = blocks_.find(reinterpret_cast<std::uintptr_t>(memory));
  if (block == blocks_.end()) return false;
  allocated_ -= block->second.bytes;
  blocks_.erase(block);
  return true;
}

bool HostMemory::contains(std::uintptr_t begin, std::uintptr_t end) const {
  auto block = blocks_.upper_bound(begin);
  if (block == blocks_.begin()) return false;
  --block;
  return begin <= end && end - block->first <= static_cast<std::uintptr_t>(block->second.bytes);
}

}  // namespace iosx::gpu::test
