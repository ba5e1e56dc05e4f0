#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/result.h"
#include "core/devices/store/measurement_store.h"

// This writes and reads measurements as text: one JSON object a line, so that exports can be compared and cut line by
// line. Lines that define a set or a method come before those that refer to them by number.
//
//   {"format":"iosx-measurements","version":1}
//   {"define_set":1,"fingerprint":"…","batch":1,"precision":"f32","origin":"measured","device":"cpu","name":"…"}
//   {"define_method":1,"program":"0.1.0","warmup":2,"repeats":5,"max_repeats":100,"min_time_ms":2.0,"precision":0.02,
//    "max_time_ms":200.0}
//   {"set":1,"method":1,"key":"…","median_ms":0.5,"spread_ms":0.01,"samples":20,"clock_mhz":0.0,
//    "date":"2026-03-01T12:00:00Z","features":"…"}
//
// "features" is what the measured stage is, where that is known (DescribedStage).
namespace iosx {

// Hands on one line after another, each with its end; returns how many measurements there were.
using LineSink = FunctionRef<Result<void>(std::string_view)>;
Result<std::int64_t> export_measurements(MeasurementStore& store, const MeasurementFilter& selection, LineSink sink);

struct MeasuredSet {
  MeasurementSet set;
  std::vector<Measurement> measurements;
  std::vector<DescribedStage> stages;  // of these, where it is known what they are
};

// Returns what such a text holds. A line that is not of the form is an error that names it. `origin` is what errors
// call the text.
Result<std::vector<MeasuredSet>> parse_measurements(std::string_view text, const std::string& origin);

// Takes over what is new or newer, and what stages are.
Result<Taken> import_measurements(MeasurementStore& store, std::span<const MeasuredSet> sets);

}  // namespace iosx
