#include "core/base/sqlite/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cstring>
#include <utility>
#include <vector>

namespace iosx::sqlite {
namespace {

constexpr int kBasicCode = 0xFF;  // of an extended result code

// Returns the path as SQLite's URIs want it.
std::string uri(const std::filesystem::path& file) {
  std::string text = "file:";
  for (const char c : std::filesystem::absolute(file).string()) {
    if (c == '%' || c == '?' || c == '#') {
      text += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    } else {
      text += c;
    }
  }
  return text + "?immutable=1";
}

}  // namespace

struct Database::Connection {
  sqlite3* handle = nullptr;
  std::string where;
  bool damaged = false;
  bool doubtful = false;
  std::chrono::steady_clock::time_point until;  // see limit()

  struct Kept {
    std::string sql;
    sqlite3_stmt* statement;
  };
  std::vector<Kept> idle;  // statements that nobody executes now

  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() {
    for (const Kept& kept : idle) sqlite3_finalize(kept.statement);
    sqlite3_close_v2(handle);
  }
};

Database::Database(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::open(const std::filesystem::path& file, Mode mode) {
  Database database(std::make_unique<Connection>());
  Connection& connection = *database.connection_;
  connection.where = file.string();
  int flags = SQLITE_OPEN_NOMUTEX;
  switch (mode) {
    case Mode::kCreate: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE; break;
    case Mode::kReadWrite: flags |= SQLITE_OPEN_READWRITE; break;
    case Mode::kReadOnly: flags |= SQLITE_OPEN_READONLY; break;
    case Mode::kImmutable: flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI; break;
  }
  // Absolute, so that no name is taken for a URI or one of SQLite's special names.
  const std::string name = mode == Mode::kImmutable ? uri(file) : std::filesystem::absolute(file).string();
  const int opened = sqlite3_open_v2(name.c_str(), &connection.handle, flags, nullptr);
  if (opened != SQLITE_OK) return tl::unexpected(database.error(opened));
  sqlite3_extended_result_codes(connection.handle, 1);
  sqlite3_busy_timeout(connection.handle, static_cast<int>(kPatience.count()));
  // The file may be anybody's: it must not make us execute what it brings.
  sqlite3_db_config(connection.handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(connection.handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  if (auto set = database.execute("PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON"); !set) {
    return tl::unexpected(std::move(set.error()));
  }
  return database;
}

Result<Database> Database::in_memory() {
  Database database(std::make_unique<Connection>());
  Connection& connection = *database.connection_;
  connection.where = "memory";
  const int opened =
      sqlite3_open_v2(":memory:", &connection.handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  if (opened != SQLITE_OK) return tl::unexpected(database.error(opened));
  sqlite3_extended_result_codes(connection.handle, 1);
  IOS_TRY(database.execute("PRAGMA foreign_keys = ON"));
  return database;
}

Result<void> Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(connection_->handle, sql.c_str(), nullptr, nullptr, nullptr);
  if (code == SQLITE_OK) return {};
  return tl::unexpected(error(code));
}

std::int64_t Database::changes() const { return sqlite3_changes64(connection_->handle); }
bool Database::damaged() const { return connection_->damaged; }
bool Database::doubtful() const { return connection_->doubtful; }

Error Database::damage(const Message& what) {
  connection_->damaged = true;
  return Error{message("is damaged: {}", what), connection_->where, message("move the file away")};
}

bool Database::moved() const {
  int moved = 0;
  const int code = sqlite3_file_control(connection_->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return code == SQLITE_OK && moved != 0;
}

void Database::leave_as_it_is() {
  sqlite3_db_config(connection_->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

void Database::limit(std::size_t most_bytes, std::chrono::milliseconds most_time) {
  constexpr int kInstructions = 10'000;  // between two looks at the clock
  sqlite3_limit(connection_->handle, SQLITE_LIMIT_LENGTH, static_cast<int>(most_bytes));
  connection_->until = std::chrono::steady_clock::now() + most_time;
  const auto late = [](void* connection) -> int {
    return std::chrono::steady_clock::now() > static_cast<Connection*>(connection)->until ? 1 : 0;
  };
  sqlite3_progress_handler(connection_->handle, kInstructions, late, connection_.get());
}

Error Database::error(int code) {
  Connection& connection = *connection_;
  const std::string said = connection.handle == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(connection.handle);
  const int system = connection.handle == nullptr ? 0 : sqlite3_system_errno(connection.handle);
  const std::string why = system == 0 ? said : std::strerror(system);
  const auto told = [&](Message what, Message remedy) {
    return Error{std::move(what), connection.where, std::move(remedy)};
  };
  switch (code & kBasicCode) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return damage(verbatim(said));
    case SQLITE_FULL: return told(message("could not be written: the disk is full"), message("make room on it"));
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return told(message("is locked by another program"), message("end that program, or try again"));
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return told(message("may not be written"), message("check the permissions of the file and of its folder"));
    case SQLITE_CANTOPEN:
      return told(message("cannot be opened: {}", why), message("check the path, and the permissions of its folder"));
    case SQLITE_IOERR: return told(message("could not be read or written: {}", why), message("check the disk"));
    case SQLITE_INTERRUPT: return told(message("takes too long to read"), message("is it the right file?"));
    case SQLITE_NOMEM: return told(message("there is not enough memory"), message("end other programs"));
    default: connection.doubtful = true; return told(verbatim(said), {});
  }
}

Query::Query(Database& database, std::string_view sql) : database_(&database) {
  Database::Connection& connection = *database.connection_;
  for (auto kept = connection.idle.begin(); kept != connection.idle.end(); ++kept) {
    if (kept->sql != sql) continue;
    statement_ = kept->statement;
    connection.idle.erase(kept);
    return;
  }
  error_ = sqlite3_prepare_v3(connection.handle, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                              &statement_, nullptr);
}

Query::Query(Query&& other) noexcept
    : database_(other.database_),
      statement_(std::exchange(other.statement_, nullptr)),
      error_(other.error_),
      bound_(other.bound_) {}

Query::~Query() {
  if (statement_ == nullptr) return;
  restart();
  sqlite3_clear_bindings(statement_);
  database_->connection_->idle.push_back({sqlite3_sql(statement_), statement_});
}

void Query::restart() {
  sqlite3_reset(statement_);
  bound_ = 0;
}

void Query::keep(int code) {
  if (error_ == SQLITE_OK) error_ = code;
}

void Query::bind_next(std::string_view text) {
  keep(sqlite3_bind_text64(statement_, ++bound_, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}
void Query::bind_next(Blob blob) {
  keep(sqlite3_bind_blob64(statement_, ++bound_, blob.bytes.data(), blob.bytes.size(), SQLITE_TRANSIENT));
}
void Query::bind_next(double value) { keep(sqlite3_bind_double(statement_, ++bound_, value)); }
void Query::bind_next(std::nullptr_t) { keep(sqlite3_bind_null(statement_, ++bound_)); }
void Query::bind_integer(std::int64_t value) { keep(sqlite3_bind_int64(statement_, ++bound_, value)); }

Result<bool> Query::step() {
  if (error_ != SQLITE_OK) return tl::unexpected(database_->error(error_));
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    restart();
    return false;
  }
  Error error = database_->error(code);
  restart();
  return tl::unexpected(std::move(error));
}

Result<void> Query::run() {
  while (true) {
    IOS_TRY(const auto row, step());
    if (!row) return {};
  }
}

Result<std::int64_t> Query::number(std::int64_t absent) {
  IOS_TRY(const auto row, step());
  if (!row) return absent;
  const std::int64_t value = integer(0);
  IOS_TRY(run());
  return value;
}

std::int64_t Query::integer(int column) const { return sqlite3_column_int64(statement_, column); }
double Query::real(int column) const { return sqlite3_column_double(statement_, column); }
std::string Query::text(int column) const { return std::string(blob(column)); }
bool Query::is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

std::string_view Query::blob(int column) const {
  const void* const bytes = sqlite3_column_blob(statement_, column);
  if (bytes == nullptr) return {};
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

Result<Transaction> Transaction::begin(Database& database, Kind kind) {
  IOS_TRY(database.query(kind == Kind::kRead ? "BEGIN" : "BEGIN IMMEDIATE").run());
  return Transaction(database);
}

Transaction::Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}

// Where SQLite has ended it already, after an error, there is nothing to undo and nothing to tell.
Transaction::~Transaction() {
  if (database_ != nullptr) static_cast<void>(database_->query("ROLLBACK").run());
}

Result<void> Transaction::commit() {
  auto committed = database_->query("COMMIT").run();
  if (committed) database_ = nullptr;
  return committed;
}

}  // namespace iosx::sqlite
