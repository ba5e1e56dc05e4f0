#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>

#include "core/devices/measure/statistics.h"
#include "gpu/measure/drift.h"
#include "gpu/measure/replay.h"

namespace iosx::gpu {
namespace {

constexpr std::size_t kClocksKept = 4096;

double median_of(std::vector<double> clocks) {
  const auto middle = clocks.begin() + static_cast<std::ptrdiff_t>(clocks.size() / 2);
  std::nth_element(clocks.begin(), middle, clocks.end());
  return *middle;
}

constexpr TimerId kRunBegin{0};
constexpr TimerId kRunEnd{1};

TensorRef vector_of(std::int64_t elements, void* data) {
  TensorRef tensor{.data = data, .type = DataType::kFloat32, .rank = 1, .dims = {}, .strides = {}};
  tensor.dims[0] = elements;
  tensor.strides[0] = 1;
  return tensor;
}

}  // namespace

ClockGuard::ClockGuard(Runtime& runtime, const Options& options) : runtime_(runtime), options_(options) {}

double ClockGuard::measure() {
  const double clock = runtime_.clock_mhz();
  return std::isfinite(clock) && clock > 0 ? clock : 0;
}

bool ClockGuard::warm_up(FunctionRef<void()> work, const JobContext& job) {
  const auto begin = now();
  const bool warm = used_ && begin - last_use_ < options_.idle;
  double before = 0;
  for (bool settled = warm; !settled;) {
    work_for_a_step(work, job);
    if (job.stopped()) return false;
    const double clock = measure();
    const bool steady = clock == 0 || std::abs(clock - before) <= options_.settled * before;
    const auto elapsed = now() - begin;
    settled = elapsed >= options_.warm_up_max || (steady && elapsed >= options_.warm_up_min);
    before = clock;
  }
  settled_mhz_ = std::max(settled_mhz_, before);
  last_use_ = now();
  used_ = true;
  return !job.stopped();
}

void ClockGuard::follow(double clock_mhz) {
  recent_[next_recent_++ % recent_.size()] = clock_mhz;
  settled_mhz_ = std::max(settled_mhz_, median_of({recent_.begin(), recent_.end()}));
}

void ClockGuard::work_for_a_step(FunctionRef<void()> work, const JobContext& job) {
  const auto begin = now();
  do {
    if (job.stopped()) return;
    work();
  } while (now() - begin < options_.step);
}

bool ClockGuard::rises(FunctionRef<void()> work, const JobContext& job) {
  const auto begin = now();
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  while (now() - begin < options_.recovery) {
    work_for_a_step(work, job);
    if (job.stopped()) return false;
    const double clock = measure();
    if (clock == 0 || !is_low(clock)) return true;
    low = std::min(low, clock);
    high = std::max(high, clock);
  }
  // It is steady: the GPU does this work at that clock, possibly because it needs more power than earlier work.
  if (low >= (1 - options_.steady) * high) of_work_mhz_ = high;
  return false;
}

bool ClockGuard::sample_counts(FunctionRef<void()> work, const JobContext& job) {
  const double clock = measure();
  last_use_ = now();
  if (clock == 0) return true;
  follow(clock);
  if (!is_below(clock, settled_mhz_)) of_work_mhz_ = 0;
  if (is_low(clock) && pauses_in_a_row_ < options_.max_pauses && discarded_in_a_row_ < options_.max_discarded) {
    ++discarded_;
    ++discarded_in_a_row_;
    const bool risen = rises(work, job);
    last_use_ = now();
    if (risen || of_work_mhz_ > 0) return false;
    ++pauses_in_a_row_;
    if (options_.sleep) {
      options_.sleep(options_.pause);
    } else {
      std::this_thread::sleep_for(options_.pause);
    }
    return false;
  }
  if (is_below(clock, settled_mhz_)) {
    throttled_ = true;
    if (of_work_mhz_ > 0) discarded_in_a_row_ /= 2;
  } else {
    pauses_in_a_row_ /= 2;
    discarded_in_a_row_ /= 2;
  }
  if (clocks_.size() < kClocksKept) {
    clocks_.push_back(clock);
  } else {
    clocks_[next_clock_++ % kClocksKept] = clock;
  }
  return true;
}

double ClockGuard::take_clock_mhz() {
  if (clocks_.empty()) return 0;
  return median_of(std::exchange(clocks_, {}));
}

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
