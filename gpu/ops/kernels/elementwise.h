#pragma once

#include <array>
#include <cmath>
#include <span>

#include "gpu/ops/kernels/activate.h"
#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/nest.h"
#include "gpu/ops/kernels/vector.h"

namespace iosx::gpu::kernels {

template <class T, int kWidth, class IndexType>
struct CombineStep {
  static constexpr int kInputs = static_cast<int>(CombineCall::kMaxInputs);
  using Index = IndexType;
  Loops<Index, kInputs + 1> loops;  // over the output and the inputs
  const T* in[kInputs];
  int count;
  BinaryFunction op;
  T* out;
  Activate activate;

  IOS_HD void operator()(Index step) const {
    std::int64_t at[kInputs + 1];
    loops.offsets(step, at);
    float values[kWidth];
    read<T, kWidth>(in[0] + at[1], loops.inner[1], values);
    IOS_UNROLL
    for (int input = 1; input < kInputs; ++input) {
      if (input >= count) break;
      float more[kWidth];
      read<T, kWidth>(in[input] + at[input + 1], loops.inner[input + 1], more);
      take(more, values);
    }
    activate(values);
    write<T, kWidth>(values, out + at[0]);
  }

 private:
  IOS_HD void take(const float (&more)[kWidth], float (&values)[kWidth]) const {
    IOS_UNROLL
    for (int i = 0; i < kWidth; ++i) {
      switch (op) {
        case BinaryFunction::kAdd: values[i] += more[i]; break;
        case BinaryFunction::kMul: values[i] *= more[i]; break;
        case BinaryFunction::kSub: values[i] -= more[i]; break;
        case BinaryFunction::kDiv: values[i] /= more[i]; break;
        default: break;
      }
    }
    if (op <= BinaryFunction::kDiv) return;
    // Each turn takes the first elements and puts them back last, as in Activate.
    float left[kWidth];
    IOS_UNROLL
    for (int i = 0; i < kWidth; ++i) left[i] = more[i];
    IOS_NO_UNROLL
    for (int turn = 0; turn < kWidth; ++turn) {
      const float y = other(values[0], left[0]);
      IOS_UNROLL
      for (int i = 0; i + 1 < kWidth; ++i) {
        values[i] = values[i + 1];
        left[i] = left[i + 1];
      }
      values[kWidth - 1] = y;
    }
  }

  IOS_HD static float truth(bool is) { return is ? 1.0F : 0.0F; }
  IOS_HD float other(float a, float b) const {
    switch (op) {
      case BinaryFunction::kPow: return powf(a, b);
      case BinaryFunction::kMin: return a != a || a < b ? a : b;
      case BinaryFunction::kMax: return a != a || a > b ? a : b;
      case BinaryFunction::kMod: {
        const float rest = fmodf(a, b);
        return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
      }
      case BinaryFunction::kFmod: return fmodf(a, b);
      case BinaryFunction::kEqual: return truth(a == b);
      case BinaryFunction::kGreater: return truth(a > b);
      case BinaryFunction::kGreaterOrEqual: return truth(a >= b);
      case BinaryFunction::kLess: return truth(a < b);
      case BinaryFunction::kLessOrEqual: return truth(a <= b);
      case BinaryFunction::kAnd: return truth(a != 0 && b != 0);
      case BinaryFunction::kOr: return truth(a != 0 || b != 0);
      case BinaryFunction::kXor: return truth((a != 0) != (b != 0));
      case BinaryFunction::kPRelu: return a < 0 ? a * b : a;
      default: return a;
    }
  }
};

template <class Executor>
void dispatch(const CombineCall& call, const Executor& executor) {
  IOS_CHECK(call.count >= 1 && call.count <= CombineCall::kMaxInputs);
  std::array<TensorRef, CombineCall::kMaxInputs + 1> operands;
  operands[0] = call.out;
  for (std::size_t i = 0; i < CombineCall::kMaxInputs; ++i) {
    operands[i + 1] = call.in[i < call.count ? i : 0];  // any valid one in place of missing ones
    IOS_CHECK(operands[i + 1].type == call.out.type);
  }
  if (call.out.elements() == 0) return;
  const Nest nest = make_nest(operands);
  const auto fit = [&](int w) { return fits(nest, operands, w); };
  choose_vectors(call.out.type, nest.elements(), executor.choice, fit, [&]<class T, int kWidth, class Index>() {
    using Step = CombineStep<T, kWidth, Index>;
    Step step{.loops = loops_of<Index, Step::kInputs + 1>(nest, kWidth),
              .in = {},
              .count = static_cast<int>(call.count),
              .op = call.op,
              .out = static_cast<T*>(call.out.data),
              .activate = Activate(call.activation)};
    for (std::size_t i = 0; i < CombineCall::kMaxInputs; ++i) {
      step.in[i] = static_cast<const T*>(operands[i + 1].data);
    }
    executor.each(step, nest.elements() / kWidth);
  });
}

template <class T, int kWidth, class IndexType>
struct AffineStep {
  using Index = IndexType;
  Loops<Index, 3> loops;  // over the output, the input and the channels
  const T* in;
  const float* scale;  // may be null
  const float* shift;
  T* out;
  Activate activate;
  bool shift_first;

