// Measures the cost of launches, graphs, forks, joins and waits across lanes on the present GPU, the floor under every
// schedule's latency; the effect of priorities; the reading of the SM clock; global pools in one launch and in parts;
// and small kernels. It prints tables of medians in µs: the named ones, or all. With --csv FILE it also writes the
// results as a table for `iosx validate --operators`. Without a GPU it gives the reason and ends without an error.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/duration.h"
#include "core/model/layout/layout.h"
#include "gpu/bench/bench_kernels.h"
#include "gpu/ops/kernels/launch.h"
#include "gpu/ops/kernels/reduce_parts.h"
#include "gpu/runtime/clock_kernel.h"
#include "gpu/runtime/cuda_check.h"
#include "gpu/runtime/handles.h"
#include "gpu/runtime/probe.h"

namespace iosx::gpu::bench {
namespace {

constexpr int kSamples = 51;
constexpr std::size_t kMaxLanes = 16;

double median(std::vector<double> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

EventHandle make_event(unsigned flags) {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, flags), "cudaEventCreateWithFlags");
  return EventHandle(event);
}

class Bench {
 public:
  Bench();

  cudaStream_t origin() const { return lane(0); }
  cudaStream_t lane(std::size_t i) const { return lanes_[i].get(); }
  using Work = std::function<void()>;  // gives launches to the streams

  // The host's time from the first launch to the end of the last kernel, and that of the launches alone.
  struct HostTimes {
    double total = 0;
    double launches = 0;
  };
  HostTimes host_times(const Work& work) const;
  // Returns the time between two events around the work, of which there is enough before to keep the GPU busy while it
  // is launched.
  double device_time(const Work& work) const;
  GraphExecHandle captured(const Work& work) const;
  // Returns the time on the GPU of one of that many copies of the work in a graph, one after another.
  double copy_time(int copies, const Work& work) const;
  using LaneWork = std::function<void(cudaStream_t)>;
  // Gives each lane its work: the other lanes wait for lane 0 before it, and lane 0 for all of them after it.
  void fork_and_join(std::size_t lanes, const LaneWork& each) const;
  // How lanes wait for all those of the stage before: each for each, for an empty node after all, for an empty kernel.
  enum class Meeting { kEach, kNode, kKernel };
  // Does the same, in a capture.
  void stage(std::size_t lanes, Meeting meeting, const LaneWork& each) const;
  // Gives each lane `rungs` times its work; before each but the first a lane waits for its neighbour's last one, too.
  void ladder(std::size_t lanes, int rungs, bool waits, const LaneWork& each) const;

 private:
  void fork(std::size_t lanes) const;
  void join(std::size_t lanes) const;
  std::array<StreamHandle, kMaxLanes> lanes_;
  std::array<EventHandle, kMaxLanes> joins_;
  EventHandle fork_ = make_event(cudaEventDisableTiming);
  EventHandle begin_ = make_event(cudaEventDefault);
  EventHandle end_ = make_event(cudaEventDefault);
};

Bench::Bench() {
  for (std::size_t i = 0; i < kMaxLanes; ++i) {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    lanes_[i].reset(stream);
    joins_[i] = make_event(cudaEventDisableTiming);
  }
}

Bench::HostTimes Bench::host_times(const Work& work) const {
  using Clock = std::chrono::steady_clock;
  std::vector<double> totals;
  std::vector<double> launches;
  for (int i = 0; i < kSamples; ++i) {
    const auto begin = Clock::now();
    work();
    const auto launched = Clock::now();
    check(cudaStreamSynchronize(origin()), "cudaStreamSynchronize");
    totals.push_back(Micros(Clock::now() - begin).count());
    launches.push_back(Micros(launched - begin).count());
  }
  return {median(totals), median(launches)};
}

double Bench::device_time(const Work& work) const {
  constexpr std::int64_t kBusy = 2'000'000;  // ns
  std::vector<double> samples;
  for (int i = 0; i < kSamples; ++i) {
    launch_spin(origin(), kBusy);
    check(cudaEventRecord(begin_.get(), origin()), "cudaEventRecord");
    work();
    check(cudaEventRecord(end_.get(), origin()), "cudaEventRecord");
    check(cudaStreamSynchronize(origin()), "cudaStreamSynchronize");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin_.get(), end_.get()), "cudaEventElapsedTime");
    samples.push_back(Micros(Millis(milliseconds)).count());
  }
  return median(samples);
}

GraphExecHandle Bench::captured(const Work& work) const {
  work();  // loads the kernels
  check(cudaStreamSynchronize(origin()), "cudaStreamSynchronize");
  check(cudaStreamBeginCapture(origin(), cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  work();
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(origin(), &graph), "cudaStreamEndCapture");
  const GraphHandle owner(graph);
  cudaGraphExec_t exec = nullptr;
  check(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagUseNodePriority), "cudaGraphInstantiate");
  GraphExecHandle result(exec);
  check(cudaGraphUpload(exec, origin()), "cudaGraphUpload");
  check(cudaStreamSynchronize(origin()), "cudaStreamSynchronize");
  return result;
}

