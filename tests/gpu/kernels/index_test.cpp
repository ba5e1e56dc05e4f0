#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "gpu/ops/kernels/combine.h"
#include "gpu/ops/kernels/each.h"
#include "gpu/ops/kernels/nest.h"
#include "gpu/ops/kernels/pool.h"
#include "tests/gpu/kernels/tensors.h"
#include "tests/gpu/support/run_on_host.h"

// The arithmetic of places in tensors that are too large to be allocated.
namespace iosx::gpu::test {
namespace {

using kernels::Divider;

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
  const kernels::Nest nest = kernels::make_nest(operands);
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
    return kernels::make_nest(std::array{memory.ref(), memory.ref()}).rank;
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
  EXPECT_EQ(kernels::make_nest(std::array{slice}).rank, 2U);
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
    while (!kernels::fits(kernels::make_nest(std::array{ref}), std::array{ref}, other)) other /= 2;
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
