#include <stdlib.h>

#include "core/base/sqlite/database.h"
#include "tests/support/prelude.h"
#include "tests/support/store_files.h"

namespace iosx::sqlite {
namespace {

class Sqlite : public testing::Test {
 protected:
  Database make(const std::string& sql) {
    auto database = must(Database::open(file(), Mode::kCreate));
    database.trust();
    must(database.execute(sql));
    return database;
  }
  std::filesystem::path file() const { return folder_ / "a # b?%41.db"; }  // what a URI would read otherwise

  const test::Folder folder_;
};

TEST_F(Sqlite, GivesBackWhatWasBound) {
  Database database = make("CREATE TABLE t(i, r, s, b, n)");
  const std::string bytes("a\0b", 3);
  ASSERT_TRUE(database.query("INSERT INTO t VALUES(?, ?, ?, ?, ?)")
                  .bind(std::int64_t{1} << 60, 0.1, "text", Blob{bytes}, nullptr)
                  .run());
  EXPECT_EQ(database.changes(), 1);
  auto query = database.query("SELECT * FROM t");
  ASSERT_TRUE(query.step().value());
  EXPECT_EQ(query.integer(0), std::int64_t{1} << 60);
  EXPECT_EQ(query.real(1), 0.1);
  EXPECT_EQ(query.text(2), "text");
  EXPECT_EQ(query.blob(3), bytes);
  EXPECT_TRUE(query.is_null(4));
  EXPECT_FALSE(query.step().value());
}

TEST_F(Sqlite, AQueryIsBoundAgainAndUsedTwiceAtOnce) {
  Database database = make("CREATE TABLE t(i)");
  auto insert = database.query("INSERT INTO t VALUES(?)");
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(insert.bind(i).run());
  auto outer = database.query("SELECT i FROM t");
  int pairs = 0;
  while (outer.step().value()) {
    auto inner = database.query("SELECT i FROM t");
    while (inner.step().value()) ++pairs;
  }
  EXPECT_EQ(pairs, 9);
  EXPECT_EQ(database.query("SELECT max(i) FROM t").number(-1).value(), 2);
  EXPECT_EQ(database.query("SELECT i FROM t WHERE i > 5").number(-1).value(), -1);
}

TEST_F(Sqlite, AWrongStatementIsAnErrorWhenItIsExecuted) {
  Database database = make("CREATE TABLE t(i)");
  const Error error = refused(database.query("SELECT * FROM missing").bind(1).run());
  EXPECT_THAT(error.what, HasSubstr("no such table: missing"));
  EXPECT_EQ(error.where, file().string());
  EXPECT_FALSE(database.query("INSERT INTO t VALUES(?)").bind(1, 2).run().has_value());  // one too many
  EXPECT_FALSE(database.damaged());
}

TEST_F(Sqlite, ATransactionWithoutCommitIsUndone) {
  Database database = make("CREATE TABLE t(i)");
  for (const bool commit : {false, true}) {
    auto transaction = must(Transaction::begin(database, Transaction::Kind::kWrite));
    ASSERT_TRUE(database.query("INSERT INTO t VALUES(1)").run());
    if (commit) {
      ASSERT_TRUE(transaction.commit());
    }
  }
  EXPECT_EQ(database.query("SELECT count(*) FROM t").number(-1).value(), 1);
}

TEST_F(Sqlite, AFullDiskIsToldWithWhatToDo) {
  Database database = make("CREATE TABLE t(b); PRAGMA max_page_count = 10");
  const std::string much(100'000, 'x');
  EXPECT_THAT(refused(database.query("INSERT INTO t VALUES(?)").bind(much).run()).text(),
              HasSubstr("disk is full (free space"));
}

TEST_F(Sqlite, WhatIsNoDatabaseIsDamaged) {
  std::ofstream(file()) << std::string(4096, 'x');
  auto database = Database::open(file(), Mode::kReadWrite);
  const bool opened = database.has_value();  // SQLite may look at the file only when it is read
  const auto read = opened ? database->execute("SELECT * FROM sqlite_master") : Result<void>{};
  EXPECT_THAT(opened ? read.error().what : database.error().what, HasSubstr("damaged"));
  if (opened) {
    EXPECT_TRUE(database->damaged());
  }
}

TEST_F(Sqlite, SeesThatItsFileWasMoved) {
  Database database = make("CREATE TABLE t(i)");
  EXPECT_FALSE(database.moved());
  std::filesystem::rename(file(), folder_ / "elsewhere.db");
  EXPECT_TRUE(database.moved());
}

TEST_F(Sqlite, OpensOnlyWhatIsThere) {
  for (const Mode mode : {Mode::kReadWrite, Mode::kReadOnly, Mode::kImmutable}) {
    EXPECT_THAT(refused(Database::open(file(), mode)).text(), HasSubstr("cannot be opened: No such file"));
  }
  make("CREATE TABLE t(i); INSERT INTO t VALUES(7)");
  for (const Mode mode : {Mode::kReadOnly, Mode::kImmutable}) {
    auto database = must(Database::open(file(), mode));
    database.trust();
    EXPECT_EQ(database.query("SELECT i FROM t").number(-1).value(), 7);
    EXPECT_THAT(database.query("INSERT INTO t VALUES(8)").run().error().what, HasSubstr("is not writable"));
  }
}

TEST_F(Sqlite, UntilItIsTrustedOnlyWhatIsAllowedIsRead) {
  make("CREATE TABLE t(i); INSERT INTO t VALUES(7); CREATE TABLE u(i); INSERT INTO u VALUES(8)");
  auto database = must(Database::open(file(), Mode::kReadWrite));
  EXPECT_EQ(database.query("SELECT count(*) FROM sqlite_master").number(-1).value(), 2);
  EXPECT_FALSE(database.query("SELECT i FROM t").run());
  database.allow("t");
  EXPECT_EQ(database.query("SELECT i FROM main.t").number(-1).value(), 7);
  for (const char* sql : {"SELECT i FROM u", "SELECT i FROM t WHERE EXISTS(SELECT 1 FROM u)", "SELECT hex(i) FROM t",
                          "INSERT INTO t VALUES(8)", "DELETE FROM t", "UPDATE t SET i = 1", "DROP TABLE t",
                          "CREATE TABLE v(i)", "ATTACH ':memory:' AS m", "VACUUM",
                          "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"}) {
    EXPECT_FALSE(database.query(sql).run()) << sql;
  }
  database.trust();
  EXPECT_TRUE(database.query("INSERT INTO t SELECT i FROM u").run());
  EXPECT_EQ(database.query("SELECT count(*) FROM t").number(-1).value(), 2);
}

TEST_F(Sqlite, TriggersAndViewsOfTheFileNeverRun) {
  test::write_database(file(),
                       "CREATE TABLE t(i); CREATE TABLE u(i); INSERT INTO u VALUES(1); CREATE VIEW v AS SELECT 1 AS i;"
                       "CREATE TRIGGER x AFTER INSERT ON t BEGIN DELETE FROM u; END");
  auto database = must(Database::open(file(), Mode::kReadWrite));
  database.trust();
  EXPECT_TRUE(database.query("INSERT INTO t VALUES(1)").run());
  EXPECT_EQ(database.query("SELECT count(*) FROM u").number(-1).value(), 1);
  EXPECT_FALSE(database.query("SELECT i FROM v").run());
}

TEST_F(Sqlite, StoredColumnsAreThoseOfRealTablesAlone) {
  test::write_database(
      file(),
      "CREATE TABLE \"a \"\" b\"(i, r AS (i + 1), s AS (i + 2) STORED, t); CREATE VIEW v AS SELECT 1 AS i;"
      "CREATE VIRTUAL TABLE f USING fts5(x)");
  auto database = must(Database::open(file(), Mode::kReadOnly));
  EXPECT_THAT(database.stored_columns("a \" b").value(), ElementsAre("i", "t"));
  for (const char* name : {"v", "f", "f_data", "none"}) {
    EXPECT_THAT(database.stored_columns(name).value(), IsEmpty()) << name;
  }
}

TEST_F(Sqlite, AValueThatIsTooLongIsDamage) {
  test::write_database(file(), "CREATE TABLE t(b); INSERT INTO t VALUES(zeroblob(3000000))");
  auto database = must(Database::open(file(), Mode::kReadOnly));
  database.allow("t");
  EXPECT_THAT(database.query("SELECT b FROM t").run().error().what, HasSubstr("a value is longer than"));
  EXPECT_TRUE(database.damaged());
}

TEST_F(Sqlite, StatementsThatTakeTooLongEnd) {
  Database database = make("CREATE TABLE t(i)");
  database.limit_time(std::chrono::milliseconds(50));
  const auto endless =
      database.query("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n").run();
  ASSERT_FALSE(endless.has_value());
  EXPECT_THAT(endless.error().what, HasSubstr("takes too long"));
}

}  // namespace
}  // namespace iosx::sqlite
