#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <utility>

#include "app/python/values.h"
#include "core/analysis/compare/comparison_tables.h"
#include "core/analysis/compare/profile.h"
#include "core/analysis/compare/report.h"
#include "core/analysis/difference/difference_report.h"
#include "core/documents/html/html_report.h"
#include "core/documents/report/comparison_files.h"
#include "core/documents/report/output_file.h"
#include "core/documents/run_file/run_file.h"
#include "core/model/trace/chrome_trace.h"
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
  return {run.run, run.comparison().best()};
}

// Returns the schedule with this id, or the first of this kind.
OwnResult result_named(const OwnRun& run, const std::string& id) {
  if (const auto index = run.comparison().index_of(ScheduleId(id))) return {run.run, *index};
  std::vector<std::string_view> ids;
  for (const ScheduleResult& result : run.comparison().results) ids.push_back(result.id.text());
  throw py::key_error(fmt::format("no schedule '{}': there are {}", id, fmt::join(ids, ", ")));
}

std::string page_of(const std::vector<OwnRun>& runs) {
  Report report;
  for (const OwnRun& run : runs) report.runs.push_back(report_run(*run.run));
  const OtherThreads others;
  return take(html_report(report));
}

// Returns a table as {column: values}.
py::dict columns_of(const Table& table) {
  py::dict columns;
  for (const std::size_t c : columns_in(table, place::kData)) {
    columns[py::cast(data_id(table, table.columns[c]))] = py::list();
  }
  for (const auto& row : table_json(table, place::kData)) {
    for (const auto& [name, value] : row.items()) columns[py::cast(name)].cast<py::list>().append(to_python(value));
  }
  return columns;
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
  py::class_<OwnResult>(module.attr("ScheduleResult"))
      .def_property_readonly(
          "id", [](const OwnResult& result) { return result.get().id.text(); }, "Unique in its run: 'ios-both'.")
      .def_property_readonly(
          "kind", [](const OwnResult& result) { return row_of(result.get().schedule_kind).id; },
          "How it came about: 'sequential', 'greedy', 'ios-both', 'ios-flow', 'file', …")
      .def_property_readonly("title", [](const OwnResult& result) { return result.get().title(); })
      .def_property_readonly("schedule", &OwnResult::schedule, "The iosx.Schedule.")
      .def_property_readonly(
          "device", [](const OwnResult& result) { return result.run->comparison.device.id; }, "Id of what it ran on.")
      .def_property_readonly("batch", [](const OwnResult& result) { return result.run->comparison.batch; })
      .def_property_readonly(
          "latency", [](const OwnResult& result) { return result.get().latency; }, "End to end, timed by itself.")
      .def_property_readonly(
          "stage_latencies", [](const OwnResult& result) { return result.get().stage_latencies; },
          "Of each stage on its own.")
      .def_property_readonly(
          "stage_sum_ms", [](const OwnResult& result) { return result.get().stage_sum.count(); },
          "Sum of the stages and of what lies between them: what a search minimises.")
      .def_property_readonly(
          "speedup", [](const OwnResult& result) { return result.run->comparison.speedup(result.get()); },
          "How many times as fast as the run's sequential schedule; of value 0 where there is none.")
      .def_property_readonly(
          "trace", [](const OwnResult& result) { return result.get().trace; }, "When its kernels ran, in one run.")
      .def_property_readonly(
          "planned_peak_bytes", [](const OwnResult& result) { return result.get().planned_bytes; },
          "What its tensors take at most by its plan, weights left out; 0: not known.")
      .def_property_readonly(
          "peak_bytes", [](const OwnResult& result) { return result.get().peak_bytes; },
          "The same as the device found it; 0: not known.")
      .def_property_readonly(
          "samples_ms",
          [](const OwnResult& result) {
            std::vector<double> samples;
            for (const Millis sample : result.get().samples) samples.push_back(sample.count());
            return to_array(samples);
          },
          "Times of single runs, where they are known.")
      .def_property_readonly(
          "verified",
          [](const OwnResult& result) -> py::object {
            if (!result.get().verification) return py::none();
            return py::bool_(result.get().verification->passed());
          },
          "Whether its outputs are the sequential schedule's; None where nobody compared them.")
      .def_property_readonly(
          "lanes", [](const OwnResult& result) { return result.get().plan.lane_count(); },
          "Streams or teams of cores that it runs on.")
      .def_property_readonly(
          "search",
          [](const OwnResult& result) -> py::object {
            if (!result.get().search) return py::none();
            return to_python(search_facts(*result.run->comparison.graph, *result.get().search));
          },
          "How it was found: {'seconds', 'complete', 'needed', 'measured', 'parts': [{'units', 'states', "
          "'transitions', "
          "'stages', 'cost_ms'}]}; None of what no search found.")
      .def("stages_against", &stages_against, py::arg("baseline"),
           "Its stages against those of another result: a dict for stages that hold the same operators, {'stages_a' "
           "(of the baseline), 'stages_b', 'a_ms', 'b_ms', 'delta_ms', 'noise_ms', 'verdict', 'change', …}. Where the "
           "batches differ, times are of one sample, and names end with '_per_sample'.")
      .def(
          "to_dict",
          [](const OwnResult& result) {
            return to_python(schedule_result_json(*result.run->comparison.graph, result.get()));
          },
          "As iosx compare --json writes it.")
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
          py::arg("path"), "Writes its timeline as a Chrome trace, which Perfetto opens.")
      .def("__repr__", [](const OwnResult& result) {
        return fmt::format("<ScheduleResult '{}': {:.4g} ms, {}>", result.get().id.text(),
                           result.get().latency.value.count(), origin_name(result.get().latency.origin));
      });
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
  py::class_<OwnRun>(module.attr("Run"))
      .def_property_readonly(
          "graph",
          [](const OwnRun& run) {
            if (run.network) return run.network;
            auto opened = std::make_shared<OpenGraph>();
            opened->document.graph = run.run->network.graph;
            opened->document.batched = run.run->network.batched;
            opened->source = run.run->network.source;
            return opened;
          },
          "The Graph. That of a run file has made-up weights: the file does not hold them.")
      .def_property_readonly("network", [](const OwnRun& run) { return run.comparison().graph->name(); })
      .def_property_readonly(
          "device", [](const OwnRun& run) { return run.comparison().device.id; }, "Its id.")
      .def_property_readonly("device_name", [](const OwnRun& run) { return run.comparison().device.name; })
      .def_property_readonly(
          "origin", [](const OwnRun& run) { return origin_name(run.comparison().device.origin); },
          "Of its latencies: 'measured', 'simulated' or 'predicted'.")
      .def_property_readonly("batch", [](const OwnRun& run) { return run.comparison().batch; })
      .def_property_readonly("results", &results_of, "Its ScheduleResults in the order asked for.")
      .def_property_readonly(
          "best", &best_of, "The fastest ScheduleResult; never slower than sequential and greedy, which ran beside it.")
      .def_property_readonly(
          "complete", [](const OwnRun& run) { return run.comparison().complete; },
          "False: it was stopped, and schedules are missing or their search did not end.")
      .def_property_readonly(
          "notices",
          [](const OwnRun& run) {
            std::vector<std::string> texts;
            for (const Message& notice : run.comparison().notices) texts.push_back(python_text(notice));
            return texts;
          },
          "Sentences about what it cannot show.")
      .def_property_readonly(
          "recorded", [](const OwnRun& run) { return run.comparison().recorded.text(); },
          "Where and when, of one that was opened from a file; '' of one that was made here and now.")
      .def(
          "speedup",
          [](const OwnRun& run, const OwnResult& result) {
            if (result.run != run.run)
              throw Failed{{message("is a result of another run"), result.get().id.text(), {}}};
            return run.comparison().speedup(result.get());
          },
          py::arg("result"), "How many times as fast a result is as the sequential schedule.")
      .def(
          "table", [](const OwnRun& run) { return comparison_table(run.comparison()); },
          "The table that iosx compare prints.")
      .def(
          "profile_table", [](const OwnRun& run) { return profile_table(run.comparison()); },
          "The table that iosx profile prints, of a run of iosx.profile().")
      .def(
          "to_dict", [](const OwnRun& run) { return to_python(comparison_json(run.comparison())); },
          "The document that iosx compare --json prints.")
      .def(
          "columns", [](const OwnRun& run) { return columns_of(schedule_comparison(run.comparison())); },
          "A row a schedule, as {column: values}.")
      .def(
          "rows", [](const OwnRun& run) { return rows_of(schedule_comparison(run.comparison())); },
          "A dict a schedule: {'schedule', 'latency_ms', 'speedup', …}.")
      .def(
          "stages_csv", [](const OwnRun& run) { return table_csv(stage_list(run.comparison())); },
          "One line a stage of every schedule, as text.")
      .def(
          "html", [](const OwnRun& run) { return page_of({run}); },
          "The interactive report as one page of HTML that loads nothing.")
      .def(
          "write_files",
          [](const OwnRun& run, const py::object& place) {
            py::list paths;
            const py::object decoded = py::module_::import("os").attr("fsdecode");
            for (const auto& path : take(write_comparison_files(run.comparison(), path_of(place))).paths) {
              paths.append(decoded(py::bytes(path.string())));
            }
            return paths;
          },
          py::arg("folder"), "Writes table, JSON, CSV, schedules and traces to a folder; returns their paths.")
      .def("__len__", [](const OwnRun& run) { return run.comparison().results.size(); })
      .def("__getitem__", &result_named, py::arg("id"))
      .def("__contains__", [](const OwnRun& run,
                              const std::string& id) { return run.comparison().index_of(ScheduleId(id)).has_value(); })
      .def("__iter__", [](const OwnRun& run) { return py::iter(py::cast(results_of(run))); })
      .def("__str__", [](const OwnRun& run) { return comparison_table(run.comparison()); })
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

}  // namespace iosx::python
