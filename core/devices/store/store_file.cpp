#include "core/devices/store/store_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>

namespace iosx::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr std::size_t kHeaderBytes = 100;     // of an SQLite file
constexpr std::size_t kApplicationIdAt = 68;  // in it, the high byte first
constexpr std::size_t kWriteVersionAt = 18;
constexpr std::size_t kReadVersionAt = 19;
constexpr std::size_t kPageSizeAt = 16;
constexpr std::size_t kPagesAt = 28;          // true if the change counter
constexpr std::size_t kChangesAt = 24;        // is the one
constexpr std::size_t kPagesValidForAt = 92;  // that it was written with
constexpr std::size_t kHeadBytes = 65'536;    // the first page, however large pages are
constexpr Sentence kAnother{"choose another file for the measurements"};

// Accepts the versions of SQLite's file format: without and with a log.
bool is_version(char version) { return version == 1 || version == 2; }

std::uint32_t number_at(std::string_view head, std::size_t at, std::size_t bytes) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < bytes; ++i) number = number << 8 | static_cast<unsigned char>(head[at + i]);
  return number;
}

std::int32_t application_id(std::string_view head) {
  return static_cast<std::int32_t>(number_at(head, kApplicationIdAt, 4));
}

// Returns how many bytes the header says that the file has; 0 where it does not know.
std::uintmax_t bytes_by_header(std::string_view head) {
  if (number_at(head, kChangesAt, 4) != number_at(head, kPagesValidForAt, 4)) return 0;
  const std::uint32_t page = number_at(head, kPageSizeAt, 2);
  return std::uintmax_t{number_at(head, kPagesAt, 4)} * (page == 1 ? 65'536 : page);
}

// Returns whether the pages after an overwritten first page are the first of our tables, in store_file.cpp's
// order: by the kinds of SQLite's pages, a table's or an index's.
bool has_our_pages(std::string_view head) {
  constexpr std::size_t kPage = 4096;  // SQLite's own choice, and ours
  // They are device, series and method with an index each, and measurement, which is all index.
  constexpr std::string_view kKinds = "TITITII";
  if (head.size() < (1 + kKinds.size()) * kPage) return false;
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    const char kind = head[(1 + i) * kPage];
    const bool table = kind == 5 || kind == 13;  // inner page, leaf
    const bool index = kind == 2 || kind == 10;
    if (kKinds[i] == 'T' ? !table : !index) return false;
  }
  return true;
}

fs::path beside(const fs::path& file, const char* suffix) { return fs::path(file.string() + suffix); }

// Missing data may be in the log, which the next connection reads; that connection also rolls back an interrupted
// write, or the making of the file, by the journal.
bool has_log(const fs::path& file) {
  return std::ranges::any_of(std::array{"-wal", "-journal"}, [&](const char* suffix) {
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(beside(file, suffix), error);
    return !error && bytes > 0;
  });
}

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

bool begins_like_store(std::string_view head) {
  return head.starts_with(kMagic) && head.size() >= kHeaderBytes && application_id(head) == kApplicationId;
}

Result<Kind> look_at(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) return Kind::kAbsent;
  const std::string where = file.string();
  if (error)
    return fail(message("cannot be accessed: {}", error.message()), where,
                message("check the permissions of its folder"));
  if (fs::is_directory(status)) return fail(message("is a folder, not a file"), where, kAnother);
  if (!fs::is_regular_file(status)) return fail(message("is not a regular file"), where, kAnother);
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    return fail(message("cannot be opened: {}", std::strerror(errno)), where, message("check its permissions"));
  std::string head(kHeadBytes, '\0');
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (stream.bad()) return fail(message("cannot be read: {}", std::strerror(errno)), where, message("check the disk"));
  head.resize(static_cast<std::size_t>(stream.gcount()));
  if (head.empty()) return Kind::kEmpty;

  const bool magic = head.starts_with(kMagic);
  const bool ours = head.size() >= kHeaderBytes && application_id(head) == kApplicationId;
  if (magic && ours && is_version(head[kWriteVersionAt]) && is_version(head[kReadVersionAt])) {
    const std::uintmax_t bytes = fs::file_size(file, error);
    return !error && bytes < bytes_by_header(head) && !has_log(file) ? Kind::kDamaged : Kind::kStore;
  }
  const bool zeros = std::all_of(head.begin(), head.end(), [](char c) { return c == 0; });
  const bool cut = head.size() < kHeaderBytes && kMagic.starts_with(std::string_view(head).substr(0, kMagic.size()));
  if (ours || zeros || cut || head.find(kMark) != std::string::npos) return Kind::kDamaged;
  if (!magic && has_our_pages(head)) return Kind::kDamaged;
  return fail(message("is not a measurement store"), where, kAnother);
}

FolderLock::FolderLock(const fs::path& folder)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  constexpr std::chrono::milliseconds kPause{2};
  const auto end = std::chrono::steady_clock::now() + sqlite::Database::kPatience;
  while (descriptor_ >= 0 && flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const bool taken = errno == EWOULDBLOCK || errno == EINTR;
    if (!taken || std::chrono::steady_clock::now() > end) return;
    std::this_thread::sleep_for(kPause);
  }
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<fs::path> set_aside(const fs::path& file, sqlite::Database* connection) {
  if (connection != nullptr) {
    if (connection->moved()) return fs::path();
  } else {
    IOS_TRY(const auto kind, look_at(file));
    if (kind != Kind::kDamaged) return fs::path();
  }
  std::error_code error;
  fs::path target;
  for (int number = 1; target.empty() || fs::exists(fs::symlink_status(target, error)); ++number) {
    target = beside(file, fmt::format(".damaged-{}", number).c_str());
  }
  fs::rename(file, target, error);
  if (error) {
    return fail(message("is damaged and could not be renamed: {}", error.message()), file.string(),
                message("check the permissions of its folder, or move it away"));
  }
  // With the log, which is needed to read the file, and its index, by which others that still have it open agree.
  for (const char* suffix : {"-wal", "-shm", "-journal"})
    fs::rename(beside(file, suffix), beside(target, suffix), error);
  return target;
}

std::uintmax_t bytes_on_disk(const fs::path& file) {
  std::uintmax_t bytes = 0;
  for (const char* suffix : {"", "-wal", "-shm"}) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(beside(file, suffix), error);
    if (!error) bytes += size;
  }
  return bytes;
}

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
