#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "app/python/values.h"
#include "core/model/graph/builder.h"
#include "core/model/graph/operator_table.h"
#include "core/model/graph/parameters.h"

namespace iosx::python {
namespace {

class Builder;
// What an operator gives, or channels of it: the input of others.
struct BuiltValue {
  std::shared_ptr<Builder> builder;
  Value value;
};

// A graph that is being written down. After build() it is empty, and every call is an error.
class Builder : public std::enable_shared_from_this<Builder> {
 public:
  explicit Builder(std::string name) : builder_(std::in_place, std::move(name)) {}

  GraphBuilder& get() {
    if (!builder_) {
      throw Failed{{message("the graph is already built"), {}, message("create a new iosx.GraphBuilder")}};
    }
    return *builder_;
  }
  // Takes a step, and returns what it gave. A mistake is thrown, and leaves the graph as it was.
  template <typename Step>
  BuiltValue take_step(const Step& step) {
    GraphBuilder& builder = get();
    const GraphBuilder::Mark before = builder.mark();
    const Value value = step(builder);
    if (builder.error()) {
      const Failed failed{*builder.error()};
      builder.revert(before);
      throw failed;
    }
    return {shared_from_this(), value};
  }
  bool is_built() const { return !builder_; }
  Value own(const BuiltValue& value) {
    if (value.builder.get() != this) {
      throw Failed{{message("is a value of another graph"), {}, message("use values of this builder")}};
    }
    return value.value;
  }
  std::vector<Value> own(const std::vector<BuiltValue>& values) {
    std::vector<Value> all;
    all.reserve(values.size());
    for (const BuiltValue& value : values) all.push_back(own(value));
    return all;
  }
  // Adds an operator. Its weights and bias are arrays, or None for such that are made up; bias=False is for none.
  BuiltValue add(const std::string& name, const Attributes& attributes, const std::vector<BuiltValue>& inputs,
                 const py::object& weights = py::none(), const py::object& bias = py::none()) {
    const std::vector<Value> values = own(inputs);
    const bool word = bias.is_none() || py::isinstance<py::bool_>(bias);
    const bool given = !weights.is_none();
    if (given ? bias.is(py::bool_(true)) : !word) throw py::type_error("give weights and bias together");
    const Tensor own_weights = given ? to_tensor(weights) : Tensor();
    const Tensor own_bias = given && !word ? to_tensor(bias) : Tensor();
    return take_step([&](GraphBuilder& builder) {
      const Value made = builder.add(name, attributes, values);
      if (builder.error()) return made;
      if (given) builder.set_parameters(made, own_weights, own_bias);
      if (!given && bias.is(py::bool_(false))) builder.leave_out_bias(made);
      return made;
    });
  }
  void begin_unit(const std::string& name, const std::string& hint) {
    outside_of_units();
    take_step([&](GraphBuilder& builder) { return builder.begin_unit(name, hint), Value(); });
    in_unit_ = true;
  }
  BuiltValue end_unit() {
    if (!in_unit_) throw Failed{{message("no unit is open"), {}, message("call begin_unit() first")}};
    BuiltValue unit = take_step([](GraphBuilder& builder) { return builder.end_unit(); });
    in_unit_ = false;
    return unit;
  }
  void begin_part(const std::string& name) {
    outside_of_units();
    get().begin_part(name);
  }
  OpenGraphs build() {
    outside_of_units();
    GraphBuilder builder = std::move(get());
    builder_.reset();
    auto opened = std::make_shared<OpenGraph>();
    opened->document.graph = std::make_shared<const Graph>(take(std::move(builder).build()));
    return opened;
  }

 private:
  void outside_of_units() const {
    if (in_unit_) throw Failed{{message("a unit is still open"), {}, message("call end_unit() first")}};
  }

  std::optional<GraphBuilder> builder_;
  bool in_unit_ = false;
};

// A method of GraphBuilder that adds an operator of one kind. Its parameters are what the operator reads, its
// attributes (first those without a usable default, last a fused activation), weights and bias where it has such, its
// name, and by their names alone attributes that came later to the kind. The attribute that names the kind more exactly
// is "kind".
class KindMethod {
 public:
  explicit KindMethod(const OperatorRow& row) : row_(row), plain_(attributes_of_kind(row.kind)) {
    entries_ = attribute_list(plain_);
    std::erase_if(entries_, [](const AttributeEntry& entry) {
      return std::holds_alternative<std::vector<std::string>>(entry.value);
    });
    std::ranges::stable_sort(entries_, {}, [](const AttributeEntry& entry) {
      return is_needed(entry) ? -1 : entry.fused ? std::max(entry.level, 1) : entry.level;
    });
    if (row.least_inputs == row.most_inputs) {
      for (std::size_t i = 0; i < row.most_inputs; ++i)
        inputs_.push_back(row.most_inputs == 1 ? "x" : std::string(1, static_cast<char>('a' + i)));
    }
    const std::vector<Shape> shapes(std::max<std::size_t>(row.least_inputs, 1), Shape{1, 1, 1});
    weighs_ = !parameter_dims(plain_, shapes).weights.empty();
  }

