#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

struct sqlite3_stmt;

// This is SQLite behind values: errors are Results, handles are owned. Nothing else of the program sees sqlite3.h. A
// database and what was made from it are used by one thread at a time, and never across a fork.
namespace iosx::sqlite {

enum class Mode {
  kCreate,     // read and write; made if it is not there
  kReadWrite,  // it must be there
  kReadOnly,
  kImmutable,  // nothing changes the file meanwhile: read without locks or files beside it, even in a read-only folder
};

struct Blob {
  std::string_view bytes;
};

class Database;

// A query is a statement while it is executed. Its handle goes back to the database's cache at the end, which the query
// must not outlive. What is wrong with the statement itself, or with what is bound, is told by step() or run().
class Query {
 public:
  Query(Query&& other) noexcept;
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;
  Query& operator=(Query&&) = delete;
  ~Query();

  // Binds the next parameters, from the first on.
  template <typename... Values>
  Query& bind(const Values&... values) {
    (bind_next(values), ...);
    return *this;
  }

  Result<bool> step();                               // true: there is a row, whose columns may be read
  Result<void> run();                                // to the end; then it may be bound and run again
  Result<std::int64_t> number(std::int64_t absent);  // as run(); the first column of the first row
  void restart();                                    // ready to be bound and stepped from the beginning

  // These return a column of the current row, from 0. What has another type is converted; views are good until the next
  // step.
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  std::string_view blob(int column) const;
  bool is_null(int column) const;

 private:
  friend class Database;
  Query(Database& database, std::string_view sql);
  void bind_next(std::string_view text);
  void bind_next(const std::string& text) { bind_next(std::string_view(text)); }
  void bind_next(const char* text) { bind_next(std::string_view(text)); }
  void bind_next(Blob blob);
  void bind_next(double value);
  void bind_next(std::nullptr_t);
  void bind_integer(std::int64_t value);
  void bind_next(std::integral auto value) { bind_integer(static_cast<std::int64_t>(value)); }
  void keep(int code);

  Database* database_;
  sqlite3_stmt* statement_ = nullptr;
  int error_ = 0;  // the first that preparing or binding met
  int bound_ = 0;
};

// A database is one connection. Its errors name the file and say what to do.
//
// A file may be anybody's, so opening is the same for all: no trigger and no view of the file ever runs, no value is
// longer than kMostValue, and until trust() is called statements can do nothing but read: the schema, what PRAGMAs
// tell, and the tables that allow() names. Whoever opened the file checks its schema before either call.
class Database {
 public:
  // A write waits so long for another process's.
  static constexpr std::chrono::milliseconds kPatience{10'000};
  static constexpr std::size_t kMostValue = std::size_t{1} << 20U;  // bytes; a longer value counts as damage

  static Result<Database> open(const std::filesystem::path& file, Mode mode);
  static Result<Database> in_memory();
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  Query query(std::string_view sql) { return Query(*this, sql); }
  Result<void> execute(const std::string& sql);  // one or several statements without parameters
  std::int64_t changes() const;                  // rows that the last statement wrote

  // Says whether the file was found to be no database or to contradict itself since it was opened: by SQLite, or by who
  // reads it, which damage() notes.
  bool damaged() const;
  Error damage(const Message& what);
  // Says whether a statement failed for no reason outside (a constraint, say): it is wrong, or the file is.
  bool doubtful() const;
  // Says whether the file was renamed, removed or replaced since it was opened.
  bool moved() const;
  // After this call, closing leaves the file and its log as they are.
  void leave_as_it_is();

  // Returns the names of the table's columns that hold values; none if there is no such table. Views, virtual tables
  // and computed columns count as absent, because reading them would run what the file says.
  Result<std::vector<std::string>> stored_columns(std::string_view table);
  // Lets statements read this table.
  void allow(std::string_view table);
  // Lets statements do anything: the schema was found to be exactly ours.
  void trust();
  bool trusted() const;
  // From now on all statements together take no longer than this; otherwise a step is an error.
  void limit_time(std::chrono::milliseconds most);

 private:
  friend class Query;
  struct Connection;
  explicit Database(std::unique_ptr<Connection> connection);
  Error error(int code);

  std::unique_ptr<Connection> connection_;
};

// A transaction is undone at its end unless it was committed.
class Transaction {
 public:
  // A read sees one state of the database; a write excludes other processes' writes from its beginning on.
  enum class Kind { kRead, kWrite };
  static Result<Transaction> begin(Database& database, Kind kind);
  Transaction(Transaction&& other) noexcept;
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  Result<void> commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;  // null: ended
};

}  // namespace iosx::sqlite
