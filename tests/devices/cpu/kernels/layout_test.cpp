#include "core/devices/cpu/kernels/kernels.h"
#include "core/model/layout/views.h"
#include "tests/devices/cpu/kernels/tensors.h"
#include "tests/support/prelude.h"

namespace iosx::cpu::testing {
namespace {

// How each test covers threads and sizes: every fourth turn is large enough for several threads.
constexpr int kTurns = 160 / iosx::test::every(4);

TEST(Copy, AnyLayoutToAnyOther) {
  Random random(1);
  for (int turn = 0; turn < kTurns; ++turn) {
    const Dims dims = random_dims(random, static_cast<std::size_t>(turn % 10), large(turn));
    const Values values = rounded(random_values(dims, random), random_type(random));
    const Memory in(values, random_type(random), random_layout(random), random);
    const Memory out(dims, random_type(random), random_layout(random), random);
    on_team(threads_of(turn), [&] { copy(in.ref(), out.ref()); });
    SCOPED_TRACE(turn);
    expect_values(out, rounded(in.values(), out.ref().type), 0, 0);
  }
}

TEST(Copy, BetweenChannelsLastAndFirst) {
  Random random(2);
  for (const Dims& dims : {Dims{2, 3, 61, 67}, Dims{1, 64, 28, 28}, Dims{3, 130, 7, 9}, Dims{1, 16, 8, 8}}) {
    for (const auto type : {DataType::kFloat32, DataType::kBfloat16}) {
      for (const bool to_last : {true, false}) {
        const Values values = random_values(dims, random);
        const Memory in(values, type, to_last ? Layout::kRowMajor : Layout::kChannelsLast, random);
        const Memory out(dims, DataType::kFloat32, to_last ? Layout::kChannelsLast : Layout::kRowMajor, random);
        on_team(2, [&] { copy(in.ref(), out.ref()); });
        expect_values(out, in.values(), 0, 0);
      }
    }
  }
}

TEST(Copy, RoundsToTheNearestBfloat16AndKeepsInfinityAndNan) {
  Random random(3);
  Values values({1, 5});
  values.elements = {1.0F + 1.0F / 256, 1.0F + 3.0F / 256, -INFINITY, NAN, 3.4e38F};
  const Memory in(values, DataType::kFloat32, Layout::kRowMajor, random);
  const Memory out({1, 5}, DataType::kBfloat16, Layout::kRowMajor, random);
  copy(in.ref(), out.ref());
  Values want({1, 5});
  want.elements = {1.0F, 1.0F + 4.0F / 256, -INFINITY, NAN, INFINITY};
  expect_values(out, want, 0, 0);
}

TEST(Copy, OfTransposedSlicedAndBroadcastViews) {
  Random random(4);
  const Values values = random_values({2, 4, 5, 6}, random);
  const Memory in(values, DataType::kFloat32, Layout::kChannelsLast, random);

  const Memory turned({2, 6, 4, 5}, DataType::kFloat32, Layout::kRowMajor, random);
  copy(transposed(in.ref(), {.axes = {2, 0, 1}}), turned.ref());
  Values want({2, 6, 4, 5});
  for_each_index(want.dims, [&](const Dims& i) { want.at(i) = values.at({i[0], i[2], i[3], i[1]}); });
  expect_values(turned, want, 0, 0);

  const Slice slice{.begins = {3, 0, 1}, .steps = {-2, 1, 2}, .shape = Shape{2, 5, 3}};
  const Memory part({2, 2, 5, 3}, DataType::kFloat32, Layout::kChannelsLast, random);
  copy(sliced(in.ref(), slice), part.ref());
  want = Values({2, 2, 5, 3});
  for_each_index(want.dims, [&](const Dims& i) { want.at(i) = values.at({i[0], 3 - 2 * i[1], i[2], 1 + 2 * i[3]}); });
  expect_values(part, want, 0, 0);

  const Memory piece({2, 2, 5, 6}, DataType::kFloat32, Layout::kChannelsLast, random);
  copy(narrowed(in.ref(), 1, 1, 2), piece.ref());
  want = Values({2, 2, 5, 6});
  for_each_index(want.dims, [&](const Dims& i) { want.at(i) = values.at({i[0], i[1] + 1, i[2], i[3]}); });
  expect_values(piece, want, 0, 0);

  const Values small = random_values({2, 5, 1}, random);
  const Memory thin(small, DataType::kFloat32, Layout::kRowMajor, random);
  const Memory wide({2, 3, 5, 4}, DataType::kFloat32, Layout::kRowMajor, random);
  copy(broadcast(thin.ref(), std::array<std::int64_t, 4>{2, 3, 5, 4}), wide.ref());
  want = Values({2, 3, 5, 4});
  for_each_index(want.dims, [&](const Dims& i) { want.at(i) = small.at({i[0], i[2], 0}); });
  expect_values(wide, want, 0, 0);
}

// As in ShuffleNet: batch x groups x channels x height x width, groups and channels exchanged, channels last.
TEST(Copy, ShufflesChannels) {
  Random random(5);
  const Values values = random_values({2, 3, 40, 6, 7}, random);
  const Memory in(values, DataType::kFloat32, Layout::kRowMajor, random);
  const Memory out({2, 40, 3, 6, 7}, DataType::kFloat32, Layout::kGaps, random);
  on_team(2, [&] { copy(transposed(in.ref(), {.axes = {1, 0, 2, 3}}), out.ref()); });
  Values want({2, 40, 3, 6, 7});
  for_each_index(want.dims, [&](const Dims& i) { want.at(i) = values.at({i[0], i[2], i[1], i[3], i[4]}); });
  expect_values(out, want, 0, 0);
}

TEST(ReshapeCopy, KeepsRowMajorOrder) {
  const std::vector<std::pair<Dims, Dims>> cases = {
      {{2, 3, 4, 5}, {2, 60}},          {{2, 60}, {2, 3, 4, 5}},
      {{1, 2, 3}, {1, 3, 2}},           {{2, 6, 5, 7}, {2, 2, 3, 35}},
      {{4, 1, 1, 9}, {4, 9}},           {{1}, {1, 1, 1}},
      {{6, 10, 15}, {15, 6, 10}},       {{2, 64, 30, 31}, {2, 59520}},
      {{1, 70, 30, 31}, {1, 31, 2100}}, {{2, 2, 2, 2, 2, 2, 2, 2, 2}, {512}},
      {{3, 1, 4}, {3, 4, 1, 1}}};
  Random random(6);
  for (int turn = 0; turn < 44; ++turn) {
    const auto& [from, to] = cases[static_cast<std::size_t>(turn) % cases.size()];
    const Memory in(random_values(from, random), random_type(random),
                    turn < 11 ? Layout::kChannelsLast : random_layout(random), random);
    const Memory out(to, random_type(random), turn < 11 ? Layout::kRowMajor : random_layout(random), random);
    on_team(threads_of(turn), [&] { reshape_copy(in.ref(), out.ref()); });
    Values want(to);
    want.elements = in.values().elements;
    SCOPED_TRACE(turn);
    expect_values(out, rounded(want, out.ref().type), 0, 0);
  }
}

TEST(Fill, WritesTheTensorAndNothingElse) {
  Random random(7);
  for (int turn = 0; turn < 30; ++turn) {
    const Dims dims = random_dims(random, static_cast<std::size_t>(turn % 10), large(turn));
    const Memory out(dims, random_type(random), random_layout(random), random);
    on_team(threads_of(turn), [&] { fill(out.ref(), 1.5F); });
    Values want(dims);
    for (float& x : want.elements) x = 1.5F;
    expect_values(out, want, 0, 0);
  }
}

// The index that an output index shows along one axis, or -1: written from numpy's definition, cropping first.
std::int64_t padded_from(PadMode mode, std::int64_t i, std::int64_t before, std::int64_t after, std::int64_t size) {
  const std::int64_t low = before < 0 ? -before : 0;
  const std::int64_t high = size - (after < 0 ? -after : 0);
  std::int64_t at = i - before;
  if (at >= low && at < high) return at;
  if (mode == PadMode::kConstant || low >= high) return -1;
  if (mode == PadMode::kEdge) return at < low ? low : high - 1;
  if (high - low == 1) return low;
  while (at < low || at >= high) at = at < low ? 2 * low - at : 2 * (high - 1) - at;
  return at;
}

TEST(PadKernel, AllModesWithCropping) {
  Random random(8);
  for (int turn = 0; turn < kTurns / 2; ++turn) {
    const std::size_t rank = static_cast<std::size_t>(turn % 5) + 1;
    Dims dims = random_dims(random, rank, large(turn));
    const Memory in(random_values(dims, random), random_type(random), random_layout(random), random);
    const Values values = in.values();
    Pad pad_by{.mode = static_cast<PadMode>(random.between(0, 2)), .begins = {}, .ends = {}, .value = 0.5F};
    for (std::size_t axis = 1; axis < rank; ++axis) {
      pad_by.begins.push_back(random.between(-1, 3));
      pad_by.ends.push_back(random.between(dims[axis] + pad_by.begins.back() > 1 ? -1 : 0, 3));
      dims[axis] += pad_by.begins.back() + pad_by.ends.back();
      if (dims[axis] < 1) {
        pad_by.ends.back() += 1 - dims[axis];
        dims[axis] = 1;
      }
    }
    const Memory out(dims, random_type(random), random_layout(random), random);
    on_team(threads_of(turn), [&] { pad(in.ref(), out.ref(), pad_by); });
    Values want(dims);
    for_each_index(dims, [&](const Dims& index) {
      Dims from = index;
      bool constant = false;
      for (std::size_t axis = 1; axis < rank; ++axis) {
        from[axis] =
            padded_from(pad_by.mode, index[axis], pad_by.begins[axis - 1], pad_by.ends[axis - 1], values.dims[axis]);
        constant = constant || from[axis] < 0;
      }
      want.at(index) = constant ? 0.5F : values.at(from);
    });
    SCOPED_TRACE(turn);
    expect_values(out, rounded(want, out.ref().type), 0, 0);
  }
}

}  // namespace
}  // namespace iosx::cpu::testing
