#include "gpu/ops/kernels/elementwise.h"
#include "gpu/ops/kernels/threads.h"
#include "gpu/ops/kernels/windows.h"
#include "tests/gpu/kernels/tensors.h"
#include "tests/gpu/support/run_on_host.h"
#include "tests/support/prelude.h"

namespace iosx::gpu::test {
namespace {

using kernels::Divider;

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
  in_turns(7, [](Random& random, DataType type, int turn) {
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
  });
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
  in_turns(5, [](Random& random, DataType type, int turn) {
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
  });
}

// The arithmetic of places in tensors that are too large to be allocated.

TEST(GpuIndex, DividesAllNumbersBelow2To31) {
  Random random(1);
  std::vector<std::int64_t> divisors{1, 2, 3, 5, 7, 10, 641, 65535, 65536, 65537, 0x3FFFFFFF, 0x40000000, 0x7FFFFFFF};
  for (int i = 0; i < 200; ++i) divisors.push_back(random.between(1, 0x7FFFFFFF >> random.between(0, 30)));
  for (const std::int64_t by : divisors) {
    const Divider<std::uint32_t> divide(by);
    std::vector<std::int64_t> numbers{0, 1, by - 1, by, by + 1, 0x7FFFFFFE, 0x7FFFFFFF};
    for (int i = 0; i < 2000; ++i) numbers.push_back(random.between(0, 0x7FFFFFFF));
    for (int i = 0; i < 200; ++i) {  // where quotients change
      const std::int64_t edge = random.between(1, 0x7FFFFFFF / by) * by;
      numbers.push_back(edge);
      numbers.push_back(edge - 1);
    }
    for (const std::int64_t x : numbers) {
      if (x > 0x7FFFFFFF) continue;
      ASSERT_EQ(divide(static_cast<std::uint32_t>(x)), x / by) << x << " / " << by;
    }
  }
}

TensorRef huge(const Dims& dims, DataType type) {
  TensorRef ref{.data = nullptr, .type = type, .rank = dims.size(), .dims = {}, .strides = {}};
  std::int64_t stride = 1;
  for (std::size_t axis = dims.size(); axis-- > 0;) {
    ref.dims[axis] = dims[axis];
    ref.strides[axis] = stride;
    stride *= dims[axis] + (axis == dims.size() - 1 ? 8 : 0);  // a slice: rows are not merged
  }
  return ref;
}

// The offset of element `index` (in row-major order), computed with numbers that cannot overflow.
std::int64_t offset_of(const TensorRef& ref, std::int64_t index) {
  std::int64_t offset = 0;
  for (std::size_t axis = ref.rank; axis-- > 0;) {
    offset += index % ref.dims[axis] * ref.strides[axis];
    index /= ref.dims[axis];
  }
  return offset;
}

template <class Index>
void check_offsets(const Dims& dims, int width, Random& random) {
  const std::array operands{huge(dims, DataType::kFloat16), huge(dims, DataType::kFloat16)};
  const Nest nest = make_nest(operands);
  ASSERT_GT(nest.rank, 1U);
  ASSERT_TRUE(kernels::fits(nest, operands, width));
  const auto loops = kernels::loops_of<Index, 2>(nest, width);
  const std::int64_t steps = nest.elements() / width;
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t step = i < 100 ? steps - 1 - i : random.between(0, steps - 1);
    std::int64_t at[2];
    loops.offsets(static_cast<Index>(step), at);
    ASSERT_EQ(at[0], offset_of(operands[0], step * width));
    ASSERT_EQ(at[1], at[0]);
  }
}

// 2.4 · 10^10 elements: 32 bits number the vectors of eight but not the elements.
TEST(GpuIndex, OffsetsBeyond32Bits) {
  Random random(2);
  check_offsets<std::uint64_t>({300, 4000, 20000}, 1, random);
  check_offsets<std::uint64_t>({300, 4000, 20000}, 8, random);
  check_offsets<std::uint32_t>({150, 4000, 20000}, 8, random);
}

// Keeps what dispatch() chose.
struct Chosen {
  kernels::Choice choice;
  mutable std::size_t index_bytes = 0;
  mutable std::int64_t count = 0;

  template <class Functor>
  void each(const Functor&, std::int64_t steps) const {
    index_bytes = sizeof(typename Functor::Index);
    count = steps;
  }
};

Chosen chosen_for(const Dims& dims) {
  const TensorRef tensor = huge(dims, DataType::kBfloat16);
  Chosen chosen;
  kernels::dispatch(CombineCall{.count = 1, .in = {tensor}, .out = tensor}, chosen);
  return chosen;
}