void Bench::fork(std::size_t lanes) const {
  check(cudaEventRecord(fork_.get(), origin()), "cudaEventRecord");
  for (std::size_t i = 1; i < lanes; ++i) check(cudaStreamWaitEvent(lane(i), fork_.get(), 0), "cudaStreamWaitEvent");
}

void Bench::join(std::size_t lanes) const {
  for (std::size_t i = 1; i < lanes; ++i) {
    check(cudaEventRecord(joins_[i].get(), lane(i)), "cudaEventRecord");
    check(cudaStreamWaitEvent(origin(), joins_[i].get(), 0), "cudaStreamWaitEvent");
  }
}

void Bench::fork_and_join(std::size_t lanes, const LaneWork& each) const {
  fork(lanes);
  for (std::size_t i = 0; i < lanes; ++i) each(lane(i));
  join(lanes);
}

void Bench::stage(std::size_t lanes, Meeting meeting, const LaneWork& each) const {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(origin(), &status), "cudaStreamIsCapturing");
  if (meeting == Meeting::kKernel) launch_empty(origin());
  if (meeting != Meeting::kNode || status != cudaStreamCaptureStatusActive) return fork_and_join(lanes, each);
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* before = nullptr;
  const cudaGraphEdgeData* edges = nullptr;
  std::size_t count = 0;
  check(cudaStreamGetCaptureInfo(origin(), &status, nullptr, &graph, &before, &edges, &count),
        "cudaStreamGetCaptureInfo");
  cudaGraphNodeParams empty{};
  empty.type = cudaGraphNodeTypeEmpty;
  cudaGraphNode_t joined = nullptr;
  check(cudaGraphAddNode(&joined, graph, before, edges, count, &empty), "cudaGraphAddNode");
  const auto follow = [&](cudaStream_t stream) {
    check(cudaStreamUpdateCaptureDependencies(stream, &joined, nullptr, 1, cudaStreamSetCaptureDependencies),
          "cudaStreamUpdateCaptureDependencies");
  };
  follow(origin());
  fork(lanes);
  for (std::size_t i = 1; i < lanes; ++i) follow(lane(i));
  for (std::size_t i = 0; i < lanes; ++i) each(lane(i));
  join(lanes);
}

void Bench::ladder(std::size_t lanes, int rungs, bool waits, const LaneWork& each) const {
  fork(lanes);
  for (int rung = 0; rung < rungs; ++rung) {
    for (std::size_t i = 0; i < lanes && waits && rung > 0; ++i) {
      check(cudaStreamWaitEvent(lane(i), joins_[(i + 1) % lanes].get(), 0), "cudaStreamWaitEvent");
    }
    for (std::size_t i = 0; i < lanes; ++i) each(lane(i));
    for (std::size_t i = 0; i < lanes && waits; ++i) {
      check(cudaEventRecord(joins_[i].get(), lane(i)), "cudaEventRecord");
    }
  }
  join(lanes);
}

void launch(cudaGraphExec_t graph, cudaStream_t stream) { check(cudaGraphLaunch(graph, stream), "cudaGraphLaunch"); }

double Bench::copy_time(int copies, const Work& work) const {
  const GraphExecHandle graph = captured([&] {
    for (int i = 0; i < copies; ++i) work();
  });
  return device_time([&] { launch(graph.get(), origin()); }) / copies;
}

constexpr std::array kColumns{"source", "device", "precision", "op",   "latency_us", "N",     "C",        "H",
                              "W",      "K",      "R",         "S",    "pad_h",      "pad_w", "stride_h", "stride_w",
                              "groups", "batch",  "M",         "rows", "columns",    "lanes", "kernel_us"};

std::string text(std::int64_t value) { return std::to_string(value); }

// Collects measurements as a table for `iosx validate --operators` (core/operators/recorded.h).
class MeasuredRows {
 public:
  explicit MeasuredRows(std::string device) : device_(std::move(device)) {}  // by its driver's name

  // The sizes of a row. Windows are square.
  struct Window {
    std::int64_t channels = 1, height = 1, width = 1;
    std::int64_t filters = 1, kernel = 1, stride = 1, padding = 0, groups = 1;
  };
  void convolution(const char* precision, const Window& window, double us);
  void pool(const char* op, const char* precision, const Window& window, double us);
  // For copies, sums, activations, softmax and normalisation: rows with this many columns.
  void elements(const char* op, const char* precision, std::int64_t rows, std::int64_t columns, double us);
  void product(const char* precision, std::int64_t matrices, std::int64_t rows, std::int64_t columns,
               std::int64_t depth, double us);
  // The added time of one more kernel of a "chain", of one more "stage" whose lanes wait for all lanes, or of
  // one more rung of a "ladder".
  void launches(const char* op, std::int64_t lanes, double kernel_us, double us);

  std::string csv() const;  // a line per row, after one with the columns

 private:
  using Cells = std::vector<std::pair<const char*, std::string>>;  // by column
  static Cells cells_of(const Window& window);
  void add(const char* op, const char* precision, double us, Cells cells);

  std::string device_;
  std::vector<Cells> rows_;
};

MeasuredRows::Cells MeasuredRows::cells_of(const Window& w) {
  return {{"N", "1"},
          {"C", text(w.channels)},
          {"H", text(w.height)},
          {"W", text(w.width)},
          {"R", text(w.kernel)},
          {"S", text(w.kernel)},
          {"pad_h", text(w.padding)},
          {"pad_w", text(w.padding)},
          {"stride_h", text(w.stride)},
          {"stride_w", text(w.stride)}};
}

