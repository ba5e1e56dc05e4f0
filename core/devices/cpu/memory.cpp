#include "core/devices/cpu/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "core/base/memory_limit.h"
#include "core/model/layout/layout.h"

namespace iosx::cpu {
namespace {

constexpr std::int64_t kSmallestPart = std::int64_t{1} << 20;
constexpr double kMegabyte = 1e6;

// Memory is read at the speed of the address translation where pages are small, so that large blocks ask for large
// ones.
constexpr std::int64_t kLargePage = std::int64_t{2} << 20;

std::byte* allocate(std::int64_t bytes) {
  const std::int64_t alignment = bytes < kLargePage ? kAlignment : kLargePage;
  void* const data = std::aligned_alloc(static_cast<std::size_t>(alignment), static_cast<std::size_t>(bytes));
#if defined(__linux__)
  if (data != nullptr && bytes >= kLargePage) madvise(data, static_cast<std::size_t>(bytes), MADV_HUGEPAGE);
#endif
  return static_cast<std::byte*>(data);
}

// Rounds up to a multiple of the alignment that a block gets.
std::int64_t block_bytes(std::int64_t bytes) {
  if (bytes < kLargePage) return padded_bytes(std::max<std::int64_t>(bytes, 1));
  return (bytes + kLargePage - 1) / kLargePage * kLargePage;
}

[[noreturn]] void refuse(Sentence what, std::int64_t bytes, std::int64_t left) {
  throw OutOfMemory(message("{} need {:.0f} MB of memory, but {:.0f} MB are left", Message(what),
                            static_cast<double>(bytes) / kMegabyte, static_cast<double>(left) / kMegabyte));
}

}  // namespace

void MemoryBudget::take(std::int64_t bytes, Sentence what) {
  if (bytes > limit_ - used_) refuse(what, bytes, std::max<std::int64_t>(limit_ - used_, 0));
  used_ += bytes;
}

void check_room_for_primitive() {
  constexpr std::int64_t kRoom = 24'000'000;
  const std::int64_t left = address_space_left();
  if (left >= kRoom) return;
  throw OutOfMemory(message(
      "oneDNN needs up to {:.0f} MB of memory to create a kernel, but {:.0f} MB are left of what ulimit -v allows",
      static_cast<double>(kRoom) / kMegabyte, static_cast<double>(left) / kMegabyte));
}

// NOLINTNEXTLINE(cppcoreguidelines-no-malloc): the counterpart of aligned_alloc()
void Block::Free::operator()(std::byte* data) const { std::free(data); }

Block::Block(MemoryBudget& budget, std::int64_t bytes, Sentence what) : budget_(budget), bytes_(block_bytes(bytes)) {
  budget_.take(bytes_, what);
  data_.reset(allocate(bytes_));
  if (data_ != nullptr) return;
  budget_.give_back(bytes_);
  refuse(what, bytes_, 0);
}

Block::~Block() { budget_.give_back(bytes_); }

void Scratch::next_kernel() {
  for (Part& part : parts_) part.used = 0;
  taken_ = 0;
}

std::byte* Scratch::take(std::int64_t bytes) {
  const std::int64_t size = padded_bytes(std::max<std::int64_t>(bytes, 1));
  taken_ += size;
  peak_ = std::max(peak_, taken_);
  auto part = std::ranges::find_if(parts_, [&](const Part& each) { return size <= each.block->bytes() - each.used; });
  if (part == parts_.end()) {
    // It is twice as large as the last one, so that few parts grow too small.
    const std::int64_t last = parts_.empty() ? kSmallestPart / 2 : parts_.back().block->bytes();
    parts_.push_back({std::make_unique<Block>(budget_, std::max(size, 2 * last), Sentence{"temporary tensors"}), 0});
    part = std::prev(parts_.end());
  }
  std::byte* const data = part->block->data() + part->used;
  part->used += size;
  return data;
}

TensorRef Scratch::take_like(const TensorRef& tensor) {
  return dense_like(tensor, take(tensor.elements() * bytes_of(tensor.type)));
}

}  // namespace iosx::cpu
