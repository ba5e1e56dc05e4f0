#include "gpu/ops/kernels/dispatch.h"
#include "gpu/ops/kernels/reduce_parts.h"
#include "tests/gpu/kernels/tensors.h"
#include "tests/support/prelude.h"

// Every element of an output is written by one thread, once, and nothing else is: what two threads write is a race on a
// GPU even where the result looks right on the host.
namespace iosx::gpu::test {
namespace {

class CountingExecutor {
 public:
  CountingExecutor(const kernels::Choice& wanted, Memory& out) : choice(wanted), out_(out), counts_(out.size()) {}

  kernels::Choice choice;

  template <class Functor>
  void each(const Functor& functor, std::int64_t steps) const {
    for (std::int64_t step = 0; step < steps; ++step) {
      count([&] { functor(static_cast<typename Functor::Index>(step)); });
    }
  }

  template <class Functor>
  void rows(const Functor& functor) const {
    constexpr int kThreads = kernels::RowsShape::kThreads;
    std::vector<typename Functor::Sum> sums(kThreads);
    for (std::int64_t group = 0; group < functor.shape.groups(); ++group) {
      count_nothing([&] {
        for (int i = 0; i < kThreads; ++i) kernels::rows_accumulate(functor, sums.data(), group, i);
        for (int half = functor.shape.lanes / 2; half > 0; half /= 2) {
          for (int i = 0; i < kThreads; ++i) kernels::rows_combine(functor, sums.data(), group, half, i);
        }
      });
      for (int i = 0; i < kThreads; ++i) {
        count([&] { kernels::rows_finish(functor, sums.data(), group, i); });
      }
    }
  }

  // Only the last phase counts: the phases before it write what a block shares.
  template <class Functor>
  void phases(const Functor& functor, std::int64_t blocks) const {
    std::vector<float> shared(static_cast<std::size_t>(functor.shared_floats()));
    const auto run = [&](int phase, std::int64_t block, int thread) { functor(phase, block, thread, shared.data()); };
    for (std::int64_t block = 0; block < blocks; ++block) {
      count_nothing([&] {
        for (int phase = 0; phase + 1 < Functor::kPhases; ++phase) {
          for (int i = 0; i < Functor::kThreads; ++i) run(phase, block, i);
        }
      });
      for (int i = 0; i < Functor::kThreads; ++i) count([&] { run(Functor::kPhases - 1, block, i); });
    }
  }

  const std::vector<int>& counts() const { return counts_; }

 private:
  // Twice on different backgrounds, because what is written may look like one of them.
  template <class Write>
  void count(const Write& write) const {
    std::vector<bool> written(out_.size());
    for (const std::byte background : {std::byte{0x5A}, std::byte{0xA5}}) {
      out_.poison(background);
      write();
      for (std::size_t i = 0; i < written.size(); ++i) written[i] = written[i] || out_.begin()[i] != background;
    }
    for (std::size_t i = 0; i < written.size(); ++i) counts_[i] += written[i] ? 1 : 0;
  }
  template <class Write>
  void count_nothing(const Write& write) const {
    out_.poison(std::byte{0x5A});
    write();
    EXPECT_TRUE(std::all_of(out_.begin(), out_.begin() + out_.size(), [](auto x) { return x == std::byte{0x5A}; }));
  }