void MeasuredRows::add(const char* op, const char* precision, double us, Cells cells) {
  cells.insert(cells.end(), {{"source", "ios-explorer"},
                             {"device", device_},
                             {"precision", precision},
                             {"op", op},
                             {"latency_us", fmt::format("{:.4f}", us)}});
  rows_.push_back(std::move(cells));
}

void MeasuredRows::convolution(const char* precision, const Window& w, double us) {
  Cells cells = cells_of(w);
  cells.insert(cells.end(), {{"K", text(w.filters)}, {"groups", text(w.groups)}});
  add("conv", precision, us, std::move(cells));
}

void MeasuredRows::pool(const char* op, const char* precision, const Window& w, double us) {
  add(op, precision, us, cells_of(w));
}

void MeasuredRows::elements(const char* op, const char* precision, std::int64_t rows, std::int64_t columns, double us) {
  add(op, precision, us, {{"rows", text(rows)}, {"columns", text(columns)}});
}

void MeasuredRows::product(const char* precision, std::int64_t matrices, std::int64_t rows, std::int64_t columns,
                           std::int64_t depth, double us) {
  add("bmm", precision, us, {{"batch", text(matrices)}, {"M", text(rows)}, {"N", text(columns)}, {"K", text(depth)}});
}

void MeasuredRows::launches(const char* op, std::int64_t lanes, double kernel_us, double us) {
  add(op, "float32", us, {{"lanes", text(lanes)}, {"kernel_us", fmt::format("{:g}", kernel_us)}});
}

std::string MeasuredRows::csv() const {
  std::string table = fmt::format("{}\n", fmt::join(kColumns, ","));
  for (const Cells& cells : rows_) {
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
      const auto cell = std::ranges::find(cells, std::string_view(kColumns[i]),
                                          [](const auto& each) { return std::string_view(each.first); });
      if (i > 0) table += ',';
      if (cell != cells.end()) table += cell->second;
    }
    table += '\n';
  }
  return table;
}

void warm_up(const Bench& bench) {
  for (int i = 0; i < 100; ++i) launch_spin(bench.origin(), 5'000'000);
  check(cudaStreamSynchronize(bench.origin()), "cudaStreamSynchronize");
}

void bench_chains(const Bench& bench, MeasuredRows& rows) {
  fmt::print("\nChains of empty kernels, one launch after another and as one graph\n");
  fmt::print("{:>8} {:>13} {:>13} {:>13} {:>13} {:>13} {:>13}\n", "kernels", "eager total", "launches", "graph total",
             "its launch", "on the GPU", "per kernel");
  for (const int kernels : {1, 10, 100, 1000}) {
    const auto chain = [&] {
      for (int i = 0; i < kernels; ++i) launch_empty(bench.origin());
    };
    const GraphExecHandle graph = bench.captured(chain);
    const auto replay = [&] { launch(graph.get(), bench.origin()); };
    const auto eager = bench.host_times(chain);
    const auto replayed = bench.host_times(replay);
    const double on_gpu = bench.device_time(replay);
    fmt::print("{:>8} {:>13.2f} {:>13.2f} {:>13.2f} {:>13.2f} {:>13.2f} {:>13.3f}\n", kernels, eager.total,
               eager.launches, replayed.total, replayed.launches, on_gpu, on_gpu / kernels);
    if (kernels == 1000) rows.launches("chain", 1, 0, on_gpu / kernels);
  }
}

// The numbers of lanes in a row of a table.
constexpr std::array<std::size_t, 7> kLanes{1, 2, 3, 4, 6, 8, 16};
constexpr std::array<std::int64_t, 3> kWork{0, 5'000, 20'000};  // ns a kernel; 0: an empty one

double micros_of(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1000; }

void work_for(cudaStream_t stream, std::int64_t nanoseconds) {
  if (nanoseconds == 0) return launch_empty(stream);
  launch_spin(stream, nanoseconds);
}

// Measures a stage's cost in addition to its kernels: each lane has one.
void bench_lanes(const Bench& bench, MeasuredRows& rows) {
  constexpr int kStages = 50;
  fmt::print(
      "\nStages of side-by-side lanes in a graph of {}, on the GPU, per stage, by how lanes meet: each waits for "
      "each, for an empty node, for an empty kernel\n{:>8}",
      kStages, "lanes");
  for (const std::int64_t work : kWork) {
    fmt::print(" {:>9} {:>9} {:>9}", fmt::format("{} µs", work / 1000), "node", "kernel");
  }
  fmt::print("\n");
  for (const std::size_t lanes : kLanes) {
    fmt::print("{:>8}", lanes);
    for (const std::int64_t work : kWork) {
      for (const auto meeting : {Bench::Meeting::kEach, Bench::Meeting::kNode, Bench::Meeting::kKernel}) {
        const double us = bench.copy_time(
            kStages, [&] { bench.stage(lanes, meeting, [&](cudaStream_t stream) { work_for(stream, work); }); });
        fmt::print(" {:>9.3f}", us);
        if (meeting == Bench::Meeting::kEach)
          rows.launches("stage", static_cast<std::int64_t>(lanes), micros_of(work), us);
      }
    }
    fmt::print("\n");
  }
}

