#include "gpu/measure/sentinel.h"

#include <array>
#include <cmath>

#include "core/devices/measure/statistics.h"
#include "gpu/measure/copy_graphs.h"

namespace iosx::gpu {
namespace {

constexpr TimerId kRunBegin{0};
constexpr TimerId kRunEnd{1};

TensorRef vector_of(std::int64_t elements, void* data) {
  TensorRef tensor{.data = data, .type = DataType::kFloat32, .rank = 1, .dims = {}, .strides = {}};
  tensor.dims[0] = elements;
  tensor.strides[0] = 1;
  return tensor;
}

}  // namespace

// Captures sigmoid(a + c) to and fro between two tensors: what it does is the same however often it ran, and never
// zero.
void Sentinel::prepare() {
  if (graph_) return;
  std::array<TensorRef, 3> tensors{};
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    memory_.emplace_back(runtime_, options_.elements * bytes_of(DataType::kFloat32));
    tensors[i] = vector_of(options_.elements, memory_.back().data());
    runtime_.launch(kOrigin, FillCall{.out = tensors[i], .seed = static_cast<std::uint32_t>(i)});
  }
  const auto work = [&] {
    for (int i = 0; i < options_.launches; ++i) {
      CombineCall call;
      call.count = 2;
      call.in[0] = tensors[static_cast<std::size_t>(i % 2)];
      call.in[1] = tensors[2];
      call.out = tensors[static_cast<std::size_t>((i + 1) % 2)];
      call.activation = Activation::kSigmoid;
      runtime_.launch(kOrigin, call);
    }
  };
  work();
  runtime_.synchronize(kOrigin);
  graph_ = capture_work(runtime_, work);
}

Millis Sentinel::replay() {
  runtime_.launch(kOrigin, *graph_);  // keeps the GPU busy while the host launches the one that is timed
  runtime_.begin_clock(kOrigin);
  runtime_.mark(kRunBegin, kOrigin);
  runtime_.launch(kOrigin, *graph_);
  runtime_.mark(kRunEnd, kOrigin);
  runtime_.end_clock(kOrigin);
  runtime_.synchronize(kOrigin);
  return runtime_.between(kRunBegin, kRunEnd);
}

std::optional<Millis> Sentinel::read(const JobContext& job) {
  if (job.stopped()) return std::nullopt;
  prepare();
  if (!guard_.warm_up([&] { replay(); }, job)) return std::nullopt;
  std::vector<Millis> times;
  replay();
  for (int i = 0; i < std::max(options_.samples, 1); ++i) {
    if (job.stopped()) return std::nullopt;
    times.push_back(replay());
  }
  last_ = median(times);
  last_at_ = guard_.now();
  if (!first_) first_ = last_;
  return last_;
}

Result<std::vector<Latency>> Sentinel::measure_watched(Batch batch, const JobContext& job) {
  const bool fresh = last_ && guard_.now() - last_at_ <= options_.lasts;
  std::optional<Millis> before = fresh && !job.stopped() ? last_ : read(job);
  if (!before) return std::vector<Latency>{};
  for (int repeat = 0;; ++repeat) {
    auto latencies = batch();
    if (!latencies || job.stopped()) return latencies;
    const std::optional<Millis> after = read(job);
    if (!after) return latencies;
    const double moved = std::abs(*after / *before - 1);
    if (!(moved > options_.tolerance)) return latencies;
    if (repeat >= options_.repeats) {
      ++drifted_;
      for (Latency& latency : *latencies) latency.spread += moved * latency.value;
      return latencies;
    }
    ++repeated_;
    before = after;
  }
}

void Sentinel::reset() {
  graph_.reset();
  memory_.clear();
  first_.reset();
  last_.reset();
}

}  // namespace iosx::gpu
