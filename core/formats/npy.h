#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/model/graph/tensor.h"

namespace iosx {

// Returns a tensor as the bytes of a NumPy file (.npy, version 1.0), row-major, with these dims, whose product is the
// number of its elements. `type` is as ONNX calls it; what NumPy does not have is written as float32.
std::string npy_bytes(const Tensor& tensor, std::span<const std::int64_t> dims, std::string_view type);

// Reads such a file, of any version and numeric type. `dims` is what its tensor must have, but for axes of 1 in front;
// anything else is an error that says what the file has.
Result<Tensor> read_npy(const std::filesystem::path& path, std::span<const std::int64_t> dims);
// Reads the same from a stream; errors are about `where`.
Result<Tensor> read_npy(std::istream& file, std::span<const std::int64_t> dims, const std::string& where);

// "(1, 3, 224, 224)", as NumPy writes a shape.
std::string tuple_text(std::span<const std::int64_t> dims);

// No header of such a file takes more bytes than this.
inline constexpr std::size_t kMostNpyHeader = std::size_t{1} << 17;

}  // namespace iosx
