#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/python/values.h"
#include "core/analysis/compare/profile.h"
#include "core/analysis/compare/report.h"
#include "core/analysis/difference/difference_report.h"
#include "core/devices/store/measurement_store.h"
#include "core/documents/html/html_report.h"
#include "core/documents/report/comparison_files.h"
#include "core/documents/report/output_file.h"
#include "core/documents/run_file/run_file.h"
#include "core/model/trace/trace.h"
#include "core/tables/render.h"

namespace iosx::python {
namespace {

std::vector<OwnResult> results_of(const OwnRun& run) {
  std::vector<OwnResult> results;
  for (std::size_t i = 0; i < run.comparison().results.size(); ++i) results.push_back({run.run, i});
  return results;
}

OwnResult best_of(const OwnRun& run) {
  if (run.comparison().results.empty()) throw Failed{{message("has no schedule"), {}, {}}};
  const std::size_t best = run.comparison().best();
  if (run.comparison().fits(run.comparison().results[best])) return {run.run, best};
  throw Failed{{message("no schedule fits the limit"), std::string(info_of(&CompareOptions::memory_limit).keyword()),
                message("raise the limit, or choose a smaller batch size")}};
}

// Refuses a result whose latencies nobody knows.
const ScheduleResult& timed(const OwnResult& result) {
  if (!result.run->comparison.knows_latencies()) throw Failed{{kUnknownLatencies, result.get().id.text(), {}}};
  return result.get();
}

// Returns the schedule with this id, or the first of this kind.
OwnResult result_named(const OwnRun& run, const std::string& id) {
  if (const auto index = run.comparison().index_of(ScheduleId(id))) return {run.run, *index};
  std::vector<std::string_view> ids;
  for (const ScheduleResult& result : run.comparison().results) ids.push_back(result.id.text());
  throw py::key_error(fmt::format("no schedule '{}'; choose one of {}", id, fmt::join(ids, ", ")));
}

std::string page_of(const std::vector<OwnRun>& runs) {
  Report report;
  for (const OwnRun& own : runs) {
    report.runs.push_back(report_run(*own.run));
    report.beside.insert(report.beside.end(), own.run->external.begin(), own.run->external.end());
  }
  const OtherThreads others;
  return take(html_report(report));
}

// Returns a table as a list of its rows, each a dict.
py::object rows_of(const Table& table) { return to_python(table_json(table, place::kData)); }

// Compares a result's stages with those of another one, which may be of another run.
py::object stages_against(const OwnResult& result, const OwnResult& baseline) {
  const auto subject_of = [](const OwnResult& own) {
    return Subject{std::shared_ptr<const Comparison>(own.run, &own.run->comparison), own.index};
  };
  const Subject a = subject_of(baseline);
  const Subject b = subject_of(result);
  const GraphMatch match = match_graphs(a.graph(), b.graph());
  return rows_of(stage_comparison(a, b, compare_stages(a, b, match, per_of(std::vector{a, b}))));
}

void bind_results(py::module_& module) {
  Class<OwnResult>(module.attr("ScheduleResult"))
      .property("id", "Unique in its run: 'ios-both'.", [](const OwnResult& result) { return result.get().id.text(); })
      .property("kind", "Kind of the schedule: 'sequential', 'greedy', 'ios-both', 'ios-flow', 'file', …",
                [](const OwnResult& result) { return row_of(result.get().schedule_kind).id; })
      .def_property_readonly("title", [](const OwnResult& result) { return result.get().title(); })
      .property("schedule", "The iosx.Schedule.", &OwnResult::schedule)
      .property("device", "Id of the device that it ran on.",
                [](const OwnResult& result) { return result.run->comparison.device.id; })
      .def_property_readonly("batch", [](const OwnResult& result) { return result.run->comparison.batch; })
      .property("latency",
                "End-to-end latency, timed separately from the stages. It raises an Error where a device is simulated "
                "and the cost of an operator is unknown.",
                [](const OwnResult& result) { return timed(result).latency; })
      .property("stage_latencies", "Latency of each separate stage.",
                [](const OwnResult& result) { return timed(result).stage_latencies; })
      .property("stage_sum_ms", "Sum of the stages and the gaps between them, which a search minimises.",
                [](const OwnResult& result) { return timed(result).stage_sum.count(); })
      .property(
          "speedup",
          "Speed-up over the sequential schedule of the run; its value is 0 if the run has no sequential schedule.",
          [](const OwnResult& result) { return result.run->comparison.speedup(timed(result)); })
      .property("trace", "Start and end of its kernels in one run.",
                [](const OwnResult& result) { return result.get().trace; })
      .property("planned_peak_bytes", "Planned peak memory of its tensors, without weights; 0: not known.",
                [](const OwnResult& result) { return result.get().planned_bytes; })
      .property("peak_bytes", "Peak memory of its tensors, as the device reports it; 0: not known.",
                [](const OwnResult& result) { return result.get().peak_bytes; })
      .property("samples_ms", "Times of single runs, if they are known.",
                [](const OwnResult& result) {
                  std::vector<double> samples;
                  for (const Millis sample : result.get().samples) samples.push_back(sample.count());
                  return to_array(samples);
                })
      .property("verified",
                "Whether its outputs equal the outputs of the sequential schedule; None if they were not compared.",
                [](const OwnResult& result) -> py::object {
                  if (!result.get().verification) return py::none();
                  return py::bool_(result.get().verification->passed());
                })
      .property("lanes", "Number of streams or teams of cores that it runs on.",
                [](const OwnResult& result) { return result.get().plan.lane_count(); })
      .property("search",
                "Facts about its search: {'seconds', 'complete', 'needed', 'measured', 'parts': [{'units', 'states', "
                "'transitions', 'stages', 'cost_ms'}]}; None if no search found it.",
                [](const OwnResult& result) -> py::object {
                  if (!result.get().search) return py::none();
                  return to_python(search_facts(*result.run->comparison.graph, *result.get().search));
                })
      .def("stages_against", &stages_against, py::arg("baseline"),
           "Compares its stages with the stages of another result: a dict for stages with the same operators, "
           "{'stages_a' (of the baseline), 'stages_b', 'a_ms', 'b_ms', 'delta_ms', 'noise_ms', 'verdict', 'change', "
           "…}. If the batches differ, times are per sample, and names end with '_per_sample'.")
      .method(
          "to_dict", "The result as iosx compare --json writes it.",
          [](const OwnResult& result) { return to_python(schedule_result_json(result.run->comparison, result.get())); })
      .def(
          "save_trace",
          [](const OwnResult& result, const py::object& place) {
            const std::string path = path_of(place);
            const ScheduleResult& its = result.get();
            const NamedTrace trace{its.id.text(), &its.trace, !its.lanes};
            const DeviceInfo& device = result.run->comparison.device;
            take(write_file(
                path, chrome_trace_json(std::span(&trace, 1), device.name, std::string(origin_name(device.origin)))));
          },
          py::arg("path"), "Writes its timeline as a Chrome trace, which Perfetto can open.")
      .def("__repr__", [](const OwnResult& result) {
        const ScheduleResult& its = result.get();
        const bool known = result.run->comparison.knows_latencies();
        return fmt::format("<ScheduleResult '{}': {}, {}>", its.id.text(),
                           known ? fmt::format("{:.4g} ms", its.latency.value.count()) : "unknown latency",
                           origin_name(its.latency.origin));
      });
}

// Returns the store of an option, for reading; null where the usual place has none.
std::unique_ptr<MeasurementStore> store_of(const Options& options) {
  const StoreChoice choice = store_choice(options);
  const std::filesystem::path file = take(choice.place.path());
  std::error_code ignored;
  if (!choice.named && !std::filesystem::exists(file, ignored)) return nullptr;
  return take(MeasurementStore::open(file, MeasurementStore::Access::kReadOnly));
}

// Returns a row for each set of measurements: what iosx store list shows.
py::list list_sets(const py::dict& values) {
  py::list sets;
  const auto store = store_of(Options(values));
  if (store == nullptr) return sets;
  for (const SetInfo& info : take(store->info()).sets) {
    py::dict row;
    row["device"] = info.set.device_id;
    row["name"] = info.set.device_name;
    row["origin"] = origin_name(info.set.origin);
    row["fingerprint"] = info.set.fingerprint;
    row["batch"] = info.set.batch;
    row["precision"] = info.set.precision;
    row["measurements"] = info.measurements;
    row["first"] = date_text(info.first);
    row["last"] = date_text(info.last);
    sets.append(std::move(row));
  }
  return sets;
}

// Takes over what another store has and this one does not; returns how many measurements that were.
std::int64_t merge(const std::string& other, const py::dict& values) {
  const Options options(values);
  const std::filesystem::path file = take(store_choice(options).place.path());
  const OtherThreads others;
  return take(take(MeasurementStore::open(file))->merge(other)).taken;
}

}  // namespace

nlohmann::ordered_json search_facts(const Graph& graph, const SearchResult& search) {
  nlohmann::ordered_json facts{{"seconds", search.elapsed.count()},
                               {"complete", search.complete},
                               {"needed", search.tally.needed},
                               {"measured", search.tally.measured},
                               {"parts", nlohmann::ordered_json::array()}};
  for (const PartSummary& part : search.parts) {
    facts["parts"].push_back({{"units", graph.part(part.part).units.size()},
                              {"states", part.states},
                              {"transitions", part.transitions},
                              {"stages", part.stages},
                              {"cost_ms", part.cost.count()}});
  }
  return facts;
}

void bind_runs(py::module_& module) {
  bind_results(module);
  Class<OwnRun>(module.attr("Run"))
      .property("graph",
                "The Graph. The graph of a run file has made-up weights, because the file contains no weights.",
                [](const OwnRun& run) {
                  if (run.network) return run.network;
                  auto opened = std::make_shared<OpenGraph>();
                  opened->document.graph = run.run->network.graph;
                  opened->document.batched = run.run->network.batched;
                  opened->source = run.run->network.source;
                  return opened;
                })
      .def_property_readonly("network", [](const OwnRun& run) { return run.comparison().graph->name(); })
      .property("device", "Id of its device.", [](const OwnRun& run) { return run.comparison().device.id; })
      .def_property_readonly("device_name", [](const OwnRun& run) { return run.comparison().device.name; })
      .property("origin", "Origin of its latencies: 'measured', 'simulated' or 'predicted'.",
                [](const OwnRun& run) { return origin_name(run.comparison().device.origin); })
      .def_property_readonly("batch", [](const OwnRun& run) { return run.comparison().batch; })
      .property("results", "Its ScheduleResults in the requested order.", &results_of)
      .property(
          "best",
          "The fastest ScheduleResult; never slower than sequential and greedy, which ran too. None that is over the "
          "memory limit: an error where all are.",
          &best_of)
      .property("complete", "False if it was stopped: then schedules are missing, or their search did not finish.",
                [](const OwnRun& run) { return run.comparison().complete; })
      .property("notices", "Notices about missing data.",
                [](const OwnRun& run) {
                  std::vector<std::string> texts;
                  for (const Message& notice : run.comparison().notices) texts.push_back(python_text(notice));
                  return texts;
                })
      .property("recorded", "Place and time of a run that was opened from a file; '' for a run of this process.",
                [](const OwnRun& run) { return run.comparison().recorded.text(); })
      .def(
          "speedup",
          [](const OwnRun& run, const OwnResult& result) {
            if (result.run != run.run)
              throw Failed{{message("is a result of another run"), result.get().id.text(), {}}};
            return run.comparison().speedup(timed(result));
          },
          py::arg("result"), "Speed-up of a result over the sequential schedule.")
      .method("table", "The table that iosx compare prints.",
              [](const OwnRun& run) { return comparison_table(run.comparison(), run.run->external); })
      .method("profile_table", "The table that iosx profile prints, for a run of iosx.profile().",
              [](const OwnRun& run) { return profile_table(run.comparison()); })
      .method("to_dict", "The document that iosx compare --json prints.",
              [](const OwnRun& run) { return to_python(comparison_json(run.comparison(), run.run->external)); })
      .method("columns", "One row per schedule, as {column: values}.",
              [](const OwnRun& run) { return columns_of(schedule_comparison(run.comparison())); })
      .method("rows", "One dict per schedule: {'schedule', 'latency_ms', 'speedup', …}.",
              [](const OwnRun& run) { return rows_of(schedule_comparison(run.comparison())); })
      .method("stages_csv", "CSV text with one line per stage of every schedule.",
              [](const OwnRun& run) { return table_csv(stage_list(run.comparison())); })
      .method("html", "The interactive report as one HTML page that loads no other files.",
              [](const OwnRun& run) { return page_of({run}); })
      .def(
          "write_files",
          [](const OwnRun& run, const py::object& place) {
            py::list paths;
            const py::object decoded = py::module_::import("os").attr("fsdecode");
            const auto written = take(write_comparison_files(run.comparison(), path_of(place), run.run->external));
            for (const auto& path : written.paths) paths.append(decoded(py::bytes(path.string())));
            for (const std::string& sentence : written.left_out) log("warning", verbatim(sentence));
            return paths;
          },
          py::arg("folder"), "Writes table, JSON, CSV, schedules and traces to a folder; returns their paths.")
      .def("__len__", [](const OwnRun& run) { return run.comparison().results.size(); })
      .def("__getitem__", &result_named, py::arg("id"))
      .def("__contains__", [](const OwnRun& run,
                              const std::string& id) { return run.comparison().index_of(ScheduleId(id)).has_value(); })
      .def("__iter__", [](const OwnRun& run) { return py::iter(py::cast(results_of(run))); })
      .def("__str__", [](const OwnRun& run) { return comparison_table(run.comparison(), run.run->external); })
      .def("__repr__", [](const OwnRun& run) {
        const Comparison& comparison = run.comparison();
        return fmt::format("<Run of '{}' on {}, batch {}: {} schedules, {}>", comparison.graph->name(),
                           comparison.device.id, comparison.batch, comparison.results.size(),
                           origin_name(comparison.device.origin));
      });
  module.def("open_run", [](const py::object& place) {
    const std::string path = path_of(place);
    const OtherThreads others;
    return OwnRun{std::make_shared<const Run>(take(open_run(path)))};
  });
  module.def("html_report", &page_of);
  module.def("write_text",
             [](const py::object& place, const std::string& text) { take(write_file(path_of(place), text)); });
}

void bind_stores(py::module_& module) {
  module.def("store_file",
             [](const py::dict& values) { return take(store_choice(Options(values)).place.path()).string(); });
  module.def("store_sets", &list_sets);
  module.def("store_merge", &merge);
}

}  // namespace iosx::python
