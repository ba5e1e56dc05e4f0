#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>

#include "core/formats/onnx/convert/conversion_context.h"

// Converts recurrent layers, the largest elements, and sampling at computed places.
namespace iosx::onnx_import {
namespace {

bool all_zero(const HostTensor& tensor) {
  const auto zero = [](auto x) { return x == 0; };
  return tensor.holds_floats() ? std::all_of(tensor.floats().begin(), tensor.floats().end(), zero)
                               : std::all_of(tensor.integers().begin(), tensor.integers().end(), zero);
}

// Weights that are not the node's own inputs 1 and 2.
struct GivenWeights {
  HostTensor of_input;
  HostTensor of_state;
};

class Layer {
 public:
  Layer(ConversionContext& call, RecurrentKind kind, std::optional<GivenWeights> weights = {})
      : call_(call), given_(std::move(weights)) {
    recurrent_.kind = kind;
  }

  Converted run() {
    read_attributes();
    DraftValue sequence = call_.value(0);
    if (call_.rank(sequence) != 3) call_.bad(message("needs positions x sequences x features"));
    if (!batch_first_ && call_.lead() == 1) call_.mixes_batch(message("its batch is not the leading axis"));
    // With the batch taken off, a sample is one sequence.
    if (call_.lead() == 1) sequence = call_.reshape(sequence, Shape{sequence.shape[0], 1, sequence.shape[1]});
    if (call_.lead() == 0 && batch_first_) sequence = call_.transpose(sequence, {1, 0, 2}, "sequence");
    check_lengths(sequence.shape[0]);
    Tensor weights = packed_weights(sequence.shape[2]);
    Tensor bias = packed_bias();
    std::vector<DraftValue> inputs{sequence};
    add_states(inputs, sequence.shape[1]);
    const DraftValue all = call_.add(recurrent_, std::move(inputs), std::move(weights), std::move(bias));
    const std::int64_t positions = sequence.shape[0];
    const DraftValue made = Draft::channels(all, 0, positions);
    return {arranged(made), last_states(made), last_cells(all, positions)};
  }

 private:
  std::int64_t gate_rows() const { return gates_of(recurrent_.kind) * recurrent_.hidden; }
  std::int64_t directions() const { return directions_of(recurrent_.direction); }

  void read_attributes() {
    const std::string direction = call_.text("direction", "forward");
    recurrent_.hidden = call_.integer("hidden_size", 0);
    recurrent_.linear_before_reset =
        recurrent_.kind == RecurrentKind::kGru && call_.integer("linear_before_reset", 0) != 0;
    batch_first_ = call_.integer("layout", 0) != 0;
    if (direction == "reverse") {
      recurrent_.direction = RecurrentDirection::kReverse;
    } else if (direction == "bidirectional") {
      recurrent_.direction = RecurrentDirection::kBoth;
    } else if (direction != "forward") {
      call_.bad(message("has the unknown direction '{}'", direction));
    }
    const bool lstm = recurrent_.kind == RecurrentKind::kLstm;
    if (lstm && call_.integer("input_forget", 0) != 0)
      call_.unsupported(message("input and forget gates that are coupled"));
    if (find_attribute(call_.node(), "clip") != nullptr) call_.unsupported(message("gates that are clipped"));
    recurrent_.last_cell = lstm && call_.used(2);
    check_activations();
  }

  // Refuses others than the layer's own.
  void check_activations() {
    const auto* const names = std::get_if<std::vector<std::string>>(find_attribute(call_.node(), "activations"));
    if (names == nullptr) return;
    const std::vector<std::string_view> own =
        recurrent_.kind == RecurrentKind::kLstm  ? std::vector<std::string_view>{"sigmoid", "tanh", "tanh"}
        : recurrent_.kind == RecurrentKind::kGru ? std::vector<std::string_view>{"sigmoid", "tanh"}
                                                 : std::vector<std::string_view>{"tanh"};
    for (std::size_t i = 0; i < names->size(); ++i) {
      std::string name = (*names)[i];
      for (char& letter : name) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
      if (name != own[i % own.size()]) call_.unsupported(message("the activation {}", name_text((*names)[i])));
    }
  }

