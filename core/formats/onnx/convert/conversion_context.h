#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "core/formats/onnx/draft/draft.h"
#include "core/formats/onnx/loaded_onnx.h"
#include "core/formats/onnx/model.h"
#include "core/formats/onnx/sizes.h"

// Shared by the converters of single operators (convert_*.cpp).
namespace iosx::onnx_import {

using Known = std::variant<HostTensor, DraftValue>;
using NodeAttributes = std::map<std::string, Attribute, std::less<>>;

// One attempt to convert a model.
struct Import {
  const OnnxModel& model;
  bool batched = false;    // the leading axis of every draft value is the batch, and not in its shape
  std::int64_t batch = 1;  // its size in the model
  Draft draft;
  std::unordered_map<std::string, Known> known;             // tensors by name
  std::unordered_map<std::string, std::size_t> reads_left;  // by nodes and outputs, for each tensor by name
  std::size_t composed = 0;                                 // nodes added by converters
  std::size_t quantised = 0;                                // operators computed in float32 instead
};

// Why a node could not be converted; thrown by converters.
struct Refusal {
  enum class Kind {
    kBad,          // the file is wrong
    kUnsupported,  // the graph has no operator for it: it becomes Opaque
    kMixesBatch,   // it mixes samples of the batch
  };
  Kind kind = Kind::kBad;
  Error error;
};

// One node to convert. Where it cannot be converted, the functions throw a Refusal, which the import of the model
// catches.
class ConversionContext {
 public:
  ConversionContext(Import& import, const Node& node) : import_(import), node_(node) {}

  const Node& node() const { return node_; }
  std::int64_t opset() const { return import_.model.opset(); }

  [[noreturn]] void bad(Message what) const;
  [[noreturn]] void unsupported(Message why) const;
  [[noreturn]] void mixes_batch(Message why) const;

  // Inputs are absent, constant, or computed by an operator.
  bool given(std::size_t i) const { return known(i) != nullptr; }
  std::optional<Known> input(std::size_t i) const;
  const HostTensor* constant(std::size_t i) const;  // null unless constant
  const DraftValue* computed(std::size_t i) const;  // null unless computed
  DraftValue value(std::size_t i);                  // also for a constant, where the batch is in the shapes
  const HostTensor* numbers(std::size_t i);         // a constant of any readable type, never null
  const HostTensor* floats(std::size_t i);          // the same for floating-point numbers
  // Returns the integers of a constant input; none where it is absent.
  std::optional<Dims> list(std::size_t i);
  // Returns those of the input if present, otherwise those of the attribute.
  std::optional<Dims> list(std::size_t i, std::string_view attribute);
  // Returns whether anything reads the node's output.
  bool used(std::size_t output) const;

  std::int64_t integer(std::string_view name, std::int64_t absent);
  float number(std::string_view name, float absent);
  std::string text(std::string_view name, std::string absent);
  std::optional<Dims> integers(std::string_view name);

  // Where the batch is stripped, it is ONNX's axis 0: lead() is then 1, else 0.
  std::size_t lead() const { return import_.batched ? 1 : 0; }
  std::size_t rank(const DraftValue& value) const { return value.shape.rank() + lead(); }
  Dims dims(const DraftValue& value) const;
  // Returns an axis of ONNX's, negative from the end, as an axis of shapes in the graph. The batch axis is an error,
  // because it mixes samples.
  std::size_t axis(std::int64_t axis, std::size_t rank);
  std::vector<std::size_t> axes(const Dims& axes, std::size_t rank);  // ascending, without repeats
  // Returns a shape in the graph from ONNX's dims, of which the first must be the batch.
  Shape shape(std::span<const std::int64_t> dims);
  // Returns one sample of a constant of this rank (ONNX's) that has equal entries for the whole batch, such as zeros
  // made in the shape of a computed tensor; otherwise the constant.
  HostTensor of_one_sample(const HostTensor& tensor, std::size_t rank) const;
  // Returns input i, of this rank (ONNX's), without repeats: a constant needs an entry for each sample.
  DraftValue of_each_sample(std::size_t i, std::size_t rank);
  // Makes a constant for elementwise operations with values of this rank (ONNX's).
  DraftValue operand(const HostTensor& tensor, std::size_t rank);

