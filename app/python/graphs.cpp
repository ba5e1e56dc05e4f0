#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <map>
#include <utility>

#include "app/python/values.h"
#include "core/model/graph/operator_table.h"
#include "core/model/graph/work.h"
#include "core/model/schedule/finer_units.h"
#include "core/search/baseline.h"
#include "models/networks/zoo.h"
#include "models/open_graph.h"

namespace iosx::python {
namespace {

// An operator or a unit of a graph, which it keeps alive.
struct OwnOperator {
  std::shared_ptr<const Graph> graph;
  OperatorId id;
  const Operator& get() const { return graph->op(id); }
};
struct OwnUnit {
  std::shared_ptr<const Graph> graph;
  UnitId id;
  const Unit& get() const { return graph->unit(id); }
};

py::tuple tuple_of(std::span<const std::int64_t> dims) {
  py::tuple tuple(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) tuple[i] = dims[i];
  return tuple;
}

std::vector<std::string> names_of(const Graph& graph, std::span<const UnitId> units) {
  std::vector<std::string> names;
  for (const UnitId unit : units) names.push_back(graph.unit(unit).name);
  return names;
}

// Returns the sizes that a user gives for axes which a file leaves open.
InputSizes sizes_of(const Options& options) {
  InputSizes sizes;
  using Shapes = std::map<std::string, std::vector<std::int64_t>>;
  for (auto& [input, dims] : options.get<Shapes>("shapes", "shapes by the input's name").value_or(Shapes())) {
    if (std::ranges::any_of(dims, [](std::int64_t size) { return size < 0; })) {
      throw py::value_error(fmt::format("shapes: '{}' has a size below 0", input));
    }
    sizes.shapes[input] = std::move(dims);
  }
  using Dims = std::map<std::string, std::int64_t>;
  for (const auto& [name, size] : options.get<Dims>("dims", "sizes by the dimension's name").value_or(Dims())) {
    if (size < 0) throw py::value_error(fmt::format("dims: '{}' has a size below 0", name));
    sizes.dims[name] = size;
  }
  return sizes;
}

OpenGraphs open(const py::dict& values) {
  const Options options(values);
  std::string source = options.path("source");
  const InputSizes sizes = sizes_of(options);
  auto opened = std::make_shared<OpenGraph>();
  {
    const OtherThreads others;
    opened->document = take(open_graph(source, sizes));
  }
  std::string called = options.text("called");
  opened->source = std::move(called.empty() ? source : called);
  const auto batch = options.get<std::int64_t>("batch", "a whole number");
  const bool possible =
      batch && opened->document.batched && info_of(&CompareOptions::batch).whole_bounds().hold(*batch);
  if (possible) opened->document.batch = *batch;
  for (std::string& note : options.texts("notes")) opened->document.warnings.push_back(verbatim(std::move(note)));
  for (const Message& warning : opened->document.warnings) log("info", warning);
  return opened;
}

OperatorId operator_named(const Graph& graph, const std::string& name) {
  const auto found = graph.find_operator(name);
  if (found) return *found;
  throw Failed{{message("the network has no operator '{}'", name), {}, message("see graph.operators")}};
}

// Returns (weights, bias) of an operator; None for what it does not have.
py::tuple weights_of(const OpenGraph& graph, const std::string& name) {
  const OperatorId id = operator_named(*graph.graph(), name);
  const Parameters& parameters = *graph.graph()->parameters();
  const Tensor weights = parameters.weights(id);
  const Tensor bias = parameters.has_bias(id) ? parameters.bias(id) : Tensor();
  const auto array = [](const Tensor& tensor) -> py::object {
    return tensor.empty() ? py::object(py::none()) : to_array(tensor, tensor.dims(), false);
  };
  return py::make_tuple(array(weights), array(bias));
}

// Returns the graph with these weights in place of its own, by operator: an array, or weights and bias.
OpenGraphs with_weights(const OpenGraph& graph, const py::dict& given) {
  const Graph& old = *graph.graph();
  const Parameters& before = *old.parameters();
  std::map<std::size_t, std::pair<Tensor, Tensor>> wanted;
  for (const auto& [key, value] : given) {
    const auto name = key.cast<std::string>();
    const OperatorId id = operator_named(old, name);
    const bool both = py::isinstance<py::tuple>(value) || py::isinstance<py::list>(value);
    const auto pair = both ? py::reinterpret_borrow<py::sequence>(value) : py::sequence(py::make_tuple(value));
    if (pair.size() > 2 || pair.empty())
      throw py::type_error(fmt::format("'{}' needs weights, or weights and bias", name));
    Tensor weights = to_tensor(pair[0]);
    Tensor bias = pair.size() == 2 && !pair[1].is_none() ? to_tensor(pair[1]) : Tensor();
    const auto fits = [&](const Tensor& tensor, const std::vector<std::int64_t>& dims, const char* what) {
      if (tensor.empty() || std::ranges::equal(tensor.dims(), dims)) return;
      throw Failed{{message("needs {} of shape ({}), not ({})", what, fmt::format("{}", fmt::join(dims, ", ")),
                            fmt::format("{}", fmt::join(tensor.dims(), ", "))),
                    name,
                    {}}};
    };
    if (before.dims(id).weights.empty()) throw Failed{{message("has no weights"), name, {}}};
    if (!bias.empty() && !before.has_bias(id)) throw Failed{{message("has no bias"), name, {}}};
    fits(weights, before.dims(id).weights, "weights");
    fits(bias, before.dims(id).bias, "a bias");
    wanted[id.index()] = {std::move(weights), std::move(bias)};
  }
  Parameters parameters(before.init());
  for (std::size_t i = 0; i < old.operators().size(); ++i) {
    const OperatorId id(i);
    const auto found = wanted.find(i);
    const bool biased = before.has_bias(id);
    Tensor weights = found != wanted.end() ? found->second.first : before.given_weights(id);
    Tensor bias = found != wanted.end() && !found->second.second.empty() ? found->second.second : before.given_bias(id);
    parameters.add(old.op(id).name, before.dims(id), std::move(weights), std::move(bias), biased);
  }
  auto made = std::make_shared<OpenGraph>(graph);
  made->document.graph = std::make_shared<const Graph>(old.with_parameters(std::move(parameters)));
  return made;
}

void bind_parts_of_graphs(py::module_& module) {
  Class<OwnOperator>(module, "Operator", "One tensor computation of a graph.")
      .def_property_readonly("name", [](const OwnOperator& op) { return op.get().name; })
      .property("kind", "'conv', 'max pool', 'add', …",
                [](const OwnOperator& op) { return kind_name(op.get().attributes); })
      .property("attributes", "Its attributes: {'kernel': (3, 3), 'activation': 'relu', …}.",
                [](const OwnOperator& op) {
                  py::dict all;
                  for (const AttributeEntry& entry : attribute_list(op.get().attributes)) {
                    all[py::str(std::string(entry.name))] = attribute_value(entry);
                  }
                  return all;
                })
      .property("shape", "Shape of its output without the batch: (channels, height, width) for a feature map.",
                [](const OwnOperator& op) { return tuple_of(op.get().output.dims()); })
      .property("inputs", "Names of the operators that it reads, in order.",
                [](const OwnOperator& op) {
                  std::vector<std::string> names;
                  for (const Value& value : op.get().inputs) names.push_back(op.graph->op(value.producer).name);
                  return names;
                })
      .property("unit", "Name of its unit; None for an input or a constant.",
                [](const OwnOperator& op) -> py::object {
                  if (op.get().is_source()) return py::none();
                  return py::cast(op.graph->unit(op.get().unit).name);
                })
      .property("parameters", "Number of its weights and biases.",
                [](const OwnOperator& op) { return work(*op.graph, op.id, 1).parameters; })
      .def(
          "flops",
          [](const OwnOperator& op, std::int64_t batch) {
            if (!info_of(&CompareOptions::batch).whole_bounds().hold(batch))
              throw py::value_error("batch is out of range");
            return work(*op.graph, op.id, batch).flops;
          },
          py::arg("batch") = 1, "Floating-point operations of one run; a multiply-add is two.")
      .def("__repr__", [](const OwnOperator& op) {
        return fmt::format("<Operator '{}': {}, {}>", op.get().name, kind_name(op.get().attributes),
                           shape_text(op.get().output));
      });
  Class<OwnUnit>(module, "Unit",
                 "The smallest piece that a schedule places: operators that run in order on one stream.")
      .def_property_readonly("name", [](const OwnUnit& unit) { return unit.get().name; })
      .property("hint", "A common name of this kind of unit: 'ReluSepConv'.",
                [](const OwnUnit& unit) { return unit.get().hint; })
      .def_property_readonly("operators",
                             [](const OwnUnit& unit) {
                               std::vector<OwnOperator> all;
                               for (const OperatorId id : unit.get().operators) all.push_back({unit.graph, id});
                               return all;
                             })
      .property(
          "operator_class",
          "Number of the class of its main operator, which decides its colour in pictures. From 0: convolutions 1×1, "
          "3×3, n×1 or 1×n, with another kernel, depthwise, grouped, transposed; then pooling, linear, data movement, "
          "arithmetic, activation, input, and operators that no device executes.",
          [](const OwnUnit& unit) {
            const Operator& dominant = unit.graph->op(dominant_operator(*unit.graph, unit.id));
            return static_cast<int>(operator_class(dominant.attributes));
          })
      .property("part", "Number of its part, from 0.", [](const OwnUnit& unit) { return unit.get().part.index(); })
      .property("predecessors", "Names of the units that it reads.",
                [](const OwnUnit& unit) { return names_of(*unit.graph, unit.graph->predecessors(unit.id)); })
      .property("successors", "Names of the units that read it.",
                [](const OwnUnit& unit) { return names_of(*unit.graph, unit.graph->successors(unit.id)); })
      .def("__repr__", [](const OwnUnit& unit) { return fmt::format("<Unit '{}'>", unit.get().name); });
}

OwnSchedule baseline(const OpenGraph& graph, ScheduleKind kind, std::size_t max_streams) {
  return {graph.graph(), GivenSchedule(made_baseline(kind, *graph.graph(), max_streams), kind)};
}

// Returns a batch that was asked for, or the graph's own.
std::int64_t checked(const OpenGraph& graph, const py::object& batch) {
  py::dict values;
  values["batch"] = batch;
  return Options(values).whole("batch", info_of(&CompareOptions::batch).whole_bounds()).value_or(graph.document.batch);
}

py::dict shapes_of(const std::vector<FileTensor>& tensors) {
  py::dict shapes;
  for (const FileTensor& tensor : tensors) shapes[py::cast(tensor.name)] = tuple_of(tensor.shape());
  return shapes;
}

}  // namespace

void bind_graphs(py::module_& module) {
  bind_parts_of_graphs(module);
  Class<OpenGraph, OpenGraphs>(module.attr("Graph"))
      .def_property_readonly("name", [](const OpenGraph& graph) { return graph.graph()->name(); })
      .def_readonly("source", &OpenGraph::source, "The name or path that it was opened from.")
      .property("operators", "Its Operators in topological order, including inputs and constants.",
                [](const OpenGraph& graph) {
                  std::vector<OwnOperator> all;
                  for (std::size_t i = 0; i < graph.graph()->operators().size(); ++i) {
                    all.push_back({graph.graph(), OperatorId(i)});
                  }
                  return all;
                })
      .property("units", "Its Units in topological order.",
                [](const OpenGraph& graph) {
                  std::vector<OwnUnit> all;
                  for (std::size_t i = 0; i < graph.graph()->units().size(); ++i) {
                    all.push_back({graph.graph(), UnitId(i)});
                  }
                  return all;
                })
      .property("parts", "Names of the units of each part; parts run one after another.",
                [](const OpenGraph& graph) {
                  std::vector<std::vector<std::string>> parts;
                  for (const Part& part : graph.graph()->parts()) {
                    parts.push_back(names_of(*graph.graph(), part.units));
                  }
                  return parts;
                })
      .property("batch", "The default batch size of its runs.",
                [](const OpenGraph& graph) { return graph.document.batch; })
      .property("batched", "False if its shapes include the batch; then it runs only with batch size 1.",
                [](const OpenGraph& graph) { return graph.document.batched; })
      .def(
          "inputs",
          [](const OpenGraph& graph, const py::object& batch) {
            return shapes_of(interface_of(graph.document, checked(graph, batch)).inputs);
          },
          py::arg("batch") = py::none(),
          "Shapes of its inputs by name, including the batch, as the arrays for run() need them.")
      .def(
          "outputs",
          [](const OpenGraph& graph, const py::object& batch) {
            return shapes_of(interface_of(graph.document, checked(graph, batch)).outputs);
          },
          py::arg("batch") = py::none(), "Shapes of its outputs by name, including the batch.")
      .property("schedule", "The Schedule in its file; None if the file contains no schedule.",
                [](const OpenGraph& graph) -> py::object {
                  const auto& file = graph.document.schedule;
                  if (!file) return py::none();
                  return py::cast(OwnSchedule{graph.graph(), GivenSchedule(file->schedule, file->lanes)});
                })
      .property("warnings", "Warnings about open sizes in its file and skipped contents.",
                [](const OpenGraph& graph) {
                  std::vector<std::string> texts;
                  for (const Message& warning : graph.document.warnings) texts.push_back(python_text(warning));
                  if (const std::string chosen = chosen_text(graph.document.file); !chosen.empty()) {
                    texts.push_back(in_python(chosen));
                  }
                  return texts;
                })
      .def(
          "flops",
          [](const OpenGraph& graph, const py::object& batch) {
            return total_work(*graph.graph(), checked(graph, batch)).flops;
          },
          py::arg("batch") = py::none(), "Floating-point operations of one run; a multiply-add is two.")
      .property("parameters", "Number of its weights and biases.",
                [](const OpenGraph& graph) { return total_work(*graph.graph(), 1).parameters; })
      .def("weights", &weights_of, py::arg("operator"),
           "(weights, bias) of an operator as read-only float32 arrays; None for a missing one. Weights that are not "
           "in a file are made up, always with the same values.")
      .def("with_weights", &with_weights, py::arg("weights"),
           "The same graph with other weights: {operator: array} or {operator: (weights, bias)}.")
      .method("sequential", "The schedule that runs its units one after another on one stream.",
              [](const OpenGraph& graph) { return baseline(graph, ScheduleKind::kSequential, kDefaultMaxStreams); })
      .method("one_by_one", "The schedule with one operator per stage, which the IOS paper calls sequential.",
              [](const OpenGraph& graph) { return baseline(graph, ScheduleKind::kOneByOne, kDefaultMaxStreams); })
      .def(
          "greedy",
          [](const OpenGraph& graph, std::size_t max_streams) {
            if (max_streams < 1) throw py::value_error("max_streams must be at least 1");
            return baseline(graph, ScheduleKind::kGreedy, max_streams);
          },
          py::arg("max_streams") = kDefaultMaxStreams,
          "The schedule in which every stage runs all ready units, on at most max_streams streams.")
      .method("finer_units", "The same graph, with the units split that have several independent first operators.",
              [](const OpenGraph& graph) -> OpenGraphs {
                auto made = std::make_shared<OpenGraph>(graph);
                if (!make_finer(made->document)) {
                  log("warning",
                      message("{}: --finer-units changes nothing: every unit begins with one operator", graph.source));
                }
                return made;
              })
      .def("__repr__", [](const OpenGraph& graph) {
        return fmt::format("<Graph '{}': {} units, {} parts>", graph.graph()->name(), graph.graph()->units().size(),
                           graph.graph()->parts().size());
      });
  module.def("open", &open);
  module.def("parse_ios", [](const std::string& text, const std::string& origin) {
    auto opened = std::make_shared<OpenGraph>();
    const OtherThreads others;
    opened->document = take(parse_ios_json(text, origin));
    return opened;
  });
  module.def("to_ios", [](const OpenGraph& graph, const OwnSchedule& schedule) {
    const GivenSchedule given = schedule.on(graph.graph());
    if (given.lanes) throw Failed{has_stages_only()};
    return take(to_ios_json(*graph.graph(), given.schedule));
  });
  module.def("networks", [] {
    py::list list;
    for (const ZooNetwork& network : zoo()) {
      list.append(py::make_tuple(network.name, network.title, zoo_group_title(network.group), network.summary));
    }
    return list;
  });
}

}  // namespace iosx::python
