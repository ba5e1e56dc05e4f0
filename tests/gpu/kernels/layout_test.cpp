#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/model/layout/views.h"
#include "tests/gpu/kernels/tensors.h"
#include "tests/gpu/support/run_on_host.h"

namespace iosx::gpu::test {
namespace {

// Between all types, from and to all layouts, from one element repeated along an axis.
TEST(GpuCopy, ConvertsAndTransposes) {
  Random random(1);
  for (const DataType from : kTypes) {
    for (const DataType to : kTypes) {
      for (int turn = 0; turn < kTurns / 2; ++turn) {
        SCOPED_TRACE(turn);
        const Dims dims = random_dims(random, static_cast<std::size_t>(turn % 5) + 1);
        Dims own = dims;
        for (auto& size : own) size = turn % 3 == 0 && random.rarely() ? 1 : size;
        const Values values = random_values(own, from, random);
        const Memory in(values, from, random_layout(random), random);
        Memory out(dims, to, random_layout(random), random);
        const Values want = each(dims, [&](Dims index) {
          for (std::size_t axis = 0; axis < own.size(); ++axis) index[axis] = own[axis] == 1 ? 0 : index[axis];
          return rounded(values.at(index), to);
        });
        ASSERT_NO_FATAL_FAILURE(expect_call(CopyCall{.in = broadcast(in.ref(), dims), .out = out.ref()}, out, want,
                                            {.relative = 0, .absolute = 0}));
      }
    }
  }
}

// Every float16 and bfloat16, and floats half way between them, also infinite and too small for normal ones.
TEST(GpuCopy, RoundsToNearestEven) {
  Random random(2);
  for (const DataType type : {DataType::kFloat16, DataType::kBfloat16}) {
    Values all({1, 0x10000});
    for (std::size_t i = 0; i < all.elements.size(); ++i) {
      const auto bits = static_cast<std::uint16_t>(i);
      Memory one({1}, type, Layout::kDense, random);
      *static_cast<std::uint16_t*>(one.ref().data) = bits;
      all.elements[i] = one.values().elements[0];
    }
    const Memory in(all, type, Layout::kDense, random);
    Memory floats(all.dims, DataType::kFloat32, Layout::kDense, random);
    run_on_host(CopyCall{.in = in.ref(), .out = floats.ref()});
    ASSERT_NO_FATAL_FAILURE(expect_values(floats, all, {.relative = 0, .absolute = 0}));
    Values between({1, 0x7F00});
    for (std::size_t i = 0; i < between.elements.size(); ++i) {
      between.elements[i] = (all.elements[i] + all.elements[i + 1]) / 2;
    }
    Values want = between;
    for (double& x : want.elements) x = rounded(x, type);
    floats = Memory(between, DataType::kFloat32, Layout::kDense, random);
    Memory out(between.dims, type, Layout::kDense, random);
    run_on_host(CopyCall{.in = floats.ref(), .out = out.ref()});
    const Values got = out.values();
    for (std::size_t i = 0; i < got.elements.size(); ++i) {
      ASSERT_TRUE(got.elements[i] == want.elements[i] || (std::isnan(got.elements[i]) && std::isnan(want.elements[i])))
          << between.elements[i] << ": " << got.elements[i] << " instead of " << want.elements[i];
    }
  }
}

// Of one to eight tensors of any sizes along any axis.
TEST(GpuConcat, AnyAxisAndNumber) {
  Random random(7);
  for (const DataType type : kTypes) {
    for (int turn = 0; turn < kTurns; ++turn) {
      SCOPED_TRACE(turn);
      const Dims dims = random_dims(random, static_cast<std::size_t>(turn % 4) + 2);
      const auto axis = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(dims.size()) - 1));
      const auto count = static_cast<std::size_t>(turn) % ConcatCall::kMaxInputs + 1;
      std::vector<Values> values;
      std::vector<Memory> memory;
      Dims all = dims;
      all[axis] = 0;
      for (std::size_t i = 0; i < count; ++i) {
        Dims own = dims;
        own[axis] = random.flip() ? 8 * random.between(1, 3) : random.between(1, 5);  // some as wide as vectors
        all[axis] += own[axis];
        values.push_back(random_values(own, type, random));
        memory.emplace_back(values.back(), type, random_layout(random), random);
      }
      ConcatCall call{.count = count, .in = {}, .out = {}, .axis = axis};
      for (std::size_t i = 0; i < count; ++i) call.in[i] = memory[i].ref();
      Memory out(all, type, random_layout(random), random);
      call.out = out.ref();
      const Values want = each(all, [&](Dims index) {
        std::size_t from = 0;
        while (index[axis] >= values[from].dims[axis]) index[axis] -= values[from++].dims[axis];
        return values[from].at(index);
      });
      ASSERT_NO_FATAL_FAILURE(expect_call(call, out, want, {.relative = 0, .absolute = 0}));
    }
  }
}

