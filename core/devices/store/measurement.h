#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/duration.h"
#include "core/base/result.h"
#include "core/model/cost/latency.h"
#include "core/model/plan/lower_options.h"
#include "core/model/plan/stage_key.h"

namespace iosx {

// What a search needs of a device in addition to latencies: the form of its stages, on which their keys depend,
// and the time that a run adds between them.
struct DeviceTerms {
  LowerOptions lowering;
  InterStageOverhead overhead;
  friend bool operator==(const DeviceTerms&, const DeviceTerms&) = default;
};

// A set of comparable measurements: of one device with one driver and library version (its fingerprint), one batch size
// and one precision. A measurement never answers for another set.
struct MeasurementSet {
  std::string fingerprint;  // as in DeviceInfo
  std::int64_t batch = 1;
  std::string precision;  // "f32"; as in DeviceInfo

  // The device's name, and whether it measures, for display. Only the fingerprint identifies devices.
  Origin origin = Origin::kMeasured;
  std::string device_id;    // "cpu"
  std::string device_name;  // "AMD EPYC 9B14"
  // Empty: unknown. The newest are kept.
  std::optional<DeviceTerms> terms = {};
};

// Returns whether fingerprint, batch and precision are equal.
bool same_set(const MeasurementSet& a, const MeasurementSet& b);

// Who measured something and how thoroughly: the program's version and the TimingOptions fields of the same names. It
// is a separate type because stored values outlive the program's options.
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

// A point of time in UTC, in seconds.
using Date = std::chrono::sys_seconds;

struct Measurement {
  StageKey key;
  Latency latency;  // its origin is the set's
  Date date{};
  Method method = {};
};

Date date_now();
std::string date_text(Date date);  // "2026-03-01T12:00:00Z"
std::optional<Date> parse_date(std::string_view text);

// Return an error for values that no device measures: negative or infinite times, no samples, no fingerprint, a
// date before 1970.
Result<void> check(const MeasurementSet& set);
Result<void> check(const Measurement& measurement);

}  // namespace iosx

namespace iosx::store {

// Writes terms as JSON: {"fuse": …, "concat_in_place": …, "free_slices": "never", "overhead_ms": [[…, …], …]}, with
// "free_columns", "fuse_sums", "fuse_before", "fuse_attention", "fuse_excitation", "strided_products" if true,
// "input_channel_multiple" above 1, "cached_weights" above 0.
// Overheads are those before the first stage and after a stage of one lane and of several, each by the next stage.
nlohmann::ordered_json terms_json(const DeviceTerms& terms);
// Read the output of terms_json(); empty for anything else. They throw nothing.
std::optional<DeviceTerms> parse_terms(const nlohmann::ordered_json& json);
std::optional<DeviceTerms> parse_terms_text(std::string_view text);

}  // namespace iosx::store
