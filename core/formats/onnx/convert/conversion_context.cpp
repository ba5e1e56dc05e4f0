#include "core/formats/onnx/convert/conversion_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/formats/onnx/fold/fold.h"
#include "core/model/graph/shape_inference.h"

namespace iosx::onnx_import {

namespace {

// Returns whether all entries along the leading axis are equal, such as zeros in the shape of a computed tensor.
bool same_for_all(const HostTensor& tensor) {
  const std::int64_t samples = tensor.dims().front();
  if (samples < 2) return false;
  const auto alike = [&](const auto& values) {
    const std::size_t each = values.size() / static_cast<std::size_t>(samples);
    return std::equal(values.begin() + static_cast<std::ptrdiff_t>(each), values.end(), values.begin());
  };
  return tensor.holds_floats() ? alike(tensor.floats()) : alike(tensor.integers());
}

HostTensor first_of(const HostTensor& tensor) {
  Dims dims(tensor.dims().begin(), tensor.dims().end());
  const auto each = static_cast<std::size_t>(tensor.elements() / dims.front());
  dims.front() = 1;
  if (tensor.holds_floats()) {
    const auto values = tensor.floats().first(each);
    return HostTensor::of_floats(std::move(dims), {values.begin(), values.end()}, tensor.type());
  }
  const auto values = tensor.integers().first(each);
  return HostTensor::of_integers(std::move(dims), {values.begin(), values.end()}, tensor.type());
}

// Removes the tensors of a composed node when it is done.
struct Temporaries {
  Import& import;
  const Node& node;

