#include "gpu/ops/kernels/reduce.h"
#include "gpu/ops/kernels/reduce_parts.h"
#include "tests/gpu/kernels/tensors.h"
#include "tests/gpu/support/run_on_host.h"
#include "tests/support/prelude.h"

namespace iosx::gpu::test {
namespace {

Values reduced(const Values& in, const Dims& dims, ReduceKind kind) {
  std::vector<std::vector<double>> parts(Values(dims).elements.size());
  Values out(dims);
  for_each_index(in.dims, [&](const Dims& index) {
    Dims to = index;
    for (std::size_t axis = 0; axis < dims.size(); ++axis) to[axis] = dims[axis] == 1 ? 0 : to[axis];
    parts[static_cast<std::size_t>(&out.at(to) - out.elements.data())].push_back(in.at(index));
  });
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool product = kind == ReduceKind::kProduct;
    const bool extreme = kind == ReduceKind::kMax || kind == ReduceKind::kMin;
    double result = extreme ? parts[i].front() : product ? 1 : 0;
    for (const double x : parts[i]) {
      if (kind == ReduceKind::kMax) {
        result = std::max(result, x);
      } else if (kind == ReduceKind::kMin) {
        result = std::min(result, x);
      } else if (product) {
        result *= x;
      } else {
        const bool squares = kind == ReduceKind::kL2 || kind == ReduceKind::kSumOfSquares;
        result += squares ? x * x : kind == ReduceKind::kL1 ? std::abs(x) : x;
      }
    }
    if (kind == ReduceKind::kMean) result /= static_cast<double>(parts[i].size());
    out.elements[i] = kind == ReduceKind::kL2 ? std::sqrt(result) : result;
  }
  return out;
}

void check_reduction(const Values& in, const Dims& dims, DataType type, Layout from, Layout to, Random& random) {
  const Memory in_memory(in, type, from, random);
  Memory out(dims, type, to, random);
  using enum ReduceKind;
  for (const ReduceKind reduction : {kMean, kSum, kMax, kMin, kProduct, kL1, kL2, kSumOfSquares}) {
    const ReduceCall call{.reduction = reduction, .in = in_memory.ref(), .out = out.ref()};
    ASSERT_NO_FATAL_FAILURE(
        expect_call(call, out, reduced(in, dims, reduction),
                    {.relative = 1e-5, .absolute = 1e-4, .exact = reduction == kMax || reduction == kMin}));
  }
}

TEST(GpuReduce, AnyAxes) {
  in_turns(1, [](Random& random, DataType type, int turn) {
    const Values in = random_values(random_dims(random, static_cast<std::size_t>(turn % 5) + 1), type, random);
    Dims dims = in.dims;
    for (auto& size : dims) size = random.flip() ? 1 : size;
    ASSERT_NO_FATAL_FAILURE(check_reduction(in, dims, type, random_layout(random), random_layout(random), random));
  });
}

// Global pooling of feature maps, and rows longer than a block has threads.
TEST(GpuReduce, ManyElements) {
  Random random(2);
  int turn = 0;
  for (const DataType type : kTypes) {
    for (const Layout layout : kLayouts) {
      if (turn++ % iosx::test::every(3) != 0) continue;
      for (const std::int64_t channels : {1, 8, 64, 83}) {
        const Values in = random_values({2, channels, 17, 13}, type, random);
        ASSERT_NO_FATAL_FAILURE(check_reduction(in, {2, channels, 1, 1}, type, layout, Layout::kDense, random));
      }
      ASSERT_NO_FATAL_FAILURE(check_reduction(random_values({3, 5, 2049}, type, random), {3, 5, 1}, type, layout,
                                              random_layout(random), random));
      ASSERT_NO_FATAL_FAILURE(
          check_reduction(random_values({4096}, type, random), {1}, type, layout, random_layout(random), random));
    }
  }
}

// Every width of vectors shares out other steps, and all sums of parts are written, none beside them. Parts without
// elements do no harm.
void check_parts(const Values& in, const Memory& in_memory, Memory& out, std::int64_t parts, Random& random) {
  constexpr std::byte kNan{0xFF};
  using enum ReduceKind;
  for (const ReduceKind kind : {kMean, kSum, kMax, kMin, kProduct, kL1, kL2, kSumOfSquares}) {
    const ReduceCall call{.reduction = kind, .in = in_memory.ref(), .out = out.ref()};
    const Values want = reduced(in, out.values().dims, kind);
    Memory sums({partial_bytes(call, parts) / bytes_of(DataType::kFloat32)}, DataType::kFloat32, Layout::kDense,
                random);
    const auto [first, second] = in_parts(call, parts, sums.begin());
    for (const kernels::Choice& choice : {kernels::Choice{}, kernels::Choice{.vector_bytes = 2}}) {
      sums.poison(kNan);
      out.poison(kNan);
      run_on_host(first, choice);
      const Values unfinished = sums.values();
      for (const double sum : unfinished.elements) ASSERT_FALSE(std::isnan(sum));
      ASSERT_TRUE(sums.holes_are(kNan));
      run_on_host(second, choice);
      ASSERT_EQ(sums.values().elements, unfinished.elements);
      ASSERT_NO_FATAL_FAILURE(expect_values(out, want, {.relative = 1e-5, .absolute = 1e-4}));
      ASSERT_TRUE(out.holes_are(kNan));
    }
  }
}

TEST(GpuReduceParts, AnyAxesInAnyNumberOfParts) {
  in_turns(8, [](Random& random, DataType type, int turn) {
    const Values in = random_values(random_dims(random, static_cast<std::size_t>(turn % 5) + 1), type, random);
    Dims dims = in.dims;
    for (auto& size : dims) size = random.flip() ? 1 : size;
    if (dims == in.dims) return;  // nothing is reduced
    const Memory in_memory(in, type, random_layout(random), random);
    Memory out(dims, type, random_layout(random), random);
    for (const std::int64_t parts : {std::int64_t{2}, random.between(3, 9), random.between(10, 300)}) {
      SCOPED_TRACE(parts);
      ASSERT_NO_FATAL_FAILURE(check_parts(in, in_memory, out, parts, random));
    }
  });
}

// Each number of parts there is, and one more than there are pixels.
TEST(GpuReduceParts, PoolsInEveryNumberOfParts) {
  Random random(9);
  for (const DataType type : kTypes) {
    for (const Layout layout : {Layout::kDense, Layout::kRowMajor}) {
      for (const Dims& dims : {Dims{1, 1, 1, 2}, Dims{1, 16, 7, 7}, Dims{2, 5, 3, 11}}) {
        const Values in = random_values(dims, type, random);
        const Memory in_memory(in, type, layout, random);
        Memory out({dims[0], dims[1], 1, 1}, type, Layout::kSlice, random);
        for (std::int64_t parts = 2; parts <= dims[2] * dims[3] + 1; parts += iosx::test::every(5)) {
          SCOPED_TRACE(parts);
          ASSERT_NO_FATAL_FAILURE(check_parts(in, in_memory, out, parts, random));
        }
      }
    }
  }
}

// An H100 has 132 multiprocessors, a V100 80.
TEST(GpuReduceParts, FollowFromSizesAndMultiprocessors) {
  struct Case {
    Dims dims;
    DataType type;
    Layout layout;
    int multiprocessors;
    std::int64_t parts;
  };
  constexpr DataType kFloat = DataType::kFloat32;
  constexpr DataType kHalf = DataType::kFloat16;
  Random random(10);
  for (const Case& one :
       {Case{{1, 2048, 1, 1}, kFloat, Layout::kDense, 132, 1},       // nothing to share out
        Case{{1, 2048, 7, 7}, kFloat, Layout::kDense, 132, 1},       // 64 blocks, two loads a lane
        Case{{128, 2048, 7, 7}, kHalf, Layout::kDense, 132, 1},      // 4,096 blocks
        Case{{1, 1152, 16, 16}, kFloat, Layout::kDense, 132, 1},     // eight loads: one part
        Case{{1, 240, 32, 32}, kFloat, Layout::kDense, 132, 4},      // 8 blocks of 32 loads a lane
        Case{{1, 32, 256, 256}, kFloat, Layout::kDense, 132, 256},   // eight loads a part
        Case{{1, 32, 256, 256}, kFloat, Layout::kDense, 80, 160},    // two blocks a multiprocessor
        Case{{1, 32, 256, 256}, kHalf, Layout::kDense, 132, 128},    // half the loads
        Case{{1, 31, 251, 241}, kFloat, Layout::kDense, 132, 264},   // one by one: 31 channels are no vectors
        Case{{1, 32, 256, 256}, kFloat, Layout::kRowMajor, 132, 8},  // 32 blocks of 64 loads a lane
        Case{{128, 32, 256, 256}, kFloat, Layout::kDense, 132, 2},   // 128 blocks
        Case{{132, 32, 256, 256}, kFloat, Layout::kDense, 132, 1},   // one a multiprocessor
        Case{{1, 100'000, 64, 64}, kFloat, Layout::kDense, 132, 1},  // many times what the GPU runs at a time
        Case{{1, 32, 256, 256}, kFloat, Layout::kDense, 0, 1},       // of which nothing is known
        Case{{1, 32, 0, 256}, kFloat, Layout::kDense, 132, 1}}) {
    SCOPED_TRACE(testing::PrintToString(one.dims));
    // Of the memory only the strides are looked at.
    Memory small({1, 8, 1, 1}, one.type, one.layout, random);
    ReduceCall call{.reduction = ReduceKind::kMean, .in = small.ref(), .out = small.ref()};
    const auto set = [&](TensorRef& tensor, const Dims& dims) {
      const bool last = one.layout == Layout::kDense;
      std::ranges::copy(dims, tensor.dims.begin());
      const std::int64_t pixels = dims[2] * dims[3];
      tensor.strides = {dims[1] * pixels, last ? 1 : pixels, last ? dims[3] * dims[1] : dims[3], last ? dims[1] : 1};
    };
    set(call.in, one.dims);
    set(call.out, {one.dims[0], one.dims[1], 1, 1});
    EXPECT_EQ(reduce_parts(call, one.multiprocessors), one.parts);
  }
}

// The sums of a split fit no more blocks than run at a time, and each is of enough elements.
TEST(GpuReduceParts, AreOfEnoughElements) {
  Random random(11);
  int split = 0;
  for (int turn = 0; turn < 300; ++turn) {
    const std::int64_t channels = random.between(1, 300);
    const std::int64_t pixels = random.between(1, 60'000);
    ReduceCall call{.reduction = ReduceKind::kMax, .in = {.rank = 3}, .out = {.rank = 3}};
    call.in.dims = {1, channels, pixels};
    call.in.strides = {channels * pixels, 1, channels};
    call.out.dims = {1, channels, 1};
    call.out.strides = {channels, 1, 1};
    const int multiprocessors = static_cast<int>(random.between(1, 200));
    const std::int64_t parts = reduce_parts(call, multiprocessors);
    ASSERT_GE(parts, 1);
    if (parts == 1) continue;
    ++split;
    ASSERT_LE(parts * ((channels + 31) / 32), 2 * multiprocessors);
    ASSERT_GE(pixels / parts, 8 * 7 + 1);  // eight loads of at least eight lanes, the last one not of all
  }
  EXPECT_GT(split, 100);
}

// What is summed in which order depends on sizes alone: neither time nor the order of blocks does. Here the blocks of
// each call run from the first on, and in another order; the sums of a half have bits to lose.
TEST(GpuReduceParts, GiveTheSameBitsInAnyOrderOfBlocks) {
  Random random(12);
  for (const DataType type : {DataType::kFloat32, DataType::kFloat16}) {
    const Values in = random_values({1, 24, 61, 47}, type, random);
    const Memory in_memory(in, type, Layout::kDense, random);
    Memory out({1, 24, 1, 1}, type, Layout::kDense, random);
    const ReduceCall call{.reduction = ReduceKind::kMean, .in = in_memory.ref(), .out = out.ref()};
    const std::int64_t parts = reduce_parts(call, 132);
    ASSERT_GT(parts, 1);
    Memory sums({partial_bytes(call, parts) / bytes_of(DataType::kFloat32)}, DataType::kFloat32, Layout::kDense,
                random);
    const auto bits_of = [&](const std::function<void(const KernelCall&)>& run) {
      constexpr std::byte kNan{0xFF};
      sums.poison(kNan);
      out.poison(kNan);
      for (const ReduceCall& one : in_parts(call, parts, sums.begin())) run(one);
      std::vector<std::byte> bits(static_cast<std::size_t>(24 * bytes_of(type)));
      std::memcpy(bits.data(), out.begin(), bits.size());
      return bits;
    };
    const auto once = bits_of([](const KernelCall& one) { run_on_host(one); });
    EXPECT_EQ(bits_of([](const KernelCall& one) { run_on_host(one); }), once);
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
      EXPECT_EQ(bits_of([&](const KernelCall& one) { run_on_host(one, {}, seed); }), once) << "seed " << seed;
    }
  }
}

// Holds what one launch of a reduction has under way at a time, and how long it takes by that.
struct InFlight {
  double bytes = 0;
  double us = 0;
};
// A lane has four loads of 16 bytes under way, which take about 0.7 µs; all are no faster than the L2 cache, where the
// input lies. To begin and to end takes 3.5 µs, read off the pool of 7 × 7 × 2048 below, which has hardly any loads.
InFlight in_flight(double total_bytes, std::int64_t blocks, int multiprocessors) {
  constexpr double kLoads = 4 * 16;    // bytes
  constexpr double kLatency = 0.7;     // µs
  constexpr double kCache = 5.5e6;     // bytes a µs, an H100's
  constexpr double kBlocksAtOnce = 8;  // of 256 threads on a multiprocessor
  constexpr double kLaunch = 3.5;      // µs
  const double at_once = std::min(static_cast<double>(blocks), kBlocksAtOnce * multiprocessors);
  const double bytes = at_once * kernels::RowsShape::kThreads * kLoads;
  return {bytes, kLaunch + std::max(total_bytes / bytes * kLatency, total_bytes / kCache)};
}

// Of the pools that gpu_launch_bench times, what an H100 took in one launch and as chosen (gpu/bench/measured): by the
// bytes under way each is foretold within a half, and so is which of the two is faster.
TEST(GpuReduceParts, MemoryInFlightSaysWhatIsGained) {
  struct Pool {
    std::int64_t channels, height, width;
    double once, as_chosen;  // µs, measured
  };
  for (const Pool& pool : {Pool{32, 256, 256, 266.70, 11.71}, Pool{2048, 7, 7, 4.60, 4.60}}) {
    ReduceCall call{.reduction = ReduceKind::kMean, .in = {.rank = 3}, .out = {.rank = 3}};
    const std::int64_t pixels = pool.height * pool.width;
    call.in.dims = {1, pool.channels, pixels};
    call.in.strides = {pool.channels * pixels, 1, pool.channels};
    call.out.dims = {1, pool.channels, 1};
    call.out.strides = {pool.channels, 1, 1};
    const std::int64_t blocks = (pool.channels + 31) / 32;
    const std::int64_t parts = reduce_parts(call, 132);
    const double bytes = static_cast<double>(pool.channels * pixels) * 4;
    const InFlight once = in_flight(bytes, blocks, 132);
    InFlight split = in_flight(bytes, blocks * parts, 132);
    if (parts > 1) split.us += in_flight(static_cast<double>(partial_bytes(call, parts)), blocks, 132).us;
    std::printf(
        "%d x %d x %d: in one launch %.0f KB under way, %.1f µs (measured: %.1f); as chosen, in %d parts, %.0f KB, "
        "%.1f µs (measured: %.1f)\n",
        static_cast<int>(pool.height), static_cast<int>(pool.width), static_cast<int>(pool.channels), once.bytes / 1e3,
        once.us, pool.once, static_cast<int>(parts), split.bytes / 1e3, split.us, pool.as_chosen);
    for (const auto& [foretold, measured] : {std::pair(once.us, pool.once), std::pair(split.us, pool.as_chosen)}) {
      EXPECT_LT(std::max(foretold / measured, measured / foretold), 1.5) << foretold << " for " << measured;
    }
    EXPECT_EQ(split.us < once.us, pool.as_chosen < pool.once);
  }
}

// Notes the blocks of launches and runs none.
struct BlockCounter {
  kernels::Choice choice = {};
  mutable std::vector<std::int64_t> blocks = {};

  template <class Functor>
  void rows(const Functor& functor) const {
    blocks.push_back(functor.shape.blocks());
  }
};

TEST(GpuReduceParts, HaveABlockEach) {
  ReduceCall call{.reduction = ReduceKind::kMean, .in = {.rank = 3}, .out = {.rank = 3}};
  call.in.dims = {1, 32, 65'536};
  call.in.strides = {2'097'152, 1, 32};
  call.out.dims = {1, 32, 1};
  call.out.strides = {32, 1, 1};
  alignas(256) std::array<std::byte, 512> memory{};  // of which only the addresses count
  call.out.data = memory.data();
  const BlockCounter counter;
  kernels::dispatch(call, counter);
  for (const ReduceCall& one : in_parts(call, reduce_parts(call, 132), memory.data() + 256)) {
    kernels::dispatch(one, counter);
  }
  EXPECT_EQ(counter.blocks, (std::vector<std::int64_t>{1, 256, 1}));
}

TEST(GpuArg, AnyAxisFirstAndLast) {
  in_turns(7, [](Random& random, DataType type, int turn) {
    Dims dims = random_dims(random, static_cast<std::size_t>(turn % 5) + 1);
    const auto axis = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(dims.size()) - 1));
    if (random.rarely()) dims[axis] = 200;
    Values in(dims);
    for (double& x : in.elements) x = static_cast<double>(random.between(-3, 3));  // many are equal
    Dims kept = dims;
    kept[axis] = 1;
    const bool largest = random.flip();
    const bool last = random.flip();
    const Values want = each(kept, [&](const Dims& at) {
      Dims index = at;
      std::int64_t place = 0;
      double best = 0;
      for (std::int64_t i = 0; i < dims[axis]; ++i) {
        index[axis] = i;
        const double x = largest ? in.at(index) : -in.at(index);
        if (i > 0 && (x < best || (x == best && !last))) continue;
        best = x;
        place = i;
      }
      return static_cast<double>(place);
    });
    const Memory in_memory(in, type, random_layout(random), random);
    Memory out(kept, type, random_layout(random), random);
    const ArgCall call{.in = in_memory.ref(), .out = out.ref(), .axis = axis, .largest = largest, .last = last};
    ASSERT_NO_FATAL_FAILURE(expect_call(call, out, want, {.exact = true}));
  });
}

TEST(GpuNormalize, AnyLastAxesAndInPlace) {
  in_turns(8, [](Random& random, DataType type, int turn) {
    Dims dims = random_dims(random, static_cast<std::size_t>(turn % 4) + 2);
    const auto axis = static_cast<std::size_t>(random.between(1, static_cast<std::int64_t>(dims.size()) - 1));
    if (random.rarely()) dims.back() = 600;
    const Values in = random_values(dims, type, random, 3, 5);  // far from 0: squares would cancel
    std::int64_t count = 1;
    for (std::size_t i = axis; i < dims.size(); ++i) count *= dims[i];
    std::vector<float> scale(static_cast<std::size_t>(count));
    std::vector<float> shift(scale.size());
    for (float& x : scale) x = static_cast<float>(random.value(0.5, 2));
    for (float& x : shift) x = static_cast<float>(random.value(-1, 1));
    const bool centred = random.flip();
    const bool scaled = random.flip();
    Values want = in;
    for (std::size_t first = 0; first < want.elements.size(); first += scale.size()) {
      const auto part = std::span(want.elements).subspan(first, scale.size());
      double mean = 0;
      double squares = 0;
      for (const double x : part) mean += centred ? x / static_cast<double>(count) : 0;
      for (const double x : part) squares += (x - mean) * (x - mean) / static_cast<double>(count);
      for (std::size_t i = 0; i < part.size(); ++i) {
        part[i] = (part[i] - mean) / std::sqrt(squares + 1e-2);
        if (scaled) part[i] = part[i] * static_cast<double>(scale[i]) + static_cast<double>(shift[i]);
      }
    }
    const Tolerance tolerance{.relative = 1e-4, .absolute = 1e-4, .exact = false};
    const Memory in_memory(in, type, random_layout(random), random);
    Memory out(dims, type, random_layout(random), random);
    NormalizeCall call{.in = in_memory.ref(), .out = out.ref(), .axis = axis, .epsilon = 1e-2F, .centred = centred};
    if (scaled) call.scale = scale.data(), call.shift = shift.data();
    ASSERT_NO_FATAL_FAILURE(expect_call(call, out, want, tolerance));
    out.set(in);
    call.in = out.ref();
    run_on_host(call);
    ASSERT_NO_FATAL_FAILURE(expect_values(out, want, tolerance));
  });
}

Values softmax(const Values& in, std::size_t axis) {
  Dims kept = in.dims;
  kept[axis] = 1;
  Values most = reduced(in, kept, ReduceKind::kMax);
  Values sum(kept);
  const auto place = [&](Dims index) {
    index[axis] = 0;
    return index;
  };
  for_each_index(in.dims, [&](const Dims& at) { sum.at(place(at)) += std::exp(in.at(at) - most.at(place(at))); });
  return each(in.dims, [&](const Dims& at) { return std::exp(in.at(at) - most.at(place(at))) / sum.at(place(at)); });
}

TEST(GpuSoftmax, AnyAxisAndInPlace) {
  in_turns(3, [](Random& random, DataType type, int turn) {
    Dims dims = random_dims(random, static_cast<std::size_t>(turn % 5) + 1);
    const auto axis = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(dims.size()) - 1));
    if (random.rarely()) dims[axis] = random.flip() ? 1000 : 777;
    const double range = random.flip() ? 3 : 90;
    const Values in = random_values(dims, type, random, -range, range);
    const float scale = random.flip() ? 1 : -0.375F;
    const Values scaled = each(dims, [&](const Dims& at) { return scale * in.at(at); });
    const Values want = softmax(scaled, axis);
    const Tolerance tolerance{.relative = 1e-4, .absolute = 1e-6, .exact = false};
    const Memory in_memory(in, type, random_layout(random), random);
    Memory out(dims, type, random_layout(random), random);
    SoftmaxCall call{.in = in_memory.ref(), .out = out.ref(), .axis = axis, .scale = scale};
    ASSERT_NO_FATAL_FAILURE(expect_call(call, out, want, tolerance));
    out.set(in);
    call.in = out.ref();
    run_on_host(call);
    ASSERT_NO_FATAL_FAILURE(expect_values(out, want, tolerance));
  });
}

