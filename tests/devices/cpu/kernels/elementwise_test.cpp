#include "core/devices/cpu/kernels/exp.h"
#include "core/devices/cpu/kernels/rows.h"
#include "core/model/layout/views.h"
#include "tests/devices/cpu/kernels/tensors.h"
#include "tests/support/element_functions.h"
#include "tests/support/prelude.h"

namespace iosx::cpu::testing {
namespace {

constexpr int kTurns = 120 / iosx::test::every(4);

const std::vector<Activation>& activations() {
  static const std::vector<Activation> all = [] {
    std::vector<Activation> some;
    for (const Activation& one : iosx::test::every_activation()) {
      if (iosx::test::tame(one.kind) && !iosx::test::jumps(one.kind)) some.push_back(one);
    }
    return some;
  }();
  return all;
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
    const auto op = static_cast<BinaryFunction>(turn % 4);
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
      want.at(index) = apply(after, apply(op, left.at(i), right.at(j)));
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
    on_team(2, [&] { binary(BinaryFunction::kSub, a.ref(), b.ref(), target.ref(), Activation::kRelu); });
    expect_values(target, want);
  }
}

TEST(Combine, OneToTwentyInputs) {
  Random random(13);
  for (std::size_t count = 1; count <= 20; ++count) {
    const Dims dims = random_dims(random, 4, count % 3 == 0);
    std::vector<Memory> inputs;
    std::vector<TensorRef> refs;
    const auto op = count % 2 == 0 ? BinaryFunction::kAdd : BinaryFunction::kMul;
    Values want(dims);
    for (std::size_t i = 0; i < count; ++i) {
      inputs.emplace_back(random_values(dims, random, 0.5F, 1.5F), random_type(random), random_layout(random), random);
      refs.push_back(inputs.back().ref());
      const Values next = inputs.back().values();
      for (std::size_t e = 0; e < want.elements.size(); ++e) {
        want.elements[e] = i == 0 ? next.elements[e] : apply(op, want.elements[e], next.elements[e]);
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
    const Affine how{activations()[static_cast<std::size_t>(turn) % activations().size()], turn % 2 == 1};
    on_team(threads_of(turn), [&] { affine(in.ref(), scale.elements, shift.elements, out.ref(), how); });
    Values want = in.values();
    for_each_index(dims, [&](const Dims& i) {
      const float x = want.at(i);
      const float factor = scale.at({i[1]});
      const float term = shift.at({i[1]});
      want.at(i) = apply(how.activation, how.shift_first ? (x + term) * factor : x * factor + term);
    });
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
    using enum ActivationKind;  // some are x · 0 there
    const std::array gated{kSwish, kHardSwish, kGelu, kGeluTanh, kMish};
    if (std::ranges::find(gated, function.kind) != gated.end()) continue;
    const Memory in(values, DataType::kFloat32, Layout::kRowMajor, random);
    const Memory out({1, 10}, DataType::kFloat32, Layout::kRowMajor, random);
    activate(in.ref(), out.ref(), function);
    Values want = values;
    for (float& x : want.elements) x = apply(function, x);
    SCOPED_TRACE(activation_name(function));
    expect_values(out, want, 1e-6F, 1e-37F);
  }
}

// Over the whole of what it is defined for, against double precision.
TEST(ActivateKernel, EveryFunctionIsAccurate) {
  using enum ActivationKind;
  for (const Activation& function : iosx::test::every_activation()) {
    const bool positive = function.kind == kSqrt || function.kind == kLog || function.kind == kReciprocal;
    const bool unit = function.kind == kAsin || function.kind == kAcos || function.kind == kAtanh;
    const float low = positive ? 1e-3F : unit ? -0.999F : function.kind == kAcosh ? 1 : -9;
    const float high = unit ? 0.999F : 9;
    Values values({1, 4001});
    for (std::size_t i = 0; i < values.elements.size(); ++i) {
      values.elements[i] = low + (high - low) * static_cast<float>(i) / 4000;
    }
    std::vector<float> got(values.elements.size());
    activate_row(function, values.elements.data(), got.data(), static_cast<std::int64_t>(got.size()));
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double want = iosx::test::activated(function, values.elements[i]);
      ASSERT_NEAR(got[i], want, 2e-7 + 2e-6 * std::abs(want))
          << activation_name(function) << " of " << values.elements[i];
    }
  }
}

TEST(Binary, EveryFunctionAgrees) {
  Random random(17);
  for (const BinaryRow& row : binary_rows()) {
    Values a({1, 300});
    Values b({1, 300});
    for (float& x : a.elements) x = static_cast<float>(random.between(-6, 6)) / 2;
    for (float& x : b.elements) x = static_cast<float>(random.between(-6, 6)) / 2;
    if (row.function == BinaryFunction::kDiv || row.function == BinaryFunction::kMod ||
        row.function == BinaryFunction::kFmod) {
      for (float& x : b.elements) x = x == 0 ? 1 : x;
    }
    const Memory left(a, DataType::kFloat32, Layout::kRowMajor, random);
    const Memory right(b, DataType::kFloat32, Layout::kRowMajor, random);
    const Memory out({1, 300}, DataType::kFloat32, Layout::kRowMajor, random);
    binary(row.function, left.ref(), right.ref(), out.ref());
    Values want = a;
    for (std::size_t i = 0; i < want.elements.size(); ++i) {
      want.elements[i] = static_cast<float>(iosx::test::applied(row.function, a.elements[i], b.elements[i]));
    }
    SCOPED_TRACE(row.name);
    expect_values(out, want);
  }
}

// NaN wins, as in numpy.
TEST(Binary, NanWins) {
  Random random(18);
  Values a({1, 2});
  Values b({1, 2});
  a.elements = {NAN, 1};
  b.elements = {1, NAN};
  const Memory left(a, DataType::kFloat32, Layout::kRowMajor, random);
  const Memory right(b, DataType::kFloat32, Layout::kRowMajor, random);
  const Memory out({1, 2}, DataType::kFloat32, Layout::kRowMajor, random);
  for (const BinaryFunction function : {BinaryFunction::kMin, BinaryFunction::kMax}) {
    binary(function, left.ref(), right.ref(), out.ref());
    for (const float x : out.values().elements) EXPECT_TRUE(std::isnan(x)) << binary_row(function).name;
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
