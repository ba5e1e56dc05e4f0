// A store of a million measurements: how long a lookup of a thousand keys takes and one append, and how large the file
// is.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/base/check.h"
#include "core/devices/store/measurement_store.h"

namespace {

using iosx::Measurement;
using iosx::MeasurementStore;
using iosx::StageKey;

constexpr std::uint64_t kRows = 1'000'000;
constexpr std::size_t kBatch = 1'000;

iosx::MeasurementSet set() {
  return {.fingerprint = "NVIDIA H200, 0000:00, 132 SMs, driver 580, CUDA 13.0, cuDNN 9.1, f32, NHWC, program 0.1.0",
          .batch = 1,
          .precision = "f32",
          .origin = iosx::Origin::kMeasured,
          .device_id = "gpu",
          .device_name = "NVIDIA H200"};
}

// Keys as random as hashes are.
StageKey key(std::uint64_t number) {
  std::mt19937_64 random(number);
  const std::uint64_t high = random();
  return {high, random()};
}

Measurement measurement(std::uint64_t number) {
  return {.key = key(number),
          .latency = {.value = iosx::Millis{0.01 + static_cast<double>(number) * 1.1e-6},
                      .spread = iosx::Millis{static_cast<double>(number % 1000) * 1.7e-7},
                      .samples = 20 + static_cast<std::int64_t>(number % 80),
                      .origin = iosx::Origin::kMeasured,
                      .clock_mhz = 1980},
          .date = iosx::Date{std::chrono::seconds{1'772'000'000 + static_cast<std::int64_t>(number / 100)}},
          .method = {.program = "0.1.0", .warmup = 2, .repeats = 5, .max_repeats = 100}};
}

// Made once for all benchmarks, on the disk of the folder for temporary files; removed at the end.
class Million {
 public:
  Million() {
    std::string name = (std::filesystem::temp_directory_path() / "ios-store-bench-XXXXXX").string();
    IOS_CHECK(mkdtemp(name.data()) != nullptr);
    folder_ = name;
    auto store = MeasurementStore::open(file());
    IOS_CHECK(store.has_value());
    std::vector<Measurement> some;
    for (std::uint64_t i = 0; i < kRows; ++i) {
      some.push_back(measurement(i));
      if (some.size() < 10'000) continue;
      IOS_CHECK((*store)->append(set(), some).has_value());
      some.clear();
    }
  }
  ~Million() { std::filesystem::remove_all(folder_); }
  Million(const Million&) = delete;
  Million& operator=(const Million&) = delete;
  std::filesystem::path file() const { return folder_ / "m.db"; }

 private:
  std::filesystem::path folder_;
};

const Million& million() {
  static const Million made;
  return made;
}

std::unique_ptr<MeasurementStore> open() {
  auto store = MeasurementStore::open(million().file());
  IOS_CHECK(store.has_value());
  return std::move(*store);
}

// `fresh`: with a store that was just opened, as at the beginning of a search, opening it included.
void look_up_a_thousand(benchmark::State& state, bool fresh) {
  auto store = open();
  std::mt19937_64 random(1);
  for ([[maybe_unused]] auto turn : state) {
    state.PauseTiming();
    std::vector<StageKey> keys;
    for (std::size_t i = 0; i < kBatch; ++i) keys.push_back(key(random() % kRows));
    if (fresh) store.reset();
    state.ResumeTiming();
    if (fresh) store = open();
    const auto found = store->find(set(), keys);
    IOS_CHECK(found.has_value() && found->front().has_value() && found->back().has_value());
    benchmark::DoNotOptimize(found);
  }
  state.counters["bytes a row"] =
      static_cast<double>(std::filesystem::file_size(million().file())) / static_cast<double>(kRows);
}

void append_one(benchmark::State& state) {
  auto store = open();
  std::uint64_t number = kRows;
  for ([[maybe_unused]] auto turn : state) {
    const auto appended = store->append(set(), measurement(number++));
    IOS_CHECK(appended.has_value());
  }
}

void info(benchmark::State& state) {
  auto store = open();
  for ([[maybe_unused]] auto turn : state) benchmark::DoNotOptimize(store->info());
}

BENCHMARK_CAPTURE(look_up_a_thousand, open, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(look_up_a_thousand, just_opened, true)->Unit(benchmark::kMillisecond);
BENCHMARK(info)->Unit(benchmark::kMillisecond);
BENCHMARK(append_one)->Unit(benchmark::kMicrosecond)->Iterations(5'000);

}  // namespace