  // Add operators. The suffix distinguishes those of one node.
  DraftValue add(Attributes attributes, std::vector<DraftValue> inputs, std::string_view suffix);
  DraftValue add(Attributes attributes, std::vector<DraftValue> inputs, Tensor weights = {}, Tensor bias = {},
                 std::string_view suffix = {});
  DraftValue constant_value(Tensor tensor, std::string_view suffix = "constant");
  DraftValue scalar(float number, std::string_view suffix = "constant");
  // Makes 0, 1, … along an axis of the shape, with size 1 along the others.
  DraftValue places(const Shape& shape, std::size_t axis);
  DraftValue reshape(const DraftValue& value, const Shape& shape, std::string_view suffix = "reshape");
  // Reorders the last axes, counted from the first of them; earlier ones stay. It adds nothing where all stay.
  DraftValue transpose(const DraftValue& value, const std::vector<std::size_t>& order, std::string_view suffix);
  // Sums over these axes of the graph, ascending, and removes them.
  DraftValue sum(const DraftValue& value, std::vector<std::size_t> axes, std::string_view suffix);
  DraftValue before_reshape(const DraftValue& value) const;  // the value before a reshape, else the value
  DraftValue activate(const DraftValue& value, const Activation& function);
  // Makes x - m - ln Σ e^(x - m) along the axis, where m is the largest.
  DraftValue log_softmax(const DraftValue& value, std::size_t axis, std::string_view suffix = {});
  // Makes scale · x + shift per channel (axis 0), with one number for all channels or one per channel.
  DraftValue affine(const DraftValue& value, std::vector<float> scale, std::vector<float> shift);
  // Lets the shift come first where an affine made the value: a factor that follows is applied to x + shift.
  void put_shift_first(const Known& made);
  // Returns the first output of an ONNX node with these inputs and attributes: a constant where all inputs are.
  Known compose(std::string_view op_type, const std::vector<std::optional<Known>>& inputs, std::string_view suffix,
                NodeAttributes attributes = {});
  DraftValue as_value(Known known);
  void note_quantised() { ++import_.quantised; }
  // Is bad if that many numbers exceed the limit.
  void spend(std::int64_t elements);
  // Returns the result's value; throws its error.
  template <typename T>
  T take(Result<T> result);

 private:
  const Known* known(std::size_t i) const;
  bool has_sample_for_all(const HostTensor& tensor, std::size_t rank) const;
  std::string name(std::string_view suffix) const;

  Import& import_;
  const Node& node_;
};

// Returns all inputs of a node as values that broadcast by the graph's shapes. Other axes mix the batch.
std::vector<DraftValue> operands(ConversionContext& call);

using Converted = std::vector<DraftValue>;  // the node's outputs, from the first
struct Converter {
  std::string_view op_type;
  Converted (*convert)(ConversionContext&);
  ElementType result = ElementType::kUndefined;  // of the outputs; undefined: the converter sets it
  std::string_view domain{};                     // empty: ONNX's own
};

// The domain of ONNX Runtime's own operators.
inline constexpr std::string_view kMicrosoft = "com.microsoft";

std::span<const Converter> domain_converters();
std::span<const Converter> element_converters();
std::span<const Converter> layout_converters();
std::span<const Converter> matrix_converters();
std::span<const Converter> quantized_converters();
std::span<const Converter> rearrange_converters();
std::span<const Converter> reduce_converters();
std::span<const Converter> resize_converters();
std::span<const Converter> scatter_converters();
std::span<const Converter> select_converters();
std::span<const Converter> sequence_converters();
std::span<const Converter> signal_converters();
std::span<const Converter> window_converters();

// Adds a place to a result that is an error.
template <typename T>
T ConversionContext::take(Result<T> result) {
  if (result) return std::move(*result);
  if (result.error().where.empty()) result.error().where = node_.where();
  if (result.error().remedy.empty()) result.error().remedy = kExportAgain;
  throw Refusal{Refusal::Kind::kBad, std::move(result.error())};
}

std::span<const Converter> all_converters();
// Returns null if there is none.
const Converter* find_converter(const Node& node);

}  // namespace iosx::onnx_import