  Memory& out_;
  mutable std::vector<int> counts_;
};

void expect_written_once(const KernelCall& call, Memory& out) {
  for (const kernels::Choice& choice :
       {kernels::Choice{}, kernels::Choice{.many = 1}, kernels::Choice{.vector_bytes = 4},
        kernels::Choice{.vector_bytes = 2}, kernels::Choice{.large = true}}) {
    const CountingExecutor executor(choice, out);
    std::visit([&](const auto& one) { kernels::dispatch(one, executor); }, call);
    const std::vector<bool> owned = out.owned();
    for (std::size_t i = 0; i < owned.size(); ++i) {
      ASSERT_EQ(executor.counts()[i], owned[i] ? 1 : 0)
          << "byte " << i << ", call " << call.index() << ", " << name_of(out.ref().type);
    }
  }
}

// All calls that keep an image's size.
std::vector<KernelCall> calls(const TensorRef& in, const TensorRef& out, const std::vector<float>& numbers,
                              const Memory& weights) {
  const Extent one{1, 1};
  const Extent three{3, 3};
  const Pool pool{.kind = PoolKind::kAverage, .kernel = three, .stride = one, .padding = one};
  return {CopyCall{.in = in, .out = out},
          FillCall{.out = out, .seed = 3},
          CombineCall{.op = BinaryFunction::kAdd, .count = 2, .in = {in, in}, .out = out},
          AffineCall{.in = in, .scale = numbers.data(), .shift = numbers.data(), .out = out},
          DepthwiseCall{.in = in,
                        .weights = weights.ref().data,
                        .residual = {},
                        .out = out,
                        .kernel = three,
                        .stride = one,
                        .dilation = one,
                        .padding = one},
          PoolCall{.in = in, .out = out, .pool = pool},
          SoftmaxCall{.in = in, .out = out, .axis = 1},
          SoftmaxCall{.in = in, .out = out, .axis = 3},
          LrnCall{.in = in, .out = out, .lrn = {.size = 3}},
          PadCall{.in = in, .out = out, .mode = PadMode::kReflect, .begins = {0, 0, 1, -1}},
          ResizeCall{.in = in, .out = out, .mode = ResizeMode::kLinear, .scales = {1, 1, 1.1F, 0.9F}},
          ReshapeCall{.in = in, .out = out}};
}

TEST(GpuKernels, WriteEveryElementOnce) {
  Random random(1);
  for (const DataType type : {DataType::kFloat32, DataType::kFloat16}) {  // one for each size
    for (const Layout layout : {Layout::kDense, Layout::kSlice, Layout::kShuffled}) {
      for (const std::int64_t channels : {16, 3}) {
        const Dims dims{2, channels, 3, 5};
        const Memory in(random_values(dims, type, random, 0.5, 2), type, layout, random);
        const Memory weights(random_values({9, channels}, type, random, 0.5, 2), type, Layout::kDense, random);
        Memory out(dims, type, layout, random);
        const std::vector<float> numbers(static_cast<std::size_t>(channels), 0.7F);
        for (const KernelCall& call : calls(in.ref(), out.ref(), numbers, weights)) {
          ASSERT_NO_FATAL_FAILURE(expect_written_once(call, out));
        }
        Memory product({2, channels, 3, 3}, type, layout, random);
        const Memory right(random_values({2, channels, 5, 3}, type, random), type, layout, random);
        ASSERT_NO_FATAL_FAILURE(
            expect_written_once(MatMulCall{.a = in.ref(), .b = right.ref(), .out = product.ref()}, product));
        Memory wide({2, 2 * channels, 3, 5}, type, layout, random);
        ASSERT_NO_FATAL_FAILURE(
            expect_written_once(ConcatCall{.count = 2, .in = {in.ref(), in.ref()}, .out = wide.ref()}, wide));
        Memory mean({2, channels, 1, 1}, type, layout, random);
        const ReduceCall whole{.in = in.ref(), .out = mean.ref()};
        ASSERT_NO_FATAL_FAILURE(expect_written_once(whole, mean));
        Memory sums({4, 2 * channels}, DataType::kFloat32, Layout::kDense, random);
        const auto [first, second] = in_parts(whole, 4, sums.begin());
        ASSERT_NO_FATAL_FAILURE(expect_written_once(first, sums));
        ASSERT_NO_FATAL_FAILURE(expect_written_once(second, mean));
        ASSERT_NO_FATAL_FAILURE(expect_written_once(ExciteCall{.sums = first.out,
                                                               .parts = 4,
                                                               .squeeze = weights.ref().data,
                                                               .squeeze_bias = numbers.data(),
                                                               .excite = weights.ref().data,
                                                               .excite_bias = numbers.data(),
                                                               .squeezed = 3,
                                                               .gate = Activation::kSigmoid,
                                                               .in = in.ref(),
                                                               .out = out.ref()},
                                                    out));
      }
    }
  }
}

}  // namespace
}  // namespace iosx::gpu::test
