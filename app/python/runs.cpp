#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <utility>

#include "app/python/values.h"
#include "core/analysis/compare/profile.h"
#include "core/analysis/compare/report.h"
#include "core/documents/html/html_report.h"
#include "core/documents/report/comparison_files.h"
#include "core/documents/report/output_file.h"
#include "core/documents/run_file/run_file.h"
#include "core/model/trace/chrome_trace.h"

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

// Returns a table as columns: one row a schedule, the first cells of which say of what run it is.
py::dict columns_of(const OwnRun& run) {
  const Comparison& comparison = run.comparison();
  py::dict columns;
  const auto column = [&](const char* name, auto value_of) {
    py::list values;
    for (const ScheduleResult& result : comparison.results) values.append(value_of(result));
    columns[name] = std::move(values);
  };
  using Each = const ScheduleResult&;
  column("network", [&](Each) { return py::cast(comparison.graph->name()); });
  column("device", [&](Each) { return py::str(comparison.device.id); });
  column("batch", [&](Each) { return py::int_(comparison.batch); });
  column("schedule", [](Each result) { return py::str(result.id.text()); });
  column("latency_ms", [](Each result) { return py::float_(result.latency.value.count()); });
  column("spread_ms", [](Each result) { return py::float_(result.latency.spread.count()); });
  column("samples", [](Each result) { return py::int_(result.latency.samples); });
  column("origin", [](Each result) { return py::str(std::string(origin_name(result.latency.origin))); });
  column("speedup", [&](Each result) { return py::float_(comparison.speedup(result).value); });
  column("within_noise", [&](Each result) { return py::bool_(comparison.speedup(result).within_noise()); });
  column("stages", [](Each result) { return py::int_(result.lanes ? 0 : result.schedule.stages.size()); });
  column("lanes", [](Each result) { return py::int_(result.plan.lane_count()); });
  column("planned_peak_bytes", [](Each result) { return py::int_(result.planned_bytes); });
  return columns;
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
      .def("columns", &columns_of, "A row a schedule, as {column: values}.")
      .def(
          "stages_csv", [](const OwnRun& run) { return stage_csv(run.comparison()); },
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