// Every element of the last columns' blocks counts once, whatever the shape of the blocks.
// Against mean, layers and product one after another.
TEST(GpuExcite, AnyChannelsAndPixels) {
  in_turns(9, [](Random& random, DataType type, int turn) {
    const bool large = turn > 6;  // batch: each sample has few blocks
    const std::int64_t samples = large ? (turn == 8 ? 257 : 40) : 1 + turn % 3;
    const std::int64_t few = turn % 4 == 0 ? random.between(1, 300) : 8 * random.between(1, 30);
    const std::int64_t channels = turn == 8 ? 270 : few;
    const std::int64_t squeezed = random.between(large ? 20 : 1, 40);
    const std::int64_t parts = random.between(1, 5);
    const Dims dims{samples, channels, random.between(1, large ? 1 : 9), random.between(1, large ? 2 : 9)};
    const auto pixels = static_cast<double>(dims[2] * dims[3]);
    const Values in = random_values(dims, type, random);
    const Values squeeze = random_values({squeezed, channels}, type, random, -0.3, 0.3);
    const Values excite = random_values({channels, squeezed}, type, random, -0.3, 0.3);
    const Values squeeze_bias = random_values({squeezed}, DataType::kFloat32, random);
    const Values excite_bias = random_values({channels}, DataType::kFloat32, random);
    const Values sums = random_values({parts, samples, channels}, DataType::kFloat32, random, -pixels, pixels);
    const Activation inner{turn % 2 == 0 ? ActivationKind::kSwish : ActivationKind::kRelu};
    const auto layer = [](const Values& weights, const Values& bias, const std::vector<double>& x,
                          const Activation& function) {
      std::vector<double> y = bias.elements;
      for (std::size_t row = 0; row < y.size(); ++row) {
        for (std::size_t i = 0; i < x.size(); ++i) y[row] += weights.elements[row * x.size() + i] * x[i];
        y[row] = activated(function, y[row]);
      }
      return y;
    };
    std::vector<std::vector<double>> gates;
    for (std::int64_t sample = 0; sample < samples; ++sample) {
      std::vector<double> mean(static_cast<std::size_t>(channels), 0);
      for (std::int64_t part = 0; part < parts; ++part) {
        for (std::int64_t c = 0; c < channels; ++c) {
          mean[static_cast<std::size_t>(c)] += sums.at({part, sample, c}) / pixels;
        }
      }
      gates.push_back(
          layer(excite, excite_bias, layer(squeeze, squeeze_bias, mean, inner), {ActivationKind::kSigmoid}));
    }
    const Values want = each(dims, [&](const Dims& index) {
      return in.at(index) * gates[static_cast<std::size_t>(index[0])][static_cast<std::size_t>(index[1])];
    });
    const Memory x(in, type, random_layout(random), random);
    const Memory down(squeeze, type, Layout::kRowMajor, random);
    const Memory up(excite, type, Layout::kRowMajor, random);
    const Memory down_bias(squeeze_bias, DataType::kFloat32, Layout::kRowMajor, random);
    const Memory up_bias(excite_bias, DataType::kFloat32, Layout::kRowMajor, random);
    const Memory partial(sums, DataType::kFloat32, Layout::kRowMajor, random);
    Memory out(dims, type, random_layout(random), random);
    const ExciteCall call{.sums = partial.ref(),
                          .parts = parts,
                          .squeeze = down.ref().data,
                          .squeeze_bias = static_cast<const float*>(down_bias.ref().data),
                          .excite = up.ref().data,
                          .excite_bias = static_cast<const float*>(up_bias.ref().data),
                          .squeezed = squeezed,
                          .inner = inner,
                          .gate = {ActivationKind::kSigmoid},
                          .in = x.ref(),
                          .out = out.ref()};
    ASSERT_NO_FATAL_FAILURE(expect_call(call, out, want, {.relative = 1e-5, .absolute = 1e-5}));
  });
}

