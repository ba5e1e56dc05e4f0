// Measures what no precompiled engine of cuDNN suits: convolutions with odd numbers of channels, slices, SiLU and GELU,
// or a rectifier of their input, products of matrices, and attention, also of values that no float16 holds. Each is
// computed in every way, with all settings of compiled engines, and checked against sums in double precision. Prints a
// table, and writes it with --csv FILE. With --plans FOLDER it keeps plans there and takes kept ones, so that they need
// not be compiled again. --describe FILE instead of a GPU, with cuDNN's description of one (gpu_describe), only builds
// and keeps them. Without a GPU it gives the reason and ends without an error.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/devices/measure/statistics.h"
#include "gpu/exec/problem_of.h"
#include "gpu/exec/way.h"
#include "gpu/measure/drift.h"
#include "gpu/measure/replay.h"
#include "gpu/measure/way_trial.h"
#include "gpu/ops/conv/cudnn_library.h"
#include "gpu/ops/conv/plan_store.h"
#include "gpu/runtime/cuda_runtime.h"
#include "gpu/runtime/errors.h"
#include "gpu/runtime/probe.h"

namespace iosx::gpu::bench {
namespace {

constexpr PlanLimits kEverything{.plans = 32, .runtime_compiled = 12};
constexpr double kUsPerMs = 1000;

struct Options {
  std::string csv;
  std::optional<std::string> plans;
  std::optional<std::string> description;  // a file
};

// A convolution of square images with odd, square filters. Pitches of 0 are those of dense tensors.
struct Case {
  std::int64_t channels = 0;
  std::int64_t out_channels = 0;
  std::int64_t pixels = 0;
  std::int64_t filter = 1;
  Activation activation = Activation::kRelu;
  std::int64_t x_pitch = 0;
  std::int64_t y_pitch = 0;
  Activation before = Activation::kIdentity;
};

constexpr Activation kGelu{ActivationKind::kGelu};

constexpr std::array kCases{
    // HRNet and RandWire, and the same with channels that fill 16 bytes.
    Case{18, 18, 56, 3}, Case{256, 18, 56, 3}, Case{154, 154, 56}, Case{154, 308, 28}, Case{20, 20, 56, 3},
    Case{256, 20, 56, 3}, Case{156, 156, 56}, Case{156, 308, 28},
    // YOLOX and ConvNeXt.
    Case{512, 512, 20, 3, Activation::kSwish}, Case{256, 256, 40, 3, Activation::kSwish},
    Case{384, 1536, 14, 1, Activation::kSwish}, Case{512, 512, 20, 3, kGelu}, Case{384, 1536, 14, 1, kGelu},
    // Slices of Inception's and SqueezeNet's concatenations.
    Case{48, 64, 35, 5, Activation::kRelu, 112, 288}, Case{192, 320, 8, 1, Activation::kRelu, 0, 2048},
    Case{384, 384, 8, 3, Activation::kRelu, 0, 2048}, Case{16, 64, 55, 1, Activation::kRelu, 0, 128},
    Case{64, 256, 13, 3, Activation::kRelu, 0, 512},
    // NASNet.
    Case{1008, 168, 42, 1, Activation::kIdentity, 0, 0, Activation::kRelu},
    Case{2016, 336, 21, 1, Activation::kIdentity, 0, 0, Activation::kRelu}};

ConvProblem problem_of(const Case& one) {
  const std::int64_t padding = one.filter / 2;
  ConvProblem problem;
  problem.channels = one.channels;
  problem.out_channels = one.out_channels;
  problem.input = problem.output = {one.pixels, one.pixels};
  problem.kernel = {one.filter, one.filter};
  problem.padding = problem.padding_end = {padding, padding};
  problem.x = dense_layout(one.x_pitch > 0 ? one.x_pitch : one.channels, problem.math);
  problem.y = dense_layout(one.y_pitch > 0 ? one.y_pitch : one.out_channels, problem.math);
  problem.bias = true;
  problem.activation = one.activation;
  problem.before = one.before;
  return problem;
}

// Returns the scores of attention heads, 197 tokens of 64 features, which lie in turn in each row as a linear layer
// writes them.
MatMulProblem heads_scores(std::int64_t heads) {
  constexpr std::int64_t kTokens = 197;
  constexpr std::int64_t kFeatures = 64;
  MatMulProblem problem;
  problem.batch = heads;
  problem.rows = problem.columns = kTokens;
  problem.depth = kFeatures;
  problem.a = {.batch = kFeatures, .row = heads * kFeatures, .column = 1};
  problem.b = {.batch = kFeatures, .row = 1, .column = heads * kFeatures};
  problem.y = {.batch = kTokens * kTokens, .row = kTokens, .column = 1, .alignment = 4};
  return problem;
}

// Returns the same heads' sums of values by these scores.
MatMulProblem heads_values(std::int64_t heads) {
  const MatMulProblem scores = heads_scores(heads);
  MatMulProblem problem = scores;
  problem.depth = scores.columns;
  problem.columns = scores.depth;
  problem.a = scores.y;
  problem.b = problem.y = scores.a;
  return problem;
}

// Returns attention of the same heads.
AttentionProblem heads_attention(std::int64_t heads, Math math) {
  AttentionProblem problem{heads_scores(heads), 0.125F, heads_values(heads)};
  MatrixLayout& scores = problem.scores.y;  // rows begin at 16 bytes
  scores.row = (problem.scores.columns + 7) / 8 * 8;
  scores.batch = problem.scores.rows * scores.row;
  scores.alignment = 16;
  problem.context.a = scores;
  problem.scores.math = problem.context.math = math;
  return problem;
}

struct Tried {
  Problem problem;
  float values = 1;  // see WayTrial
};

std::vector<Tried> all_problems() {
  std::vector<Tried> problems;
  for (const std::int64_t heads : {1, 6, 12}) {
    problems.push_back({heads_scores(heads)});
    problems.push_back({heads_values(heads)});
    for (const Math math : {Math::kTf32, Math::kHalf}) problems.push_back({heads_attention(heads, math)});
  }
  problems.push_back({heads_attention(1, Math::kTf32), 1e6F});  // beyond float16
  for (const Case& one : kCases) problems.push_back({problem_of(one)});
  return problems;
}

// Returns every way to compute the problem: kept ones, or new ones, which are kept then.
std::vector<Way> ways_of(const Problem& problem, CudnnLibrary& library, PlanStore& store) {
  const std::string key = key_of(problem);
  std::vector<Way> ways;
  if (const auto* const kept = store.ways(key)) {
    for (const PlanStore::Way& one : *kept) {
      auto way = restored_way(problem, one.name, one.plan, library);
      if (way) ways.push_back(std::move(*way));
    }
    fmt::print("{}: {} of {} kept plans restored\n", key, ways.size(), kept->size());
    if (!ways.empty()) return ways;
  }
  const auto begin = std::chrono::steady_clock::now();
  ways = candidate_ways(problem, library);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::vector<PlanStore::Way> kept;
  std::size_t compiled = 0;
  for (const Way& way : ways) {
    compiled += way.plan != nullptr && way.plan->compiled() ? 1 : 0;
    kept.push_back({way.name(), way.plan == nullptr ? std::string() : way.plan->serialised(), Millis{0}});
  }
  fmt::print("{}: {} ways, {} compiled, built in {:.1f} s\n", key, ways.size(), compiled, took.count());
  store.set_ways(key, std::move(kept));
  store.save();
  return ways;
}

// Returns lines of CSV: problem, way, scratch memory, median time, largest error.
std::string measured(const Tried& tried, const std::vector<Way>& ways, Runtime& runtime, ClockGuard& guard) {
  const Problem& problem = tried.problem;
  WayTrial trial(runtime, problem, tried.values);
  const std::vector<std::size_t> fit = trial.make_room(ways);
  std::vector<double> errors;
  for (const std::size_t i : fit) errors.push_back(trial.error(ways[i]));
  Race race(runtime, guard, {.max_time = Millis{150}, .hopeless = 50});
  std::deque<std::function<void(int)>> works;  // the race sees them by reference
  for (const std::size_t i : fit) {
    race.add(works.emplace_back([&trial, &way = ways[i]](int copies) { trial.enqueue(way, copies); }));
  }
  race.run({});
  std::string rows;
  for (const std::size_t contender : race.ranking()) {
    const Way& way = ways[fit[contender]];
    const double us = median(race.samples(contender)).count() * kUsPerMs;
    const std::int64_t scratch = scratch_bytes(way, trial.task());
    fmt::print("{:>10.2f} us  error {:.1e}  {:>9} bytes  {}\n", us, errors[contender], scratch, way.name());
    rows +=
        fmt::format("\"{}\",\"{}\",{},{:.4f},{:.3e}\n", key_of(problem), way.name(), scratch, us, errors[contender]);
  }
  return rows;
}

void write(const std::string& file, const std::string& text) {
  std::ofstream stream(file, std::ios::trunc);
  if (!(stream << text << std::flush)) throw std::runtime_error(file + " cannot be written");
}

std::string contents(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error(file + " cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

void build(const Options& options) {
  const auto library = CudnnLibrary::described(contents(*options.description), kEverything);
  PlanStore store(options.plans, library->version());
  for (const Tried& one : all_problems()) ways_of(one.problem, *library, store);
}

void measure(const Options& options) {
  const SystemFacts facts = probe_system();
  Message reason = refusal(facts);
  if (reason.empty()) reason = refusal(facts.devices.front());
  if (!reason.empty()) {
    fmt::print("skipped: {}\n", reason);
    return;
  }
  const auto runtime = make_cuda_runtime(0);
  const auto library = CudnnLibrary::open(0, kEverything);
  fmt::print("{}, {}\n", runtime->properties().name, library->version());
  PlanStore store(options.plans, library->version());
  ClockGuard guard(*runtime);
  std::string rows = "problem,way,scratch_bytes,us,error\n";
  for (const Tried& one : all_problems()) {
    try {
      rows += measured(one, ways_of(one.problem, *library, store), *runtime, guard);
    } catch (const Unsupported& error) {
      fmt::print("{}\n", error.what());
    }
    std::fflush(stdout);
    if (!options.csv.empty()) write(options.csv, rows);  // what ends the program later keeps this
  }
}

}  // namespace
}  // namespace iosx::gpu::bench

int main(int count, char** words) {
  iosx::gpu::bench::Options options;
  for (int i = 1; i < count; i += 2) {
    const std::string_view name = words[i];
    const bool known = name == "--csv" || name == "--plans" || name == "--describe";
    if (!known || i + 1 == count) {
      fmt::print(stderr, "gpu_conv_bench [--csv FILE] [--plans FOLDER] [--describe FILE]\n");
      return 2;
    }
    if (name == "--csv") options.csv = words[i + 1];
    if (name == "--plans") options.plans = words[i + 1];
    if (name == "--describe") options.description = words[i + 1];
  }
  try {
    if (options.description) {
      iosx::gpu::bench::build(options);
    } else {
      iosx::gpu::bench::measure(options);
    }
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "gpu_conv_bench: {}\n", error.what());
    return 1;
  }
}