// Measures the cost of a wait for another lane in the middle of a graph: ladders whose rungs wait for the previous rung
// on the next lane, compared with as many lanes without waits.
void bench_ladders(const Bench& bench, MeasuredRows& rows) {
  constexpr int kRungs = 50;
  fmt::print(
      "\nLadders of {} rungs in a graph, on the GPU, per rung, each lane alone and waiting for its neighbour\n{:>8}",
      kRungs, "lanes");
  for (const std::int64_t work : kWork) fmt::print(" {:>9} {:>9}", fmt::format("{} µs", work / 1000), "waiting");
  fmt::print("\n");
  for (const std::size_t lanes : kLanes) {
    fmt::print("{:>8}", lanes);
    for (const std::int64_t work : kWork) {
      for (const bool waits : {false, true}) {
        const auto ladder = [&] {
          bench.ladder(lanes, kRungs, waits, [&](cudaStream_t stream) { work_for(stream, work); });
        };
        const double us = bench.copy_time(1, ladder) / kRungs;
        fmt::print(" {:>9.3f}", us);
        if (waits) rows.launches("ladder", static_cast<std::int64_t>(lanes), micros_of(work), us);
      }
    }
    fmt::print("\n");
  }
}

// Measures the effect of a stream's priority in a graph: a chain of kernels of one block beside kernels that fill
// the GPU twice.
void bench_priorities(const Bench& bench, int multiprocessors) {
  constexpr int kChain = 20;
  constexpr int kWide = 10;
  constexpr std::int64_t kSpin = 10'000;  // ns
  int least = 0;
  int greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
  fmt::print(
      "\nA chain of {} kernels of {} µs beside {} of {} µs that fill the GPU twice, as one graph; priorities {} to "
      "{}\n{:>24} {:>13}\n",
      kChain, kSpin / 1000, kWide, 2 * kSpin / 1000, least, greatest, "priority of the chain", "together");
  for (const bool first : {false, true}) {
    cudaStream_t raw = nullptr;
    check(cudaStreamCreateWithPriority(&raw, cudaStreamNonBlocking, first ? greatest : least),
          "cudaStreamCreateWithPriority");
    const StreamHandle chain(raw);
    const EventHandle fork = make_event(cudaEventDisableTiming);
    const EventHandle join = make_event(cudaEventDisableTiming);
    const double together = bench.copy_time(1, [&] {
      check(cudaEventRecord(fork.get(), bench.origin()), "cudaEventRecord");
      check(cudaStreamWaitEvent(chain.get(), fork.get(), 0), "cudaStreamWaitEvent");
      for (int i = 0; i < kWide; ++i) launch_wide_spin(bench.origin(), kSpin, 4 * multiprocessors);
      for (int i = 0; i < kChain; ++i) launch_spin(chain.get(), kSpin);
      check(cudaEventRecord(join.get(), chain.get()), "cudaEventRecord");
      check(cudaStreamWaitEvent(bench.origin(), join.get(), 0), "cudaStreamWaitEvent");
    });
    fmt::print("{:>24} {:>13.2f}\n", first ? "greatest" : "least", together);
  }
}

// Measures how the SM clock reads between two stamps, by the work between them: differences for short work come
// from the timer.
void bench_clock(const Bench& bench) {
  fmt::print("\nThe SM clock in MHz between two stamps: least, median, greatest\n");
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, 2 * sizeof(ClockStamp), cudaHostAllocMapped), "cudaHostAlloc");
  const PinnedMemory<ClockStamp> stamps(new (memory) ClockStamp[2]);
  for (const std::int64_t nanoseconds : {5'000, 20'000, 50'000, 200'000, 1'000'000, 5'000'000}) {
    std::vector<double> clocks;
    for (int i = 0; i < kSamples; ++i) {
      check(launch_clock_stamp(stamps.get(), bench.origin()), "the clock stamp");
      launch_spin(bench.origin(), nanoseconds);
      check(launch_clock_stamp(stamps.get() + 1, bench.origin()), "the clock stamp");
      check(cudaStreamSynchronize(bench.origin()), "cudaStreamSynchronize");
      clocks.push_back(mhz_between(stamps.get()[0], stamps.get()[1]));
    }
    const auto [low, high] = std::ranges::minmax(clocks);
    fmt::print("{:>8} µs {:>9.1f} {:>9.1f} {:>9.1f}\n", nanoseconds / 1000, low, median(clocks), high);
  }
}

// T(2N) - T(N) of graphs must be N times what one costs within them, however long the launch takes.
void bench_differences(const Bench& bench) {
  constexpr int kCopies = 20;
  fmt::print("\nOne kernel by differences: graphs of {} and {} copies\n", kCopies, 2 * kCopies);
  fmt::print("{:>8} {:>16} {:>16} {:>16}\n", "µs", "T(N) / N", "T(2N) / 2N", "(T(2N) - T(N)) / N");
  for (const std::int64_t nanoseconds : {5'000, 10'000, 20'000, 50'000, 200'000}) {
    const auto spin = [&] { launch_spin(bench.origin(), nanoseconds); };
    const double of_once = bench.copy_time(kCopies, spin);
    const double of_twice = bench.copy_time(2 * kCopies, spin);
    fmt::print("{:>8} {:>16.3f} {:>16.3f} {:>16.3f}\n", nanoseconds / 1000, of_once, of_twice, 2 * of_twice - of_once);
  }
}

using DeviceBytes = Handle<std::byte*, cudaFree>;
DeviceBytes allocated(std::int64_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, static_cast<std::size_t>(bytes)), "cudaMalloc");
  return DeviceBytes(static_cast<std::byte*>(memory));
}

