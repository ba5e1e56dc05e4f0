#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/cpu/kernels/exp.h"
#include "core/cpu/kernels/kernels.h"
#include "core/layout/views.h"
#include "tests/cpu/kernels/tensors.h"

namespace iosx::cpu::testing {
namespace {

constexpr int kTurns = 120;
int threads_of(int turn) { return turn % 3 + 1; }
bool large(int turn) { return turn % 4 == 0; }

const std::vector<Activation>& activations() {
  static const std::vector<Activation> all = {Activation::kIdentity,
                                              Activation::kRelu,
                                              Activation::kSigmoid,
                                              Activation::kTanh,
                                              {ActivationKind::kLeakyRelu, 0.1F, 0},
                                              {ActivationKind::kElu, 0.7F, 0},
                                              {ActivationKind::kClip, -0.5F, 1.0F},
                                              {ActivationKind::kHardSigmoid, 0.2F, 0.5F},
                                              Activation::kHardSwish,
                                              Activation::kSwish};
  return all;
}

float applied(BinaryOp op, float a, float b) {
  switch (op) {
    case BinaryOp::kAdd: return a + b;
    case BinaryOp::kSub: return a - b;
    case BinaryOp::kMul: return a * b;
    case BinaryOp::kDiv: return a / b;
  }
  return 0;
}

TEST(Binary, AllOperationsAndActivationsWithBroadcasting) {
  Random random(11);
  for (int turn = 0; turn < kTurns; ++turn) {
    const std::size_t rank = static_cast<std::size_t>(turn % 9) + 1;
    const Dims dims = random_dims(random, rank, large(turn));
    Dims a_dims = dims;
    Dims b_dims = dims;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      if (random.between(0, 3) == 0) (random.flip() ? a_dims : b_dims)[axis] = 1;
    }
    const Memory a(random_values(a_dims, random), random_type(random), random_layout(random), random);
    const Memory b(random_values(b_dims, random, 0.5F, 2), random_type(random), random_layout(random), random);
    const Memory out(dims, random_type(random), random_layout(random), random);
    const auto op = static_cast<BinaryOp>(turn % 4);
    const Activation after = activations()[static_cast<std::size_t>(turn) % activations().size()];
    on_team(threads_of(turn),
            [&] { binary(op, broadcast(a.ref(), dims), broadcast(b.ref(), dims), out.ref(), after); });
    const Values left = a.values();
    const Values right = b.values();
    Values want(dims);
    for_each_index(dims, [&](const Dims& index) {
      Dims i = index;
      Dims j = index;
      for (std::size_t axis = 0; axis < rank; ++axis) {
        if (a_dims[axis] == 1) i[axis] = 0;
        if (b_dims[axis] == 1) j[axis] = 0;
      }
      want.at(index) = apply(after, applied(op, left.at(i), right.at(j)));
    });
    SCOPED_TRACE(turn);
    expect_values(out, want);
  }
}

TEST(Binary, InPlaceOfEitherInput) {
  Random random(12);
  for (const bool of_a : {true, false}) {
    Memory a(random_values({1, 70, 30, 31}, random), DataType::kFloat32, Layout::kChannelsLast, random);
    Memory b(random_values({1, 70, 30, 31}, random), DataType::kFloat32, Layout::kChannelsLast, random);
    const Values left = a.values();
    const Values right = b.values();
    Values want = left;
    for (std::size_t i = 0; i < want.elements.size(); ++i) {
      want.elements[i] = std::max(left.elements[i] - right.elements[i], 0.0F);
    }
    const Memory& target = of_a ? a : b;
    on_team(2, [&] { binary(BinaryOp::kSub, a.ref(), b.ref(), target.ref(), Activation::kRelu); });
    expect_values(target, want);
  }
}

TEST(Combine, OneToTwentyInputs) {
  Random random(13);
  for (std::size_t count = 1; count <= 20; ++count) {
    const Dims dims = random_dims(random, 4, count % 3 == 0);
    std::vector<Memory> inputs;
    std::vector<TensorRef> refs;
    const auto op = count % 2 == 0 ? BinaryOp::kAdd : BinaryOp::kMul;
    Values want(dims);
    for (std::size_t i = 0; i < count; ++i) {
      inputs.emplace_back(random_values(dims, random, 0.5F, 1.5F), random_type(random), random_layout(random), random);
      refs.push_back(inputs.back().ref());
      const Values next = inputs.back().values();
      for (std::size_t e = 0; e < want.elements.size(); ++e) {
        want.elements[e] = i == 0 ? next.elements[e] : applied(op, want.elements[e], next.elements[e]);
      }
    }
    for (float& x : want.elements) x = std::tanh(x);
    const Memory out(dims, DataType::kFloat32, random_layout(random), random);
    on_team(2, [&] { combine(op, refs, out.ref(), Activation::kTanh); });
    SCOPED_TRACE(count);
    expect_values(out, want);
  }
}

TEST(AffineKernel, EachChannelItsScaleAndShift) {
  Random random(14);
  for (int turn = 0; turn < kTurns; ++turn) {
    const Dims dims = random_dims(random, static_cast<std::size_t>(turn % 8) + 2, large(turn));
    const Memory in(random_values(dims, random), random_type(random), random_layout(random), random);
    const Values scale = random_values({dims[1]}, random);
    const Values shift = random_values({dims[1]}, random);
    const Memory out(dims, random_type(random), random_layout(random), random);
    const Activation after = activations()[static_cast<std::size_t>(turn) % activations().size()];
    on_team(threads_of(turn), [&] { affine(in.ref(), scale.elements, shift.elements, out.ref(), after); });
    Values want = in.values();
    for_each_index(dims,
                   [&](const Dims& i) { want.at(i) = apply(after, want.at(i) * scale.at({i[1]}) + shift.at({i[1]})); });
    SCOPED_TRACE(turn);
    expect_values(out, want);
  }
}

TEST(ActivateKernel, EveryFunctionOnAnyLayout) {
  Random random(15);
  for (int turn = 0; turn < kTurns; ++turn) {
    const Dims dims = random_dims(random, static_cast<std::size_t>(turn % 10), large(turn));
    Memory in(random_values(dims, random, -8, 8), random_type(random), random_layout(random), random);
    const Memory other(dims, random_type(random), random_layout(random), random);
    const bool in_place = turn % 5 == 0;
    const Activation function = activations()[static_cast<std::size_t>(turn / 2) % activations().size()];
    Values want = in.values();
    for (float& x : want.elements) x = apply(function, x);
    const Memory& out = in_place ? in : other;
    on_team(threads_of(turn), [&] { activate(in.ref(), out.ref(), function); });
    SCOPED_TRACE(turn);
    expect_values(out, want, 2e-6F, 1e-7F);
  }
}

TEST(ActivateKernel, ExtremeInputs) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Random random(16);
  Values values({1, 10});
  values.elements = {-kInfinity, -1e30F, -200, -88, -1e-6F, 0, 1e-6F, 88, 1e30F, kInfinity};
  for (const Activation& function : activations()) {
    if (function.kind == ActivationKind::kSwish || function.kind == ActivationKind::kHardSwish) continue;
    const Memory in(values, DataType::kFloat32, Layout::kRowMajor, random);
    const Memory out({1, 10}, DataType::kFloat32, Layout::kRowMajor, random);
    activate(in.ref(), out.ref(), function);
    Values want = values;
    for (float& x : want.elements) x = apply(function, x);
    SCOPED_TRACE(activation_name(function));
    expect_values(out, want, 1e-6F, 1e-37F);
  }
}

