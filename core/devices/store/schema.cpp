#include "core/devices/store/schema.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "core/devices/store/rows.h"

namespace iosx::store {
namespace {

using sqlite::Blob;
using sqlite::Database;
using sqlite::Query;
using sqlite::Transaction;

// Names of devices may change; the fingerprint is what they are. Not every reference is declared: to look for the rows
// that use a method, each time that one is removed, would read them all.
constexpr const char* kFirstForm = R"sql(
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
  PRIMARY KEY(series, key)) WITHOUT ROWID;
)sql";

Result<void> first_form(Database& database) { return database.execute(kFirstForm); }

// The checksum of one page of rows after another: a walk must not change what it stands on.
Result<void> add_checksums(Database& database) {
  constexpr int kPage = 1000;
  if (auto added = database.execute("ALTER TABLE measurement ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0"); !added) {
    return added;
  }
  struct Sealed {
    std::int64_t series;
    std::string key;
    std::int32_t checksum;
  };
  Dictionary dictionary(database);
  Query read = database.query(fmt::format(
      "SELECT {} FROM measurement WHERE (series, key) > (?, ?) ORDER BY series, key LIMIT {}", kColumns, kPage));
  Query write = database.query("UPDATE measurement SET checksum = ? WHERE series = ? AND key = ?");
  Sealed last{-1, "", 0};
  while (true) {
    std::vector<Sealed> page;
    read.bind(last.series, Blob{last.key});
    while (true) {
      IOS_TRY(const auto row, read.step());
      if (!row) break;
      IOS_TRY(const auto checksum, dictionary.checksum(read));
      page.push_back({read.integer(0), std::string(read.blob(1)), checksum});
    }
    if (page.empty()) return {};
    for (const Sealed& row : page) {
      if (auto written = write.bind(row.checksum, row.series, Blob{row.key}).run(); !written) return written;
    }
    last = page.back();
  }
}

Result<void> add_searches(Database& database) {
  return database.execute(R"sql(
CREATE TABLE search(
  series INTEGER NOT NULL REFERENCES series,
  key BLOB NOT NULL,
  stages INTEGER NOT NULL,
  date INTEGER NOT NULL,
  PRIMARY KEY(series, key)) WITHOUT ROWID;
)sql");
}

constexpr std::array<Result<void> (*)(Database&), kForm> kMigrations{first_form, add_checksums, add_searches};

Result<std::string> schema_of(Database& database) {
  std::string text;
  Query query = database.query("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema ORDER BY name");
  while (true) {
    IOS_TRY(const auto row, query.step());
    if (!row) return text;
    for (int column = 0; column < 4; ++column) text += query.text(column) + '\n';
  }
}

Result<void> migrate_unlocked(Database& database) {
  IOS_TRY(const auto form, form_of(database));
  if (form >= kForm) return {};  // another process was quicker
  for (int step = form; step < kForm; ++step) {
    if (auto done = kMigrations[static_cast<std::size_t>(step)](database); !done) return done;
  }
  return database.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplicationId, kForm));
}

}  // namespace

Result<int> form_of(Database& database) {
  IOS_TRY(const auto form, database.query("PRAGMA user_version").number(0));
  return static_cast<int>(form);
}

Result<void> migrate(Database& database) {
  IOS_TRY(auto transaction, Transaction::begin(database, Transaction::Kind::kWrite));
  if (auto migrated = migrate_unlocked(database); !migrated) return migrated;
  return transaction.commit();
}

Result<void> check_schema(Database& database) {
  IOS_TRY(const auto found, schema_of(database));
  IOS_TRY(auto model, Database::in_memory());
  if (auto made = migrate_unlocked(model); !made) return made;
  IOS_TRY(const auto expected, schema_of(model));
  if (found == expected) return {};
  return tl::unexpected(database.damage("its tables are not those of a measurement store"));
}

}  // namespace iosx::store
