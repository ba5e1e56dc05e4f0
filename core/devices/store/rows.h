#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "core/base/result.h"
#include "core/base/sqlite/database.h"
#include "core/devices/store/measurement.h"

// Measurements as rows of the store's tables (store_file.h). Every row has a checksum over its meaning, with the set
// and method that it refers to, so that a flipped bit is never read as a measurement.
namespace iosx::store {

std::array<char, 16> key_bytes(const StageKey& key);  // in key order

// The columns of `measurement` that Dictionary::measurement() reads.
inline constexpr const char* kColumns = "series, key, median_ms, spread_ms, samples, clock_mhz, date, method, checksum";

struct StoredSet {
  MeasurementSet set;
  std::uint64_t seal = 0;  // hash of its content
};
struct StoredMethod {
  Method method;
  std::uint64_t seal = 0;
};

std::uint64_t seal_of(const MeasurementSet& set);
std::uint64_t seal_of(const Method& method);
std::int32_t checksum_of(const Measurement& measurement, std::uint64_t set_seal, std::uint64_t method_seal);

// Maps the numbers in rows to sets and methods. It is valid for one transaction: another process may remove sets and
// reuse their numbers.
class Dictionary {
 public:
  explicit Dictionary(sqlite::Database& database) : database_(database) {}

  // Return the object with this number, or null.
  Result<const StoredSet*> set(std::int64_t id);
  Result<const StoredMethod*> method(std::int64_t id);
  // Reads a row of kColumns; empty where it contradicts its checksum or refers to nothing.
  Result<std::optional<Measurement>> measurement(const sqlite::Query& row);

  // Returns the number of this set, or -1.
  Result<std::int64_t> find(const MeasurementSet& set);
  // Returns the same and adds a missing set.
  Result<std::int64_t> add(const MeasurementSet& set);
  // Stores the terms of the set's device, which must exist.
  Result<void> set_terms(const MeasurementSet& set);
  Result<std::int64_t> add(const Method& method);

 private:
  sqlite::Database& database_;
  std::map<std::int64_t, std::optional<StoredSet>> sets_;
  std::map<std::int64_t, std::optional<StoredMethod>> methods_;
};

// Writes rows of one set.
class RowWriter {
 public:
  enum class Rule { kReplace, kNewer };
  // Adds a missing set to the database.
  static Result<RowWriter> make(sqlite::Database& database, const MeasurementSet& set, Rule rule);
  // Returns whether the row was written: always, or (kNewer) if the stored one is older, or as old with fewer samples.
  Result<bool> write(const Measurement& measurement);

 private:
  RowWriter(sqlite::Database& database, std::int64_t series, std::uint64_t seal, Rule rule);

  sqlite::Database& database_;
  sqlite::Query insert_;
  std::int64_t series_;
  std::uint64_t seal_;
  Method method_;  // of the previous row
  std::int64_t method_id_ = -1;
  std::uint64_t method_seal_ = 0;
};

}  // namespace iosx::store
