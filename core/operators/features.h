#pragma once

#include "core/model/plan/execution_plan.h"

namespace iosx {

// The features of a kernel that its time may depend on: kind, tensor sizes and traffic. Sizes are of one sample; bytes
// are of float32. For a layer on tokens, channels are features and the height is the number of tokens.
struct OperatorFeatures {
  std::string kind;                                              // see operator_kinds()
  std::int64_t batch = 1;                                        // for matrix products: matrices
  std::int64_t channels = 1, height = 1, width = 1;              // of the first input
  std::int64_t out_channels = 1, out_height = 1, out_width = 1;  // of the output
  std::int64_t kernel_height = 1, kernel_width = 1;
  std::int64_t stride = 1;
  std::int64_t groups = 1;  // of a convolution
  std::int64_t fused = 0;   // operators computed in the same kernel
  std::int64_t inputs = 1;  // tensors read, without weights
  std::int64_t slices = 0;  // tensors read or written that are channels of a wider one
  // The cost of elementwise functions, its own and fused ones: 1 each for comparisons or lines (ReLU, clip, hard
  // swish), 3 for functions with an exponential, a root or a logarithm.
  std::int64_t function = 0;
  double flops = 0;       // a multiply-add is two
  double bytes_read = 0;  // inputs and weights
  double bytes_written = 0;
  double bytes() const { return bytes_read + bytes_written; }
  friend bool operator==(const OperatorFeatures&, const OperatorFeatures&) = default;
};

// Returns the names of kinds in a fixed order, new ones at the end: "conv", "depthwise", "linear", …
std::span<const std::string_view> operator_kinds();

// A number of an operator, with its name in queries, tables and help.
struct FeatureColumn {
  std::string_view name;
  double (*value)(const OperatorFeatures&);
};
std::span<const FeatureColumn> feature_columns();

OperatorFeatures features_of(const ExecutionPlan& plan, const Kernel& kernel);

// A stage: groups of operators that run concurrently, each group in order. One group of one operator is an operator
// alone.
using StageFeatures = std::vector<std::vector<OperatorFeatures>>;
// Returns the features of a plan's stage without groups that have no kernels.
StageFeatures stage_features(const ExecutionPlan& plan, std::size_t stage = 0);

inline bool is_alone(const StageFeatures& stage) { return stage.size() == 1 && stage.front().size() == 1; }

// Return the names of time classes, the shortest first ("below 0.02 ms", "0.02 to 0.1 ms", …), and the class of a time.
std::span<const std::string_view> time_classes();
std::size_t time_class_of(double ms);

// Write and read a stage as a line of JSON, the form in a store. Returns an error for invalid text; `origin`
// begins its place.
std::string to_text(const StageFeatures& stage);
Result<StageFeatures> parse_stage_features(std::string_view text, const std::string& origin);

}  // namespace iosx