TEST(GpuCopy, SlicesWithNegativeSteps) {
  Random random(3);
  for (const DataType type : kTypes) {
    const Values values = random_values({2, 16, 6, 7}, type, random);
    const Memory in(values, type, Layout::kDense, random);
    const Slice slice{.begins = {15, 1, 6}, .steps = {-2, 2, -1}, .shape = Shape{8, 3, 7}};
    Memory out({2, 8, 3, 7}, type, Layout::kDense, random);
    ASSERT_NO_FATAL_FAILURE(expect_call(
        CopyCall{.in = sliced(in.ref(), slice), .out = out.ref()}, out, each({2, 8, 3, 7}, [&](const Dims& index) {
          return values.at({index[0], 15 - 2 * index[1], 1 + 2 * index[2], 6 - index[3]});
        })));
  }
}

// The same numbers cut into axes anew, also where axes share no common pieces.
TEST(GpuReshape, KeepsTheOrder) {
  Random random(4);
  const std::vector<std::pair<Dims, Dims>> cases = {{{2, 16, 3, 4}, {2, 192}},
                                                    {{2, 192}, {2, 16, 3, 4}},
                                                    {{2, 16, 3, 4}, {2, 12, 4, 4}},
                                                    {{1, 2, 3}, {1, 3, 2}},
                                                    {{3, 8, 5, 7}, {3, 8, 35}},
                                                    {{2, 3, 4, 5}, {2, 1, 12, 1, 5}},
                                                    {{2, 1, 1, 1}, {2}},
                                                    {{1}, {1, 1, 1}},
                                                    {{2, 6, 6, 10}, {2, 4, 9, 10}},
                                                    {{2, 5, 7, 11}, {2, 11, 7, 5}},
                                                    {{2, 2, 2, 2, 2, 2, 2, 2}, {2, 16, 8}}};
  for (const DataType type : kTypes) {
    for (const auto& [from, to] : cases) {
      for (const Layout layout : kLayouts) {
        const Values values = random_values(from, type, random);
        const Memory in(values, type, layout, random);
        Memory out(to, type, random_layout(random), random);
        Values want(to);
        want.elements = values.elements;
        ASSERT_NO_FATAL_FAILURE(expect_call(ReshapeCall{.in = in.ref(), .out = out.ref()}, out, want));
      }
    }
  }
}

double padded_at(const Values& in, const PadCall& call, const Dims& out, Dims index) {
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    const std::int64_t after = out[axis] - in.dims[axis] - call.begins[axis];
    // Negative padding crops first.
    const std::int64_t begin = std::max<std::int64_t>(-call.begins[axis], 0);
    const std::int64_t end = in.dims[axis] - std::max<std::int64_t>(-after, 0);
    std::int64_t& i = index[axis];
    i -= call.begins[axis];
    if (call.mode == PadMode::kConstant && (i < begin || i >= end)) return call.value;
    while (call.mode == PadMode::kReflect && (i < begin || i >= end)) {
      if (end - begin == 1) i = begin;
      if (i < begin) i = 2 * begin - i;
      if (i >= end) i = 2 * (end - 1) - i;
    }
    i = std::clamp(i, begin, end - 1);
  }
  return in.at(index);
}

TEST(GpuPad, AllModesAndCropping) {
  Random random(5);
  for (const DataType type : kTypes) {
    for (int turn = 0; turn < kTurns; ++turn) {
      SCOPED_TRACE(turn);
      const Values values = random_values(random_dims(random, static_cast<std::size_t>(turn % 5) + 1), type, random);
      const Memory in(values, type, random_layout(random), random);
      PadCall call{.in = in.ref(),
                   .out = {},
                   .mode = static_cast<PadMode>(turn % 3),
                   .value = static_cast<float>(rounded(0.3, type)),
                   .begins = {}};
      Dims dims = values.dims;
      for (std::size_t axis = 1; axis < dims.size(); ++axis) {
        if (axis == 1 && random.flip()) continue;  // images have no padding along their channels
        call.begins[axis] = random.between(dims[axis] > 2 ? -1 : 0, 3);
        dims[axis] += call.begins[axis] + random.between(dims[axis] > 2 ? -1 : 0, 3);
      }
      Memory out(dims, type, random_layout(random), random);
      call.out = out.ref();
      const Values want = each(dims, [&](const Dims& index) { return padded_at(values, call, dims, index); });
      ASSERT_NO_FATAL_FAILURE(expect_call(call, out, want, {.relative = 0, .absolute = 0}));
    }
  }
}

}  // namespace
}  // namespace iosx::gpu::test
