#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/devices/store/measurement_store.h"
#include "tests/support/sqlite_files.h"
#include "tests/support/store_files.h"

namespace iosx::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const auto make = write_database;

TEST(Form, OfANewerVersionIsRefusedAndTheFileUntouched) {
  for (const char* const change : {"PRAGMA user_version = 7; CREATE TABLE news(i)",
                                   "PRAGMA user_version = 2147483647; ALTER TABLE series ADD COLUMN more"}) {
    const Folder folder;
    const auto file = folder / "m.db";
    ASSERT_TRUE(open_store(file)->append(some_set(), some_measurement(1)));
    make(file, change);
    const std::string bytes = read_file(file);
    for (const auto access : {MeasurementStore::Access::kReadWrite, MeasurementStore::Access::kReadOnly}) {
      const auto opened = MeasurementStore::open(file, access);
      ASSERT_FALSE(opened.has_value()) << change;
      EXPECT_THAT(opened.error().text(), HasSubstr("was written by a newer version of this program (delete it to "
                                                   "measure again"));
    }
    EXPECT_EQ(read_file(file), bytes) << change;
    EXPECT_THAT(folder.names(), testing::Not(testing::Contains(HasSubstr("damaged")))) << change;
  }
}

// The header says one thing and the tables another, as after a flipped bit, or an older version made the file. Only
// reading it changes nothing and is an error.
TEST(Form, ThatCannotBeIsSetAsideWithOneLine) {
  const std::string older = "CREATE TRIGGER t AFTER UPDATE ON measurement BEGIN DELETE FROM measurement; END;";
  const std::string oldest = "DROP TABLE search;";
  for (const auto form : {"-1", "-2147483648", "0", "1", "2", "3", "4", "5", "7", "20", "1073741828", "2147483647"}) {
    for (const std::string& change : {std::string(), older, oldest, std::string("CREATE TABLE more(i);")}) {
      if (!change.empty() && std::stoll(form) > 6) continue;  // a newer version's
      SCOPED_TRACE(form + (": " + change));
      const Folder folder;
      const auto file = folder / "m.db";
      ASSERT_TRUE(open_store(file)->append(some_set(), some_measurement(1)));
      make(file, change + "PRAGMA user_version = " + form);
      const std::string bytes = read_file(file);
      const auto read = MeasurementStore::open(file, MeasurementStore::Access::kReadOnly);
      ASSERT_FALSE(read.has_value());
      EXPECT_THAT(read.error().text(), HasSubstr("m.db: is damaged: "));
      EXPECT_EQ(read_file(file), bytes);
      auto store = open_store(file);
      ASSERT_NE(store, nullptr);
      EXPECT_THAT(store->take_notices(),
                  ElementsAre(AllOf(HasSubstr("m.db is damaged: "), HasSubstr("m.db.damaged-1"))));
      EXPECT_EQ(read_file(file.string() + ".damaged-1"), bytes);
      EXPECT_TRUE(store->append(some_set(), some_measurement(2)));
      EXPECT_EQ(rows_of(*store), 1);
    }
  }
}

// The first had no methods, neither said what stages are. Reading alone does not change them.
TEST(Form, OfAVersionBeforeGetsWhatIsMissing) {
  for (const char* const before :
       {"DROP TABLE stage; DROP TABLE choice; PRAGMA user_version = 4", "DROP TABLE stage; PRAGMA user_version = 5"}) {
    SCOPED_TRACE(before);
    const Folder folder;
    const auto file = folder / "m.db";
    ASSERT_TRUE(open_store(file)->append(some_set(), some_measurement(1)));
    make(file, before);
    const std::string bytes = read_file(file);
    const auto read = MeasurementStore::open(file, MeasurementStore::Access::kSnapshot);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(rows_of(**read), 1);
    EXPECT_TRUE((*read)->visit_described({}, [](const auto&, const auto&, const auto&) { return Result<void>(); }));
    EXPECT_EQ(read_file(file), bytes);
    auto store = open_store(file);
    ASSERT_NE(store, nullptr);
    EXPECT_THAT(store->take_notices(), ElementsAre());
    EXPECT_EQ(rows_of(*store), 1);
    EXPECT_EQ(store->keep_choice("a device", "its id", "a problem", "a method").value(), "a method");
    EXPECT_TRUE(store->describe(std::vector<DescribedStage>{{some_measurement(1).key, "a text"}}));
    EXPECT_EQ(store->info()->form, 6);
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
