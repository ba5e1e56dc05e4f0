// LSTM, GRU and RNN take one matrix product for the inputs of all positions, then one for the hidden state of each, by
// our own kernel where there are few sequences.

#include <algorithm>

#include "core/base/check.h"
#include "core/devices/cpu/kernel_context.h"
#include "core/devices/cpu/kernels/kernels.h"
#include "core/devices/cpu/kernels/loops.h"
#include "core/devices/cpu/kernels/rows.h"

namespace iosx::cpu {
namespace {

// All pointers are to row-major float32.
struct Task {
  Recurrent recurrent;
  std::int64_t samples = 1;  // of the graph's batch: independent of one another
  std::int64_t positions = 0;
  std::int64_t sequences = 0;
  std::int64_t features = 0;
  Tensor weights;
  Tensor bias;
  const float* in = nullptr;
  const float* hidden = nullptr;  // first states; null: zeros
  const float* cell = nullptr;
  float* gates = nullptr;   // positions x sequences x gates · hidden
  float* states = nullptr;  // sequences x hidden: the cell, or what a GRU multiplies
  const float* zeros = nullptr;
  float* out = nullptr;

  std::int64_t width() const { return recurrent.hidden; }
  std::int64_t gate_rows() const { return gates_of(recurrent.kind) * width(); }
  std::int64_t directions() const { return directions_of(recurrent.direction); }
  std::int64_t out_positions() const { return positions + (recurrent.last_cell ? 1 : 0); }
};

// The most rows to multiply without packing the other factor, which each step of a layer would pack anew.
constexpr std::int64_t kFewRows = 2 * kMostVectors;

// Computes c (m x n) = a (m x k) · bᵀ, added to c or not.
void product(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t a_row, const float* b,
             std::int64_t b_row, bool add, float* c, std::int64_t c_row) {
  if (m > kFewRows) {
    const auto status = dnnl::sgemm('N', 'T', m, n, k, 1, a, a_row, b, b_row, add ? 1 : 0, c, c_row);
    IOS_CHECK(status == dnnl::status::success);
    return;
  }
  for (std::int64_t row = 0; row < m && !add; ++row) std::fill_n(c + row * c_row, n, 0.0F);
  split(n, n * k, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = 0; row < m; row += kMostVectors) {
      add_row_products(b + begin * b_row, b_row, end - begin, a + row * a_row, a_row, std::min(kMostVectors, m - row),
                       k, c + row * c_row + begin, c_row);
    }
  });
}

// Computes one direction of one sample.
class Direction {
 public:
  Direction(const Task& task, std::int64_t sample, std::int64_t direction)
      : task_(task),
        direction_(direction),
        h_(task.width()),
        rows_(task.sequences),
        weights_(task.weights.elements().data() + direction * task.gate_rows() * row()),
        bias_(task.bias.elements().data() +
              direction * (task.bias.elements().size() / static_cast<std::size_t>(task.directions()))),
        in_(task.in + sample * task.positions * task.sequences * task.features),
        out_(task.out + sample * task.out_positions() * task.directions() * task.sequences * h_),
        first_((sample * task.directions() + direction) * task.sequences * h_) {}

  void run() {
    take_inputs();
    const float* previous = task_.hidden == nullptr ? task_.zeros : task_.hidden + first_;
    if (task_.recurrent.kind == RecurrentKind::kLstm) {
      const float* const cell = task_.cell == nullptr ? task_.zeros : task_.cell + first_;
      std::copy_n(cell, rows_ * h_, task_.states);
    }
    const bool backwards = task_.recurrent.direction == RecurrentDirection::kReverse || direction_ == 1;
    for (std::int64_t step = 0; step < task_.positions; ++step) {
      const std::int64_t position = backwards ? task_.positions - 1 - step : step;
      float* const gates = task_.gates + position * rows_ * task_.gate_rows();
      float* const next = out_at(position);
      switch (task_.recurrent.kind) {
        case RecurrentKind::kRnn: rnn(gates, previous, next); break;
        case RecurrentKind::kGru: gru(gates, previous, next); break;
        case RecurrentKind::kLstm: lstm(gates, previous, next); break;
      }
      previous = next;
    }
    if (task_.recurrent.last_cell) std::copy_n(task_.states, rows_ * h_, out_at(task_.positions));
  }