  // Accepts lengths that are those of the whole.
  void check_lengths(std::int64_t positions) {
    if (!call_.given(4)) return;
    const HostTensor* const lengths = call_.constant(4);
    const auto whole = [&](std::int64_t length) { return length == positions; };
    if (lengths != nullptr && lengths->holds_integers() &&
        std::all_of(lengths->integers().begin(), lengths->integers().end(), whole)) {
      return;
    }
    call_.unsupported(message("sequences of their own lengths"));
  }

  // Returns a constant of these dims.
  const HostTensor* parameters(std::size_t input, const Dims& dims) {
    const HostTensor* const tensor = given_ && input == 1   ? &given_->of_input
                                     : given_ && input == 2 ? &given_->of_state
                                                            : call_.floats(input);
    if (std::equal(dims.begin(), dims.end(), tensor->dims().begin(), tensor->dims().end())) return tensor;
    call_.bad(message("its input {} does not have the {} numbers that its sizes require", input,
                      element_count(dims).value_or(0)));
  }

  // Returns rows of both weights side by side.
  Tensor packed_weights(std::int64_t features) {
    if (recurrent_.hidden < 1 || recurrent_.hidden > (1 << 20))
      call_.bad(message("its hidden_size is {}", recurrent_.hidden));
    const HostTensor* const of_input = parameters(1, {directions(), gate_rows(), features});
    const HostTensor* const of_state = parameters(2, {directions(), gate_rows(), recurrent_.hidden});
    const std::int64_t rows = directions() * gate_rows();
    const std::int64_t width = features + recurrent_.hidden;
    call_.spend(rows * width);
    std::vector<float> made;
    made.reserve(static_cast<std::size_t>(rows * width));
    const auto append = [&](std::span<const float> numbers, std::int64_t row, std::int64_t size) {
      const auto from = numbers.begin() + row * size;
      made.insert(made.end(), from, from + size);
    };
    for (std::int64_t row = 0; row < rows; ++row) {
      append(of_input->floats(), row, features);
      append(of_state->floats(), row, recurrent_.hidden);
    }
    return {{rows, width}, std::move(made)};
  }

  // Returns for each direction both biases, then the peepholes.
  Tensor packed_bias() {
    const std::int64_t each = 2 * gate_rows();
    const HostTensor* const given = call_.given(3) ? parameters(3, {directions(), each}) : nullptr;
    const bool peeps = recurrent_.kind == RecurrentKind::kLstm && call_.given(7);
    const HostTensor* const peepholes = peeps ? parameters(7, {directions(), 3 * recurrent_.hidden}) : nullptr;
    recurrent_.peepholes = peepholes != nullptr && !all_zero(*peepholes);
    const std::int64_t more = recurrent_.peepholes ? 3 * recurrent_.hidden : 0;
    call_.spend(directions() * (each + more));
    std::vector<float> made;
    for (std::int64_t direction = 0; direction < directions(); ++direction) {
      if (given == nullptr) made.resize(made.size() + static_cast<std::size_t>(each), 0.0F);
      const auto append = [&](const HostTensor& tensor, std::int64_t size) {
        const auto from = tensor.floats().begin() + direction * size;
        made.insert(made.end(), from, from + size);
      };
      if (given != nullptr) append(*given, each);
      if (recurrent_.peepholes) append(*peepholes, more);
    }
    return {{directions() * (each + more)}, std::move(made)};
  }

  // Adds the first states, where they are not zero: directions x sequences x hidden.
  void add_states(std::vector<DraftValue>& inputs, std::int64_t sequences) {
    const std::size_t count = recurrent_.kind == RecurrentKind::kLstm ? 2 : 1;
    std::vector<std::optional<DraftValue>> states;
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) {
      const HostTensor* const tensor = call_.constant(5 + i);
      const bool zero = tensor != nullptr && !tensor->is_opaque() && all_zero(*tensor);
      states.emplace_back();
      if (!call_.given(5 + i) || zero) continue;
      any = true;
      DraftValue state = call_.value(5 + i);
      if (call_.lead() == 1) {
        // samples x directions x hidden, and a sample is one sequence
        if (state.shape.rank() == 2) state = call_.reshape(state, Shape{state.shape[0], 1, state.shape[1]});
      } else if (batch_first_ && state.shape.rank() == 3) {
        state = call_.transpose(state, {1, 0, 2}, "state");
      }
      states.back() = state;
    }
    if (!any) return;
    const Shape shape{directions(), sequences, recurrent_.hidden};
    for (const auto& state : states) {
      if (!state) call_.spend(shape.elements());
      inputs.push_back(
          state ? *state
                : call_.constant_value(Tensor({shape.dims().begin(), shape.dims().end()},
                                              std::vector<float>(static_cast<std::size_t>(shape.elements()), 0.0F)),
                                       "state"));
    }
  }

