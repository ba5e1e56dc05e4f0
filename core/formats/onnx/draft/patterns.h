#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "core/formats/onnx/draft/draft.h"

// Functions that exporters write as several operators.
namespace iosx::onnx_import {

// The computation of an operator and those before it, as one operator of one value.
struct Pattern {
  Attributes attributes;
  DraftValue of;
};

// `sole` returns whether an operator has a single reader. Recognised at their last operator: gelu with erf or tanh,
// mish, layer normalisation and RMS normalisation. The pattern's operators have no outside readers, except for the
// value itself.
std::optional<Pattern> pattern_at(const Draft& draft, std::size_t i, const std::function<bool(std::size_t)>& sole);

// Returns the number that all elements equal; none if they differ.
std::optional<float> uniform(const Tensor& tensor);

}  // namespace iosx::onnx_import
