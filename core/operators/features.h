#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/plan/execution_plan.h"

namespace iosx {

// Is a kernel as what its time may depend on: what it computes, on tensors of which sizes, and what it moves. Sizes are
// those of one sample; bytes are of float32. Of a layer on tokens, channels are features and the height is the tokens.
struct OperatorFeatures {
  std::string kind;                                              // see operator_kinds()
  std::int64_t batch = 1;                                        // of matrix products: matrices
  std::int64_t channels = 1, height = 1, width = 1;              // of the first input
  std::int64_t out_channels = 1, out_height = 1, out_width = 1;  // of the output
  std::int64_t kernel_height = 1, kernel_width = 1;
  std::int64_t stride = 1;
  std::int64_t groups = 1;  // of a convolution
  std::int64_t fused = 0;   // operators that are computed along with it
  std::int64_t inputs = 1;  // tensors that it reads, weights left out
  std::int64_t slices = 0;  // tensors that it reads or writes which are channels of a wider one
  // What functions of single elements cost it, its own and those computed along with it: 1 each for a comparison or a
  // line (ReLU, clip, hard swish), 3 for what has an exponential, a root or a logarithm in it.
  std::int64_t function = 0;
  double flops = 0;       // a multiply-add is two
  double bytes_read = 0;  // inputs and weights
  double bytes_written = 0;
  friend bool operator==(const OperatorFeatures&, const OperatorFeatures&) = default;
};

// Returns the names of kinds, in a fixed order; new ones come at the end: "conv", "depthwise", "linear", …
std::span<const std::string_view> operator_kinds();

// Is a number of an operator, by the name that queries, tables and help give it.
struct FeatureColumn {
  std::string_view name;
  double (*value)(const OperatorFeatures&);
};
std::span<const FeatureColumn> feature_columns();

OperatorFeatures features_of(const ExecutionPlan& plan, const Kernel& kernel);

// Is a stage: groups of operators that run at the same time, those of a group in order. One group of one operator is an
// operator alone.
using StageFeatures = std::vector<std::vector<OperatorFeatures>>;
// Returns those of a plan's stage; groups without kernels are left out.
StageFeatures stage_features(const ExecutionPlan& plan, std::size_t stage = 0);

inline bool is_alone(const StageFeatures& stage) { return stage.size() == 1 && stage.front().size() == 1; }

// Returns what times are called in tables that tell short stages from long ones, from the shortest on: "below 0.02 ms",
// "0.02 to 0.1 ms", …; and which of them a time is of.
std::span<const std::string_view> time_classes();
std::size_t time_class_of(double ms);

// These write and read a stage as a line of JSON, what a store keeps of it. The error is that it is none; `origin`
// leads its place.
std::string to_text(const StageFeatures& stage);
Result<StageFeatures> parse_stage_features(std::string_view text, const std::string& origin);

}  // namespace iosx
