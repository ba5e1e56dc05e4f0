#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/result.h"
#include "core/devices/store/measurement_store.h"

// Writes and reads measurements as text, one JSON object a line, so that exports can be compared and cut by line.
// Lines that define a set or a method come before those that refer to its number.
//
//   {"format":"iosx-measurements","version":1}
//   {"define_set":1,"fingerprint":"…","batch":1,"precision":"f32","origin":"measured","device":"cpu","name":"…"}
//   {"define_method":1,"program":"0.1.0","warmup":2,"repeats":5,"max_repeats":100,"min_time_ms":2.0,"precision":0.02,
//    "max_time_ms":200.0}
//   {"set":1,"method":1,"key":"…","median_ms":0.5,"spread_ms":0.01,"samples":20,"clock_mhz":0.0,
//    "date":"2026-03-01T12:00:00Z","features":"…"}
//
// "features" is the description of the stage, where known (DescribedStage).
namespace iosx {

// Sends one line after another, each with its end, to the sink. Returns how many measurements it sent.
using LineSink = FunctionRef<Result<void>(std::string_view)>;
Result<std::int64_t> export_measurements(MeasurementStore& store, const MeasurementFilter& selection, LineSink sink);

struct MeasuredSet {
  MeasurementSet set;
  std::vector<Measurement> measurements;
  std::vector<DescribedStage> stages;  // of these stages, where known
};

// Returns the content of such a text. A malformed line is an error that names it. `origin` is the text's name in
// errors.
Result<std::vector<MeasuredSet>> parse_measurements(std::string_view text, const std::string& origin);

// Imports new or newer measurements and the descriptions of stages.
Result<Taken> import_measurements(MeasurementStore& store, std::span<const MeasuredSet> sets);

}  // namespace iosx
