#include "gpu/exec/cold_weights.h"

#include <algorithm>

#include "core/model/layout/layout.h"
#include "gpu/exec/layer_tensors.h"

namespace iosx::gpu {
namespace {

constexpr std::int64_t kColumns = 4096;                      // that are summed, which fill any GPU
constexpr std::int64_t kRow = kColumns * 4;                  // bytes of float32
constexpr std::int64_t kLeastCache = std::int64_t{1} << 20;  // bytes, where the size is not known

// Returns a half of the cache's size, in bytes and whole rows.
std::int64_t half_of_cache(const Runtime& runtime) {
  return std::max(runtime.properties().l2_bytes, kLeastCache) / 2 / kRow * kRow;
}

TensorRef floats(const Shape& shape, DataType type, std::byte* data) { return tensor_ref(shape, 1, type, data); }

}  // namespace

ColdWeights::ColdWeights(Runtime& runtime, DataType type)
    : runtime_(runtime),
      places_(runtime, 4 * half_of_cache(runtime)),
      other_(runtime, 3 * half_of_cache(runtime) + kRow) {
  for (DeviceMemory* memory : {&places_, &other_}) {
    const Shape all{memory->bytes() / bytes_of(type)};
    runtime_.launch(kOrigin, FillCall{.out = floats(all, type, memory->data()), .seed = 1});
  }
  runtime_.synchronize(kOrigin);
}

const void* ColdWeights::place(std::int64_t bytes) {
  if (next_ + bytes > places_.bytes()) next_ = 0;
  const void* const found = places_.data() + next_;
  next_ += aligned(bytes);
  return found;
}

void ColdWeights::evict() {
  const std::int64_t rows = (other_.bytes() - kRow) / kRow;
  runtime_.launch(kOrigin, ReduceCall{.reduction = ReduceKind::kMax,
                                      .in = floats(Shape{kColumns, rows, 1}, DataType::kFloat32, other_.data() + kRow),
                                      .out = floats(Shape{kColumns, 1, 1}, DataType::kFloat32, other_.data())});
}

}  // namespace iosx::gpu