// The distance in units in the last place of `want`.
double units(float got, double want) {
  const auto nearest = static_cast<float>(want);
  const double unit = std::nextafter(std::abs(nearest), std::numeric_limits<float>::infinity()) - std::abs(nearest);
  return std::abs(got - want) / unit;
}

TEST(Exp, IsWithinTwoUnits) {
  double worst = 0;
  double worst_minus_one = 0;
  for (int i = -870000; i <= 887000; ++i) {
    const float x = static_cast<float>(i) * 1e-4F;
    worst = std::max(worst, units(fast_exp(x), std::exp(static_cast<double>(x))));
    if (x != 0) worst_minus_one = std::max(worst_minus_one, units(fast_expm1(x), std::expm1(static_cast<double>(x))));
  }
  EXPECT_LT(worst, 2);
  EXPECT_LT(worst_minus_one, 3);
}

TEST(Exp, AtItsEnds) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(fast_exp(0), 1);
  EXPECT_EQ(fast_exp(89), kInfinity);
  EXPECT_EQ(fast_exp(kInfinity), kInfinity);
  EXPECT_EQ(fast_exp(-88), 0);
  EXPECT_EQ(fast_exp(-kInfinity), 0);
  EXPECT_TRUE(std::isnan(fast_exp(NAN)));
  EXPECT_EQ(fast_expm1(-kInfinity), -1);
  EXPECT_EQ(fast_expm1(kInfinity), kInfinity);
  EXPECT_NEAR(fast_expm1(1e-10F), 1e-10F, 1e-16F);
  EXPECT_TRUE(std::isnan(fast_expm1(NAN)));
}

}  // namespace
}  // namespace iosx::cpu::testing
