#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/devices/simulated/description.h"

// Single operators that others measured on GPUs, beside what the simulator's kernel model gives for them.
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
// latency_ms, optionally order and op, and either N C H W K R S pad_h pad_w stride_h stride_w, or batch M N K, or rows
// columns. Other columns are ignored. Errors name the line.
Result<std::vector<MeasuredOperator>> read_operators(std::string_view table, const std::string& origin);

// Holds a measured operator's latency and the simulated one, which has the session's host time in it.
struct OperatorPair {
  std::string device;
  MeasuredKind kind = MeasuredKind::kConvolution;
  std::string precision;  // "float32"
  double measured_us = 0;
  double simulated_us = 0;
};

// Says how far the model is off for the operators of one kind, or of one size, on a device. Errors are absolute and
// relative to what was measured; 0.1 is ten per cent.
struct OperatorErrors {
  std::string device;  // empty: all
  std::string kind;    // of name_of(), or a class of sizes: "20 to 50 µs"
  std::string precision;
  std::size_t rows = 0;
  double mape = 0;
  double median = 0;
  double within_25 = 0;  // part of the rows whose ratio is below 1.25
};

struct OperatorValidation {
  std::vector<OperatorPair> pairs;
  std::vector<OperatorErrors> errors;  // by device, kind and precision
  std::vector<OperatorErrors> sizes;   // by kind, precision and measured latency
  std::size_t skipped = 0;  // rows of devices or formats that are not simulated, or without what their session needs
};

// Simulates each operator alone on the nearest of `devices` (launched by the host), with the clock and the host time of
// the session that it was measured in (sessions.h).
OperatorValidation validate_operators(std::span<const MeasuredOperator> operators,
                                      std::span<const simulated::DeviceDescription> devices);

}  // namespace iosx
