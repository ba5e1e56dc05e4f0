#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/model/layout/layout.h"
#include "gpu/exec/context.h"

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

constexpr std::int64_t kColumns = 4096;                      // whose maxima are taken: enough to fill any GPU
constexpr std::int64_t kRow = kColumns * 4;                  // bytes of float32
constexpr std::int64_t kLeastCache = std::int64_t{1} << 20;  // bytes, where the size is not known

// Returns a half of the cache's size, in bytes and whole rows.
std::int64_t half_of_cache(const Runtime& runtime) {
  return std::max(runtime.properties().l2_bytes, kLeastCache) / 2 / kRow * kRow;
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

ColdWeights::ColdWeights(Runtime& runtime, DataType type)
    : runtime_(runtime),
      weights_(runtime, 4 * half_of_cache(runtime)),
      other_(runtime, 3 * half_of_cache(runtime) + kRow) {
  for (const DeviceMemory* memory : {&weights_, &other_}) {
    const Shape all{memory->bytes() / bytes_of(type)};
    runtime_.launch(kOrigin, FillCall{.out = tensor_ref(all, 1, type, memory->data()), .seed = 1});
  }
  runtime_.synchronize(kOrigin);
}

void ColdWeights::evict() {
  const Shape rows{kColumns, (other_.bytes() - kRow) / kRow, 1};
  const Shape row{kColumns, 1, 1};
  runtime_.launch(kOrigin, ReduceCall{.reduction = ReduceKind::kMax,
                                      .in = tensor_ref(rows, 1, DataType::kFloat32, other_.data() + kRow),
                                      .out = tensor_ref(row, 1, DataType::kFloat32, other_.data())});
}

ExecContext::ExecContext(Runtime& device, WayChooser& conv_chooser, Math conv_math)
    : runtime(device), chooser(conv_chooser), math(conv_math), weights(device) {}

std::byte* ExecContext::arena(std::int64_t bytes) {
  if (arena_ == nullptr || arena_->bytes() < bytes) {
    arena_.reset();  // first, so that both need not fit
    ++arena_number_;
    arena_ = std::make_unique<DeviceMemory>(runtime, bytes);
  }
  return arena_->data();
}

ColdWeights& ExecContext::cold_weights() {
  if (!cold_weights_) cold_weights_.emplace(runtime, data_type(math));
  return *cold_weights_;
}

void ExecContext::clear() {
  arena_.reset();
  cold_weights_.reset();
  ++arena_number_;
  weights.clear();
}

}  // namespace iosx::gpu
