#include "gpu/exec/weight_store.h"

#include <fmt/format.h>

#include <iterator>

#include "core/model/layout/layout.h"

namespace iosx::gpu {
namespace {

constexpr StreamId kStream{0};

std::string key_of(const WeightStore::Source& source, DataType type) {
  std::string key =
      fmt::format("{} {} {}", static_cast<const void*>(source.parameters.get()), source.form, static_cast<int>(type));
  for (const OperatorId id : source.operators) fmt::format_to(std::back_inserter(key), " {}", id.index());
  return key;
}

// Uploads the values, and converts them on the device.
DeviceMemory on_device(Runtime& runtime, const Tensor& values, DataType type) {
  const auto count = static_cast<std::int64_t>(values.elements().size());
  const auto upload = [&] {
    const std::int64_t bytes = count * bytes_of(DataType::kFloat32);
    DeviceMemory memory(runtime, bytes);
    runtime.upload(memory.data(), values.elements().data(), bytes);
    return memory;
  };
  if (type == DataType::kFloat32 || count == 0) return upload();
  DeviceMemory converted(runtime, count * bytes_of(type));
  const DeviceMemory plain = upload();
  runtime.launch(kStream, CopyCall{.in = tensor_ref(Shape{count}, 1, DataType::kFloat32, plain.data()),
                                   .out = tensor_ref(Shape{count}, 1, type, converted.data())});
  runtime.synchronize(kStream);
  return converted;
}

}  // namespace

const DeviceMemory& WeightStore::get(const Source& source, DataType type, FunctionRef<Tensor()> make) {
  std::string key = key_of(source, type);
  auto found = entries_.find(key);
  if (found == entries_.end()) {
    Entry entry{source.parameters, on_device(runtime_, make(), type)};
    bytes_ += entry.memory.bytes();
    found = entries_.emplace(std::move(key), std::move(entry)).first;
  }
  return found->second.memory;
}

void WeightStore::clear() {
  entries_.clear();
  bytes_ = 0;
}

}  // namespace iosx::gpu
