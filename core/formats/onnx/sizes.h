#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/formats/onnx/axis_ranges.h"

namespace iosx::onnx_import {

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
