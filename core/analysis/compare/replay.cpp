#include "core/analysis/compare/replay.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "core/analysis/compare/make_schedules.h"
#include "core/analysis/compare/planned_memory.h"
#include "core/analysis/compare/reliability.h"
#include "core/devices/measure/recorded_latency_source.h"
#include "core/search/prepare.h"

namespace iosx {
namespace {

DeviceInfo recorded_device(const MeasurementSet& set) {
  DeviceInfo info;
  info.id = set.device_id;
  info.name = set.device_name;
  info.summary = "stage latencies of earlier runs";
  info.fingerprint = set.fingerprint;
  info.origin = set.origin == Origin::kSimulated ? Origin::kSimulated : Origin::kRecorded;
  info.lowering = set.terms->lowering;
  info.overhead = set.terms->overhead;
  info.precision = set.precision;
  return info;
}

}  // namespace

Result<Comparison> replay(const Graph& graph, MeasurementStore& store, const MeasurementSet& set,
                          const CompareOptions& given, const JobContext& job, const CompareListener& listener) {
  IOS_TRY(check_options(graph, given));
  CompareOptions options = given;
  add_those_of_several(options, graph);
  const auto without = leave_out_barrier_free(options, recorded_device(set));
  if (!without) return fail(message("only stages were recorded; a schedule without stages was never run"), "schedules");
  IOS_TRY(auto prepared, prepare(graph, searched_with(options), options.max_part_size, kPartBudget, job));

  Comparison comparison;
  comparison.graph = std::make_shared<const Graph>(std::move(prepared));
  comparison.device = recorded_device(set);
  if (listener.prepared) listener.prepared(comparison.graph, comparison.device);
  comparison.batch = set.batch;
  comparison.memory_limit = options.memory_limit;
  RecordedLatencySource source(*comparison.graph, &store, set);
  IOS_TRY(make_schedules(comparison, graph, options, source, job, listener));
  const JobContext unstoppable{{}, job.progress};  // what a stop left is still added up
  for (ScheduleResult& result : comparison.results) {
    IOS_TRY(measure_stages(result, source, unstoppable));
    result.latency = Latency{.value = result.stage_sum, .origin = comparison.device.origin};
    result.plan = source.planner().plan(result.schedule);
    result.planned_bytes = planned_peak(result.plan, comparison.device);
  }
  comparison.notices.push_back(message("{} was not used; latencies are sums of stages that were {} there earlier",
                                       comparison.device.name, origin_name(set.origin)));
  if (source.lacking() > 0) {
    comparison.notices.push_back(
        message("of {} possible stages, {} were never measured there: schedules use only the others", source.asked(),
                source.lacking()));
  }
  for (Message& warning : reliability_warnings(comparison, source.noise(kUnreliableSpread))) {
    comparison.notices.push_back(std::move(warning));
  }
  return comparison;
}

}  // namespace iosx