// Enqueues a pool in one launch, or in that many parts.
void launch_pool(const ReduceCall& pool, std::int64_t parts, void* sums, cudaStream_t stream) {
  if (parts == 1) return gpu::launch(pool, stream);
  for (const ReduceCall& call : in_parts(pool, parts, sums)) gpu::launch(call, stream);
}

std::string text_of(const Shape& maps) { return fmt::format("{}x{}x{}", maps.height(), maps.width(), maps.channels()); }

const char* name_of(DataType type) { return type == DataType::kFloat32 ? "float32" : "float16"; }

// A pool's input is read over and over, so it is in the L2 cache where it fits, as after the operator that made it.
void bench_pools(const Bench& bench, int multiprocessors, MeasuredRows& rows) {
  constexpr int kCopies = 20;
  constexpr std::array<std::int64_t, 7> kParts{1, 2, 4, 16, 64, 256, 1024};
  fmt::print("\nGlobal average pools in a graph of {}, per pool, by the number of parts; one part is one launch\n",
             kCopies);
  fmt::print("{:>16} {:>9} {:>8}", "maps", "type", "chosen");
  for (const std::int64_t parts : kParts) fmt::print(" {:>9}", parts);
  fmt::print(" {:>9}\n", "as chosen");
  for (const Shape& maps : {Shape{32, 256, 256}, Shape{2048, 7, 7}}) {
    for (const DataType type : {DataType::kFloat32, DataType::kFloat16}) {
      const DeviceBytes in = allocated(maps.elements() * bytes_of(type));
      const DeviceBytes out = allocated(maps.channels() * bytes_of(type));
      const ReduceCall pool{.reduction = ReduceKind::kMean,
                            .in = tensor_ref(maps, 1, type, in.get()),
                            .out = tensor_ref(Shape{maps.channels(), 1, 1}, 1, type, out.get())};
      const std::int64_t chosen = reduce_parts(pool, multiprocessors);
      const DeviceBytes sums = allocated(partial_bytes(pool, std::max(chosen, kParts.back())));
      gpu::launch(FillCall{.out = pool.in, .seed = 1}, bench.origin());
      const auto time_of = [&](std::int64_t parts) {
        return bench.copy_time(kCopies, [&] { launch_pool(pool, parts, sums.get(), bench.origin()); });
      };
      fmt::print("{:>16} {:>9} {:>8}", text_of(maps), name_of(type), chosen);
      for (const std::int64_t parts : kParts) {
        if (parts <= maps.height() * maps.width()) {
          fmt::print(" {:>9.2f}", time_of(parts));
        } else {
          fmt::print(" {:>9}", "-");
        }
      }
      const double us = time_of(chosen);
      fmt::print(" {:>9.2f}\n", us);
      rows.pool("global_pool", name_of(type), {maps.channels(), maps.height(), maps.width()}, us);
    }
  }
}

// Squeeze and excitation in two steps, and those of our kernels that these replace, beside two layers of cuDNN's.
void bench_excitations(const Bench& bench, int multiprocessors) {
  constexpr int kCopies = 20;
  constexpr DataType kType = DataType::kFloat32;
  const std::pair<Shape, std::int64_t> cases[] = {
      {{32, 112, 112}, 8}, {{96, 56, 56}, 4}, {{240, 28, 28}, 10}, {{480, 14, 14}, 120}, {{1152, 7, 7}, 48}};
  fmt::print("\nSqueeze and excitation in a graph of {}, float32\n{:>16} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n",
             kCopies, "maps", "squeezed", "sums", "gates", "both", "pool", "product");
  for (const auto& [maps, squeezed] : cases) {
    const std::int64_t channels = maps.channels();
    const DeviceBytes in = allocated(maps.elements() * bytes_of(kType));
    const DeviceBytes out = allocated(maps.elements() * bytes_of(kType));
    const DeviceBytes weights = allocated(channels * squeezed * bytes_of(kType));
    const DeviceBytes bias = allocated(std::max(channels, squeezed) * bytes_of(kType));
    const DeviceBytes gates = allocated(channels * bytes_of(kType));
    gpu::launch(FillCall{.out = tensor_ref(maps, 1, kType, in.get()), .seed = 1}, bench.origin());
    gpu::launch(FillCall{.out = tensor_ref(Shape{channels * squeezed}, 1, kType, weights.get()), .seed = 2},
                bench.origin());
    gpu::launch(FillCall{.out = tensor_ref(Shape{std::max(channels, squeezed)}, 1, kType, bias.get()), .seed = 3},
                bench.origin());
    const ReduceCall pool{.reduction = ReduceKind::kMean,
                          .in = tensor_ref(maps, 1, kType, in.get()),
                          .out = tensor_ref(Shape{channels, 1, 1}, 1, kType, gates.get())};
    const std::int64_t parts = std::max<std::int64_t>(reduce_parts(pool, multiprocessors), 2);
    const DeviceBytes partial = allocated(partial_bytes(pool, parts));
    const ReduceCall sums = in_parts(pool, parts, partial.get())[0];
    const auto* const numbers = reinterpret_cast<const float*>(bias.get());
    const ExciteCall excite{.sums = sums.out,
                            .parts = parts,
                            .squeeze = weights.get(),
                            .squeeze_bias = numbers,
                            .excite = weights.get(),
                            .excite_bias = numbers,
                            .squeezed = squeezed,
                            .inner = Activation::kSwish,
                            .gate = Activation::kSigmoid,
                            .in = pool.in,
                            .out = tensor_ref(maps, 1, kType, out.get())};
    CombineCall product{.op = BinaryFunction::kMul, .count = 2, .in = {}, .out = excite.out};
    TensorRef every = pool.out;
    every.dims = pool.in.dims;
    every.strides[2] = every.strides[3] = 0;
    product.in = {pool.in, every};
    const auto time_of = [&](const std::vector<KernelCall>& calls) {
      return bench.copy_time(kCopies, [&] {
        for (const KernelCall& call : calls) gpu::launch(call, bench.origin());
      });
    };
    fmt::print("{:>16} {:>9} {:>9.2f} {:>9.2f} {:>9.2f} {:>9.2f} {:>9.2f}\n", text_of(maps), squeezed, time_of({sums}),
               time_of({excite}), time_of({sums, excite}), time_of({pool}), time_of({product}));
  }
}