  IOS_HD void add_shift(std::int64_t at, float (&values)[kWidth]) const {
    float channel[kWidth];
    read<float, kWidth>(shift + at, loops.inner[2], channel);
    IOS_UNROLL
    for (int i = 0; i < kWidth; ++i) values[i] += channel[i];
  }
  IOS_HD void operator()(Index step) const {
    std::int64_t at[3];
    loops.offsets(step, at);
    float values[kWidth];
    read<T, kWidth>(in + at[1], loops.inner[1], values);
    if (shift_first) add_shift(at[2], values);
    if (scale != nullptr) {
      float channel[kWidth];
      read<float, kWidth>(scale + at[2], loops.inner[2], channel);
      IOS_UNROLL
      for (int i = 0; i < kWidth; ++i) values[i] *= channel[i];
    }
    if (!shift_first) add_shift(at[2], values);
    activate(values);
    write<T, kWidth>(values, out + at[0]);
  }
};

template <class Executor>
void dispatch(const AffineCall& call, const Executor& executor) {
  const TensorRef& out = call.out;
  IOS_CHECK(call.in.type == out.type && out.rank >= 2 && call.shift != nullptr);
  if (out.elements() == 0) return;
  const auto spread = [&](const float* values) {
    TensorRef ref = out;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): only read
    ref.data = const_cast<float*>(values);
    ref.type = DataType::kFloat32;
    ref.strides = {};
    ref.strides[1] = 1;
    return ref;
  };
  const TensorRef shift = spread(call.shift);
  const TensorRef scale = spread(call.scale);
  const Nest nest = make_nest(std::array{out, call.in, shift});
  const std::array with_shift{out, call.in, shift};
  const std::array with_scale{out, call.in, scale};
  const auto fit = [&](int w) {
    return fits(nest, with_shift, w) && (call.scale == nullptr || fits(nest, with_scale, w));
  };
  choose_vectors(out.type, nest.elements(), executor.choice, fit, [&]<class T, int kWidth, class Index>() {
    executor.each(AffineStep<T, kWidth, Index>{.loops = loops_of<Index, 3>(nest, kWidth),
                                               .in = static_cast<const T*>(call.in.data),
                                               .scale = call.scale,
                                               .shift = call.shift,
                                               .out = static_cast<T*>(out.data),
                                               .activate = Activate(call.activation),
                                               .shift_first = call.shift_first},
                  nest.elements() / kWidth);
  });
}

template <class T, int kWidth, class IndexType>
struct WhereStep {
  using Index = IndexType;
  Loops<Index, 4> loops;  // over the output, the condition and the two inputs
  const T* condition;
  const T* yes;
  const T* no;
  T* out;