  BuiltValue operator()(Builder& self, const py::args& args, const py::kwargs& options) const {
    std::map<std::string, py::object> given;
    std::vector<BuiltValue> values;
    take_positional(args, given, values);
    for (const auto& [key, value] : options) {
      const auto word = key.cast<std::string>();
      if (!takes(word)) throw py::type_error(fmt::format("{}() has no parameter '{}'", name(), word));
      if (!given.emplace(word, py::reinterpret_borrow<py::object>(value)).second)
        throw py::type_error(fmt::format("{}() got '{}' twice", name(), word));
    }
    for (const std::string& input : inputs_) values.push_back(value_of(find(given, input), input));
    Attributes attributes = plain_;
    for (const AttributeEntry& entry : entries_) {
      const py::object value = find(given, name_of(entry), is_needed(entry));
      if (value && !(follows_kernel(entry) && value.is_none())) set_attribute(attributes, entry, value);
      if (follows_kernel(entry) && (!value || value.is_none())) {
        auto& pool = std::get<Pool>(attributes);
        pool.stride = pool.kernel;
      }
    }
    const auto or_none = [&](const char* word) {
      const py::object value = find(given, word, false);
      return value ? value : py::none();
    };
    const py::object own_name = find(given, "name", false);
    return self.add(own_name ? own_name.cast<std::string>() : std::string(), attributes, values, or_none("weights"),
                    or_none("bias"));
  }

  std::string name() const {
    std::string id(row_.id);
    std::ranges::replace(id, ' ', '_');
    return id;
  }
  // Returns the signature, as pybind11 writes those that it knows, and a sentence.
  std::string doc() const {
    std::string text = name() + "(self: GraphBuilder";
    for (const std::string& input : inputs_) text += fmt::format(", {}: Value", input);
    if (inputs_.empty()) text += ", *args";
    std::string later;
    for (const AttributeEntry& entry : entries_) {
      std::string& list = entry.later ? later : text;
      list += fmt::format(", {}: {}", name_of(entry), type_of(entry));
      if (follows_kernel(entry)) {
        list += " = None";
      } else if (!is_needed(entry)) {
        list += " = " + py::repr(attribute_value(entry)).cast<std::string>();
      }
    }
    if (weighs_) text += ", weights: object = None, bias: object = None";
    text += ", name: str = ''";
    if (!later.empty()) text += ", *" + later;
    return fmt::format("{}) -> Value\n\nAdds an operator of the kind {}.", text, row_.name);
  }

 private:
  std::string name_of(const AttributeEntry& entry) const {
    return entry.name == row_.id ? "kind" : std::string(entry.name);
  }
  // Says whether it is a pool's stride, which is its kernel unless it is given, as PyTorch's.
  bool follows_kernel(const AttributeEntry& entry) const {
    return row_.kind == operator_table::kIndex<Pool> && entry.name == "stride";
  }
  // One that has no usable default.
  static bool is_needed(const AttributeEntry& entry) {
    const auto* const integer = std::get_if<std::int64_t>(&entry.value);
    if (integer != nullptr) return entry.words.empty() && (*integer < entry.least || *integer > entry.most);
    const auto* const list = std::get_if<std::vector<std::int64_t>>(&entry.value);
    const auto* const numbers = std::get_if<std::vector<double>>(&entry.value);
    const auto* const shape = std::get_if<Shape>(&entry.value);
    return (list != nullptr && list->empty()) || (numbers != nullptr && numbers->empty()) ||
           (shape != nullptr && shape->rank() == 0);
  }
  static std::string_view type_of(const AttributeEntry& entry) {
    static constexpr std::array<std::string_view, std::variant_size_v<AttributeValue>> kTypes{
        "int", "float", "bool", "str", "object", "object", "list[int]", "list[float]", "list[str]", "list[int]"};
    return entry.words.empty() ? kTypes.at(entry.value.index()) : "str";
  }
  bool takes(std::string_view word) const {
    return word == "name" || (weighs_ && (word == "weights" || word == "bias")) ||
           std::ranges::find(inputs_, word) != inputs_.end() ||
           std::ranges::any_of(entries_, [&](const AttributeEntry& entry) { return name_of(entry) == word; });
  }
  static BuiltValue value_of(const py::handle& given, const std::string& what) {
    if (!py::isinstance<BuiltValue>(given)) Options::refuse(what.c_str(), "a value of this builder", given);
    return given.cast<BuiltValue>();
  }
  py::object find(const std::map<std::string, py::object>& given, const std::string& word, bool needed = true) const {
    const auto found = given.find(word);
    if (found != given.end()) return found->second;
    if (needed) throw py::type_error(fmt::format("{}() needs '{}'", name(), word));
    return {};
  }
  void take_positional(const py::args& args, std::map<std::string, py::object>& given,
                       std::vector<BuiltValue>& values) const {
    if (inputs_.empty()) {
      for (const auto& each : args) values.push_back(value_of(each, "every input"));
      return;
    }
    std::vector<std::string> order = inputs_;
    for (const AttributeEntry& entry : entries_) {
      if (!entry.later) order.push_back(name_of(entry));
    }
    if (weighs_) order.insert(order.end(), {"weights", "bias"});
    order.emplace_back("name");
    if (args.size() > order.size())
      throw py::type_error(fmt::format("{}() accepts at most {} values", name(), order.size()));
    for (std::size_t i = 0; i < args.size(); ++i) given[order[i]] = args[i];
  }

