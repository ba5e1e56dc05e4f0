#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/analysis/experiment/parameter.h"
#include "core/tables/render.h"

// Sweeps, experiments of one variable: a parameter takes one value after another, the rest stays, and each time the
// schedules are made and run anew.
namespace iosx {

// Everything on which a schedule's latency depends, unvaried.
struct SweepBase {
  std::shared_ptr<const Graph> graph = {};
  std::string device = {};                // its id
  std::vector<std::string> devices = {};  // ids, for a sweep over devices: its values are indices of these
  CompareOptions options = {};            // batch, search, streams, timing; schedule kinds: the curves
};

struct Sweep {
  SweepBase base = {};
  SweepParameter parameter = SweepParameter::kBatch;
  OperatorId op = {};  // of a parameter of one operator
};

// Returns the parameter's unvaried value; 0 where the base has none.
std::int64_t present_value(const Sweep& sweep);
// Returns values to try, with the present one, in order.
std::vector<std::int64_t> usual_values(const Sweep& sweep);
// Returns "32", "tesla-v100", "unlimited".
std::string value_text(const Sweep& sweep, std::int64_t value);
// Returns the base with that value. The error says why that is impossible.
Result<SweepBase> with_value(const Sweep& sweep, std::int64_t value);

struct SweepLatency {
  ScheduleId id;
  ScheduleKind schedule_kind = ScheduleKind::kSequential;
  std::string title;
  Latency latency;
  std::size_t stages = 0;
};

struct SweepPoint {
  std::int64_t value = 0;
  std::string text;                     // value_text()
  std::vector<SweepLatency> latencies;  // as compared; empty without any
  Message problem;                      // why there are none: impossible, or never measured
};

// Returns the latencies for a base: by compare() on its device, or from known ones. An error concerns one point only.
using SweepEvaluator = std::function<Result<Comparison>(const SweepBase& base, const JobContext& job)>;

// Evaluates one value. Errors: a stop, and a request to abandon; any other error becomes the point's problem.
Result<SweepPoint> sweep_point(const Sweep& sweep, std::int64_t value, const SweepEvaluator& evaluate,
                               const JobContext& job);

// Returns the titles of the schedules of all points, in order of first appearance.
std::vector<std::string> sweep_titles(std::span<const SweepPoint> points);

// Returns the origins of their latencies, each once: devices of a sweep may be simulated and measured.
std::vector<Origin> origins_of(std::span<const SweepPoint> points);

// A gain below this, of the fastest schedule over the sequential one, is not worth a schedule.
inline constexpr double kWorthwhileGain = 1.05;
// Says of a sweep over batch sizes in a sentence up to which of them concurrency pays. None for another parameter, and
// where fewer than two values have both latencies.
std::optional<Message> batch_sentence(const Sweep& sweep, std::span<const SweepPoint> points);

// For people: what is varied, and an aligned row a value with the latency of every schedule in ms, "*" at the least of
// each row, the present value marked; where there are none, why; and batch_sentence().
std::string sweep_table_text(const Sweep& sweep, std::span<const SweepPoint> points);

// One row a value and schedule, for documents: network, device, parameter, operator, value, schedule, latency_ms,
// spread_ms, origin, stages, problem.
Table sweep_list(const Sweep& sweep, std::span<const SweepPoint> points);

// {"network", "device", "parameter", "operator" (or null), "present", "points": [{"value", "text", "schedules": [{"id",
// "latency_ms", "spread_ms", "origin", "stages"}], "problem" (or null)}]}
nlohmann::ordered_json sweep_json(const Sweep& sweep, std::span<const SweepPoint> points);

}  // namespace iosx
