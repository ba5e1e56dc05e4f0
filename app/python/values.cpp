#include "app/python/values.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/analysis/compare/report.h"
#include "core/devices/registry.h"
#include "core/documents/report/comparison_files.h"
#include "core/model/cost/latency.h"
#include "core/model/trace/trace.h"
#include "models/open_graph.h"

namespace iosx::python {
namespace {

void bind_latency(py::module_& module) {
  Class<Latency>(module, "Latency",
                 "A latency in ms: the median, with its noise and origin. float(latency) is the median.")
      .property("ms", "Median, in ms.", [](const Latency& latency) { return latency.value.count(); })
      .property(
          "spread_ms",
          "Half the width of the interval that contains 95 % of the samples, in ms; 0 for a latency without noise.",
          [](const Latency& latency) { return latency.spread.count(); })
      .def_readonly("samples", &Latency::samples, "Number of timed runs; 0 for a model.")
      .property("origin", "'measured', 'recorded' (measured elsewhere or earlier), 'simulated' or 'predicted'.",
                [](const Latency& latency) { return origin_name(latency.origin); })
      .def_readonly("clock_mhz", &Latency::clock_mhz,
                    "Median of the device's clock during the runs, in MHz; 0: not known.")
      .def("__float__", [](const Latency& latency) { return latency.value.count(); })
      .def(
          "__eq__", [](const Latency& a, const Latency& b) { return a == b; }, py::is_operator())
      .def("__repr__", [](const Latency& latency) {
        return fmt::format("<Latency {:.4g} ms{}, {}>", latency.value.count(),
                           latency.spread.count() > 0 ? fmt::format(" ± {:.2g}", latency.spread.count()) : "",
                           origin_name(latency.origin));
      });

  Class<Speedup>(module, "Speedup",
                 "The speed-up of one schedule over another, with a 95 % interval. float(speedup) is the ratio.")
      .def_readonly("value", &Speedup::value, "Ratio of the latencies: above 1, the schedule is faster.")
      .def_readonly("low", &Speedup::low, "Lower end of the interval; equal to value if the latencies have no noise.")
      .def_readonly("high", &Speedup::high, "Upper end of the interval; infinite if there are too few runs.")
      .property("within_noise", "Whether the difference is within the noise.", &Speedup::within_noise)
      .def("__float__", [](const Speedup& speedup) { return speedup.value; })
      .def("__repr__", [](const Speedup& speedup) { return fmt::format("<Speedup {}>", speedup_text(speedup)); });
}

void bind_trace(py::module_& module) {
  const auto microseconds = [](auto member) {
    return [member](const KernelSpan& span) { return (span.*member).count(); };
  };
  Class<KernelSpan>(module, "KernelSpan", "Begin and end of one kernel. Times are µs from the start of the run.")
      .def_readonly("name", &KernelSpan::name)
      .def_readonly("lane", &KernelSpan::lane, "Number of the stream or team of cores, from 0.")
      .def_readonly("stage", &KernelSpan::stage, "Number of its stage, from 0.")
      .def_property_readonly("begin_us", microseconds(&KernelSpan::begin))
      .def_property_readonly("end_us", microseconds(&KernelSpan::end))
      .def("__repr__", [](const KernelSpan& span) {
        return fmt::format("<KernelSpan {} on lane {}, {:.1f} to {:.1f} µs>", span.name, span.lane, span.begin.count(),
                           span.end.count());
      });
  Class<Counter>(module, "Counter",
                 "A quantity over time, such as active warps: values[i] is valid from times_us[i] to the next time.")
      .def_readonly("name", &Counter::name)
      .def_readonly("unit", &Counter::unit)
      .def_readonly("peak", &Counter::peak, "Maximum value on the device; 0: not known.")
      .def_readonly("source", &Counter::source, "Source of the values.")
      .def_property_readonly("times_us",
                             [](const Counter& counter) {
                               std::vector<double> times;
                               for (const Micros time : counter.times) times.push_back(time.count());
                               return to_array(times);
                             })
      .def_property_readonly("values", [](const Counter& counter) { return to_array(counter.values); });
  Class<Trace>(module, "Trace", "The timeline of one run of a schedule.")
      .def_readonly("lanes", &Trace::lanes, "Number of streams or teams of cores.")
      .def_property_readonly("duration_us", [](const Trace& trace) { return trace.duration.count(); })
      .def_readonly("kernels", &Trace::kernels, "KernelSpan of every kernel, sorted by begin.")
      .def_readonly("counters", &Trace::counters, "Counter of each recorded quantity; the first one is the main one.")
      .def_readonly("source", &Trace::source, "Source of the times: 'simulated', 'event marks', …");
}

void bind_devices(py::module_& module) {
  const auto info = [](auto member) {
    return [member](const DeviceRegistry::Entry& entry) { return entry.info.*member; };
  };
  Class<DeviceRegistry::Entry>(module, "Device", "A device that schedules run on. See iosx.devices().")
      .property("id", "Its id: 'cpu'.", info(&DeviceInfo::id))
      .def_property_readonly("name", info(&DeviceInfo::name))
      .property("summary", "One line: cores or SMs, clock, bandwidth.", info(&DeviceInfo::summary))
      .property("origin", "Origin of its latencies: 'measured', 'simulated' or 'predicted'.",
                [](const DeviceRegistry::Entry& entry) { return origin_name(entry.info.origin); })
      .property("fingerprint", "The latencies of two devices are comparable only if their fingerprints are equal.",
                info(&DeviceInfo::fingerprint))
      .def_property_readonly("precision", info(&DeviceInfo::precision))
      .property("threads", "Number of threads of a CPU device; else 0.", info(&DeviceInfo::threads))
      .property("computes", "Whether runs compute outputs.", info(&DeviceInfo::computes))
      .property("available", "Whether it is usable now.",
                [](const DeviceRegistry::Entry& entry) { return entry.unavailable.empty(); })
      .property("unavailable", "Why it is not usable, and what to do; empty if it is usable.",
                [](const DeviceRegistry::Entry& entry) { return python_text(entry.unavailable); })
      .property("grade", "How a simulated device was compared with measurements.",
                [](const DeviceRegistry::Entry& entry) { return entry.info.grade.text(); })
      .def("__repr__", [](const DeviceRegistry::Entry& entry) {
        return fmt::format("<Device '{}': {}, {}{}>", entry.info.id, entry.info.name, origin_name(entry.info.origin),
                           entry.unavailable.empty() ? "" : ", not available");
      });
  module.def(
      "device", [](const py::object& id) { return &device_named(device_text(id)); },
      py::return_value_policy::reference);
  module.def("devices", [] {
    py::list list;
    for (const DeviceRegistry::Entry* const entry : devices().entries()) {
      list.append(py::cast(entry, py::return_value_policy::reference));
    }
    return list;
  });
}

// Values of operators' attributes, to Python and back.

// Returns the shortest number that is the same in 32 bits: 0.1, not 0.10000000149011612.
double shortest(double value) { return std::stod(fmt::format("{}", static_cast<float>(value))); }

py::tuple tuple_of_all(const auto& values) {
  py::list list;
  for (const auto& value : values) list.append(py::cast(value));
  return py::tuple(list);
}

struct ToPython {
  const AttributeEntry& entry;