  const OperatorRow& row_;
  Attributes plain_;
  std::vector<AttributeEntry> entries_;
  std::vector<std::string> inputs_;  // empty: any number of them, which are all that has no keyword
  bool weighs_ = false;
};

using BuilderClass = Class<Builder, std::shared_ptr<Builder>>;

void bind_kinds(BuilderClass& builder) {
  py::options options;
  options.disable_function_signatures();
  for (const OperatorRow& row : operator_table::kRows) {
    if (row.role == OperatorRole::kSource || row.role == OperatorRole::kUnknown) continue;
    const KindMethod method(row);
    builder.def(
        method.name().c_str(),
        [method](Builder& self, const py::args& args, const py::kwargs& keywords) {
          return method(self, args, keywords);
        },
        method.doc().c_str());
  }
}

}  // namespace

void bind_builder(py::module_& module) {
  Class<BuiltValue>(module, "Value",
                    "The output of an operator of a GraphBuilder. value[a:b] selects its channels a to b.")
      .property("shape", "The shape without the batch.",
                [](const BuiltValue& value) {
                  const Shape shape = value.builder->get().shape(value.value);
                  return py::tuple(py::cast(std::vector(shape.dims().begin(), shape.dims().end())));
                })
      .def(
          "__getitem__",
          [](const BuiltValue& value, const py::slice& channels) {
            std::size_t begin = 0;
            std::size_t end = 0;
            std::size_t step = 0;
            std::size_t count = 0;
            const auto size = static_cast<std::size_t>(value.value.channels());
            if (!channels.compute(size, &begin, &end, &step, &count)) throw py::error_already_set();
            if (step != 1 || count == 0)
              throw py::value_error("a slice of channels must have step 1 and at least one channel");
            BuiltValue part = value;
            part.value.begin = value.value.begin + static_cast<std::int64_t>(begin);
            part.value.end = part.value.begin + static_cast<std::int64_t>(count);
            return part;
          },
          py::arg("channels"))
      .def("__repr__", [](const BuiltValue& value) {
        return value.builder->is_built()
                   ? std::string("<Value of a graph that was built>")
                   : fmt::format("<Value {}>", shape_text(value.builder->get().shape(value.value)));
      });

  BuilderClass builder(
      module, "GraphBuilder",
      "Builds a graph operator by operator. Add each operator after the operators that it reads. Shapes are without "
      "the batch, and axes count from the channels. A size along both axes is a number of pixels, or (height, width). "
      "An activation is a name, or a name with its parameters ('relu', ('leaky relu', 0.1), …). Weights that you do "
      "not give are made up, always with the same values; bias=False means no bias. A mistake raises an iosx.Error "
      "immediately, and changes nothing.");
  bind_kinds(builder);
  builder.attr("activation") = builder.attr("activate");
  builder.def(py::init<std::string>(), py::arg("name"))
      .def(
          "input",
          [](Builder& self, const std::vector<std::int64_t>& shape, const std::string& name) {
            const Shape its = shape_of(shape, "shape");
            return self.take_step([&](GraphBuilder& builder) { return builder.input(name, its); });
          },
          py::arg("shape"), py::arg("name") = "input",
          "Adds an input of this shape: (channels, height, width) of an image.")
      .def(
          "constant",
          [](Builder& self, const py::object& value, const std::string& name) {
            const Tensor tensor = to_tensor(value);
            return self.take_step([&](GraphBuilder& builder) { return builder.constant(name, tensor); });
          },
          py::arg("value"), py::arg("name") = "", "Adds an array that is part of the model, the same for every sample.")
      .def(
          "global_pool",
          [](Builder& self, const BuiltValue& x, const std::string& kind, const std::string& name) {
            if (kind != "average" && kind != "max")
              throw py::value_error(fmt::format("kind must be 'max' or 'average', not '{}'", kind));
            Pool pool;
            pool.kind = kind == "max" ? PoolKind::kGlobalMax : PoolKind::kGlobalAverage;
            return self.add(name, pool, {x});
          },
          py::arg("x"), py::arg("kind") = "average", py::arg("name") = "", "Adds pooling of the whole map.")
      .def("begin_unit", &Builder::begin_unit, py::arg("name"), py::arg("hint") = "",
           "Starts a unit: all operators until end_unit() are one unit of schedules.")
      .def("end_unit", &Builder::end_unit)
      .def("begin_part", &Builder::begin_part, py::arg("name"),
           "Starts a new part: the next units belong to it. Parts run one after another.")
      .method("build", "Returns the Graph, and empties the builder.", &Builder::build);
}

}  // namespace iosx::python