// Depthwise convolutions by our own kernel, input and weights in the L2 cache.
void bench_depthwise(const Bench& bench, MeasuredRows& rows) {
  constexpr int kCopies = 20;
  constexpr std::array<std::int64_t, 4> kKernels{3, 5, 7, 9};
  fmt::print("\nDepthwise convolutions in a graph of {}, float32, per convolution, by the kernel\n{:>16}", kCopies,
             "maps");
  for (const std::int64_t kernel : kKernels) fmt::print(" {:>9}", fmt::format("{0} x {0}", kernel));
  fmt::print("\n");
  for (const Shape& maps :
       {Shape{64, 14, 14}, Shape{512, 7, 7}, Shape{960, 7, 7}, Shape{32, 56, 56}, Shape{96, 112, 112}}) {
    const DeviceBytes in = allocated(maps.elements() * 4);
    const DeviceBytes out = allocated(maps.elements() * 4);
    const DeviceBytes weights = allocated(maps.channels() * 81 * 4);
    gpu::launch(FillCall{.out = tensor_ref(maps, 1, DataType::kFloat32, in.get()), .seed = 1}, bench.origin());
    gpu::launch(
        FillCall{.out = tensor_ref(Shape{maps.channels() * 81}, 1, DataType::kFloat32, weights.get()), .seed = 2},
        bench.origin());
    fmt::print("{:>16}", text_of(maps));
    for (const std::int64_t kernel : kKernels) {
      DepthwiseCall call;
      call.in = tensor_ref(maps, 1, DataType::kFloat32, in.get());
      call.out = tensor_ref(maps, 1, DataType::kFloat32, out.get());
      call.weights = weights.get();
      call.kernel = {kernel, kernel};
      call.padding = {kernel / 2, kernel / 2};
      const double us = bench.copy_time(kCopies, [&] { gpu::launch(call, bench.origin()); });
      fmt::print(" {:>9.2f}", us);
      rows.convolution("float32",
                       {.channels = maps.channels(),
                        .height = maps.height(),
                        .width = maps.width(),
                        .filters = maps.channels(),
                        .kernel = kernel,
                        .padding = kernel / 2,
                        .groups = maps.channels()},
                       us);
    }
    fmt::print("\n");
  }
}

// A small kernel, with its row in the table of measurements.
struct Small {
  std::string name;
  KernelCall call;
  std::function<void(MeasuredRows&, double us)> note;
};

// Lists small kernels of one type, which read from `in` and write to `out`.
class SmallKernels {
 public:
  SmallKernels(DataType type, std::byte* in, std::byte* out) : type_(type), in_(in), out_(out) {}

  void add_pools(const Shape& maps);
  void add_elementwise(const Shape& maps);
  void add_rows(std::int64_t rows, std::int64_t columns);
  // Adds that many products of rows × depth by depth × columns.
  void add_product(std::int64_t count, std::int64_t rows, std::int64_t columns, std::int64_t depth);
  const std::vector<Small>& all() const { return all_; }

 private:
  TensorRef ref(const Shape& shape, std::byte* data) const { return tensor_ref(shape, 1, type_, data); }

  DataType type_;
  std::byte* in_;
  std::byte* out_;
  std::vector<Small> all_;
};

