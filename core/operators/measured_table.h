#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/result.h"

// Single operators that were measured on GPUs, by others or by gpu_launch_bench, and launches as such.
namespace iosx {

enum class MeasuredKind { kConvolution, kMatrix, kStream, kRows, kPool, kLaunches };

// Returns "conv", "matrix", "stream", "rows", "pool" or "launches".
std::string_view name_of(MeasuredKind kind);

// Names as source what our own benchmarks measure (gpu_launch_bench, operators.py): launches of one CUDA graph, without
// the host's time.
inline constexpr std::string_view kOwnSource = "ios-explorer";

// Holds one row of a table of measured operators.
struct MeasuredOperator {
  MeasuredKind kind = MeasuredKind::kConvolution;
  std::string source;  // "neusight"
  std::string device;  // "Tesla T4"
  std::string op;      // "conv", "linear", "bmm", "gemm_NT", "relu", "softmax", "max_pool", "ladder", …
  bool half = false;   // float16 instead of float32
  bool tf32 = false;   // float32 whose products are of TF32
  double order = -1;   // place in the order of measuring; below 0: not known
  double us = 0;
  // Sizes of a convolution or a pool: NCHW input, `filters` of height × width. A global pool's filter is its image.
  std::int64_t batch = 1;  // also of matrix products
  std::int64_t channels = 1, height = 1, width = 1;
  std::int64_t filters = 1, filter_height = 1, filter_width = 1;
  std::int64_t pad_height = 0, pad_width = 0, stride_height = 1, stride_width = 1;
  std::int64_t groups = 1;
  // Sizes of a matrix product, rows × depth by depth × columns, and of everything else.
  std::int64_t rows = 1, columns = 1, depth = 1;
  // Of launches: `us` is what one more costs of a chain of kernels of so many µs each, one more stage of so many lanes
  // whose lanes wait for all those of the stage before, or one more rung of a ladder of lanes, each of which waits for
  // its neighbour's rung before.
  std::int64_t lanes = 1;
  double kernel_us = 0;
};

// Returns "float32", "tf32" or "float16".
std::string_view precision_of(const MeasuredOperator& measured);

// Reads a comma-separated table whose first line names the columns: source, device, precision (float32, tf32 or
// float16), latency_ms (or latency_us, latency_s), optionally order and op, and N C H W K R S pad_h pad_w stride_h
// stride_w (optionally groups), or batch M N K, or rows columns, or lanes kernel_us. Other columns are ignored. A table
// may have several of these: then op says which of them a row's are. Errors name the line.
Result<std::vector<MeasuredOperator>> read_operators(std::string_view table, const std::string& origin);

// Does the same with a file of any size, of which little is held at a time, and hands on one row after another. Rows
// before a mistake are handed on. Errors are also those of reading the file.
using OperatorSink = FunctionRef<void(const MeasuredOperator&)>;
Result<void> visit_operators(const std::filesystem::path& file, OperatorSink sink);

// Returns the operator as its session is named (sessions.h): "conv", "add", "gemm16".
std::string session_kind(const MeasuredOperator& measured);

}  // namespace iosx
