#include "core/base/sqlite/database.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>

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

std::string quoted(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) text.append(c == '"' ? 2 : 1, c);
  return text + '"';
}

// The functions of our own statements. Only the file could name others.
bool is_harmless(std::string_view function) { return function == "count" || function == "coalesce"; }

}  // namespace

struct Database::Connection {
  sqlite3* handle = nullptr;
  std::string where;
  bool damaged = false;
  bool doubtful = false;
  bool trusted = false;
  std::vector<std::string> readable;            // tables that allow() named
  std::chrono::steady_clock::time_point until;  // see limit_time()

  struct Kept {
    std::string sql;
    sqlite3_stmt* statement;
  };
  std::vector<Kept> idle;  // statements that nobody executes now

  Connection() = default;

  // Takes from the file what could make us execute what it brings, and from its values what could need all memory.
  void guard() {
    const auto turn = [&](int what, int on) { sqlite3_db_config(handle, what, on, nullptr); };
    turn(SQLITE_DBCONFIG_DEFENSIVE, 1);
    turn(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0);
    turn(SQLITE_DBCONFIG_ENABLE_TRIGGER, 0);
    turn(SQLITE_DBCONFIG_ENABLE_VIEW, 0);
    turn(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0);
    turn(SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0);
    turn(SQLITE_DBCONFIG_DQS_DDL, 0);
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, static_cast<int>(kMostValue));
    sqlite3_limit(handle, SQLITE_LIMIT_WORKER_THREADS, 0);
    sqlite3_set_authorizer(handle, &may, this);
  }

  // Answers SQLite when it compiles a statement; `first` is the table of a read, `second` the name of a function.
  static int may(void* connection, int action, const char* first, const char* second, const char*, const char*) {
    const auto& self = *static_cast<const Connection*>(connection);
    if (self.trusted) return SQLITE_OK;
    switch (action) {
      case SQLITE_SELECT:
      case SQLITE_PRAGMA:
      case SQLITE_TRANSACTION: return SQLITE_OK;
      case SQLITE_FUNCTION: return is_harmless(second) ? SQLITE_OK : SQLITE_DENY;
      case SQLITE_READ:
        return first == std::string_view("sqlite_master") ||
                       std::ranges::find(self.readable, first) != self.readable.end()
                   ? SQLITE_OK
                   : SQLITE_DENY;
      default: return SQLITE_DENY;
    }
  }

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
  connection.guard();
  IOS_TRY(database.execute("PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON"));
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

Result<std::vector<std::string>> Database::stored_columns(std::string_view table) {
  // Uses PRAGMAs, because a file may have tables with the names of the functions.
  std::vector<std::string> columns;
  Query list = query("PRAGMA main.table_list(" + quoted(table) + ")");
  IOS_TRY(const auto there, list.step());
  const bool stored = there && list.text(2) == "table";
  list.restart();
  if (!stored) return columns;
  Query info = query("PRAGMA main.table_xinfo(" + quoted(table) + ")");
  while (true) {
    IOS_TRY(const auto row, info.step());
    if (!row) return columns;
    if (info.integer(6) == 0) columns.push_back(info.text(1));  // others are computed
  }
}

void Database::allow(std::string_view table) { connection_->readable.emplace_back(table); }
void Database::trust() { connection_->trusted = true; }
bool Database::trusted() const { return connection_->trusted; }

void Database::limit_time(std::chrono::milliseconds most) {
  constexpr int kInstructions = 10'000;  // between two looks at the clock
  connection_->until = std::chrono::steady_clock::now() + most;
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
    case SQLITE_TOOBIG: return damage(message("a value is longer than {} bytes", kMostValue));
    case SQLITE_FULL: return told(message("could not be written: the disk is full"), message("free space on the disk"));
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return told(message("is locked by another program"), message("end that program, or try again"));
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return told(message("is not writable"), message("check the permissions of the file and of its folder"));
    case SQLITE_CANTOPEN:
      return told(message("cannot be opened: {}", why), message("check the path, and the permissions of its folder"));
    case SQLITE_IOERR: return told(message("could not be read or written: {}", why), message("check the disk"));
    case SQLITE_INTERRUPT: return told(message("takes too long to read"), message("check that it is the right file"));
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

// If SQLite ended it already, after an error, there is nothing to undo or report.
Transaction::~Transaction() {
  if (database_ != nullptr) static_cast<void>(database_->query("ROLLBACK").run());
}

Result<void> Transaction::commit() {
  auto committed = database_->query("COMMIT").run();
  if (committed) database_ = nullptr;
  return committed;
}

}  // namespace iosx::sqlite
