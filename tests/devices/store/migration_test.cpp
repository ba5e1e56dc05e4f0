#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/base/sqlite/database.h"
#include "core/devices/store/measurement_store.h"
#include "tests/support/store_files.h"

namespace iosx::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A store as the first form of it was: written down here, not made by the program.
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
INSERT INTO device VALUES(3, 'processor A, 8 cores', 1, 'cpu', 'Processor A', '', 0);
INSERT INTO device VALUES(4, 'simulated X', 0, 'x', 'X', '', 0);
INSERT INTO series VALUES(5, 3, 8, 'f32'), (6, 4, 1, 'f32');
INSERT INTO method VALUES(2, '0.1.0', 2, 5, 100, 2.0, 0.02, 200.0);
INSERT INTO measurement VALUES(5, x'0123456789abcdeffedcba9876543210', 0.5, 0.01, 20, 1200.0, 1772366400, 2);
INSERT INTO measurement VALUES(6, x'00000000000000010000000000000002', 3, 0, 1, 0, 1772366401, 2);
PRAGMA application_id = 0x494F5358;
PRAGMA user_version = 1;
PRAGMA journal_mode = WAL;
)sql";

void make(const std::filesystem::path& file, const std::string& sql) {
  auto database = sqlite::Database::open(file, sqlite::Mode::kCreate);
  ASSERT_TRUE(database.has_value());
  const auto made = database->execute(sql);
  ASSERT_TRUE(made.has_value()) << made.error().text();
}

// 2,500 more rows, so that they are sealed in several steps.
std::string many_rows() {
  return "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500) "
         "INSERT INTO measurement SELECT 5, CAST(printf('%016d', i) AS BLOB), i, 0, 1, 0, 1772366400, 2 FROM n;";
}

TEST(Migration, KeepsEveryMeasurementOfTheFirstForm) {
  const Folder folder;
  const auto file = folder / "m.db";
  make(file, kFirstForm + many_rows());
  auto store = open_store(file);
  EXPECT_THAT(store->take_notices(), IsEmpty());
  const auto info = store->info();
  ASSERT_TRUE(info.has_value()) << info.error().text();
  EXPECT_EQ(info->form, 3);
  EXPECT_EQ(info->measurements, 2502);

  const StageKey key{0x0123456789abcdefULL, 0xfedcba9876543210ULL};
  const auto found = store->find(some_set("processor A, 8 cores", 8), std::vector{key});
  ASSERT_TRUE(found.has_value()) << found.error().text();
  ASSERT_TRUE(found->at(0).has_value());
  EXPECT_EQ(words(*found->at(0)),
            "0123456789abcdeffedcba9876543210 0.5±0.01 n=20 measured 1200 MHz 2026-03-01T12:00:00Z by 0.1.0 2/5/100 2 "
            "0.02 200");
  const auto simulated = store->find(some_set("simulated X"), std::vector{StageKey{1, 2}});
  EXPECT_EQ(simulated->at(0)->latency.origin, Origin::kSimulated);
  std::int64_t walked = 0;
  ASSERT_TRUE(store->visit({}, [&](const MeasurementSet&, const Measurement&) -> Result<void> {
    ++walked;
    return {};
  }));
  EXPECT_EQ(walked, 2502);  // each with a checksum that holds
  EXPECT_TRUE(store->append(some_set("processor A, 8 cores", 8), some_measurement(1)));
  EXPECT_EQ(rows_of(*open_store(file)), 2503);  // and it stays
  EXPECT_THAT(folder.names(), testing::Contains("m.db"));
  EXPECT_THAT(folder.names(), testing::Not(testing::Contains(HasSubstr("damaged"))));
}

TEST(Migration, HappensBeforeReadingToo) {
  const Folder folder;
  make(folder / "m.db", kFirstForm);
  auto store = MeasurementStore::open(folder / "m.db", MeasurementStore::Access::kReadOnly);
  ASSERT_TRUE(store.has_value()) << store.error().text();
  EXPECT_EQ(rows_of(**store), 2);
}

TEST(Migration, OfAStoreThatContradictsItselfSetsItAside) {
  const Folder folder;
  make(folder / "m.db", std::string(kFirstForm) + "UPDATE measurement SET method = 9;");
  auto store = open_store(folder / "m.db");
  EXPECT_THAT(store->take_notices(), ElementsAre(HasSubstr("m.db.damaged-1")));
  EXPECT_EQ(rows_of(*store), 0);
}

TEST(Migration, OfANewerFormIsRefusedAndTheFileUntouched) {
  const Folder folder;
  const auto file = folder / "m.db";
  ASSERT_TRUE(open_store(file)->append(some_set(), some_measurement(1)));
  make(file, "PRAGMA user_version = 4; CREATE TABLE news(i)");
  const std::string bytes = read_file(file);
  for (const auto access : {MeasurementStore::Access::kReadWrite, MeasurementStore::Access::kReadOnly}) {
    const auto opened = MeasurementStore::open(file, access);
    ASSERT_FALSE(opened.has_value());
    EXPECT_THAT(opened.error().text(), HasSubstr("newer program (form 4, this one knows 3) (update this program"));
  }
  EXPECT_EQ(read_file(file), bytes);
  EXPECT_THAT(folder.names(), testing::Not(testing::Contains(HasSubstr("damaged"))));
}

TEST(Migration, OfAnotherProgramsDatabaseIsRefusedAndTheFileUntouched) {
  const Folder folder;
  const auto file = folder / "m.db";
  make(file, "CREATE TABLE measurement(i); PRAGMA user_version = 1");
  const std::string bytes = read_file(file);
  EXPECT_THAT(MeasurementStore::open(file).error().what, HasSubstr("is not a measurement store"));
  EXPECT_EQ(read_file(file), bytes);
  EXPECT_THAT(folder.names(), ElementsAre("m.db"));
}

// Tables, triggers and views of somebody else's in a file that says that it is a store.
TEST(Migration, OfAStoreWithExternalTablesSetsItAside) {
  for (const char* const external :
       {"CREATE TABLE more(i)", "CREATE TRIGGER t AFTER INSERT ON measurement BEGIN DELETE FROM measurement; END",
        "DROP TABLE measurement; CREATE VIEW measurement AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
        "FROM n) "
        "SELECT i AS series, i AS key FROM n"}) {
    const Folder folder;
    ASSERT_TRUE(open_store(folder / "m.db")->append(some_set(), some_measurement(1)));
    make(folder / "m.db", external);
    auto store = open_store(folder / "m.db");
    ASSERT_NE(store, nullptr);
    EXPECT_THAT(store->take_notices(), ElementsAre(HasSubstr("m.db.damaged-1"))) << external;
  }
}

}  // namespace
}  // namespace iosx::test