  py::object operator()(std::int64_t value) const {
    if (entry.words.empty()) return py::int_(value);
    return py::str(std::string(entry.words.at(static_cast<std::size_t>(value)).pattern));
  }
  py::object operator()(double value) const { return py::float_(shortest(value)); }
  py::object operator()(bool value) const { return py::bool_(value); }
  py::object operator()(const std::string& value) const {  // a file's, so it need not be UTF-8
    return py::reinterpret_steal<py::object>(
        PyUnicode_DecodeUTF8(value.data(), static_cast<Py_ssize_t>(value.size()), "replace"));
  }
  py::object operator()(const Extent& value) const { return py::make_tuple(value.height, value.width); }
  py::object operator()(const Shape& value) const { return tuple_of_all(value.dims()); }
  py::object operator()(const std::vector<double>& list) const {
    std::vector<double> numbers;
    for (const double value : list) numbers.push_back(shortest(value));
    return tuple_of_all(numbers);
  }
  py::object operator()(const auto& list) const { return tuple_of_all(list); }
  py::object operator()(const Activation& value) const {
    if (value == Activation::kIdentity) return py::none();
    const py::str name(std::string(activation_name(value)));
    switch (activation_row(value.kind).parameters) {
      case 0: return name;
      case 1: return py::make_tuple(name, shortest(value.alpha));
      default: return py::make_tuple(name, shortest(value.alpha), shortest(value.beta));
    }
  }
};

// Returns an activation by its name, with its parameters where it has such: ("leaky relu", 0.1).
Activation activation_of(const char* what, const py::handle& given) {
  if (given.is_none()) return Activation::kIdentity;
  const bool named = py::isinstance<py::str>(given);
  const auto all = named ? py::tuple(py::make_tuple(given)) : py::tuple(py::reinterpret_borrow<py::object>(given));
  if (all.empty() || !py::isinstance<py::str>(all[0])) Options::refuse(what, "a name, or (name, …)", given);
  auto name = all[0].cast<std::string>();
  std::ranges::replace(name, '_', ' ');
  for (const ActivationRow& row : activation_rows()) {
    if (row.name != name) continue;
    if (static_cast<int>(all.size()) != row.parameters + 1) {
      throw py::value_error(fmt::format("'{}' has {} parameters: give (name, …) with them", name, row.parameters));
    }
    Activation activation{row.kind};
    if (row.parameters > 0) activation.alpha = all[1].cast<float>();
    if (row.parameters > 1) activation.beta = all[2].cast<float>();
    return activation;
  }
  std::vector<std::string_view> names;
  for (const ActivationRow& row : activation_rows()) names.push_back(row.name);
  throw py::value_error(fmt::format("'{}' is not an activation; choose one of {}", name, fmt::join(names, ", ")));
}

// Returns the place of a word among those of a choice.
std::int64_t word_place(const AttributeEntry& entry, const char* name, const py::handle& given) {
  if (!py::isinstance<py::str>(given)) Options::refuse(name, "a word", given);
  auto word = given.cast<std::string>();
  std::ranges::replace(word, '_', ' ');
  std::vector<std::string_view> words;
  for (const Sentence& each : entry.words) words.push_back(each.pattern);
  const auto at = std::ranges::find(words, word);
  if (at == words.end())
    throw py::value_error(fmt::format("{} must be one of {}, not '{}'", name, fmt::join(words, ", "), word));
  return at - words.begin();
}

// Returns what Python gave as a value like the one that the attribute has.
struct FromPython {
  const AttributeEntry& entry;
  const char* name;
  const py::handle& given;

