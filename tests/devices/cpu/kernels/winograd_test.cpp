#include "core/devices/cpu/kernels/winograd.h"

#include "core/model/layout/views.h"
#include "tests/devices/cpu/kernels/tensors.h"
#include "tests/support/prelude.h"

namespace iosx::cpu::testing {
namespace {

// Channels of a channels-last tensor that may have more of them on both sides.
struct Slice {
  Memory memory;
  TensorRef ref;

  Slice(const Dims& dims, std::int64_t before, std::int64_t after, Random& random)
      : memory({dims[0], before + dims[1] + after, dims[2], dims[3]}, DataType::kFloat32, Layout::kChannelsLast,
               random),
        ref(narrowed(memory.ref(), 1, before, dims[1])) {}
};

struct Case {
  Dims in;
  Dims out;
  Conv conv;
  enum class Residual { kNone, kOther, kInPlace } residual = Residual::kNone;
};

Case random_case(Random& random, int turn) {
  const std::vector<Activation> activations{Activation::kIdentity, Activation::kRelu, Activation::kSwish,
                                            Activation{ActivationKind::kLeakyRelu, 0.1F, 0}};
  Case one;
  const bool large = turn % 5 == 0;
  one.in = {random.between(1, 2), random.between(1, large ? 70 : 20), random.between(1, large ? 30 : 11),
            random.between(1, large ? 30 : 11)};
  one.conv.out_channels = random.between(1, large ? 70 : 40);
  one.conv.kernel = {3, 3};
  one.conv.padding = {random.between(0, 3), random.between(0, 3)};
  one.conv.end_padding = {random.between(-one.conv.padding.height, 2), random.between(-one.conv.padding.width, 2)};
  one.conv.activation = activations[static_cast<std::size_t>(random.between(0, 3))];
  one.residual = static_cast<Case::Residual>(random.between(0, 2));
  one.out = {one.in[0], one.conv.out_channels,
             one.in[2] + 2 * one.conv.padding.height + one.conv.end_padding.height - 2,
             one.in[3] + 2 * one.conv.padding.width + one.conv.end_padding.width - 2};
  return one;
}

// With a memory for each tensor: in, residual and out.
Values expected(const Case& one, const Values& in, const Values& weights, const std::vector<float>& bias,
                const Values& residual) {
  Values out(one.out);
  for_each_index(one.out, [&](const Dims& o) {
    double sum = bias[static_cast<std::size_t>(o[1])];
    for (std::int64_t c = 0; c < one.in[1]; ++c) {
      for (std::int64_t tap = 0; tap < 9; ++tap) {
        const std::int64_t y = o[2] - one.conv.padding.height + tap / 3;
        const std::int64_t x = o[3] - one.conv.padding.width + tap % 3;
        if (y < 0 || y >= one.in[2] || x < 0 || x >= one.in[3]) continue;
        sum += static_cast<double>(in.at({o[0], c, y, x})) * weights.at({o[1], c, tap / 3, tap % 3});
      }
    }
    if (one.residual != Case::Residual::kNone) sum += residual.at(o);
    out.at(o) = apply(one.conv.activation, static_cast<float>(sum));
  });
  return out;
}

void compute(const Case& one, const TensorRef& in, const Values& weights, const std::vector<float>& bias,
             const std::optional<TensorRef>& residual, const TensorRef& out, int threads) {
  const auto transformed = winograd_weights(weights.elements, one.out[1], one.in[1]);
  ASSERT_EQ(static_cast<std::int64_t>(transformed.size()), winograd_weight_count(one.out[1], one.in[1]));
  std::vector<float> scratch(static_cast<std::size_t>(winograd_scratch(one.in[1], threads)), std::nanf(""));
  const WinogradConv work{transformed.data(), bias.data(), one.conv.padding, one.conv.activation};
  on_team(threads, [&] { winograd(in, work, residual, out, scratch.data()); });
}

Values values_of(const TensorRef& ref) {
  Values values({ref.dims[0], ref.dims[1], ref.dims[2], ref.dims[3]});
  for_each_index(values.dims, [&](const Dims& at) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < 4; ++axis) offset += at[axis] * ref.strides[axis];
    values.at(at) = static_cast<const float*>(ref.data)[offset];
  });
  return values;
}

