#include "core/analysis/sweep/parameter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "core/analysis/compare/compare_options.h"
#include "core/base/check.h"

namespace iosx {
namespace {

constexpr Bounds<std::int64_t> kSizes{1, 1 << 20};

constexpr std::array kTable{
    SweepParameterRow{SweepParameter::kBatch, "batch", said("Batch size"), said("batch size (samples)"),
                      info_of(&CompareOptions::batch).whole_bounds()},
    SweepParameterRow{SweepParameter::kDevice, "device", said("Device"), said("device"), {0, 1 << 20}},
    SweepParameterRow{SweepParameter::kR, "r", said("Units per group (r)"), said("r, maximum units per group"),
                      info_of(&Pruning::r).whole_bounds()},
    SweepParameterRow{SweepParameter::kS, "s", said("Groups per stage (s)"), said("s, maximum groups per stage"),
                      info_of(&Pruning::s).whole_bounds()},
    SweepParameterRow{SweepParameter::kStreams, "streams", said("Streams"), said("streams (s and greedy)"),
                      info_of(&CompareOptions::max_streams).whole_bounds()},
    SweepParameterRow{SweepParameter::kInputSize, "input-size", said("Input size"),
                      said("input height (pixels; text: tokens)"), kSizes},
    SweepParameterRow{SweepParameter::kChannels, "channels", said("Output channels"), said("output channels"), kSizes,
                      true},
    SweepParameterRow{SweepParameter::kKernel, "kernel", said("Kernel size"), said("kernel size (pixels)"), kSizes,
                      true},
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
