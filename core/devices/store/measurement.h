#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/duration.h"
#include "core/base/result.h"
#include "core/model/cost/inter_stage_overhead.h"
#include "core/model/cost/latency.h"
#include "core/model/plan/lower_options.h"
#include "core/model/plan/stage_key.h"

namespace iosx {

// Holds what a search has to know of a device besides latencies: in which form stages run there, which their keys
// depend on, and what a run adds between them.
struct DeviceTerms {
  LowerOptions lowering;
  InterStageOverhead overhead;
  friend bool operator==(const DeviceTerms&, const DeviceTerms&) = default;
};

// Names measurements that may stand beside one another: they were made on one device with one driver and library
// version (all that its fingerprint tells), with one batch size and precision. Nothing of one set is ever an answer for
// another.
struct MeasurementSet {
  std::string fingerprint;  // DeviceInfo's
  std::int64_t batch = 1;
  std::string precision;  // "f32"; DeviceInfo's

  // These say what the device is called and whether it measures, for people. The fingerprint alone tells devices apart.
  Origin origin = Origin::kMeasured;
  std::string device_id;    // "cpu"
  std::string device_name;  // "AMD EPYC 9B14"
  // Terms that are not known are empty. The newest are kept.
  std::optional<DeviceTerms> terms = {};
};

// Says whether fingerprint, batch and precision are the same.
bool same_set(const MeasurementSet& a, const MeasurementSet& b);

// Says by whom and how thoroughly something was measured: the program's version, and what the device was asked for (the
// meaning of TimingOptions' fields of the same names). It is a type of its own, because it outlives what a program may
// ask for.
struct Method {
  std::string program;
  std::int64_t warmup = 0;
  std::int64_t repeats = 0;
  std::int64_t max_repeats = 0;
  Millis min_time{0};
  double precision = 0;
  Millis max_time{0};
  friend bool operator==(const Method&, const Method&) = default;
};

// A date is a point of time in UTC, in seconds.
using Date = std::chrono::sys_seconds;

struct Measurement {
  StageKey key;
  Latency latency;  // origin: the set's
  Date date{};
  Method method = {};
};

Date date_now();
std::string date_text(Date date);  // "2026-03-01T12:00:00Z"
std::optional<Date> parse_date(std::string_view text);

// These return an error for what no device measures: negative or infinite times, no samples, no fingerprint, a date
// before 1970.
Result<void> check(const MeasurementSet& set);
Result<void> check(const Measurement& measurement);

}  // namespace iosx

namespace iosx::store {

// Writes terms down as JSON: {"fuse": …, "concat_in_place": …, "free_slices": "never", "overhead_ms": [[…, …], …]},
// with "free_columns" where it is true, "input_channel_multiple" where it is more than 1 and "cached_weights" where it
// is more than 0. The overheads are those before the first stage and after a stage of one lane and of several, each by
// what follows.

nlohmann::ordered_json terms_json(const DeviceTerms& terms);
// These read what terms_json() wrote, and are empty for anything else. They throw nothing.
std::optional<DeviceTerms> parse_terms(const nlohmann::ordered_json& json);
std::optional<DeviceTerms> parse_terms_text(std::string_view text);

}  // namespace iosx::store
