// Values of operators' attributes, to Python and back.

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>

#include "app/python/values.h"

namespace iosx::python {
namespace {

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

}  // namespace iosx::python
