#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"

// Interpret the axes of Slice, Split and Reshape, for folding and conversion. Errors have no place.
namespace iosx::onnx_import {

using Dims = std::vector<std::int64_t>;

// The elements first, first + step, … of one axis.
struct Range {
  std::int64_t first = 0;
  std::int64_t step = 1;
  std::int64_t count = 1;
};

// Returns start:end:step for an axis of this size, by Python's rules. The step is not 0.
Range slice_range(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size);

// Returns the sizes of the parts of an axis: the given ones, or one part per output, of which the last is smaller where
// they cannot be equal (from opset 18 on).
Result<Dims> split_sizes(const std::optional<Dims>& given, std::int64_t parts, std::size_t outputs, std::int64_t opset,
                         std::int64_t size);

// Returns the dims of a reshape: 0 copies from the input unless zero_is_zero; one -1 stands for the remaining
// elements.
Result<Dims> reshape_dims(Dims wanted, std::span<const std::int64_t> from, bool zero_is_zero);

// A size for every open axis of a model's inputs.
struct Sizes {
  std::map<std::string, Dims, std::less<>> inputs;           // whole shapes of inputs that are not bound
  std::map<std::string, std::int64_t, std::less<>> symbols;  // of the file's names

  // Returns the size of a declared dimension that is not fixed: of a name, or of sums and products of names
  // ("2*height", "past + 1").
  std::optional<std::int64_t> of(const std::string& symbol) const;
};

// Returns true for "2*height", which may follow from other names.
bool is_computed(const std::string& symbol);

}  // namespace iosx::onnx_import