TEST(GpuIndex, NumbersAreAsWideAsTheyMustBe) {
  EXPECT_EQ(chosen_for({2, 1000, 1000}).index_bytes, 4U);
  EXPECT_EQ(chosen_for({2, 1000, 1000}).count, 2 * 1000 * 1000 / 8);
  EXPECT_EQ(chosen_for({150, 4000, 20000}).index_bytes, 4U);
  EXPECT_EQ(chosen_for({150, 4000, 20000}).count, std::int64_t{150} * 4000 * 20000 / 8);
  // 2.4 · 10^10 elements in vectors of eight are more than 2^31 of them; odd rows too.
  EXPECT_EQ(chosen_for({300, 4000, 20000}).index_bytes, 8U);
  EXPECT_EQ(chosen_for({300, 4000, 20000}).count, std::int64_t{300} * 4000 * 20000);
  EXPECT_EQ(chosen_for({150, 4000, 20001}).index_bytes, 8U);
  EXPECT_EQ(chosen_for({3, 1000, 1001}).count, 3 * 1000 * 1001);
}

// Threads of the last grids that are allowed stay below 2^32, and every step is taken once.
TEST(GpuIndex, GridsCoverAllSteps) {
  using kernels::EachGrid;
  EXPECT_EQ(EachGrid(1).blocks, 1);
  EXPECT_EQ(EachGrid(129).blocks, 2);
  EXPECT_EQ(EachGrid(std::int64_t{1} << 40U).blocks, EachGrid::kMostBlocks);
  EXPECT_LT((std::int64_t{1} << 31U) + EachGrid::kMostBlocks * EachGrid::kThreads, std::int64_t{1} << 32U);
  struct Count {
    using Index = std::uint32_t;
    std::vector<int>* taken;
    void operator()(Index step) const { ++(*taken)[step]; }
  };
  std::vector<int> taken(1000);
  for (std::uint32_t thread = 0; thread < 256; ++thread) kernels::each_step(Count{&taken}, 1000U, thread, 256U);
  for (const int count : taken) ASSERT_EQ(count, 1);
}

// Tensors without elements start nothing.
TEST(GpuIndex, NothingToDo) {
  Random random(3);
  const Memory none({2, 8, 0, 3}, DataType::kFloat16, Layout::kDense, random);
  run_on_host(CopyCall{.in = none.ref(), .out = none.ref()});
  run_on_host(FillCall{.out = none.ref()});
  run_on_host(CombineCall{.count = 1, .in = {none.ref()}, .out = none.ref()});
  run_on_host(SoftmaxCall{.in = none.ref(), .out = none.ref(), .axis = 1});
  run_on_host(ReshapeCall{.in = none.ref(), .out = none.ref()});
  EXPECT_TRUE(none.holes_are(std::byte{0}));
}

// Contiguous axes are one loop, so that dense tensors cost no division: all of them, or all but a slice's channels.
TEST(GpuIndex, MergesLoops) {
  Random random(4);
  const auto rank = [&](const Dims& dims, Layout layout) {
    const Memory memory(dims, DataType::kFloat16, layout, random);
    return make_nest(std::array{memory.ref(), memory.ref()}).rank;
  };
  EXPECT_EQ(rank({2, 24, 5, 7}, Layout::kDense), 1U);
  EXPECT_EQ(rank({2, 24, 5, 7}, Layout::kRowMajor), 1U);
  EXPECT_EQ(rank({2, 3, 4, 5, 6}, Layout::kDense), 1U);
  EXPECT_EQ(rank({1}, Layout::kDense), 1U);
  const TensorRef slice{.data = nullptr,
                        .type = DataType::kFloat16,
                        .rank = 4,
                        .dims = {2, 16, 5, 7},
                        .strides = {24 * 35, 1, 24 * 7, 24}};
  EXPECT_EQ(make_nest(std::array{slice}).rank, 2U);
}

// Which vectors may be used, by hand: channels of 24 from 8 on are aligned for eight float16, from 9 on for one.
TEST(GpuIndex, WidthsFollowAlignment) {
  alignas(256) static std::array<std::byte, 4096> memory;
  const auto slice = [&](std::int64_t begin, std::int64_t pitch) {
    return TensorRef{.data = memory.data() + begin * 2,
                     .type = DataType::kFloat16,
                     .rank = 4,
                     .dims = {1, 16, 2, 2},
                     .strides = {4 * pitch, 1, 2 * pitch, pitch}};
  };
  const auto widest = [&](const TensorRef& ref) {
    int width = 8;
    while (!kernels::fits_along(1, {&ref}, width)) width /= 2;
    int other = 8;
    while (!kernels::fits(make_nest(std::array{ref}), std::array{ref}, other)) other /= 2;
    EXPECT_EQ(width, other);
    return width;
  };
  EXPECT_EQ(widest(slice(8, 24)), 8);
  EXPECT_EQ(widest(slice(4, 24)), 4);
  EXPECT_EQ(widest(slice(2, 24)), 2);
  EXPECT_EQ(widest(slice(9, 24)), 1);
  EXPECT_EQ(widest(slice(8, 28)), 4);
  EXPECT_EQ(widest(slice(8, 27)), 1);
}

}  // namespace

}  // namespace iosx::gpu::test
