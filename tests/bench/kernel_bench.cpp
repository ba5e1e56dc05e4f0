#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/base/check.h"
#include "core/devices/cpu/kernels/kernels.h"
#include "core/devices/cpu/team.h"
#include "core/model/layout/views.h"

// The CPU device's kernels against memcpy of as many bytes, timed turn about so that both meet the same machine.
// Counters, of medians, which other programs disturb little: GB/s read and written, memcpy's on one thread, and how
// many times memcpy's time a kernel takes.
namespace {

using namespace iosx;       // NOLINT(google-build-using-namespace)
using namespace iosx::cpu;  // NOLINT(google-build-using-namespace)

using Dims = std::array<std::int64_t, 4>;  // batch, channels, height, width

class FloatTensor {
 public:
  FloatTensor(const Dims& dims, bool channels_last)
      : floats_(static_cast<std::size_t>(dims[0] * dims[1] * dims[2] * dims[3])) {
    for (std::size_t i = 0; i < floats_.size(); ++i) floats_[i] = static_cast<float>(i % 17) - 8;
    ref_.data = floats_.data();
    ref_.rank = 4;
    const auto [n, c, h, w] = dims;
    std::copy(dims.begin(), dims.end(), ref_.dims.begin());
    const Dims strides = channels_last ? Dims{c * h * w, 1, w * c, c} : Dims{c * h * w, h * w, w, 1};
    std::copy(strides.begin(), strides.end(), ref_.strides.begin());
  }
  const TensorRef& ref() const { return ref_; }

 private:
  std::vector<float> floats_;
  TensorRef ref_;
};

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double>& times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

// `bytes`: read and written by one call of the kernel.
void against_memcpy(benchmark::State& state, std::int64_t bytes, const std::function<void()>& kernel) {
  const std::array threads{static_cast<int>(state.range(0))};
  auto pool = TeamPool::create(threads[0]);
  IOS_CHECK(pool.has_value());
  const auto half = static_cast<std::size_t>(bytes / 2);
  std::vector<char> from(half, 1);
  std::vector<char> to(half);
  std::vector<double> kernel_times;
  std::vector<double> memcpy_times;
  (*pool)->run(threads, [&](int) {
    for ([[maybe_unused]] auto turn : state) {
      memcpy_times.push_back(seconds([&] {
        std::memcpy(to.data(), from.data(), half);
        benchmark::DoNotOptimize(to.data());
      }));
      kernel_times.push_back(seconds(kernel));
      state.SetIterationTime(kernel_times.back());
    }
  });
  const double kernel_time = median(kernel_times);
  const double memcpy_time = median(memcpy_times);
  state.counters["GB/s"] = static_cast<double>(bytes) * 1e-9 / kernel_time;
  state.counters["memcpy"] = static_cast<double>(bytes) * 1e-9 / memcpy_time;
  state.counters["times"] = kernel_time / memcpy_time;
}

constexpr std::int64_t kFloat = 4;
constexpr std::int64_t kMap = 28 * 28;

void concat_slice(benchmark::State& state) {
  const FloatTensor in({1, 64, 28, 28}, true);
  const FloatTensor out({1, 256, 28, 28}, true);
  const TensorRef slice = narrowed(out.ref(), 1, 64, 64);
  against_memcpy(state, 2 * 64 * kMap * kFloat, [&] { copy(in.ref(), slice); });
}

void nhwc_to_nchw(benchmark::State& state) {
  const FloatTensor in({1, 256, 28, 28}, true);
  const FloatTensor out({1, 256, 28, 28}, false);
  against_memcpy(state, 2 * 256 * kMap * kFloat, [&] { copy(in.ref(), out.ref()); });
}

void image_to_nhwc(benchmark::State& state) {
  const FloatTensor in({1, 3, 224, 224}, false);
  const FloatTensor out({1, 3, 224, 224}, true);
  against_memcpy(state, 2 * in.ref().elements() * kFloat, [&] { copy(in.ref(), out.ref()); });
}

void add_relu(benchmark::State& state) {
  const FloatTensor a({1, 256, 28, 28}, true);
  const FloatTensor b({1, 256, 28, 28}, true);
  const FloatTensor out({1, 256, 28, 28}, true);
  against_memcpy(state, 3 * 256 * kMap * kFloat,
                 [&] { binary(BinaryFunction::kAdd, a.ref(), b.ref(), out.ref(), Activation::kRelu); });
}

void affine_relu(benchmark::State& state) {
  const FloatTensor in({1, 256, 28, 28}, true);
  const FloatTensor out({1, 256, 28, 28}, true);
  const std::vector<float> scale(256, 0.5F);
  const std::vector<float> shift(256, 1);
  against_memcpy(state, 2 * 256 * kMap * kFloat,
                 [&] { affine(in.ref(), scale, shift, out.ref(), {.activation = Activation::kRelu}); });
}

void max_pool(benchmark::State& state) {
  const FloatTensor in({1, 64, 112, 112}, true);
  const FloatTensor out({1, 64, 56, 56}, true);
  Pool by{.kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}, .end_padding = {-1, -1}};
  against_memcpy(state, (in.ref().elements() + out.ref().elements()) * kFloat, [&] { pool(in.ref(), out.ref(), by); });
}

void swish(benchmark::State& state) {
  const FloatTensor in({1, 256, 28, 28}, true);
  const FloatTensor out({1, 256, 28, 28}, true);
  against_memcpy(state, 2 * 256 * kMap * kFloat, [&] { activate(in.ref(), out.ref(), Activation::kSwish); });
}

void global_average(benchmark::State& state) {
  const FloatTensor in({1, 2048, 7, 7}, true);
  const FloatTensor out({1, 2048, 1, 1}, true);
  Pool by{.kind = PoolKind::kGlobalAverage};
  against_memcpy(state, in.ref().elements() * kFloat, [&] { pool(in.ref(), out.ref(), by); });
}

void bilinear(benchmark::State& state) {
  const FloatTensor in({1, 64, 28, 28}, true);
  const FloatTensor out({1, 64, 56, 56}, true);
  Resize by{.mode = ResizeMode::kLinear, .scales = {1, 2, 2}, .shape = Shape{64, 56, 56}};
  against_memcpy(state, 5 * in.ref().elements() * kFloat, [&] { resize(in.ref(), out.ref(), by); });
}

BENCHMARK(concat_slice)->Arg(1)->Arg(2)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(nhwc_to_nchw)->Arg(1)->Arg(2)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(image_to_nhwc)->Arg(1)->Arg(2)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(add_relu)->Arg(1)->Arg(2)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(affine_relu)->Arg(1)->Arg(2)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(max_pool)->Arg(1)->Arg(2)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(swish)->Arg(1)->Arg(2)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(global_average)->Arg(1)->Arg(2)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(bilinear)->Arg(1)->Arg(2)->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace
