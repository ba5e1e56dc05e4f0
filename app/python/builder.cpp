#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "app/python/values.h"
#include "core/model/graph/builder.h"

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
      throw Failed{{message("the graph was built already"), {}, message("begin another iosx.GraphBuilder")}};
    }
    return *builder_;
  }
  // Takes a step, and returns what it gave. A mistake is thrown, and leaves the graph as it was.
  template <typename Step>
  BuiltValue take_step(const Step& step) {
    GraphBuilder after = get();
    const Value value = step(after);
    if (after.error()) throw Failed{*after.error()};
    builder_ = std::move(after);
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
  BuiltValue add(const std::string& name, const Attributes& attributes, const std::vector<BuiltValue>& inputs) {
    const std::vector<Value> values = own(inputs);
    return take_step([&](GraphBuilder& builder) { return builder.add(name, attributes, values); });
  }
  // Adds an operator that has weights; None stands for such that are made up, bias=False for none.
  BuiltValue add_layer(const std::string& name, const Attributes& attributes, const BuiltValue& input,
                       const py::object& weights, const py::object& bias) {
    const Value value = own(input);
    const bool word = bias.is_none() || py::isinstance<py::bool_>(bias);
    const bool given = !weights.is_none();
    if (given ? bias.is(py::bool_(true)) : !word) throw py::type_error("weights and their bias are given together");
    const Tensor own_weights = given ? to_tensor(weights) : Tensor();
    const Tensor own_bias = given && !word ? to_tensor(bias) : Tensor();
    return take_step([&](GraphBuilder& builder) {
      const Value made = builder.add(name, attributes, {value});
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
    if (!in_unit_) throw Failed{{message("no unit was begun"), {}, message("begin one with begin_unit()")}};
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
    if (in_unit_) throw Failed{{message("a unit was begun and not ended"), {}, message("call end_unit() first")}};
  }

  std::optional<GraphBuilder> builder_;
  bool in_unit_ = false;
};

// A size along both axes, or one for each: (height, width).
Extent extent_of(const py::object& size, const char* what) {
  if (py::isinstance<py::int_>(size)) return {size.cast<std::int64_t>(), size.cast<std::int64_t>()};
  try {
    const auto both = size.cast<std::pair<std::int64_t, std::int64_t>>();
    return {both.first, both.second};
  } catch (const py::cast_error&) {
    Options::refuse(what, "a number of pixels, or (height, width)", size);
  }
}

// An activation by its name, with its parameters where it has such: ("leaky relu", 0.1).
Activation activation_of(const py::object& given) {
  if (given.is_none()) return Activation::kIdentity;
  const bool named = py::isinstance<py::str>(given);
  const auto all = named ? py::tuple(py::make_tuple(given)) : py::tuple(given);
  if (all.empty() || !py::isinstance<py::str>(all[0])) Options::refuse("activation", "a name, or (name, …)", given);
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
  throw py::value_error(fmt::format("'{}' is no activation: there are {}", name, fmt::join(names, ", ")));
}

PoolKind pool_kind_of(const std::string& word, bool global) {
  if (word == "max") return global ? PoolKind::kGlobalMax : PoolKind::kMax;
  if (word == "average" || word == "avg") return global ? PoolKind::kGlobalAverage : PoolKind::kAverage;
  throw py::value_error(fmt::format("kind is 'max' or 'average', not '{}'", word));
}

Shape shape_of(const std::vector<std::int64_t>& dims, const char* what) {
  if (dims.size() > Shape::kMaxRank) {
    throw py::value_error(fmt::format("{} has at most {} axes, not {}", what, Shape::kMaxRank, dims.size()));
  }
  return Shape(std::span(dims));
}

std::vector<BuiltValue> all_of(const py::args& values) {
  std::vector<BuiltValue> all;
  for (const auto& value : values) all.push_back(value.cast<BuiltValue>());
  return all;
}

}  // namespace

void bind_builder(py::module_& module) {
  py::class_<BuiltValue>(module, "Value",
                         "What an operator of a GraphBuilder gives. value[a:b] are channels a to b of it.")
      .def_property_readonly(
          "shape",
          [](const BuiltValue& value) {
            const Shape shape = value.builder->get().shape(value.value);
            return py::tuple(py::cast(std::vector(shape.dims().begin(), shape.dims().end())));
          },
          "Without the batch.")
      .def(
          "__getitem__",
          [](const BuiltValue& value, const py::slice& channels) {
            std::size_t begin = 0;
            std::size_t end = 0;
            std::size_t step = 0;
            std::size_t count = 0;
            const auto size = static_cast<std::size_t>(value.value.channels());
            if (!channels.compute(size, &begin, &end, &step, &count)) throw py::error_already_set();
            if (step != 1 || count == 0) throw py::value_error("channels are taken in order, one at least");
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

  py::class_<Builder, std::shared_ptr<Builder>>(
      module, "GraphBuilder",
      "Writes a graph down, operator by operator, each after those that it reads. Shapes are without the batch. "
      "Weights "
      "that nobody gives are made up, always the same. A mistake is an iosx.Error at once, and changes nothing.")
      .def(py::init<std::string>(), py::arg("name"))
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
          "conv",
          [](Builder& self, const BuiltValue& x, std::int64_t out_channels, const py::object& kernel,
             const py::object& stride, const py::object& padding, const py::object& dilation, std::int64_t groups,
             const py::object& activation, const py::object& weights, const py::object& bias, const std::string& name) {
            Conv conv;
            conv.out_channels = out_channels;
            conv.kernel = extent_of(kernel, "kernel");
            conv.stride = extent_of(stride, "stride");
            conv.padding = extent_of(padding, "padding");
            conv.dilation = extent_of(dilation, "dilation");
            conv.groups = groups;
            conv.activation = activation_of(activation);
            return self.add_layer(name, conv, x, weights, bias);
          },
          py::arg("x"), py::arg("out_channels"), py::arg("kernel") = 1, py::arg("stride") = 1, py::arg("padding") = 0,
          py::arg("dilation") = 1, py::arg("groups") = 1, py::arg("activation") = py::none(),
          py::arg("weights") = py::none(), py::arg("bias") = py::none(), py::arg("name") = "",
          "Adds a convolution, with an activation fused into it ('relu', ('leaky relu', 0.1), …). Sizes are pixels, or "
          "(height, width); weights are out_channels × channels / groups × kernel; bias=False: it has none.")
      .def(
          "linear",
          [](Builder& self, const BuiltValue& x, std::int64_t out_features, std::size_t axis,
             const py::object& activation, const py::object& weights, const py::object& bias, const std::string& name) {
            Linear linear;
            linear.out_features = out_features;
            linear.axis = axis;
            linear.activation = activation_of(activation);
            return self.add_layer(name, linear, x, weights, bias);
          },
          py::arg("x"), py::arg("out_features"), py::arg("axis") = 0, py::arg("activation") = py::none(),
          py::arg("weights") = py::none(), py::arg("bias") = py::none(), py::arg("name") = "",
          "Adds a fully connected layer of all axes from this one on; weights are out_features × input features.")
      .def(
          "pool",
          [](Builder& self, const BuiltValue& x, const std::string& kind, const py::object& kernel,
             const py::object& stride, const py::object& padding, bool ceil_mode, const std::string& name) {
            Pool pool;
            pool.kind = pool_kind_of(kind, false);
            pool.kernel = extent_of(kernel, "kernel");
            pool.stride = extent_of(stride.is_none() ? kernel : stride, "stride");
            pool.padding = extent_of(padding, "padding");
            pool.ceil_mode = ceil_mode;
            return self.add(name, pool, {x});
          },
          py::arg("x"), py::arg("kind"), py::arg("kernel"), py::arg("stride") = py::none(), py::arg("padding") = 0,
          py::arg("ceil_mode") = false, py::arg("name") = "", "Adds 'max' or 'average' pooling; stride: as the kernel.")
      .def(
          "global_pool",
          [](Builder& self, const BuiltValue& x, const std::string& kind, const std::string& name) {
            Pool pool;
            pool.kind = pool_kind_of(kind, true);
            return self.add(name, pool, {x});
          },
          py::arg("x"), py::arg("kind") = "average", py::arg("name") = "", "Adds pooling of the whole map.")
      .def(
          "activation",
          [](Builder& self, const BuiltValue& x, const py::object& function, const std::string& name) {
            return self.add(name, Activate{activation_of(function)}, {x});
          },
          py::arg("x"), py::arg("function") = "relu", py::arg("name") = "", "Adds an element-wise function.")
      .def(
          "add",
          [](Builder& self, const py::args& values, const std::string& name) {
            return self.add(name, Add{}, all_of(values));
          },
          py::arg("name") = "", "Adds the sum of two or more values, which broadcast as NumPy's.")
      .def(
          "mul",
          [](Builder& self, const py::args& values, const std::string& name) {
            return self.add(name, Mul{}, all_of(values));
          },
          py::arg("name") = "", "Adds the product of two or more values, which broadcast as NumPy's.")
      .def(
          "concat",
          [](Builder& self, const py::args& values, std::size_t axis, const std::string& name) {
            return self.add(name, Concat{axis}, all_of(values));
          },
          py::arg("axis") = 0, py::arg("name") = "", "Adds a concatenation: axis 0 are channels.")
      .def(
          "matmul",
          [](Builder& self, const BuiltValue& a, const BuiltValue& b, const std::string& name) {
            return self.add(name, MatMul{}, {a, b});
          },
          py::arg("a"), py::arg("b"), py::arg("name") = "", "Adds a matrix product over the last two axes.")
      .def(
          "softmax",
          [](Builder& self, const BuiltValue& x, std::size_t axis, const std::string& name) {
            return self.add(name, Softmax{axis}, {x});
          },
          py::arg("x"), py::arg("axis") = 0, py::arg("name") = "")
      .def(
          "reshape",
          [](Builder& self, const BuiltValue& x, const std::vector<std::int64_t>& shape, const std::string& name) {
            return self.add(name, Reshape{shape_of(shape, "shape")}, {x});
          },
          py::arg("x"), py::arg("shape"), py::arg("name") = "")
      .def(
          "transpose",
          [](Builder& self, const BuiltValue& x, const std::vector<std::size_t>& axes, const std::string& name) {
            return self.add(name, Transpose{axes}, {x});
          },
          py::arg("x"), py::arg("axes"), py::arg("name") = "")
      .def("begin_unit", &Builder::begin_unit, py::arg("name"), py::arg("hint") = "",
           "Operators from here to end_unit() are one unit of schedules.")
      .def("end_unit", &Builder::end_unit)
      .def("begin_part", &Builder::begin_part, py::arg("name"),
           "Units from here on are of a new part; parts run one after another.")
      .def("build", &Builder::build, "Returns the Graph. The builder is empty then.");
}

}  // namespace iosx::python