TEST(GpuRows, ShapesFitTheBlock) {
  for (const std::int64_t columns : {1, 2, 7, 32, 1000, 100000}) {
    for (const std::int64_t steps : {0, 1, 3, 32, 255, 100000}) {
      for (const int bytes : {2, 4, 16}) {
        for (const bool along : {false, true}) {
          const auto shape = kernels::rows_shape(columns, steps, bytes, along);
          ASSERT_EQ(shape.block_columns * shape.lanes, kernels::RowsShape::kThreads);
          std::vector<int> seen(kernels::RowsShape::kThreads);
          for (int thread = 0; thread < kernels::RowsShape::kThreads; ++thread) {
            ASSERT_LT(shape.lane(thread), shape.lanes);
            ASSERT_LT(shape.column(thread), shape.block_columns);
            ++seen[static_cast<std::size_t>(shape.column(thread) * shape.lanes + shape.lane(thread))];
            const int first = thread - shape.lane(thread) * shape.pitch();
            ASSERT_EQ(shape.lane(first), 0);
            ASSERT_EQ(shape.column(first), shape.column(thread));
          }
          for (const int count : seen) ASSERT_EQ(count, 1);
        }
      }
    }
  }
}

// Global pooling at batch 1 has to spread over the processors: 2048 channels of float16 make 32 blocks.
TEST(GpuRows, PoolingSpreads) {
  const auto shape = kernels::rows_shape(2048 / 8, 64, 16, false);
  EXPECT_EQ(shape.block_columns, 8);  // 128 bytes side by side
  EXPECT_EQ(shape.lanes, 32);
  EXPECT_EQ(shape.blocks(), 32);
}

