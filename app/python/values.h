#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/python/binding.h"
#include "core/documents/run_file/run_file.h"
#include "core/formats/document.h"
#include "core/formats/schedule_file.h"
#include "core/model/graph/attribute_list.h"

// What Python holds: values of the core with what is needed to go on with them.
namespace iosx::python {

// A network that was opened or built: iosx.Graph.
struct OpenGraph {
  Document document;
  std::string source;  // as it was named; empty of a built one

  const std::shared_ptr<const Graph>& graph() const { return document.graph; }
  // Returns the batch to run with: the one asked for, or else its own.
  std::int64_t batch(const Options& options) const;
};
using OpenGraphs = std::shared_ptr<OpenGraph>;

// A schedule with the graph that it is of, in its parts: iosx.Schedule.
struct OwnSchedule {
  std::shared_ptr<const Graph> graph;
  GivenSchedule given;
  ScheduleNotes notes = {};

  // Returns the same for another graph object with units of the same names. Throws where it is not legal there.
  GivenSchedule on(const std::shared_ptr<const Graph>& other) const;
};

// Returns the value of an operator's attribute: a number, a truth, a word, a tuple, or (name, parameter, …) of an
// activation with parameters, None of the identity.
py::object attribute_value(const AttributeEntry& entry);
// Returns a shape of these sizes. Throws where they are too many.
Shape shape_of(const std::vector<std::int64_t>& dims, const char* what);
// Sets an attribute to what Python gave. Throws where that is no value of it.
void set_attribute(Attributes& attributes, const AttributeEntry& entry, const py::handle& given);

// Returns a stage as Schedule.stages has it: groups of steps, a step a unit's name, or a tuple of those that run
// merged.
py::list groups_of(const Graph& graph, const Stage& stage);
// Returns what an option names: a schedule, the id of a baseline ("sequential"), or the path of a schedule file;
// without one the schedule that came with the graph. Throws where there is none.
OwnSchedule schedule_of(const OpenGraph& graph, const py::object& given);

// Returns the kind with this id. Throws where there is none, with the one that was probably meant.
ScheduleKind schedule_kind_of(const std::string& id);

// A run, with the comparison that Python's objects share with it.
struct OwnRun {
  std::shared_ptr<const Run> run;
  // The network as it was opened; null of a run that was opened from a file.
  OpenGraphs network = nullptr;

  const Comparison& comparison() const { return run->comparison; }
  std::shared_ptr<const Comparison> shared() const { return {run, &run->comparison}; }
};
OwnRun own_run(Comparison comparison, const CompareOptions& options, OpenGraphs network);

// Returns what a search says of how it went, as ScheduleResult.search shows it.
nlohmann::ordered_json search_facts(const Graph& graph, const SearchResult& search);

// One schedule of a run, which it keeps alive.
struct OwnResult {
  std::shared_ptr<const Run> run;
  std::size_t index = 0;

  const ScheduleResult& get() const { return run->comparison.results[index]; }
  OwnSchedule schedule() const;
};

// Returns a table as {column: values}.
py::dict columns_of(const Table& table);

// A class of the module. Its property() and method() take the help before the function.
template <typename T, typename... Holder>
class Class : public py::class_<T, Holder...> {
  using Base = py::class_<T, Holder...>;

 public:
  using Base::Base;

  Class& property(const char* name, const char* help, const auto& get) {
    Base::def_property_readonly(name, get, help);
    return *this;
  }
  Class& method(const char* name, const char* help, const auto& function) {
    Base::def(name, function, help);
    return *this;
  }
  template <typename... Given>
  Class& def(Given&&... given) {
    Base::def(std::forward<Given>(given)...);
    return *this;
  }
  template <typename... Given>
  Class& def_property_readonly(Given&&... given) {
    Base::def_property_readonly(std::forward<Given>(given)...);
    return *this;
  }
  template <typename... Given>
  Class& def_readonly(Given&&... given) {
    Base::def_readonly(std::forward<Given>(given)...);
    return *this;
  }
};

// Add the classes and functions of these parts to the module.
void bind_values(py::module_& module);
void bind_graphs(py::module_& module);
void bind_builder(py::module_& module);
void bind_schedules(py::module_& module);
void bind_exports(py::module_& module);
void bind_runs(py::module_& module);
void bind_recordings(py::module_& module);
void bind_requests(py::module_& module);
void bind_loaded_plans(py::module_& module);
void bind_stores(py::module_& module);

}  // namespace iosx::python
