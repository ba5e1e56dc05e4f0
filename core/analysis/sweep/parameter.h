#pragma once

#include <span>
#include <string_view>

#include "core/base/result.h"
#include "core/options/option.h"

namespace iosx {

// What a sweep varies.
enum class SweepParameter { kBatch, kDevice, kR, kS, kStreams, kInputSize, kChannels, kKernel };

struct SweepParameterRow {
  SweepParameter parameter;
  std::string_view id;     // in commands and documents: "input-size"
  std::string_view title;  // for display: "Input size"
  std::string_view axis;   // of a chart, with the unit: "input height (pixels, tokens)"
  Bounds<std::int64_t> bounds;
  bool of_operator = false;  // of a single operator of the graph
};
std::span<const SweepParameterRow> sweep_table();  // in display order
const SweepParameterRow& row_of(SweepParameter parameter);
Result<SweepParameter> parse_sweep_parameter(std::string_view id);  // the error lists the ids

}  // namespace iosx