  // Makes Y: positions x directions x sequences x hidden, or sequences x positions x directions x hidden.
  DraftValue arranged(const DraftValue& made) {
    if (call_.lead() == 1) return call_.reshape(made, Shape{made.shape[0], directions(), recurrent_.hidden}, "y");
    return batch_first_ ? call_.transpose(made, {2, 0, 1, 3}, "y") : made;
  }

  // Makes Y_h: of each direction the state that it ends with, at the last position forwards and at the first backwards.
  DraftValue last_states(const DraftValue& made) {
    if (!call_.used(1)) return {};
    const std::int64_t sequences = made.shape[2];
    const Shape one{1, sequences, recurrent_.hidden};
    std::vector<DraftValue> ends;
    for (std::int64_t direction = 0; direction < directions(); ++direction) {
      const bool backwards = recurrent_.direction == RecurrentDirection::kReverse || direction == 1;
      const std::int64_t position = backwards ? 0 : made.shape[0] - 1;
      DraftValue end = Draft::channels(made, position, position + 1);
      if (directions() > 1) {
        end = call_.add(Slice{{0, direction, 0, 0}, {1, 1, 1, 1}, Shape{1, 1, sequences, recurrent_.hidden}}, {end},
                        "end");
      }
      ends.push_back(call_.reshape(end, one, "end"));
    }
    return arranged_states(ends.size() == 1 ? ends.front() : call_.add(Concat{0}, std::move(ends), "states"));
  }

  // Makes Y_c: what follows the hidden states.
  DraftValue last_cells(const DraftValue& all, std::int64_t positions) {
    if (!recurrent_.last_cell) return {};
    const Shape states{directions(), all.shape[2], recurrent_.hidden};
    return arranged_states(call_.reshape(Draft::channels(all, positions, positions + 1), states, "cells"));
  }

  // Turns directions x sequences x hidden into what Y_h and Y_c are.
  DraftValue arranged_states(const DraftValue& states) {
    if (call_.lead() == 1) return call_.reshape(states, Shape{directions(), recurrent_.hidden}, "states");
    return batch_first_ ? call_.transpose(states, {1, 0, 2}, "states") : states;
  }

