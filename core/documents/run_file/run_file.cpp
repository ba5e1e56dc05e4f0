#include "core/documents/run_file/run_file.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <array>
#include <utility>

#include "core/base/json/text_file.h"
#include "core/base/text.h"
#include "core/documents/report/output_file.h"
#include "core/documents/run_file/archive.h"
#include "core/documents/run_file/comparison_fields.h"
#include "core/formats/external/match.h"
#include "core/formats/wire/document.h"
#include "core/formats/wire/graph_wire.h"
#include "core/model/plan/plan_validity.h"
#include "core/model/schedule/schedule.h"
#include "core/model/trace/trace.h"

namespace iosx {

RunPlace this_place(std::string program) {
  RunPlace place{.host = {},
                 .system = {},
                 .program = std::move(program),
                 .when = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now())};
  utsname names{};
  if (uname(&names) == 0) {
    place.host = names.nodename;
    place.system = fmt::format("{} {} {}", names.sysname, names.release, names.machine);
  }
  return place;
}

bool made_here(const RunPlace& place) {
  const std::string here = this_place({}).host;
  return !here.empty() && here != "localhost" && place.host == here;
}

Run make_run(Comparison comparison, CompareOptions options, RunNetwork network, std::string program) {
  Run run{.comparison = std::move(comparison),
          .options = std::move(options),
          .network = std::move(network),
          .own_weights = false,
          .place = this_place(std::move(program))};
  run.options.given.clear();
  run.options.earlier.reset();
  run.options.warm_start.reset();
  run.own_weights = has_numbers_of_its_own(*run.comparison.graph);
  return run;
}

Result<void> settle_external(ExternalRun& run, const Graph& graph) {
  if (run.of_kernel.size() != run.trace.kernels.size()) return fail(message("does not name one entry per kernel"));
  for (const std::size_t entry : run.of_kernel) {
    if (entry >= run.entries.size()) return fail(message("has a kernel that belongs to no entry"));
  }
  for (const KernelSpan& span : run.trace.kernels) {
    if (span.lane >= run.trace.lanes) return fail(message("has a kernel on a lane that does not exist"));
    if (span.stage != 0 || span.kernel.valid()) return fail(message("has a kernel that belongs to a plan"));
    if (span.end < span.begin) return fail(message("has a kernel that ends before it begins"));
  }
  run.latency.origin = Origin::kRecorded;
  match_operators(run, graph);
  return {};
}

std::string time_text(std::chrono::sys_seconds time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} UTC", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count());
}

Message recorded_text(const RunPlace& place) {
  const std::string host = place.host.empty() ? "an unnamed computer" : place.host;
  return message("recorded on {}, {}", host, time_text(place.when));
}

Message recorded_text(const Run& run) {
  return message("{}, {}", recorded_text(run.place), run.comparison.device.name);
}

namespace {

constexpr std::string_view kFormat = "iosx-run";
constexpr std::string_view kRunEntry = "run.json";

Result<void> check_search(const Graph& graph, const SearchResult& search) {
  IOS_TRY(wire::inside(check_legal(graph, search.schedule), {}, "schedule"));
  for (std::size_t i = 0; i < search.parts.size(); ++i) {
    const PartId part = search.parts[i].part;
    if (!part.valid() || part.index() >= graph.parts().size())
      return fail(message("is not a part of the graph"), fmt::format("parts[{}]", i));
  }
  return {};
}

Result<void> check_units(const Graph& graph, const ExecutionPlan& plan) {
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    for (const UnitId unit : plan.kernels[k].units) {
      if (unit.valid() && unit.index() < graph.units().size()) continue;
      return fail(message("is in no unit of the graph"), fmt::format("kernels[{}]", k));
    }
  }
  return {};
}

// Sets what is not in the file.
void complete(ExecutionPlan& plan, const Graph& graph) {
  plan.parameters = graph.parameters();
  for (Kernel& kernel : plan.kernels) {
    if (kernel.units.empty() || kernel.units.front().index() >= graph.units().size()) continue;
    if (graph.unit(kernel.units.front()).whole) kernel.piece = kernel.units.front();
  }
}