TEST(GpuMatMul, BroadcastsOuterAxes) {
  in_turns(4, [](Random& random, DataType type, int turn) {
    const auto rank = static_cast<std::size_t>(turn % 4) + 2;
    Dims dims(rank);
    for (auto& size : dims) size = random.between(1, 3);
    dims[rank - 2] = random.between(1, 11);
    dims[rank - 1] = random.flip() ? 16 : random.between(1, 19);
    const std::int64_t depth = random.between(1, 40);
    Dims a_dims = dims;
    Dims b_dims = dims;
    a_dims[rank - 1] = depth;
    b_dims[rank - 2] = depth;
    for (std::size_t axis = 0; axis + 2 < rank; ++axis) {
      if (random.rarely()) (random.flip() ? a_dims : b_dims)[axis] = 1;
    }
    const Values a = random_values(a_dims, type, random);
    const Values b = random_values(b_dims, type, random);
    const Memory a_memory(a, type, random_layout(random), random);
    const Memory b_memory(b, type, random_layout(random), random);
    Memory out(dims, type, random_layout(random), random);
    a_dims = dims;
    b_dims = dims;
    a_dims[rank - 1] = depth;
    b_dims[rank - 2] = depth;
    const MatMulCall call{
        .a = broadcast(a_memory.ref(), a_dims), .b = broadcast(b_memory.ref(), b_dims), .out = out.ref()};
    const auto value = [](const Values& from, Dims index) {
      for (std::size_t axis = 0; axis < index.size(); ++axis) index[axis] = from.dims[axis] == 1 ? 0 : index[axis];
      return from.at(index);
    };
    const Values want = each(dims, [&](const Dims& at) {
      double sum = 0;
      Dims left = at;
      Dims right = at;
      for (std::int64_t k = 0; k < depth; ++k) {
        left[rank - 1] = k;
        right[rank - 2] = k;
        sum += value(a, left) * value(b, right);
      }
      return sum;
    });
    ASSERT_NO_FATAL_FAILURE(expect_call(call, out, want, {.relative = 1e-5, .absolute = 1e-5}));
  });
}

}  // namespace
}  // namespace iosx::gpu::test
