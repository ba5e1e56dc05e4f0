#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "core/formats/onnx/draft/draft.h"

// These are functions that exporters write as several operators.
namespace iosx::onnx_import {

// Is what an operator and those before it compute, as one operator of one value.
struct Pattern {
  Attributes attributes;
  DraftValue of;
};

// `sole` says whether nothing else reads an operator. These are recognised at their last operator: gelu with erf or
// tanh, mish, layer normalisation and its relative without a mean. None of what the pattern takes in is read by others,
// but for the value itself.
std::optional<Pattern> pattern_at(const Draft& draft, std::size_t i, const std::function<bool(std::size_t)>& sole);

// Returns the number that all elements are; nothing if they differ.
std::optional<float> uniform(const Tensor& tensor);

}  // namespace iosx::onnx_import
