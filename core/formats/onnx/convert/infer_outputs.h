#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/formats/onnx/host_tensor.h"
#include "core/formats/onnx/model.h"
#include "core/formats/onnx/sizes.h"

namespace iosx::onnx_import {

// Says what is known of a tensor that a node reads or computes; by default that is nothing.
struct TensorFacts {
  ElementType type = ElementType::kUndefined;
  std::optional<Dims> dims = {};         // with the batch; kUnknownSize for an axis of unknown size
  const HostTensor* constant = nullptr;  // of an input, perhaps unreadable

  bool has_sizes() const;  // all are known
  // Returns their product; 0 where one is unknown.
  std::int64_t elements() const;
};
inline constexpr std::int64_t kUnknownSize = -1;

// Returns what ONNX's own inference says of each output of a node with these inputs, one entry per input name. It is
// nothing where ONNX defines no such operator in this opset, or the node does not fit its definition.
std::vector<TensorFacts> infer_outputs(const Node& node, std::span<const TensorFacts> inputs, std::int64_t opset);

}  // namespace iosx::onnx_import
