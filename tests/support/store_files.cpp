#include "tests/support/store_files.h"
#include "tests/support/prelude.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

namespace iosx::test {
namespace {

std::uint64_t mixed(std::uint64_t value) {  // SplitMix64
  value += 0x9E3779B97F4A7C15ULL;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
  return value ^ (value >> 31);
}

}  // namespace

Folder::Folder() {
  // In memory where that is possible: these tests make hundreds of stores, and a disk is slow to say that it has them.
  const std::filesystem::path memory = "/dev/shm";
  const std::filesystem::path place =
      access(memory.c_str(), W_OK) == 0 ? memory : std::filesystem::temp_directory_path();
  std::string name = (place / "ios-store-XXXXXX").string();
  EXPECT_NE(mkdtemp(name.data()), nullptr);
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> Folder::names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

MeasurementSet some_set(const std::string& fingerprint, std::int64_t batch, const std::string& precision) {
  return {.fingerprint = fingerprint,
          .batch = batch,
          .precision = precision,
          .origin = Origin::kMeasured,
          .device_id = "cpu",
          .device_name = "Processor A"};
}

StageKey some_key(std::uint64_t number) { return {mixed(2 * number), mixed(2 * number + 1)}; }

Measurement some_measurement(std::uint64_t number) {
  const auto part = [&](int shift) { return static_cast<double>((mixed(number) >> shift) & 0xFFFF); };
  return {.key = some_key(number),
          .latency = {.value = Millis{part(0) / 997.0},
                      .spread = Millis{part(16) / 99991.0},
                      .samples = static_cast<std::int64_t>(5 + number % 90),
                      .origin = Origin::kMeasured,
                      .clock_mhz = number % 3 == 0 ? 0 : 1000 + part(32) / 64},
          .date = Date{std::chrono::seconds{1'772'000'000 + static_cast<std::int64_t>(number)}},
          .method = {.program = number % 2 == 0 ? "0.1.0" : "0.2.0",
                     .warmup = 2,
                     .repeats = 5,
                     .max_repeats = 100,
                     .min_time = Millis{2},
                     .precision = 0.02,
                     .max_time = Millis{200}}};
}

std::vector<Measurement> some_measurements(std::uint64_t begin, std::uint64_t end) {
  std::vector<Measurement> measurements;
  for (std::uint64_t i = begin; i < end; ++i) measurements.push_back(some_measurement(i));
  return measurements;
}

std::vector<StageKey> some_keys(std::uint64_t begin, std::uint64_t end) {
  std::vector<StageKey> keys;
  for (std::uint64_t i = begin; i < end; ++i) keys.push_back(some_key(i));
  return keys;
}

std::string words(const Measurement& m) {
  return fmt::format("{} {}±{} n={} {} {} MHz {} by {} {}/{}/{} {} {} {}", m.key.text(), m.latency.value.count(),
                     m.latency.spread.count(), m.latency.samples, origin_name(m.latency.origin), m.latency.clock_mhz,
                     date_text(m.date), m.method.program, m.method.warmup, m.method.repeats, m.method.max_repeats,
                     m.method.min_time.count(), m.method.precision, m.method.max_time.count());
}

std::unique_ptr<MeasurementStore> open_store(const std::filesystem::path& file) {
  return must(MeasurementStore::open(file));
}

std::int64_t rows_of(MeasurementStore& store) { return must(store.info()).measurements; }

std::string read_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  EXPECT_TRUE(stream.is_open()) << file;
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_file(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

void write_database(const std::filesystem::path& file, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK) << file;
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  EXPECT_EQ(sqlite3_close(database), SQLITE_OK);
}

}  // namespace iosx::test