void SmallKernels::add_pools(const Shape& maps) {
  for (const std::int64_t stride : {1, 2}) {
    const Shape to{maps.channels(), maps.height() / stride, maps.width() / stride};
    for (const PoolKind kind : {PoolKind::kMax, PoolKind::kAverage}) {
      const char* const op = kind == PoolKind::kMax ? "max_pool" : "avg_pool";
      const Pool pool{.kind = kind, .kernel = {3, 3}, .stride = {stride, stride}, .padding = {1, 1}};
      const MeasuredRows::Window window{.channels = maps.channels(),
                                        .height = maps.height(),
                                        .width = maps.width(),
                                        .kernel = 3,
                                        .stride = stride,
                                        .padding = 1};
      all_.push_back({fmt::format("{} 3 x 3 / {} {}", op, stride, text_of(maps)),
                      PoolCall{.in = ref(maps, in_), .out = ref(to, out_), .pool = pool},
                      [=, type = type_](MeasuredRows& rows, double us) { rows.pool(op, name_of(type), window, us); }});
    }
  }
}

void SmallKernels::add_elementwise(const Shape& maps) {
  const TensorRef in = ref(maps, in_);
  const TensorRef out = ref(maps, out_);
  const std::pair<const char*, KernelCall> calls[] = {
      {"copy", CopyCall{.in = in, .out = out}},
      {"add", CombineCall{.count = 2, .in = {in, in}, .out = out}},
      {"relu", CombineCall{.count = 1, .in = {in}, .out = out, .activation = Activation::kRelu}}};
  for (const auto& call : calls) {
    all_.push_back({fmt::format("{} {}", call.first, text_of(maps)), call.second,
                    [=, op = call.first, type = type_](MeasuredRows& rows, double us) {
                      rows.elements(op, name_of(type), maps.height() * maps.width(), maps.channels(), us);
                    }});
  }
}

void SmallKernels::add_rows(std::int64_t rows, std::int64_t columns) {
  const TensorRef in = ref(Shape{rows, columns}, in_);
  const TensorRef out = ref(Shape{rows, columns}, out_);
  const std::pair<const char*, KernelCall> calls[] = {
      {"softmax", SoftmaxCall{.in = in, .out = out, .axis = 2}},
      {"ln", NormalizeCall{.in = in, .out = out, .axis = 2, .epsilon = 1e-5F}}};
  for (const auto& call : calls) {
    all_.push_back({fmt::format("{} {} x {}", call.first, rows, columns), call.second,
                    [=, op = call.first, type = type_](MeasuredRows& table, double us) {
                      table.elements(op, name_of(type), rows, columns, us);
                    }});
  }
}

void SmallKernels::add_product(std::int64_t count, std::int64_t rows, std::int64_t columns, std::int64_t depth) {
  std::byte* const second = in_ + count * rows * depth * bytes_of(type_);
  all_.push_back({fmt::format("product {} x {} x {} x {}", count, rows, columns, depth),
                  MatMulCall{.a = ref(Shape{count, rows, depth}, in_),
                             .b = ref(Shape{count, depth, columns}, second),
                             .out = ref(Shape{count, rows, columns}, out_)},
                  [=, type = type_](MeasuredRows& table, double us) {
                    table.product(name_of(type), count, rows, columns, depth, us);
                  }});
}

// Returns kernels of 2 to 20 µs on an H100, of kinds without published times of small ones.
std::vector<Small> small_kernels(DataType type, std::byte* in, std::byte* out) {
  SmallKernels kernels(type, in, out);
  for (const Shape& maps : {Shape{64, 56, 56}, Shape{192, 112, 112}}) {
    kernels.add_pools(maps);
    kernels.add_elementwise(maps);
  }
  kernels.add_rows(197, 384);
  kernels.add_rows(2364, 197);
  kernels.add_rows(4096, 1024);
  kernels.add_product(6, 197, 197, 64);  // attention of a small ViT: scores, then what they weigh
  kernels.add_product(6, 197, 64, 197);
  return kernels.all();
}

// Small kernels of our own, input in the L2 cache. Convolutions of the library's are operators.py's.
void bench_small(const Bench& bench, MeasuredRows& rows) {
  constexpr int kCopies = 20;
  constexpr std::int64_t kElements = 4096 * 1024;  // of the largest tensor
  fmt::print("\nSmall kernels in a graph of {}, per kernel\n{:>32} {:>9} {:>9}\n", kCopies, "", "float32", "float16");
  const DeviceBytes in = allocated(kElements * 4);
  const DeviceBytes out = allocated(kElements * 4);
  std::array<std::vector<Small>, 2> kernels;
  std::array<std::vector<double>, 2> took;
  for (std::size_t t = 0; t < 2; ++t) {
    const DataType type = t == 0 ? DataType::kFloat32 : DataType::kFloat16;
    gpu::launch(FillCall{.out = tensor_ref(Shape{kElements}, 1, type, in.get()), .seed = 1}, bench.origin());
    kernels[t] = small_kernels(type, in.get(), out.get());
    for (const Small& small : kernels[t]) {
      took[t].push_back(bench.copy_time(kCopies, [&] { gpu::launch(small.call, bench.origin()); }));
      small.note(rows, took[t].back());
    }
  }
  for (std::size_t i = 0; i < kernels[0].size(); ++i) {
    fmt::print("{:>32} {:>9.2f} {:>9.2f}\n", kernels[0][i].name, took[0][i], took[1][i]);
  }
}