  ~Temporaries() {
    for (const std::string& name : node.inputs) import.known.erase(name);
    import.reads_left.erase(node.outputs.front());
  }
};

}  // namespace

void ConversionContext::bad(Message what) const {
  throw Refusal{Refusal::Kind::kBad, {std::move(what), node_.where(), kExportAgain}};
}

void ConversionContext::unsupported(Message why) const {
  throw Refusal{Refusal::Kind::kUnsupported, {std::move(why), node_.where(), {}}};
}

void ConversionContext::mixes_batch(Message why) const {
  if (!import_.batched) unsupported(std::move(why));
  throw Refusal{Refusal::Kind::kMixesBatch, {std::move(why), node_.where(), {}}};
}

const Known* ConversionContext::known(std::size_t i) const {
  const std::string* const name = node_.input(i);
  if (name == nullptr) return nullptr;
  const auto found = import_.known.find(*name);
  return found == import_.known.end() ? nullptr : &found->second;
}

std::optional<Known> ConversionContext::input(std::size_t i) const {
  const Known* const found = known(i);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

const HostTensor* ConversionContext::constant(std::size_t i) const { return std::get_if<HostTensor>(known(i)); }
const DraftValue* ConversionContext::computed(std::size_t i) const { return std::get_if<DraftValue>(known(i)); }

DraftValue ConversionContext::value(std::size_t i) {
  if (const DraftValue* const found = computed(i)) return *found;
  const HostTensor* const tensor = constant(i);
  if (tensor == nullptr) bad(message("its input {} is absent", i));
  if (import_.batched) mixes_batch(message("its input {} is the same for all samples", i));
  return operand(*tensor, 0);
}

const HostTensor* ConversionContext::numbers(std::size_t i) {
  const HostTensor* const tensor = constant(i);
  if (computed(i) != nullptr) unsupported(message("its input {} is not constant", i));
  if (tensor == nullptr) bad(message("its input {} is absent", i));
  if (tensor->is_opaque()) unsupported(message("its input {} cannot be read: {}", i, tensor->why_opaque()));
  return tensor;
}

const HostTensor* ConversionContext::floats(std::size_t i) {
  const HostTensor* const tensor = numbers(i);
  if (!tensor->holds_floats()) unsupported(message("its input {} is of type {}", i, to_string(tensor->type())));
  return tensor;
}

std::optional<Dims> ConversionContext::list(std::size_t i) {
  if (!given(i)) return std::nullopt;
  const HostTensor* const tensor = numbers(i);
  if (!tensor->holds_integers() || tensor->rank() > 1) bad(message("its input {} is not a list of integers", i));
  return Dims(tensor->integers().begin(), tensor->integers().end());
}

std::optional<Dims> ConversionContext::list(std::size_t i, std::string_view attribute) {
  return given(i) ? list(i) : integers(attribute);
}

bool ConversionContext::used(std::size_t output) const {
  const std::string* const name = node_.output(output);
  return name != nullptr && import_.reads_left.contains(*name);
}

std::int64_t ConversionContext::integer(std::string_view name, std::int64_t absent) {
  return take(int_attribute(node_, name, absent));
}
float ConversionContext::number(std::string_view name, float absent) {
  return take(float_attribute(node_, name, absent));
}
std::string ConversionContext::text(std::string_view name, std::string absent) {
  return take(string_attribute(node_, name, std::move(absent)));
}
std::optional<Dims> ConversionContext::integers(std::string_view name) { return take(ints_attribute(node_, name)); }

Dims ConversionContext::dims(const DraftValue& value) const {
  Dims dims;
  if (import_.batched) dims.push_back(import_.batch);
  dims.insert(dims.end(), value.shape.dims().begin(), value.shape.dims().end());
  return dims;
}

std::size_t ConversionContext::axis(std::int64_t axis, std::size_t rank) {
  const auto count = static_cast<std::int64_t>(rank);
  if (axis < -count || axis >= count) bad(message("its axis {} is not one of the {} of its input", axis, count));
  const auto found = static_cast<std::size_t>(axis < 0 ? axis + count : axis);
  if (found >= lead()) return found - lead();
  mixes_batch(message("it works along the batch axis"));
}

std::vector<std::size_t> ConversionContext::axes(const Dims& axes, std::size_t rank) {
  std::vector<std::size_t> found;
  for (const std::int64_t each : axes) {
    found.push_back(axis(each, rank));
  }
  std::ranges::sort(found);
  if (std::ranges::adjacent_find(found) != found.end()) bad(message("names an axis twice"));
  return found;
}

Shape ConversionContext::shape(std::span<const std::int64_t> dims) {
  if (lead() == 1 && (dims.empty() || dims.front() != import_.batch))
    mixes_batch(message("its output does not begin with the batch axis"));
  const auto own = dims.subspan(lead());
  if (own.size() > Shape::kMaxRank) unsupported(message("its output has {} axes", dims.size()));
  return take(checked_shape(Shape(own)));
}

bool ConversionContext::has_sample_for_all(const HostTensor& tensor, std::size_t rank) const {
  const bool has_samples = lead() == 1 && rank > 0 && tensor.dims().size() == rank && !tensor.is_opaque() &&
                           tensor.dims().front() == import_.batch;
  return has_samples && same_for_all(tensor);
}

HostTensor ConversionContext::of_one_sample(const HostTensor& tensor, std::size_t rank) const {
  return has_sample_for_all(tensor, rank) ? first_of(tensor) : tensor;
}

DraftValue ConversionContext::of_each_sample(std::size_t i, std::size_t rank) {
  const HostTensor* const tensor = constant(i);
  if (tensor == nullptr) return value(i);
  if (tensor->dims().size() != rank) bad(message("its inputs differ in their axes"));
  if (lead() == 1 && tensor->dims().front() != import_.batch) {
    mixes_batch(message("it combines samples with a constant for each"));
  }
  return operand(*tensor, rank);
}

DraftValue ConversionContext::operand(const HostTensor& tensor, std::size_t rank) {
  Dims dims(tensor.dims().begin(), tensor.dims().end());
  if (tensor.is_opaque()) {
    unsupported(message("a constant cannot be read: {}", tensor.why_opaque()));
  } else if (tensor.elements() == 0) {
    bad(message("it combines a constant without elements"));
  } else if (lead() == 1 && dims.size() >= rank) {
    if (has_sample_for_all(tensor, rank)) return operand(first_of(tensor), rank);
    if (dims.size() > rank || dims.front() != 1) mixes_batch(message("it combines samples with a constant for each"));
    if (!dims.empty()) dims.erase(dims.begin());
  }
  if (dims.size() > Shape::kMaxRank) unsupported(message("a constant has {} axes", dims.size()));
  if (!tensor.holds_floats()) spend(tensor.elements());
  DraftValue value = constant_value(tensor.with_dims(std::move(dims)).to_tensor());
  value.type = tensor.type();
  return value;
}

std::string ConversionContext::name(std::string_view suffix) const {
  std::string name = node_.name;
  for (std::size_t i = 0; name.empty() && i < node_.outputs.size(); ++i) name = node_.outputs[i];
  if (name.empty()) name = node_.op_type;
  return suffix.empty() ? name : fmt::format("{}/{}", name, suffix);
}

DraftValue ConversionContext::add(Attributes attributes, std::vector<DraftValue> inputs, Tensor weights, Tensor bias,
                                  std::string_view suffix) {
  const ElementType type = inputs.empty() ? ElementType::kFloat32 : inputs.front().type;
  DraftValue made = take(
      import_.draft.add(name(suffix), std::move(attributes), std::move(inputs), std::move(weights), std::move(bias)));
  made.type = type;
  return made;
}

DraftValue ConversionContext::add(Attributes attributes, std::vector<DraftValue> inputs, std::string_view suffix) {
  return add(std::move(attributes), std::move(inputs), Tensor(), Tensor(), suffix);
}

DraftValue ConversionContext::scalar(float number, std::string_view suffix) {
  return constant_value(Tensor({}, std::vector<float>{number}), suffix);
}

DraftValue ConversionContext::constant_value(Tensor tensor, std::string_view suffix) {
  const Shape shape(tensor.dims());
  return add(Constant{shape}, {}, std::move(tensor), {}, suffix);
}

DraftValue ConversionContext::places(const Shape& shape, std::size_t axis) {
  spend(shape[axis]);
  std::vector<float> numbers(static_cast<std::size_t>(shape[axis]));
  std::iota(numbers.begin(), numbers.end(), 0.0F);
  Dims dims(shape.rank(), 1);
  dims[axis] = shape[axis];
  return constant_value(Tensor(std::move(dims), std::move(numbers)), "places");
}

DraftValue ConversionContext::reshape(const DraftValue& value, const Shape& shape, std::string_view suffix) {
  DraftValue made = take(import_.draft.reshape(name(suffix), value, shape));
  made.type = value.type;
  return made;
}

DraftValue ConversionContext::transpose(const DraftValue& value, const std::vector<std::size_t>& order,
                                        std::string_view suffix) {
  const std::size_t before = value.shape.rank() - order.size();
  Transpose transpose;
  for (std::size_t axis = 0; axis < before; ++axis) transpose.axes.push_back(axis);
  for (const std::size_t axis : order) transpose.axes.push_back(before + axis);
  if (std::is_sorted(transpose.axes.begin(), transpose.axes.end())) return value;
  DraftValue made = add(std::move(transpose), {value}, suffix);
  made.type = value.type;
  return made;
}

DraftValue ConversionContext::sum(const DraftValue& value, std::vector<std::size_t> axes, std::string_view suffix) {
  return add(Reduce{ReduceKind::kSum, std::move(axes), false}, {value}, suffix);
}

DraftValue ConversionContext::before_reshape(const DraftValue& value) const {
  const DraftOperator& producer = import_.draft.operators[value.producer];
  const bool reshaped = std::holds_alternative<Reshape>(producer.attributes) && import_.draft.is_whole(value);
  return reshaped ? producer.inputs.front() : value;
}

// Puts it under a reshape of its input rather than on it, so that it can become part of the operator before.
DraftValue ConversionContext::activate(const DraftValue& value, const Activation& function) {
  return reshape(add(Activate{function}, {before_reshape(value)}), value.shape);
}

DraftValue ConversionContext::log_softmax(const DraftValue& value, std::size_t axis, std::string_view suffix) {
  const DraftValue most = add(Reduce{ReduceKind::kMax, {axis}, true}, {value}, "max");
  const DraftValue less = add(Binary{BinaryFunction::kSub}, {value, most}, "less");
  const DraftValue powers = add(Activate{{ActivationKind::kExp}}, {less}, "exp");
  const DraftValue sum = add(Reduce{ReduceKind::kSum, {axis}, true}, {powers}, "sum_of_exp");
  const DraftValue log = add(Activate{{ActivationKind::kLog}}, {sum}, "log");
  return add(Binary{BinaryFunction::kSub}, {less, log}, suffix);
}

DraftValue ConversionContext::affine(const DraftValue& value, std::vector<float> scale, std::vector<float> shift) {
  const std::int64_t channels = value.shape.channels();
  spend(2 * channels);
  for (auto* numbers : {&scale, &shift}) {
    if (numbers->size() == 1) numbers->resize(static_cast<std::size_t>(channels), numbers->front());
  }
  return add(Affine{}, {value}, Tensor({channels}, std::move(scale)), Tensor({channels}, std::move(shift)));
}

void ConversionContext::put_shift_first(const Known& made) {
  const auto* const value = std::get_if<DraftValue>(&made);
  if (value == nullptr) return;
  auto* const affine = std::get_if<Affine>(&import_.draft.operators[value->producer].attributes);
  if (affine != nullptr) affine->shift_first = true;
}

Known ConversionContext::compose(std::string_view op_type, const std::vector<std::optional<Known>>& inputs,
                                 std::string_view suffix, NodeAttributes attributes) {
  Node node;
  node.index = node_.index;
  node.name = name(suffix);
  node.op_type = op_type;
  node.attributes = std::move(attributes);
  // Names of tensors of no model.
  const auto unnamed = [&] { return fmt::format("\x01{}", import_.composed++); };
  std::vector<const HostTensor*> constants;
  bool all_constant = true;
  for (const auto& given : inputs) {
    const auto* const constant = given ? std::get_if<HostTensor>(&*given) : nullptr;
    constants.push_back(constant);
    all_constant = all_constant && (!given || (constant != nullptr && !constant->is_opaque()));
    node.inputs.push_back(given ? unnamed() : std::string());
    if (given) import_.known.insert_or_assign(node.inputs.back(), *given);
  }
  node.outputs = {unnamed()};
  const Temporaries temporaries{import_, node};
  if (all_constant && foldable(node)) {
    auto folded = take(fold(node, constants, opset(), import_.draft.elements_left()));
    spend(folded.front().elements());
    return std::move(folded.front());
  }
  const Converter* const converter = find_converter(node);
  if (converter == nullptr) unsupported(message("the operator {}, which it consists of", op_type));
  import_.reads_left[node.outputs.front()] = 1;
  try {
    ConversionContext inner(import_, node);
    const Converted outputs = converter->convert(inner);
    return converter->result == ElementType::kUndefined ? outputs.front() : outputs.front().of_type(converter->result);
  } catch (Refusal& refusal) {
    refusal.error.where = node_.where();
    throw;
  }
}

DraftValue ConversionContext::as_value(Known known) {
  if (auto* const value = std::get_if<DraftValue>(&known)) return *value;
  if (import_.batched) mixes_batch(message("its output is the same for all samples"));
  return operand(std::get<HostTensor>(known), 0);
}

void ConversionContext::spend(std::int64_t elements) {
  if (auto spent = import_.draft.spend(elements); !spent) bad(std::move(spent.error().what));
}

std::span<const Converter> all_converters() {
  static const std::vector<Converter> kConverters = [] {
    std::vector<Converter> all;
    for (const auto converters :
         {domain_converters(), element_converters(), layout_converters(), matrix_converters(), quantized_converters(),
          rearrange_converters(), reduce_converters(), resize_converters(), scatter_converters(), select_converters(),
          signal_converters(), sequence_converters(), window_converters()}) {
      all.insert(all.end(), converters.begin(), converters.end());
    }
    return all;
  }();
  return kConverters;
}

const Converter* find_converter(const Node& node) {
  const auto all = all_converters();
  const auto found = std::ranges::find_if(all, [&](const Converter& converter) {
    return converter.op_type == node.op_type && converter.domain == node.domain;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace iosx::onnx_import
