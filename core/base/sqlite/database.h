#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "core/base/result.h"

struct sqlite3_stmt;

// Wraps SQLite: errors are Results, handles are owned. No other part of the program includes sqlite3.h. One thread
// at a time uses a database and the objects made from it, and never across a fork.
namespace iosx::sqlite {

enum class Mode {
  kCreate,     // read and write; creates a missing file
  kReadWrite,  // the file must exist
  kReadOnly,
  kImmutable,  // nothing changes the file meanwhile: reads without locks or extra files, even in a read-only folder
};

struct Blob {
  std::string_view bytes;
};

class Database;

// An executing statement. Its destructor returns the handle to the cache of the database, which must outlive the query.
// step() and run() report errors of the statement and of its bound values.
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

  Result<bool> step();                               // true: a row is ready to read
  Result<void> run();                                // runs to the end; the query can then be bound and run again
  Result<std::int64_t> number(std::int64_t absent);  // runs and returns the first column of the first row
  void restart();                                    // back to the beginning, ready to bind and step

  // Return a column (from 0) of the current row. Values of other types are converted; views are valid until the next
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
  int error_ = 0;  // the first error of preparing or binding
  int bound_ = 0;
};

// One connection to a database. Its errors name the file and the remedy.
//
// Opening trusts no file: triggers and views of the file never run, no value is longer than kMostValue, and before
// trust() statements can only read the schema, PRAGMAs, and the tables named to allow(). The caller checks the
// schema before either call.
class Database {
 public:
  // How long a write waits for another process's write.
  static constexpr std::chrono::milliseconds kPatience{10'000};
  static constexpr std::size_t kMostValue = std::size_t{1} << 20U;  // bytes; longer values count as damage

  static Result<Database> open(const std::filesystem::path& file, Mode mode);
  static Result<Database> in_memory();
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  Query query(std::string_view sql) { return Query(*this, sql); }
  Result<void> execute(const std::string& sql);  // one or more statements without parameters
  std::int64_t changes() const;                  // rows written by the last statement

  // Returns whether SQLite or a reader (by damage()) found, since opening, that the file is no database or contradicts
  // itself.
  bool damaged() const;
  Error damage(const Message& what);
  // Returns whether a statement failed without an outside reason (on a constraint, say), so that the
  // statement or the file is wrong.
  bool doubtful() const;
  // Returns whether the file was renamed, removed or replaced since opening.
  bool moved() const;
  // After this call, closing does not touch the file and its log.
  void leave_as_it_is();

  // Returns the names of the table's stored columns; none where the table does not exist. Views, virtual tables and
  // computed columns count as absent, because reading them would run code of the file.
  Result<std::vector<std::string>> stored_columns(std::string_view table);
  // Lets statements read this table.
  void allow(std::string_view table);
  // Lets statements do anything. Call it after checking that the schema is the program's own.
  void trust();
  bool trusted() const;
  // Limits the total time of all later statements; a step beyond it is an error.
  void limit_time(std::chrono::milliseconds most);

 private:
  friend class Query;
  struct Connection;
  explicit Database(std::unique_ptr<Connection> connection);
  Error error(int code);

  std::unique_ptr<Connection> connection_;
};

// Rolls back at its end unless it was committed.
class Transaction {
 public:
  // A read sees one state of the database; a write excludes writes of other processes from its start.
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
