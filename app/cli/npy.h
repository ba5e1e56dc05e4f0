#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/graph/tensor.h"

namespace iosx::cli {

// A tensor as the bytes of a NumPy file (.npy, version 1.0): float32, row-major.
std::string npy_bytes(const Tensor& tensor);

// Reads such a file. `dims` is what its tensor must have, but for axes of 1 in front; anything else is an error that
// says what the file has.
Result<Tensor> read_npy(const std::filesystem::path& path, std::span<const std::int64_t> dims);

}  // namespace iosx::cli
