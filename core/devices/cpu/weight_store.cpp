#include "core/devices/cpu/weight_store.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/model/layout/layout.h"

namespace iosx::cpu {
namespace {

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
