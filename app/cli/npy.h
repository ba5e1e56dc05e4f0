#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/model/graph/tensor.h"

namespace iosx::cli {

// Returns a tensor as the bytes of a NumPy file (.npy, version 1.0), row-major, with these dims, whose product is the
// number of its elements. `type` is as ONNX calls it; what NumPy does not have is written as float32.
std::string npy_bytes(const Tensor& tensor, std::span<const std::int64_t> dims, std::string_view type);

// Reads such a file, of any version and numeric type. `dims` is what its tensor must have, but for axes of 1 in front;
// anything else is an error that says what the file has. A .npz file may hold several tensors: that of the network's
// input `name` is read.
Result<Tensor> read_npy(const std::filesystem::path& path, std::span<const std::int64_t> dims, const std::string& name);

// Says whether the file is a .npz: tensors by their names.
bool is_npz(const std::filesystem::path& path);

}  // namespace iosx::cli
