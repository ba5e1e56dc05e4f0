#include "gpu/exec/cold_weights.h"

#include <algorithm>

#include "core/model/layout/layout.h"

namespace iosx::gpu {
namespace {

constexpr std::int64_t kColumns = 4096;                      // whose maxima are taken: enough to fill any GPU
constexpr std::int64_t kRow = kColumns * 4;                  // bytes of float32
constexpr std::int64_t kLeastCache = std::int64_t{1} << 20;  // bytes, where the size is not known

// Returns a half of the cache's size, in bytes and whole rows.
std::int64_t half_of_cache(const Runtime& runtime) {
  return std::max(runtime.properties().l2_bytes, kLeastCache) / 2 / kRow * kRow;
}

}  // namespace

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

}  // namespace iosx::gpu
