#include "core/devices/store/schema.h"

#include <fmt/format.h>

#include <string>

namespace iosx::store {
namespace {

using sqlite::Database;
using sqlite::Query;
using sqlite::Transaction;

// Names of devices may change; the fingerprint identifies them. Not every reference is declared: removing a method
// would then read all rows to find its users.
constexpr const char* kTables = R"sql(
CREATE TABLE device(-- IOS Explorer's measurements
  id INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL UNIQUE,
  origin INTEGER NOT NULL,
  short_name TEXT NOT NULL,
  name TEXT NOT NULL,
  terms TEXT NOT NULL,
  terms_checksum INTEGER NOT NULL);
CREATE TABLE series(
  id INTEGER PRIMARY KEY,
  device INTEGER NOT NULL REFERENCES device,
  batch INTEGER NOT NULL,
  precision TEXT NOT NULL,
  UNIQUE(device, batch, precision));
CREATE TABLE method(
  id INTEGER PRIMARY KEY,
  program TEXT NOT NULL,
  warmup INTEGER NOT NULL,
  repeats INTEGER NOT NULL,
  max_repeats INTEGER NOT NULL,
  min_time_ms REAL NOT NULL,
  precision REAL NOT NULL,
  max_time_ms REAL NOT NULL,
  UNIQUE(program, warmup, repeats, max_repeats, min_time_ms, precision, max_time_ms));
CREATE TABLE measurement(
  series INTEGER NOT NULL REFERENCES series,
  key BLOB NOT NULL,
  median_ms REAL NOT NULL,
  spread_ms REAL NOT NULL,
  samples INTEGER NOT NULL,
  clock_mhz REAL NOT NULL,
  date INTEGER NOT NULL,
  method INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY(series, key)) WITHOUT ROWID;
CREATE TABLE search(
  series INTEGER NOT NULL REFERENCES series,
  key BLOB NOT NULL,
  stages INTEGER NOT NULL,
  date INTEGER NOT NULL,
  PRIMARY KEY(series, key)) WITHOUT ROWID;
)sql";
constexpr int kFormOfTables = 4;

// `device` is Device::methods_key(), `short_name` the device's id.
constexpr const char* kChoiceTable = R"sql(
CREATE TABLE choice(
  device TEXT NOT NULL,
  short_name TEXT NOT NULL,
  problem TEXT NOT NULL,
  choice TEXT NOT NULL,
  PRIMARY KEY(device, problem)) WITHOUT ROWID;
)sql";

constexpr int kFormOfChoices = 5;

// Describes the stage of a key, independent of the device, for training.
constexpr const char* kStageTable = R"sql(
CREATE TABLE stage(
  key BLOB PRIMARY KEY,
  features TEXT NOT NULL,
  checksum INTEGER NOT NULL) WITHOUT ROWID;
)sql";

Result<std::string> schema_of(Database& database) {
  std::string text;
  Query query = database.query("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master ORDER BY name");
  while (true) {
    IOS_TRY(const auto row, query.step());
    if (!row) return text;
    for (int column = 0; column < 4; ++column) text += query.text(column) + '\n';
  }
}

Result<std::int64_t> form_of(Database& database) { return database.query("PRAGMA user_version").number(0); }

// Makes what a database of this form has not.
Result<void> make_tables_unlocked(Database& database, int form) {
  if (form < kFormOfTables) {
    IOS_TRY(database.execute(kTables));
  }
  if (form < kFormOfChoices) {
    IOS_TRY(database.execute(kChoiceTable));
  }
  IOS_TRY(database.execute(kStageTable));
  return database.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplicationId, kForm));
}

// Returns the schema that a database of this form has.
Result<std::string> expected_schema(int form) {
  IOS_TRY(auto model, Database::in_memory());
  if (form == kForm) {
    IOS_TRY(make_tables_unlocked(model, 0));
  } else {
    IOS_TRY(model.execute(kTables));
    if (form == kFormOfChoices) IOS_TRY(model.execute(kChoiceTable));
  }
  return schema_of(model);
}

}  // namespace

Result<void> make_tables(Database& database) {
  database.trust();  // it is empty, or was looked at
  IOS_TRY(auto transaction, Transaction::begin(database, Transaction::Kind::kWrite));
  IOS_TRY(const auto form, form_of(database));
  if (form >= kForm) return {};  // another process was quicker
  IOS_TRY(make_tables_unlocked(database, static_cast<int>(form)));
  return transaction.commit();
}

Result<State> state_of(Database& database) {
  IOS_TRY(Transaction::begin(database, Transaction::Kind::kRead));  // both are of one moment
  IOS_TRY(const auto form, form_of(database));
  IOS_TRY(const auto found, schema_of(database));
  if (form == 0 && found.empty()) return State::kEmpty;
  IOS_TRY(const auto expected, expected_schema(kForm));
  const bool ours = found == expected;
  if (ours && form == kForm) {
    database.trust();
    return State::kGood;
  }
  if (form == kFormOfTables || form == kFormOfChoices) {
    IOS_TRY(const auto before, expected_schema(static_cast<int>(form)));
    if (found == before) {
      database.trust();
      return State::kLess;
    }
  }
  if (form > kForm && !ours) return State::kNewer;
  if (0 < form && form < kForm && !ours) {
    return tl::unexpected(database.damage(message("it has format {} of an older version of this program", form)));
  }
  return tl::unexpected(database.damage(
      ours ? message("its header says that it has format {}, but its tables are those of format {}", form, kForm)
           : message("its tables are not those of a measurement store")));
}

}  // namespace iosx::store
