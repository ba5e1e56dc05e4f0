#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <tuple>

#include "core/base/function_ref.h"
#include "core/base/result.h"
#include "core/devices/store/measurement_store.h"
#include "core/operators/predictor.h"

// Measured operators of GPUs, from publications or from gpu_launch_bench, and measured launches.
namespace iosx {

enum class MeasuredKind { kConvolution, kMatrix, kStream, kRows, kPool, kLaunches };

// Returns "conv", "matrix", "stream", "rows", "pool" or "launches".
std::string_view name_of(MeasuredKind kind);

// The source name of our own benchmarks (gpu_launch_bench, operators.py): launches of one CUDA graph, without host
// time.
inline constexpr std::string_view kOwnSource = "ios-explorer";

// One row of a table of measured operators.
struct MeasuredOperator {
  MeasuredKind kind = MeasuredKind::kConvolution;
  std::string source;  // "neusight"
  std::string device;  // "Tesla T4"
  std::string op;      // "conv", "linear", "bmm", "gemm_NT", "relu", "softmax", "max_pool", "ladder", …
  bool half = false;   // float16 instead of float32
  bool tf32 = false;   // float32 with TF32 products
  double order = -1;   // place in the order of measuring; below 0: unknown
  double us = 0;
  // Sizes of a convolution or pool: NCHW input, `filters` of height × width. The filter of a global pool is the
  // whole image.
  std::int64_t batch = 1;  // also of matrix products
  std::int64_t channels = 1, height = 1, width = 1;
  std::int64_t filters = 1, filter_height = 1, filter_width = 1;
  std::int64_t pad_height = 0, pad_width = 0, stride_height = 1, stride_width = 1;
  std::int64_t groups = 1;
  // Sizes of a matrix product (rows × depth by depth × columns) and of all other operators.
  std::int64_t rows = 1, columns = 1, depth = 1;
  // For launches, `us` is the added time of one more kernel in a chain of kernels of this many µs each, of one more
  // stage of this many lanes that wait for all lanes of the previous stage, or of one more rung in a ladder of lanes,
  // each of which waits for its neighbour's previous rung.
  std::int64_t lanes = 1;
  double kernel_us = 0;
};

// Returns "float32", "tf32" or "float16".
std::string_view precision_of(const MeasuredOperator& measured);

// Reads a comma-separated table whose first line names the columns: source, device, precision (float32, tf32 or
// float16), latency_ms (or latency_us, latency_s), optionally order and op, and N C H W K R S pad_h pad_w stride_h
// stride_w (optionally groups), or batch M N K, or rows columns, or lanes kernel_us. Other columns are ignored. In a
// table with several of these sets, op selects the row's. Errors name the line.
Result<std::vector<MeasuredOperator>> read_operators(std::string_view table, const std::string& origin);

// Does the same for a file of any size with little memory, and passes on one row at a time, also those before a
// mistake. Errors also include those of reading the file.
using OperatorSink = FunctionRef<void(const MeasuredOperator&)>;
Result<void> visit_operators(const std::filesystem::path& file, OperatorSink sink);

// Returns the operator's session name (sessions.h): "conv", "add", "gemm16".
std::string session_kind(const MeasuredOperator& measured);

// Collects measurements of operators by others as recorded ones, without the host time of their sessions
// (sessions.h). The median of rows with one shape counts. A row takes about 200 bytes until hand_over().
class RecordedOperators {
 public:
  // Returns the form of stages on a device; none where unknown. May be empty.
  using TermsOf = std::function<std::optional<DeviceTerms>(std::string_view device)>;
  // Receives some operators of one device in one precision, in the form of a store.
  using Taker =
      FunctionRef<Result<void>(const MeasurementSet&, std::span<const Measurement>, std::span<const DescribedStage>)>;

  void add(const MeasuredOperator& measured);
  // Returns how many rows were skipped: mostly host time, unknown host time, absurd values, or no operators.
  std::int64_t skipped() const { return skipped_; }
  // Passes all on in the order of devices, precisions and keys, about a thousand at a time. An error of the taker
  // ends it.
  Result<void> hand_over(const TermsOf& terms, Taker take) &&;

 private:
  struct Row {
    StageKey key;
    double ms = 0;
    OperatorFeatures features;
  };
  using Device = std::tuple<std::string, std::string, std::string>;  // name, source, precision
  std::map<Device, std::deque<Row>> devices_;
  std::int64_t skipped_ = 0;
};

// Returns the features of a table's operator.
OperatorFeatures features_of(const MeasuredOperator& measured);

// Returns a table card's peak rates in float32 by its data sheet; none for an unknown card.
std::optional<DeviceRates> rates_of_card(std::string_view name);

}  // namespace iosx