 private:
  std::int64_t row() const { return task_.features + task_.width(); }  // of the weights
  float* out_at(std::int64_t position) const {
    return out_ + (position * task_.directions() + direction_) * rows_ * h_;
  }
  const float* recurrent_weights(std::int64_t gate) const { return weights_ + gate * h_ * row() + task_.features; }
  const float* recurrent_bias(std::int64_t gate) const { return bias_ + task_.gate_rows() + gate * h_; }
  const float* peephole(std::int64_t gate) const { return bias_ + 2 * task_.gate_rows() + gate * h_; }
  bool own_reset() const { return task_.recurrent.kind == RecurrentKind::kGru && task_.recurrent.linear_before_reset; }

  // Both biases belong to the sum, but for that of a GRU's last gate which is multiplied before.
  void take_inputs() {
    const std::int64_t gate_rows = task_.gate_rows();
    const std::int64_t lines = task_.positions * rows_;
    product(lines, gate_rows, task_.features, in_, task_.features, weights_, row(), false, task_.gates, gate_rows);
    const std::int64_t both = own_reset() ? 2 * h_ : gate_rows;
    for (std::int64_t line = 0; line < lines; ++line) {
      add_row(task_.gates + line * gate_rows, bias_, gate_rows);
      add_row(task_.gates + line * gate_rows, recurrent_bias(0), both);
    }
  }

  void add_states(float* gates, const float* states, std::int64_t first, std::int64_t count) const {
    product(rows_, count * h_, h_, states, h_, recurrent_weights(first), row(), true, gates + first * h_,
            task_.gate_rows());
  }

  void rnn(float* gates, const float* previous, float* next) const {
    add_states(gates, previous, 0, 1);
    activate_row(Activation::kTanh, gates, next, rows_ * h_);
  }

  // Gates: input, output, forget, cell.
  void lstm(float* gates, const float* previous, float* next) const {
    add_states(gates, previous, 0, 4);
    for (std::int64_t i = 0; i < rows_; ++i) {
      float* const input = gates + i * 4 * h_;
      float* const output = input + h_;
      float* const forget = input + 2 * h_;
      float* const candidate = input + 3 * h_;
      float* const cell = task_.states + i * h_;
      if (task_.recurrent.peepholes) {
        for (std::int64_t j = 0; j < h_; ++j) input[j] += peephole(0)[j] * cell[j];
        for (std::int64_t j = 0; j < h_; ++j) forget[j] += peephole(2)[j] * cell[j];
      }
      activate_row(Activation::kSigmoid, input, input, h_);
      activate_row(Activation::kSigmoid, forget, forget, h_);
      activate_row(Activation::kTanh, candidate, candidate, h_);
      for (std::int64_t j = 0; j < h_; ++j) cell[j] = forget[j] * cell[j] + input[j] * candidate[j];
      if (task_.recurrent.peepholes) {
        for (std::int64_t j = 0; j < h_; ++j) output[j] += peephole(1)[j] * cell[j];
      }
      activate_row(Activation::kSigmoid, output, output, h_);
      activate_row(Activation::kTanh, cell, next + i * h_, h_);
      multiply_row(next + i * h_, output, h_);
    }
  }

