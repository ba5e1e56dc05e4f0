#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "core/base/result.h"
#include "core/formats/onnx/host_tensor.h"
#include "core/formats/onnx/model.h"

namespace iosx::onnx_import {

inline constexpr std::int64_t kMinOpset = 7;
inline constexpr std::int64_t kMaxOpset = 23;  // newer models open with a warning

// Reads an ONNX model with its weights in other files. It takes memory of about the file's size, and as much again
// during reading. Errors name the node or the tensor.
Result<OnnxModel> read_onnx(const std::filesystem::path& path);

// Does the same from bytes; external data is read from `folder` only.
Result<OnnxModel> parse_onnx(std::span<const std::byte> bytes, const std::filesystem::path& folder);

// Reads one tensor in its own file (a serialised TensorProto), as in the ONNX project's test vectors.
Result<HostTensor> read_tensor_file(const std::filesystem::path& path);

}  // namespace iosx::onnx_import
