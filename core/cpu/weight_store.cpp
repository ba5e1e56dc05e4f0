#include "core/cpu/weight_store.h"

#include <fmt/format.h>

#include <algorithm>

namespace iosx::cpu {
namespace {

std::string key_of(const WeightStore::Source& source) {
  std::string key = fmt::format("{} {}", fmt::ptr(source.parameters.get()), source.form);
  for (const OperatorId id : source.operators) key += fmt::format(" {}", id.index());
  return key;
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
  const Plain plain = make();
  auto block = std::make_shared<Block>(budget_, static_cast<std::int64_t>(wanted.get_size()), "packed weights");
  dnnl::memory memory(wanted, engine_, block->data());
  // oneDNN does not write through a source's pointer.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
  dnnl::memory from(plain.desc, engine_, const_cast<float*>(plain.tensor.elements().data()));
  dnnl::stream stream(engine_);
  dnnl::reorder(from, memory).execute(stream, from, memory);
  stream.wait();
  bytes_ += block->bytes();
  Packed packed{std::move(memory), std::move(block)};
  entries_.emplace(key, Entry{source.parameters, wanted, packed, ++uses_});
  make_room();
  return packed;
}

// Those that plans hold count too, but dropping them frees nothing yet: they go when the plans do.
void WeightStore::make_room() {
  while (bytes_ > capacity_ && entries_.size() > 1) {
    const auto oldest = std::ranges::min_element(
        entries_, [](const auto& a, const auto& b) { return a.second.last_use < b.second.last_use; });
    bytes_ -= oldest->second.packed.block->bytes();
    entries_.erase(oldest);
  }
}

}  // namespace iosx::cpu
