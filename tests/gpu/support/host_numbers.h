#pragma once

#include <cstddef>
#include <cstdint>

#include "core/model/layout/tensor_ref.h"

// Element `index` of an array of the type, straight from the definition of the formats.
namespace iosx::gpu::test {

float load(const void* data, DataType type, std::int64_t index);
void store(void* data, DataType type, std::int64_t index, float value);

}  // namespace iosx::gpu::test
