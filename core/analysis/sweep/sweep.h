#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/analysis/sweep/parameter.h"

// What if one thing were different? One parameter takes one value after another, everything else stays, and each time
// the schedules are made anew and run.
namespace iosx {

// Everything that a schedule's latency depends on, as it is.
struct SweepBase {
  std::shared_ptr<const Graph> graph;
  std::string device;                // id
  std::vector<std::string> devices;  // ids, of a sweep over devices: its values are indices of these
  CompareOptions options;            // batch, search, streams, timing; schedule kinds: what the curves are
};

struct Sweep {
  SweepParameter parameter = SweepParameter::kBatch;
  OperatorId op = {};  // of a parameter that is one operator's
};

// The parameter's value as it is; 0 where the base has no such thing.
std::int64_t present_value(const SweepBase& base, const Sweep& sweep);
// Values to try, the present one among them, in order.
std::vector<std::int64_t> usual_values(const SweepBase& base, const Sweep& sweep);
// "32", "tesla-v100", "unlimited".
std::string value_text(const SweepBase& base, const Sweep& sweep, std::int64_t value);
// The base with that value. The error says why it cannot be.
Result<SweepBase> with_value(const SweepBase& base, const Sweep& sweep, std::int64_t value);

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
  std::vector<SweepLatency> latencies;  // as compared; empty where there are none
  Message problem;                      // why there are none: what cannot be, or that nobody measured it
};

// Latencies for a base: compare() on its device, or what is known of it. The error is of one point only.
using SweepEvaluator = std::function<Result<Comparison>(const SweepBase& base, const JobContext& job)>;

// One value. Fails only at a stop and where it is told to abandon; whatever else goes wrong is the point's problem.
Result<SweepPoint> sweep_point(const SweepBase& base, const Sweep& sweep, std::int64_t value,
                               const SweepEvaluator& evaluate, const JobContext& job);

}  // namespace iosx