  IOS_HD void operator()(Index step) const {
    std::int64_t at[4];
    loops.offsets(step, at);
    float conditions[kWidth];
    float values[kWidth];
    float others[kWidth];
    read<T, kWidth>(condition + at[1], loops.inner[1], conditions);
    read<T, kWidth>(yes + at[2], loops.inner[2], values);
    read<T, kWidth>(no + at[3], loops.inner[3], others);
    IOS_UNROLL
    for (int i = 0; i < kWidth; ++i) values[i] = conditions[i] != 0 ? values[i] : others[i];
    write<T, kWidth>(values, out + at[0]);
  }
};

template <class Executor>
void dispatch(const WhereCall& call, const Executor& executor) {
  const std::array operands{call.out, call.condition, call.yes, call.no};
  for (const TensorRef& operand : operands) IOS_CHECK(operand.type == call.out.type);
  if (call.out.elements() == 0) return;
  const Nest nest = make_nest(operands);
  const auto fit = [&](int w) { return fits(nest, operands, w); };
  choose_vectors(call.out.type, nest.elements(), executor.choice, fit, [&]<class T, int kWidth, class Index>() {
    executor.each(WhereStep<T, kWidth, Index>{.loops = loops_of<Index, 4>(nest, kWidth),
                                              .condition = static_cast<const T*>(call.condition.data),
                                              .yes = static_cast<const T*>(call.yes.data),
                                              .no = static_cast<const T*>(call.no.data),
                                              .out = static_cast<T*>(call.out.data)},
                  nest.elements() / kWidth);
  });
}

// Returns a number in (-1, 1) that depends on the index in row-major order, not on layout or type. It is
// slightly below 1, so that rounding to a 16-bit type never gives 1.
IOS_HD float random_number(std::uint64_t index, std::uint32_t seed) {
  // The finaliser of splitmix64 on a Weyl sequence that starts at the seed.
  std::uint64_t x = (index + 1) * 0x9E3779B97F4A7C15U + static_cast<std::uint64_t>(seed) * 0xD1342543DE82EF95U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  x ^= x >> 31U;
  const float unit = static_cast<float>(static_cast<std::uint32_t>(x >> 40U)) * (1.0F / 8388608.0F) - 1.0F;
  return unit * (1.0F - 1.0F / 256.0F);
}

template <class T, int kWidth, class IndexType>
struct FillStep {
  using Index = IndexType;
  Loops<Index, 2> loops;  // over the output and the elements' indices
  T* out;
  std::uint32_t seed;

  IOS_HD void operator()(Index step) const {
    std::int64_t at[2];
    loops.offsets(step, at);
    float values[kWidth];
    IOS_UNROLL
    for (int i = 0; i < kWidth; ++i) {
      values[i] = random_number(static_cast<std::uint64_t>(at[1] + i * loops.inner[1]), seed);
    }
    write<T, kWidth>(values, out + at[0]);
  }
};

template <class Executor>
void dispatch(const FillCall& call, const Executor& executor) {
  const TensorRef& out = call.out;
  if (out.elements() == 0) return;
  TensorRef indices = out;
  std::int64_t stride = 1;
  for (std::size_t axis = out.rank; axis-- > 0;) {
    indices.strides[axis] = stride;
    stride *= out.dims[axis];
  }
  const Nest nest = make_nest(std::array{out, indices});
  const std::array memory{out};
  const auto fit = [&](int w) { return fits(nest, memory, w); };
  choose_vectors(out.type, nest.elements(), executor.choice, fit, [&]<class T, int kWidth, class Index>() {
    executor.each(
        FillStep<T, kWidth, Index>{
            .loops = loops_of<Index, 2>(nest, kWidth), .out = static_cast<T*>(out.data), .seed = call.seed},
        nest.elements() / kWidth);
  });
}

}  // namespace iosx::gpu::kernels