// Measures a kernel that follows itself, and one that alternates with others: by differences of chains.
void bench_alternating(const Bench& bench) {
  constexpr int kRounds = 20;
  const Shape maps{256, 14, 14};
  const std::int64_t bytes = maps.elements() * 4;
  const DeviceBytes memory = allocated(4 * bytes);
  const auto at = [&](std::int64_t i) { return tensor_ref(maps, 1, DataType::kFloat32, memory.get() + i * bytes); };
  gpu::launch(FillCall{.out = at(3), .seed = 1}, bench.origin());
  const auto depthwise = [&](std::int64_t kernel) {
    DepthwiseCall call;
    call.in = at(0);
    call.out = at(1);
    call.weights = at(3).data;
    call.kernel = {kernel, kernel};
    call.padding = {kernel / 2, kernel / 2};
    return call;
  };
  const std::pair<const char*, KernelCall> kernels[] = {
      {"fill", FillCall{.out = at(0), .seed = 1}},
      {"copy", CopyCall{.in = at(0), .out = at(1)}},
      {"add", CombineCall{.count = 2, .in = {at(0), at(1)}, .out = at(2)}},
      {"depthwise 3 x 3", depthwise(3)},
      {"depthwise 5 x 5", depthwise(5)},
      {"depthwise 7 x 7", depthwise(7)},
      {"mean", ReduceCall{.reduction = ReduceKind::kMean,
                          .in = at(0),
                          .out = tensor_ref(Shape{256, 1, 1}, 1, DataType::kFloat32, at(2).data)}},
  };
  const auto time_of = [&](const std::vector<std::size_t>& order) {
    return bench.copy_time(kRounds, [&] {
      for (const std::size_t k : order) gpu::launch(kernels[k].second, bench.origin());
    });
  };
  std::vector<std::size_t> all;
  double alone = 0;
  fmt::print("\nKernels on 14x14x256, in a graph of {} times each\n{:>18} {:>12}\n", kRounds, "", "by itself");
  for (std::size_t k = 0; k < std::size(kernels); ++k) {
    all.push_back(k);
    const double took = time_of({k});
    alone += took;
    fmt::print("{:>18} {:>12.3f}\n", kernels[k].first, took);
  }
  fmt::print("{:>18} {:>12.3f}\n{:>18} {:>12.3f}\n", "sum", alone, "one after another", time_of(all));
}

void write(const std::string& file, const std::string& text) {
  std::ofstream stream(file, std::ios::trunc);
  if (!(stream << text << std::flush)) throw std::runtime_error(file + " cannot be written");
}

int run(const std::vector<std::string_view>& wanted, const std::string& file) {
  const SystemFacts facts = probe_system();
  Message reason = refusal(facts);
  if (reason.empty()) reason = refusal(facts.devices.front());
  if (!reason.empty()) {
    fmt::print("skipped: {}\n", reason);
    return 0;
  }
  const Properties& gpu = facts.devices.front().properties;
  fmt::print("{}, driver {}, CUDA {}; medians of {} in µs\n", gpu.name, gpu.driver, gpu.cuda, kSamples);
  check(cudaSetDevice(0), "cudaSetDevice");
  const Bench bench;
  MeasuredRows rows(gpu.name);
  warm_up(bench);
  const std::pair<std::string_view, std::function<void()>> tables[] = {
      {"chains", [&] { bench_chains(bench, rows); }},
      {"lanes", [&] { bench_lanes(bench, rows); }},
      {"ladders", [&] { bench_ladders(bench, rows); }},
      {"priorities", [&] { bench_priorities(bench, gpu.multiprocessors); }},
      {"clock", [&] { bench_clock(bench); }},
      {"differences", [&] { bench_differences(bench); }},
      {"pools", [&] { bench_pools(bench, gpu.multiprocessors, rows); }},
      {"excitations", [&] { bench_excitations(bench, gpu.multiprocessors); }},
      {"alternating", [&] { bench_alternating(bench); }},
      {"depthwise", [&] { bench_depthwise(bench, rows); }},
      {"small", [&] { bench_small(bench, rows); }},
  };
  for (const std::string_view name : wanted) {
    if (std::ranges::find(tables, name, [](const auto& each) { return each.first; }) == std::end(tables)) {
      throw std::runtime_error(fmt::format("there is no table {}", name));
    }
  }
  for (const auto& [name, table] : tables) {
    if (!wanted.empty() && std::ranges::find(wanted, name) == wanted.end()) continue;
    table();
    std::fflush(stdout);
    if (!file.empty()) write(file, rows.csv());  // what ends the program later keeps this
  }
  return 0;
}

}  // namespace
}  // namespace iosx::gpu::bench

int main(int count, char** words) {
  std::vector<std::string_view> wanted(words + 1, words + count);
  std::string file;
  if (const auto option = std::ranges::find(wanted, "--csv"); option != wanted.end()) {
    if (option + 1 == wanted.end()) {
      fmt::print(stderr, "gpu_launch_bench: --csv wants a file\n");
      return 2;
    }
    file = *(option + 1);
    wanted.erase(option, option + 2);
  }
  try {
    return iosx::gpu::bench::run(wanted, file);
  } catch (const std::exception& error) {
    fmt::print(stderr, "gpu_launch_bench: {}\n", error.what());
    return 1;
  }
}