  template <typename T>
  T cast(const char* expected) const {
    try {
      return given.cast<T>();
    } catch (const py::cast_error&) {
      Options::refuse(name, expected, given);
    }
  }
  AttributeValue operator()(std::int64_t /*now*/) const {
    return entry.words.empty() ? cast<std::int64_t>("a whole number") : word_place(entry, name, given);
  }
  AttributeValue operator()(double /*now*/) const { return cast<double>("a number"); }
  AttributeValue operator()(bool /*now*/) const { return cast<bool>("True or False"); }
  AttributeValue operator()(const std::string& /*now*/) const { return cast<std::string>("a string"); }
  // A size along both axes, or one for each: (height, width).
  AttributeValue operator()(const Extent& /*now*/) const {
    if (py::isinstance<py::int_>(given)) return cast<std::int64_t>("a number of pixels");
    const auto both = cast<std::pair<std::int64_t, std::int64_t>>("a number of pixels, or (height, width)");
    return Extent{both.first, both.second};
  }
  AttributeValue operator()(const Shape& /*now*/) const {
    return shape_of(cast<std::vector<std::int64_t>>("sizes"), name);
  }
  AttributeValue operator()(const Activation& /*now*/) const { return activation_of(name, given); }
  AttributeValue operator()(const std::vector<std::int64_t>& /*now*/) const {
    return cast<std::vector<std::int64_t>>("whole numbers");
  }
  AttributeValue operator()(const std::vector<double>& /*now*/) const { return cast<std::vector<double>>("numbers"); }
  AttributeValue operator()(const std::vector<std::string>& /*now*/) const {
    return cast<std::vector<std::string>>("strings");
  }
};

}  // namespace

std::int64_t OpenGraph::batch(const Options& options) const {
  return take(batch_to_run(document, source, options.whole("batch", info_of(&CompareOptions::batch).whole_bounds())));
}

OwnRun own_run(Comparison comparison, const CompareOptions& options, OpenGraphs network) {
  return {std::make_shared<const Run>(make_run(std::move(comparison), options,
                                               {network->source, network->graph(), network->document.batched},
                                               IOSX_VERSION)),
          std::move(network)};
}

OwnSchedule OwnResult::schedule() const {
  const ScheduleResult& result = get();
  GivenSchedule given(result.named(), result.schedule_kind);
  given.lanes = result.lanes;
  return {run->comparison.graph, std::move(given), notes_of(run->comparison, result)};
}

void bind_values(py::module_& module) {
  // Signatures name each other's classes.
  Class<OpenGraph, OpenGraphs>(module, "Graph",
                               "A computation graph with its weights. It is immutable: see iosx.open(), "
                               "iosx.from_torch() and iosx.GraphBuilder.");
  Class<OwnSchedule>(module, "Schedule",
                     "The stages in which the units of a graph run, and the groups that run concurrently in each "
                     "stage.\n\nSchedule(graph, stages) creates a schedule from a list of stages. A stage is a "
                     "list of groups that run concurrently. A group is a list of steps that run one after "
                     "another. A step is a unit's name, or a tuple of names whose layers run merged into one.");
  Class<OwnResult>(module, "ScheduleResult", "One schedule of a run, with its end-to-end latency.");
  Class<OwnRun>(module, "Run",
                "Schedules of one network that were compared on a device. iosx.compare() returns a Run, and run "
                "files contain one. run['ios-both'] is one ScheduleResult; `for result in run` visits all.");
  bind_latency(module);
  bind_trace(module);
  bind_devices(module);
}

Shape shape_of(const std::vector<std::int64_t>& dims, const char* what) {
  if (dims.size() > Shape::kMaxRank) {
    throw py::value_error(fmt::format("{} can have at most {} axes, not {}", what, Shape::kMaxRank, dims.size()));
  }
  return Shape(std::span(dims));
}

py::object attribute_value(const AttributeEntry& entry) { return std::visit(ToPython{entry}, entry.value); }

void set_attribute(Attributes& attributes, const AttributeEntry& entry, const py::handle& given) {
  const std::string name(entry.name);
  const AttributeValue value = std::visit(FromPython{entry, name.c_str(), given}, entry.value);
  if (!iosx::set_attribute(attributes, entry.name, value)) throw py::value_error(name + " cannot be negative");
}

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

}  // namespace iosx::python