TEST(WinogradKernel, AgreesWithPlainLoopsOnAnySlice) {
  Random random(91);
  int cases = 0;
  for (int turn = 0; cases < 120 / iosx::test::every(8); ++turn) {
    ASSERT_LT(turn, 1000);
    const Case one = random_case(random, turn);
    if (one.out[2] < 1 || one.out[3] < 1) continue;
    ++cases;
    SCOPED_TRACE(turn);
    const auto slice = [&](const Dims& dims) {
      const std::int64_t before = random.flip() ? random.between(1, 9) : 0;
      return Slice(dims, before, random.flip() ? random.between(1, 9) : 0, random);
    };
    Slice in = slice(one.in);
    Slice residual = slice(one.out);
    Slice out = slice(one.out);
    for (Slice* const each : {&in, &residual, &out}) {
      const TensorRef& whole = each->memory.ref();
      each->memory.set(random_values({whole.dims[0], whole.dims[1], whole.dims[2], whole.dims[3]}, random));
    }
    const Values weights = random_values({one.out[1], one.in[1], 3, 3}, random, -1, 1);
    const std::vector<float> bias = random_values({one.out[1]}, random).elements;
    const bool in_place = one.residual == Case::Residual::kInPlace;
    const TensorRef& added = in_place ? out.ref : residual.ref;
    Values want = out.memory.values();
    const std::int64_t channel = (static_cast<float*>(out.ref.data) - static_cast<float*>(out.memory.ref().data));
    const Values right = expected(one, values_of(in.ref), weights, bias, values_of(added));
    double largest = 0;
    for_each_index(one.out, [&](const Dims& at) {
      want.at({at[0], channel + at[1], at[2], at[3]}) = right.at(at);
      largest = std::max(largest, std::fabs(static_cast<double>(right.at(at))));
    });
    compute(one, in.ref, weights, bias, one.residual == Case::Residual::kNone ? std::nullopt : std::optional(added),
            out.ref, turn % 3 + 1);
    // Against all of the memory: what is not the slice's is as it was.
    expect_values(out.memory, want, 0, static_cast<float>(1e-5 * largest));
  }
}

TEST(WinogradKernel, GivesTheSameNumbersOnAnyTeam) {
  Random random(5);
  for (const std::int64_t size : {7, 23}) {
    Case one;
    one.in = {1, 37, size, size};
    one.out = {1, 43, size, size};
    one.conv.padding = {1, 1};
    one.conv.activation = Activation::kSwish;
    Slice in(one.in, 0, 0, random);
    in.memory.set(random_values(one.in, random));
    const Values weights = random_values({43, 37, 3, 3}, random);
    const std::vector<float> bias = random_values({43}, random).elements;
    std::vector<std::vector<float>> results;
    for (const int threads : {1, 2, 3, 5}) {
      const Slice out(one.out, 0, 0, random);
      compute(one, in.ref, weights, bias, std::nullopt, out.ref, threads);
      results.push_back(values_of(out.ref).elements);
    }
    for (const auto& result : results) EXPECT_EQ(result, results.front());
  }
}

TEST(WinogradKernel, IsForThreeByThreeWithStrideOne) {
  Conv conv{.kernel = {3, 3}};
  EXPECT_TRUE(winograd_fits(conv));
  conv.padding = {2, 0};
  EXPECT_TRUE(winograd_fits(conv));
  const auto changed = [&](const auto& change) {
    Conv other = conv;
    change(other);
    return winograd_fits(other);
  };
  EXPECT_FALSE(changed([](Conv& c) { c.kernel = {3, 1}; }));
  EXPECT_FALSE(changed([](Conv& c) { c.stride = {1, 2}; }));
  EXPECT_FALSE(changed([](Conv& c) { c.dilation = {2, 1}; }));
  EXPECT_FALSE(changed([](Conv& c) { c.groups = 2; }));
}

TEST(WinogradKernel, IsForFloatsWithTheChannelsSideBySide) {
  Random random(1);
  const Dims dims{1, 8, 4, 4};
  EXPECT_TRUE(winograd_fits(Memory(dims, DataType::kFloat32, Layout::kChannelsLast, random).ref()));
  EXPECT_FALSE(winograd_fits(Memory(dims, DataType::kFloat32, Layout::kRowMajor, random).ref()));
  EXPECT_FALSE(winograd_fits(Memory(dims, DataType::kBfloat16, Layout::kChannelsLast, random).ref()));
}

}  // namespace
}  // namespace iosx::cpu::testing
