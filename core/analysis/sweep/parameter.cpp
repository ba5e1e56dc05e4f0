#include "core/analysis/sweep/parameter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "core/base/check.h"

namespace iosx {
namespace {

constexpr std::array kTable{
    SweepParameterRow{SweepParameter::kBatch, "batch", "Batch size", "batch size (samples)"},
    SweepParameterRow{SweepParameter::kDevice, "device", "Device", "device"},
    SweepParameterRow{SweepParameter::kR, "r", "Units in a group (r)", "r, units in a group at most"},
    SweepParameterRow{SweepParameter::kS, "s", "Groups in a stage (s)", "s, groups in a stage at most"},
    SweepParameterRow{SweepParameter::kStreams, "streams", "Streams", "streams (s, and those of greedy)"},
    SweepParameterRow{SweepParameter::kInputSize, "input-size", "Input size", "input height (pixels; of text, tokens)"},
    SweepParameterRow{SweepParameter::kChannels, "channels", "Output channels", "output channels", true},
    SweepParameterRow{SweepParameter::kKernel, "kernel", "Kernel size", "kernel size (pixels)", true},
};

}  // namespace

std::span<const SweepParameterRow> sweep_table() { return kTable; }

const SweepParameterRow& row_of(SweepParameter parameter) {
  const auto row = std::ranges::find(kTable, parameter, &SweepParameterRow::parameter);
  IOS_CHECK(row != kTable.end());
  return *row;
}

Result<SweepParameter> parse_sweep_parameter(std::string_view id) {
  const auto row = std::ranges::find(kTable, id, &SweepParameterRow::id);
  if (row != kTable.end()) return row->parameter;
  std::string ids;
  for (const SweepParameterRow& each : kTable) ids += (ids.empty() ? "" : ", ") + std::string(each.id);
  return fail(message("'{}' is not a parameter that can vary", id), {}, message("choose one of {}", ids));
}

}  // namespace iosx
