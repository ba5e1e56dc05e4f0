#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/base/sqlite/database.h"
#include "core/devices/store/measurement_store.h"
#include "tests/support/store_files.h"

namespace iosx::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

void make(const std::filesystem::path& file, const std::string& sql) {
  auto database = sqlite::Database::open(file, sqlite::Mode::kCreate);
  ASSERT_TRUE(database.has_value());
  const auto made = database->execute(sql);
  ASSERT_TRUE(made.has_value()) << made.error().text();
}

TEST(Form, OfAnotherVersionIsRefusedAndTheFileUntouched) {
  for (const char* const change : {"PRAGMA user_version = 3", "PRAGMA user_version = 5; CREATE TABLE news(i)"}) {
    const Folder folder;
    const auto file = folder / "m.db";
    ASSERT_TRUE(open_store(file)->append(some_set(), some_measurement(1)));
    make(file, change);
    const std::string bytes = read_file(file);
    for (const auto access : {MeasurementStore::Access::kReadWrite, MeasurementStore::Access::kReadOnly}) {
      const auto opened = MeasurementStore::open(file, access);
      ASSERT_FALSE(opened.has_value()) << change;
      EXPECT_THAT(opened.error().text(), AllOf(HasSubstr("was written by another version of this program (form "),
                                               HasSubstr(", this one knows 4) (delete it to measure again")));
    }
    EXPECT_EQ(read_file(file), bytes) << change;
    EXPECT_THAT(folder.names(), testing::Not(testing::Contains(HasSubstr("damaged")))) << change;
  }
}

// The tables of a store without a row: a file that says of itself that it is empty is not read as one.
TEST(Form, OfNoneWithTablesIsRefused) {
  const Folder folder;
  ASSERT_TRUE(open_store(folder / "m.db")->append(some_set(), some_measurement(1)));
  make(folder / "m.db", "PRAGMA user_version = 0");
  for (const auto access : {MeasurementStore::Access::kReadWrite, MeasurementStore::Access::kReadOnly}) {
    EXPECT_FALSE(MeasurementStore::open(folder / "m.db", access).has_value());
  }
}

TEST(Form, OfAnotherProgramsDatabaseIsRefusedAndTheFileUntouched) {
  const Folder folder;
  const auto file = folder / "m.db";
  make(file, "CREATE TABLE measurement(i); PRAGMA user_version = 1");
  const std::string bytes = read_file(file);
  EXPECT_THAT(MeasurementStore::open(file).error().what, HasSubstr("is not a measurement store"));
  EXPECT_EQ(read_file(file), bytes);
  EXPECT_THAT(folder.names(), ElementsAre("m.db"));
}

// Tables, triggers and views of somebody else's in a file that says that it is a store.
TEST(Form, OfAStoreWithExternalTablesSetsItAside) {
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