  // Gates: update, reset, hidden.
  void gru(float* gates, const float* previous, float* next) const {
    add_states(gates, previous, 0, 2);
    float* const scratch = task_.states;
    for (std::int64_t i = 0; i < rows_; ++i) {
      activate_row(Activation::kSigmoid, gates + i * 3 * h_, gates + i * 3 * h_, 2 * h_);
    }
    if (own_reset()) {
      product(rows_, h_, h_, previous, h_, recurrent_weights(2), row(), false, scratch, h_);
      for (std::int64_t i = 0; i < rows_; ++i) {
        const float* const reset = gates + (i * 3 + 1) * h_;
        float* const hidden = gates + (i * 3 + 2) * h_;
        add_row(scratch + i * h_, recurrent_bias(2), h_);
        for (std::int64_t j = 0; j < h_; ++j) hidden[j] += reset[j] * scratch[i * h_ + j];
      }
    } else {
      for (std::int64_t i = 0; i < rows_; ++i) {
        const float* const reset = gates + (i * 3 + 1) * h_;
        for (std::int64_t j = 0; j < h_; ++j) scratch[i * h_ + j] = reset[j] * previous[i * h_ + j];
      }
      add_states(gates, scratch, 2, 1);
    }
    for (std::int64_t i = 0; i < rows_; ++i) {
      const float* const update = gates + i * 3 * h_;
      float* const hidden = gates + (i * 3 + 2) * h_;
      activate_row(Activation::kTanh, hidden, hidden, h_);
      for (std::int64_t j = 0; j < h_; ++j) {
        next[i * h_ + j] = (1 - update[j]) * hidden[j] + update[j] * previous[i * h_ + j];
      }
    }
  }

  const Task& task_;
  std::int64_t direction_;
  std::int64_t h_;
  std::int64_t rows_;
  const float* weights_;
  const float* bias_;
  const float* in_;
  float* out_;
  std::int64_t first_;  // of the first states
};

// Returns temporary memory of the same dims, side by side in row-major order.
TensorRef row_major_like(KernelContext& context, const TensorRef& like) {
  TensorRef made = like;
  made.type = DataType::kFloat32;
  std::int64_t step = 1;
  for (std::size_t axis = made.rank; axis-- > 0;) {
    made.strides[axis] = step;
    step *= made.dims[axis];
  }
  made.data = context.scratch.take(step * bytes_of(DataType::kFloat32));
  return made;
}

bool is_row_major(const TensorRef& tensor) {
  std::int64_t step = 1;
  for (std::size_t axis = tensor.rank; axis-- > 0;) {
    if (tensor.dims[axis] != 1 && tensor.strides[axis] != step) return false;
    step *= tensor.dims[axis];
  }
  return tensor.type == DataType::kFloat32;
}

const float* source(KernelContext& context, const TensorRef& tensor) {
  if (is_row_major(tensor)) return static_cast<const float*>(tensor.data);
  const TensorRef made = row_major_like(context, tensor);
  context.steps.emplace_back([tensor, made] { copy(tensor, made); });
  return static_cast<const float*>(made.data);
}

float* room(KernelContext& context, std::int64_t elements) {
  return reinterpret_cast<float*>(context.scratch.take(elements * bytes_of(DataType::kFloat32)));
}

}  // namespace

void add_steps(KernelContext& context, const Recurrent& recurrent) {
  const TensorRef& read = context.reads[0];
  const OperatorId id = context.kernel.operators.front();
  Task task{.recurrent = recurrent,
            .samples = read.dims[0],
            .positions = read.dims[1],
            .sequences = read.dims[2],
            .features = read.dims[3],
            .weights = context.parameters->weights(id),
            .bias = context.parameters->bias(id)};
  task.in = source(context, read);
  if (context.reads.size() > 1) task.hidden = source(context, context.reads[1]);
  if (context.reads.size() > 2) task.cell = source(context, context.reads[2]);
  const std::int64_t states = task.sequences * task.width();
  task.gates = room(context, task.positions * task.sequences * task.gate_rows());
  task.states = room(context, states);
  float* const zeros = room(context, states);
  task.zeros = zeros;
  const TensorRef target = is_row_major(context.write) ? context.write : row_major_like(context, context.write);
  task.out = static_cast<float*>(target.data);
  context.steps.emplace_back([task, zeros, states] {
    std::fill_n(zeros, states, 0.0F);
    for (std::int64_t sample = 0; sample < task.samples; ++sample) {
      for (std::int64_t direction = 0; direction < task.directions(); ++direction) {
        Direction(task, sample, direction).run();
      }
    }
  });
  context.deliver(target);
}

}  // namespace iosx::cpu