// Checks what every view relies on.
Result<void> check_result(const Comparison& comparison, const ScheduleResult& result) {
  const Graph& graph = *comparison.graph;
  IOS_TRY(wire::inside(check_legal(graph, result.schedule), {}, "schedule"));
  const std::size_t stages = result.schedule.stages.size();
  if (result.stage_latencies.size() != stages)
    return fail(message("does not have one latency per stage"), "stage_latencies");
  if (result.plan.stages.size() != stages)
    return fail(message("does not have the stages of the schedule"), "plan.stages");
  if (result.plan.batch != comparison.batch) return fail(message("does not match the comparison"), "plan.batch");
  IOS_TRY(wire::inside(check_plan(result.plan), {}, "plan"));
  if (result.plan.barrier_free != result.lanes.has_value()) return fail(message("do not belong to the plan"), "lanes");
  if (result.lanes) {
    IOS_TRY(wire::inside(check_launches(*result.lanes, result.plan.kernels.size()), {}, "lanes"));
    for (std::size_t i = 0; i < result.plan.kernels.size(); ++i) {
      if (result.lanes->launches[i].name == result.plan.kernels[i].name) continue;
      return fail(message("do not belong to the plan"), fmt::format("lanes[{}]", i));
    }
  }
  IOS_TRY(wire::inside(check_units(graph, result.plan), {}, "plan"));
  IOS_TRY(wire::inside(check_trace(result.trace, result.plan), {}, "trace"));
  if (result.search) {
    IOS_TRY(wire::inside(check_search(graph, *result.search), {}, "search"));
    for (const StageBeyond& each : result.search->warm_start.value_or(WarmStart()).beyond) {
      if (each.stage >= stages) return fail(message("names a stage that does not exist"), "search.warm_start.beyond");
    }
  }
  if (result.verification && result.verification->outputs.empty())
    return fail(message("is empty"), "verification.outputs");
  return {};
}

Result<void> check_comparison(const Comparison& comparison) {
  if (comparison.batch < 1 || comparison.batch > kMaxBatch)
    return fail(message("{} must lie in 1..{}", comparison.batch, kMaxBatch), "batch");
  if (comparison.results.empty()) return fail(message("is empty"), "results");
  for (std::size_t i = 0; i < comparison.results.size(); ++i) {
    // Files are called by ids.
    const ScheduleId& id = comparison.results[i].id;
    if (id.text() != file_stem(id.text()) || comparison.index_of(id) != i)
      return fail(message("is not an id, or is the id of another schedule"), fmt::format("results[{}].id", i));
    IOS_TRY(wire::inside(check_result(comparison, comparison.results[i]), {}, fmt::format("results[{}]", i)));
  }
  if (!comparison.own_lanes) return {};
  const ScheduleResult* const staged = comparison.find(comparison.own_lanes->of);
  if (staged == nullptr || staged->lanes) return fail(message("belong to no schedule with stages"), "own_lanes");
  return {};
}

}  // namespace

std::string run_to_json(const Run& run) {
  const wire::RunRecord record{.graph = wire::record_of(*run.comparison.graph),
                               .declared_parts = wire::part_records(*run.network.graph),
                               .comparison = run.comparison,
                               .options = run.options,
                               .source = run.network.source,
                               .batched = run.network.batched,
                               .own_weights = run.own_weights,
                               .place = run.place,
                               .external = run.external};
  return wire::write_document(kFormat, record);
}

std::string run_to_bytes(const Run& run) {
  const std::string text = run_to_json(run);
  const std::array<ArchiveEntry, 2> entries{{{kMimetypeEntry, kRunMimeType, false}, {kRunEntry, text}}};
  return zip(entries);
}

Result<Run> run_from_bytes(std::string_view bytes, const std::string& origin) {
  if (!bytes.starts_with("PK")) return fail(message("is not a run file"), origin, message("choose a run file"));
  IOS_TRY(const auto text, unzip(bytes, kRunEntry, kMostRunBytes, origin));
  return run_from_json(text, origin);
}

Result<Run> run_from_json(std::string_view text, const std::string& origin) {
  IOS_TRY(auto record, wire::read_document<wire::RunRecord>(text, origin, kFormat));
  IOS_TRY(auto graph, wire::inside(wire::graph_of(std::move(record.graph)), origin, "content.graph"));
  IOS_TRY(auto declared,
          wire::inside(wire::with_parts(graph, std::move(record.declared_parts)), origin, "content.declared_parts"));
  Run run{.comparison = std::move(record.comparison),
          .options = std::move(record.options),
          .network = {std::move(record.source), std::make_shared<const Graph>(std::move(declared)), record.batched},
          .own_weights = record.own_weights,
          .place = std::move(record.place),
          .external = std::move(record.external)};
  run.comparison.graph = std::make_shared<const Graph>(std::move(graph));
  run.comparison.recorded = recorded_text(run.place);
  for (ScheduleResult& result : run.comparison.results) complete(result.plan, *run.comparison.graph);
  IOS_TRY(wire::inside(check_comparison(run.comparison), origin, "content.comparison"));
  forget_unknown(run.comparison);  // earlier programs kept them
  for (std::size_t i = 0; i < run.external.size(); ++i) {
    const std::string where = fmt::format("content.external[{}]", i);
    IOS_TRY(wire::inside(settle_external(run.external[i], *run.comparison.graph), origin, where));
  }
  return run;
}

Result<void> save_run(const Run& run, const std::filesystem::path& path) { return write_file(path, run_to_bytes(run)); }

Result<Run> open_run(const std::filesystem::path& path) {
  IOS_TRY(const auto bytes, read_bytes(path));
  return run_from_bytes(bytes, path.string());
}

}  // namespace iosx
