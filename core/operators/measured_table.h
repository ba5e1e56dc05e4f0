#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/result.h"

// Single operators that others measured on GPUs.
namespace iosx {

enum class MeasuredKind { kConvolution, kMatrix, kStream, kRows };

// Returns "conv", "matrix", "stream" or "rows".
std::string_view name_of(MeasuredKind kind);

// Holds one row of a table of measured operators.
struct MeasuredOperator {
  MeasuredKind kind = MeasuredKind::kConvolution;
  std::string source;  // "neusight"
  std::string device;  // "Tesla T4"
  std::string op;      // "conv", "linear", "bmm", "gemm_NT", "relu", "softmax", …
  bool half = false;   // float16 instead of float32
  double order = -1;   // place in the order of measuring; below 0: not known
  double us = 0;
  // Sizes of a convolution: NCHW input, `filters` of height × width.
  std::int64_t batch = 1;  // also of matrix products
  std::int64_t channels = 1, height = 1, width = 1;
  std::int64_t filters = 1, filter_height = 1, filter_width = 1;
  std::int64_t pad_height = 0, pad_width = 0, stride_height = 1, stride_width = 1;
  // Sizes of a matrix product, rows × depth by depth × columns, and of everything else.
  std::int64_t rows = 1, columns = 1, depth = 1;
};

// Reads a comma-separated table whose first line names the columns: source, device, precision (float32 or float16),
// latency_ms (or latency_us, latency_s), optionally order and op, and either N C H W K R S pad_h pad_w stride_h
// stride_w, or batch M N K, or rows columns. Other columns are ignored. Errors name the line.
Result<std::vector<MeasuredOperator>> read_operators(std::string_view table, const std::string& origin);

// Does the same with a file of any size, of which little is held at a time, and hands on one row after another. Rows
// before a mistake are handed on. Errors are also those of reading the file.
using OperatorSink = FunctionRef<void(const MeasuredOperator&)>;
Result<void> visit_operators(const std::filesystem::path& file, OperatorSink sink);

// Returns the operator as its session is named (sessions.h): "conv", "add", "gemm16".
std::string session_kind(const MeasuredOperator& measured);

}  // namespace iosx