  ConversionContext& call_;
  std::optional<GivenWeights> given_;
  Recurrent recurrent_;
  bool batch_first_ = false;
};

Converted convert_lstm(ConversionContext& call) { return Layer(call, RecurrentKind::kLstm).run(); }
Converted convert_gru(ConversionContext& call) { return Layer(call, RecurrentKind::kGru).run(); }
Converted convert_rnn(ConversionContext& call) { return Layer(call, RecurrentKind::kRnn).run(); }

// Returns the weights of a DynamicQuantizeLSTM as an LSTM has them. They are directions x features x gates, in whole
// numbers with a scale and a zero point for each direction, or also for each gate's row.
HostTensor dequantised_weights(ConversionContext& call, std::size_t input, std::size_t scale) {
  const auto apart = [&](std::size_t i) -> Known {  // broadcasting over the features
    const HostTensor* const tensor = call.constant(i);
    if (tensor == nullptr || tensor->is_opaque() || tensor->rank() < 1 || tensor->rank() > 2)
      call.unsupported(message("its input {} is not a constant for each direction", i));
    const auto dims = tensor->dims();
    return call.compose("Cast", {tensor->with_dims({dims[0], 1, tensor->rank() == 2 ? dims[1] : 1})}, "",
                        {{"to", onnx_number_of(ElementType::kFloat32)}});
  };
  if (call.constant(input) == nullptr) call.unsupported(message("its input {} is not constant", input));
  Known made = call.compose("Cast", {call.input(input)}, "", {{"to", onnx_number_of(ElementType::kFloat32)}});
  if (call.given(scale + 1)) made = call.compose("Sub", {made, apart(scale + 1)}, "");
  made = call.compose("Mul", {made, apart(scale)}, "");
  made = call.compose("Transpose", {made}, "", {{"perm", Dims{0, 2, 1}}});
  if (std::holds_alternative<HostTensor>(made)) return std::get<HostTensor>(std::move(made));
  call.unsupported(message("its weights cannot be read"));
}

// In float: neither the sequence nor the states are rounded.
Converted convert_dynamic_quantize_lstm(ConversionContext& call) {
  HostTensor of_input = dequantised_weights(call, 1, 8);
  HostTensor of_state = dequantised_weights(call, 2, 10);
  call.note_quantised();
  return Layer(call, RecurrentKind::kLstm, GivenWeights{std::move(of_input), std::move(of_state)}).run();
}

Converted convert_top_k(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const auto count = call.opset() < 10 ? std::optional(Dims{call.integer("k", 0)}) : call.list(1);
  const std::int64_t given = call.integer("axis", -1);
  TopK top;
  top.largest = call.integer("largest", 1) != 0;
  if (!count || count->size() != 1) call.bad(message("needs one number of elements"));
  top.axis = call.axis(given, call.rank(value));
  top.k = count->front();
  // In order, even where not requested.
  DraftValue values;
  DraftValue indices;
  if (call.used(0) || !call.used(1)) values = call.add(top, {value}, call.used(1) ? "values" : "");
  values.type = value.type;
  if (call.used(1)) {
    top.output = TopKOutput::kIndices;
    indices = call.add(top, {value}, call.used(0) ? "indices" : "");
    indices.type = ElementType::kInt64;
  }
  return {values, indices};
}

Converted convert_grid_sample(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const DraftValue grid = call.value(1);
  const std::string mode = call.text("mode", call.opset() < 20 ? "bilinear" : "linear");
  const std::string padding = call.text("padding_mode", "zeros");
  GridSample sample;
  sample.align_corners = call.integer("align_corners", 0) != 0;
  if (mode == "nearest") {
    sample.mode = GridMode::kNearest;
  } else if (mode == "bicubic" || mode == "cubic") {
    sample.mode = GridMode::kCubic;
  } else if (mode != "bilinear" && mode != "linear") {
    call.bad(message("has the unknown mode '{}'", mode));
  }
  if (padding == "border") {
    sample.padding = GridPadding::kBorder;
  } else if (padding == "reflection") {
    sample.padding = GridPadding::kReflection;
  } else if (padding != "zeros") {
    call.bad(message("has the unknown padding_mode '{}'", padding));
  }
  if (call.rank(value) != 4 || call.rank(grid) != 4) call.unsupported(message("sampling along other than two axes"));
  if (call.lead() == 1) return {call.add(sample, {value, grid})};
  // It is made one sample after the other.
  const std::int64_t samples = value.shape[0];
  if (grid.shape[0] != samples) call.bad(message("does not have one grid per sample"));
  if (samples > 64) call.unsupported(message("sampling of too many samples, whose axis is not the batch axis"));
  std::vector<DraftValue> parts;
  for (std::int64_t n = 0; n < samples; ++n) {
    const auto one = [&](const DraftValue& all) {
      return call.reshape(Draft::channels(all, n, n + 1), Shape(all.shape.dims().subspan(1)), "sample");
    };
    const DraftValue part = call.add(sample, {one(value), one(grid)}, samples > 1 ? "sample" : "");
    parts.push_back(call.reshape(part, Shape{1, part.shape[0], part.shape[1], part.shape[2]}));
  }
  return {parts.size() == 1 ? parts.front() : call.add(Concat{0}, std::move(parts))};
}

constexpr std::array kSequenceConverters{
    Converter{"GRU", convert_gru},
    Converter{"GridSample", convert_grid_sample},
    Converter{"LSTM", convert_lstm},
    Converter{"RNN", convert_rnn},
    Converter{"TopK", convert_top_k},
    Converter{"DynamicQuantizeLSTM", convert_dynamic_quantize_lstm, ElementType::kUndefined, kMicrosoft},
};

}  // namespace

std::span<const Converter> sequence_converters() { return kSequenceConverters; }

}  // namespace iosx::onnx_import
