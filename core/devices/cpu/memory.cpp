#include "core/devices/cpu/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/memory_limit.h"
#include "core/model/layout/layout.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

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

constexpr std::int64_t kSlabBytes = std::int64_t{8} << 20;

std::string key_of(const WeightStore::Source& source) {
  std::string key = fmt::format("{} {}", fmt::ptr(source.parameters.get()), source.form);
  for (const OperatorId id : source.operators) key += fmt::format(" {}", id.index());
  return key;
}

std::int64_t elements(const dnnl::memory::desc& desc) {
  std::int64_t count = 1;
  for (const auto size : desc.dims()) count *= size;
  return count;
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

WeightStore::Packed WeightStore::packed(const Source& source, const dnnl::memory::desc& wanted,
                                        FunctionRef<Plain()> make) {
  const std::string key = key_of(source);
  const auto [first, last] = entries_.equal_range(key);
  const auto found = std::find_if(first, last, [&](const auto& entry) { return entry.second.desc == wanted; });
  if (found != last) {
    found->second.last_use = ++uses_;
    return found->second.packed;
  }
  Packed packed = allocate(wanted);
  // The unpacked ones are float32 and have no padding.
  const Reservation unpacked(budget_, elements(wanted) * bytes_of(DataType::kFloat32), Sentence{"unpacked weights"});
  const Plain plain = make();
  // oneDNN does not write through a source's pointer.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
  dnnl::memory from(plain.desc, engine_, const_cast<float*>(plain.tensor.elements().data()));
  check_room_for_primitive();  // after the weights took theirs
  dnnl::stream stream(engine_);
  dnnl::reorder(from, packed.memory).execute(stream, from, packed.memory);
  stream.wait();
  const auto bytes = static_cast<std::int64_t>(wanted.get_size());
  bytes_ += bytes;
  entries_.emplace(key, Entry{source.parameters, wanted, packed, bytes, ++uses_});
  make_room();
  return packed;
}

void WeightStore::clear() {
  entries_.clear();
  slab_.reset();
  bytes_ = 0;
}

WeightStore::Packed WeightStore::allocate(const dnnl::memory::desc& desc) {
  const std::int64_t bytes = padded_bytes(static_cast<std::int64_t>(desc.get_size()));
  if (bytes > kSlabBytes / 2) {
    auto block = std::make_shared<const Block>(budget_, bytes, Sentence{"packed weights"});
    return {dnnl::memory(desc, engine_, block->data()), std::move(block)};
  }
  if (slab_ == nullptr || bytes > slab_->bytes() - slab_used_) {
    slab_ = std::make_shared<const Block>(budget_, kSlabBytes, Sentence{"packed weights"});
    slab_used_ = 0;
  }
  Packed packed{dnnl::memory(desc, engine_, slab_->data() + slab_used_), slab_};
  slab_used_ += bytes;
  return packed;
}

// Weights in plans count too, but dropping them frees nothing yet: they go with the plans.
void WeightStore::make_room() {
  while (bytes_ > capacity_ && entries_.size() > 1) {
    const auto oldest = std::ranges::min_element(
        entries_, [](const auto& a, const auto& b) { return a.second.last_use < b.second.last_use; });
    bytes_ -= oldest->second.bytes;
    entries_.erase(oldest);
  }
}

}  // namespace iosx::cpu
