#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/base/sqlite/database.h"
#include "core/devices/store/measurement.h"

// Here measurements are rows of the store's tables (schema.h). Every row carries a checksum over all that it means, the
// set and the method that it refers to included, so that a flipped bit is never taken for a measurement.
namespace iosx::store {

std::array<char, 16> key_bytes(const StageKey& key);  // in the order of keys

// These are the columns of `measurement` that Dictionary::measurement() reads.
inline constexpr const char* kColumns = "series, key, median_ms, spread_ms, samples, clock_mhz, date, method, checksum";

struct StoredSet {
  MeasurementSet set;
  std::uint64_t seal = 0;  // hash of what it is
};
struct StoredMethod {
  Method method;
  std::uint64_t seal = 0;
};

std::uint64_t seal_of(const MeasurementSet& set);
std::uint64_t seal_of(const Method& method);
std::int32_t checksum_of(const Measurement& measurement, std::uint64_t set_seal, std::uint64_t method_seal);

// Knows what the numbers in rows stand for. It is good for one transaction: another process may remove sets and give
// their numbers to new ones.
class Dictionary {
 public:
  explicit Dictionary(sqlite::Database& database) : database_(database) {}

  // These return what has this number, null if nothing has it.
  Result<const StoredSet*> set(std::int64_t id);
  Result<const StoredMethod*> method(std::int64_t id);
  // Reads the row of a query for kColumns; empty if it contradicts its checksum or refers to nothing.
  Result<std::optional<Measurement>> measurement(const sqlite::Query& row);

  // Returns the number of this set: -1 if there is none.
  Result<std::int64_t> find(const MeasurementSet& set);
  // Returns the same; the set is added if there was none.
  Result<std::int64_t> add(const MeasurementSet& set);
  // Writes down the terms of the set's device, which must be there.
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
  // The set is added to the database if it is not there.
  static Result<RowWriter> make(sqlite::Database& database, const MeasurementSet& set, Rule rule);
  // Returns whether the row was written: always, or (kNewer) if what was there is older, or as old with fewer samples.
  Result<bool> write(const Measurement& measurement);

 private:
  RowWriter(sqlite::Database& database, std::int64_t series, std::uint64_t seal, Rule rule);

  sqlite::Database& database_;
  sqlite::Query insert_;
  std::int64_t series_;
  std::uint64_t seal_;
  Method method_;  // of the last row
  std::int64_t method_id_ = -1;
  std::uint64_t method_seal_ = 0;
};

}  // namespace iosx::store
