#include "core/devices/store/measurement_store.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "core/base/hash.h"
#include "core/base/sqlite/database.h"
#include "core/devices/store/store_file.h"

namespace iosx {
namespace {

namespace fs = std::filesystem;
using sqlite::Blob;
using sqlite::Database;
using sqlite::Mode;
using sqlite::Query;
using sqlite::Transaction;
using store::Kind;

constexpr Sentence kAnotherFile{"delete it to measure again, or choose another file for the measurements"};
constexpr Sentence kBroken{"its first page is broken, or its end is missing"};
constexpr Sentence kSetAside{"the next search moves it away and starts a new one"};
constexpr std::size_t kChunk = 5000;  // rows of a transaction of many, so that other writers get their turn

// Measurements as rows of the store's tables (store_file.h). Every row has a checksum over its meaning, with the set
// and method that it refers to, so that a flipped bit is never read as a measurement.

// Collects bytes to hash, the same on every computer.
class Bytes {
 public:
  Bytes& add(std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) bytes_ += static_cast<char>((value >> shift) & 0xFF);
    return *this;
  }
  Bytes& add(std::int64_t value) { return add(static_cast<std::uint64_t>(value)); }
  Bytes& add(double value) { return add(std::bit_cast<std::uint64_t>(value + 0.0)); }  // -0 is stored as 0
  Bytes& add(const std::string& text) {
    add(static_cast<std::uint64_t>(text.size()));
    bytes_ += text;
    return *this;
  }
  std::uint64_t hash(std::uint64_t seed) const { return XXH3_64bits_withSeed(bytes_.data(), bytes_.size(), seed); }

 private:
  std::string bytes_;
};

std::uint64_t half_of(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

constexpr std::string_view kFindSet =
    "SELECT series.id FROM series JOIN device ON device.id = series.device "
    "WHERE fingerprint = ? AND batch = ? AND precision = ?";
constexpr std::string_view kReadSet =
    "SELECT fingerprint, batch, precision, origin, short_name, name, terms, terms_checksum FROM series JOIN device ON "
    "device.id = "
    "series.device "
    "WHERE series.id = ?";
constexpr std::string_view kReadMethod =
    "SELECT program, warmup, repeats, max_repeats, min_time_ms, precision, max_time_ms FROM method WHERE id = ?";
constexpr std::string_view kInsert =
    "INSERT INTO measurement(series, key, median_ms, spread_ms, samples, clock_mhz, date, method, checksum) "
    "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(series, key) DO UPDATE SET median_ms = excluded.median_ms, "
    "spread_ms = excluded.spread_ms, samples = excluded.samples, clock_mhz = excluded.clock_mhz, date = excluded.date, "
    "method = excluded.method, checksum = excluded.checksum";
constexpr std::string_view kIfNewer =
    " WHERE excluded.date > date OR (excluded.date = date AND excluded.samples > samples)";

std::int64_t checksum_of_terms(const std::string& terms, const std::string& fingerprint) {
  return static_cast<std::int32_t>(Bytes().add(fingerprint).add(terms).hash(0) & 0xFFFFFFFF);
}

// A set is simulated, measured, or recorded by others; a recorded one that is measured anew is a set of its own.
Origin origin_of(std::int64_t number) {
  return number == 0 ? Origin::kSimulated : number == 1 ? Origin::kMeasured : Origin::kRecorded;
}
std::int64_t number_of(Origin origin) { return origin == Origin::kSimulated ? 0 : origin == Origin::kMeasured ? 1 : 2; }

// Returns the bytes in key order.
std::array<char, 16> key_bytes(const StageKey& key) {
  std::array<char, 16> bytes{};
  for (int i = 0; i < 8; ++i) {
    bytes[i] = static_cast<char>((key.high >> (56 - 8 * i)) & 0xFF);
    bytes[8 + i] = static_cast<char>((key.low >> (56 - 8 * i)) & 0xFF);
  }
  return bytes;
}

std::uint64_t seal_of(const MeasurementSet& set) {
  return Bytes().add(set.fingerprint).add(set.batch).add(set.precision).add(number_of(set.origin)).hash(0);
}

std::uint64_t seal_of(const Method& method) {
  return Bytes()
      .add(method.program)
      .add(method.warmup)
      .add(method.repeats)
      .add(method.max_repeats)
      .add(method.min_time.count())
      .add(method.precision)
      .add(method.max_time.count())
      .hash(0);
}

std::int32_t checksum_of(const Measurement& measurement, std::uint64_t set_seal, std::uint64_t method_seal) {
  const std::uint64_t hash = Bytes()
                                 .add(measurement.key.high)
                                 .add(measurement.key.low)
                                 .add(measurement.latency.value.count())
                                 .add(measurement.latency.spread.count())
                                 .add(measurement.latency.samples)
                                 .add(measurement.latency.clock_mhz)
                                 .add(std::int64_t{measurement.date.time_since_epoch().count()})
                                 .add(method_seal)
                                 .hash(set_seal);
  return static_cast<std::int32_t>(hash & 0xFFFFFFFF);
}

// The columns of `measurement` that Dictionary::measurement() reads.
constexpr const char* kColumns = "series, key, median_ms, spread_ms, samples, clock_mhz, date, method, checksum";

struct StoredSet {
  MeasurementSet set;
  std::uint64_t seal = 0;  // hash of its content
};
struct StoredMethod {
  Method method;
  std::uint64_t seal = 0;
};

// Maps the numbers in rows to sets and methods. It is valid for one transaction: another process may remove sets and
// reuse their numbers.
class Dictionary {
 public:
  explicit Dictionary(sqlite::Database& database) : database_(database) {}

  // Return the object with this number, or null.
  Result<const StoredSet*> set(std::int64_t id);
  Result<const StoredMethod*> method(std::int64_t id);
  // Reads a row of kColumns; empty where it contradicts its checksum or refers to nothing.
  Result<std::optional<Measurement>> measurement(const sqlite::Query& row);

  // Returns the number of this set, or -1.
  Result<std::int64_t> find(const MeasurementSet& set);
  // Returns the same and adds a missing set.
  Result<std::int64_t> add(const MeasurementSet& set);
  // Stores the terms of the set's device, which must exist.
  Result<void> set_terms(const MeasurementSet& set);
  Result<std::int64_t> add(const Method& method);

 private:
  sqlite::Database& database_;
  std::map<std::int64_t, std::optional<StoredSet>> sets_;
  std::map<std::int64_t, std::optional<StoredMethod>> methods_;
};

// Writes rows of one set.
class RowWriter {
 public:
  enum class Rule { kReplace, kNewer };
  // Adds a missing set to the database.
  static Result<RowWriter> make(sqlite::Database& database, const MeasurementSet& set, Rule rule);
  // Returns whether the row was written: always, or (kNewer) if the stored one is older, or as old with fewer samples.
  Result<bool> write(const Measurement& measurement);

 private:
  RowWriter(sqlite::Database& database, std::int64_t series, std::uint64_t seal, Rule rule);

  sqlite::Database& database_;
  sqlite::Query insert_;
  std::int64_t series_;
  std::uint64_t seal_;
  Method method_;  // of the previous row
  std::int64_t method_id_ = -1;
  std::uint64_t method_seal_ = 0;
};

Result<const StoredSet*> Dictionary::set(std::int64_t id) {
  const auto known = sets_.find(id);
  if (known != sets_.end()) return known->second ? &*known->second : nullptr;
  Query query = database_.query(kReadSet);
  IOS_TRY(const auto row, query.bind(id).step());
  std::optional<StoredSet>& stored = sets_[id];
  if (!row) return nullptr;
  stored = StoredSet{MeasurementSet{.fingerprint = query.text(0),
                                    .batch = query.integer(1),
                                    .precision = query.text(2),
                                    .origin = origin_of(query.integer(3)),
                                    .device_id = query.text(4),
                                    .device_name = query.text(5)}};
  const std::string terms = query.text(6);
  if (!terms.empty() && query.integer(7) == checksum_of_terms(terms, stored->set.fingerprint)) {
    stored->set.terms = store::parse_terms_text(terms);
  }
  stored->seal = seal_of(stored->set);
  return &*stored;
}

Result<const StoredMethod*> Dictionary::method(std::int64_t id) {
  const auto known = methods_.find(id);
  if (known != methods_.end()) return known->second ? &*known->second : nullptr;
  Query query = database_.query(kReadMethod);
  IOS_TRY(const auto row, query.bind(id).step());
  std::optional<StoredMethod>& stored = methods_[id];
  if (!row) return nullptr;
  stored = StoredMethod{Method{.program = query.text(0),
                               .warmup = query.integer(1),
                               .repeats = query.integer(2),
                               .max_repeats = query.integer(3),
                               .min_time = Millis{query.real(4)},
                               .precision = query.real(5),
                               .max_time = Millis{query.real(6)}}};
  stored->seal = seal_of(stored->method);
  return &*stored;
}

Result<std::optional<Measurement>> Dictionary::measurement(const Query& row) {
  IOS_TRY(const auto set, this->set(row.integer(0)));
  IOS_TRY(const auto method, this->method(row.integer(7)));
  const std::string_view key = row.blob(1);
  if (set == nullptr || method == nullptr || key.size() != 16) return std::nullopt;
  Measurement read{.key = StageKey{half_of(key.substr(0, 8)), half_of(key.substr(8))},
                   .latency = Latency{.value = Millis{row.real(2)},
                                      .spread = Millis{row.real(3)},
                                      .samples = row.integer(4),
                                      .origin = set->set.origin,
                                      .clock_mhz = row.real(5)},
                   .date = Date{std::chrono::seconds{row.integer(6)}},
                   .method = method->method};
  if (checksum_of(read, set->seal, method->seal) != row.integer(8)) return std::nullopt;
  return read;
}

Result<std::int64_t> Dictionary::find(const MeasurementSet& set) {
  return database_.query(kFindSet).bind(set.fingerprint, set.batch, set.precision).number(-1);
}

Result<std::int64_t> Dictionary::add(const MeasurementSet& set) {
  if (auto found = find(set); !found || *found >= 0) return found;
  auto device = database_
                    .query(
                        "INSERT INTO device(fingerprint, origin, short_name, name, terms, terms_checksum) "
                        "VALUES(?1, ?2, ?3, ?4, '', 0) "
                        "ON CONFLICT(fingerprint) DO UPDATE SET short_name = ?3, name = ?4 RETURNING id")
                    .bind(set.fingerprint, number_of(set.origin), set.device_id, set.device_name)
                    .number(-1);
  if (!device) return device;
  return database_.query("INSERT INTO series(device, batch, precision) VALUES(?, ?, ?) RETURNING id")
      .bind(*device, set.batch, set.precision)
      .number(-1);
}

Result<void> Dictionary::set_terms(const MeasurementSet& set) {
  const std::string terms = store::terms_json(*set.terms).dump();
  return database_.query("UPDATE device SET terms = ?1, terms_checksum = ?2 WHERE fingerprint = ?3")
      .bind(terms, checksum_of_terms(terms, set.fingerprint), set.fingerprint)
      .run();
}

Result<std::int64_t> Dictionary::add(const Method& method) {
  const auto with_values = [&](std::string_view sql) {
    return database_.query(sql)
        .bind(method.program, method.warmup, method.repeats, method.max_repeats, method.min_time.count(),
              method.precision, method.max_time.count())
        .number(-1);
  };
  auto found = with_values(
      "SELECT id FROM method WHERE program = ? AND warmup = ? AND repeats = ? AND max_repeats = ? AND min_time_ms = ? "
      "AND precision = ? AND max_time_ms = ?");
  if (!found || *found >= 0) return found;
  return with_values(
      "INSERT INTO method(program, warmup, repeats, max_repeats, min_time_ms, precision, max_time_ms) "
      "VALUES(?, ?, ?, ?, ?, ?, ?) RETURNING id");
}

RowWriter::RowWriter(sqlite::Database& database, std::int64_t series, std::uint64_t seal, Rule rule)
    : database_(database),
      insert_(database.query(std::string(kInsert) + std::string(rule == Rule::kNewer ? kIfNewer : ""))),
      series_(series),
      seal_(seal) {}

Result<RowWriter> RowWriter::make(sqlite::Database& database, const MeasurementSet& set, Rule rule) {
  Dictionary dictionary(database);
  IOS_TRY(const auto id, dictionary.add(set));
  IOS_TRY(const auto stored, dictionary.set(id));
  if (stored == nullptr || !same_set(stored->set, set)) {
    return tl::unexpected(database.damage(message("a stored device cannot be read back")));
  }
  if (stored->set.origin != set.origin) {
    return fail(message("one fingerprint cannot belong to a simulated and to a real device"), set.fingerprint,
                message("give one of them another fingerprint"));
  }
  // Another store's facts about a device do not change those of this one.
  const std::optional<DeviceTerms>& known = stored->set.terms;
  if (set.terms && known != set.terms && (rule == Rule::kReplace || !known)) {
    IOS_TRY(dictionary.set_terms(set));
  }
  return RowWriter(database, id, stored->seal, rule);
}

Result<bool> RowWriter::write(const Measurement& measurement) {
  if (method_id_ < 0 || measurement.method != method_) {
    IOS_TRY(const auto id, Dictionary(database_).add(measurement.method));
    method_ = measurement.method;
    method_id_ = id;
    method_seal_ = seal_of(method_);
  }
  const auto key = key_bytes(measurement.key);
  IOS_TRY(insert_
              .bind(series_, Blob{{key.data(), key.size()}}, measurement.latency.value.count(),
                    measurement.latency.spread.count(), measurement.latency.samples, measurement.latency.clock_mhz,
                    measurement.date.time_since_epoch().count(), method_id_,
                    checksum_of(measurement, seal_, method_seal_))
              .run());
  return database_.changes() > 0;
}

// Selects the rows of a MeasurementFilter, whose values select() binds.
constexpr std::string_view kSelected =
    "series IN (SELECT series.id FROM series JOIN device ON device.id = series.device "
    "WHERE (?1 = '' OR fingerprint = ?1 OR short_name = ?1) AND (?2 = 0 OR batch = ?2) AND (?3 = '' OR precision = "
    "?3)) "
    "AND (?4 = '' OR method IN (SELECT id FROM method WHERE program = ?4)) AND date < ?5";

void select(Query& query, const MeasurementFilter& selection) {
  const std::int64_t before =
      selection.before ? selection.before->time_since_epoch().count() : std::numeric_limits<std::int64_t>::max();
  query.bind(selection.device, selection.batch, selection.precision, selection.program, before);
}

// Uses a write-ahead log, so that readers and a writer do not wait for one another and an append does not wait for
// the disk. The change needs the file exclusively for a moment, which two processes may want at once. A file system
// without support keeps the slower way.
Result<void> use_log(Database& database) {
  constexpr auto kPause = std::chrono::milliseconds{5};
  const auto end = std::chrono::steady_clock::now() + Database::kPatience;
  while (true) {
    Query query = database.query("PRAGMA journal_mode = WAL");
    const auto row = query.step();
    if (row || database.damaged() || std::chrono::steady_clock::now() > end) {
      return row ? Result<void>{} : tl::unexpected(row.error());
    }
    std::this_thread::sleep_for(kPause);
  }
}

Error unreadable_row(Database& database) { return database.damage(message("a measurement contradicts its checksum")); }

std::int64_t checksum_of(const DescribedStage& stage) {
  return static_cast<std::int64_t>(hash64(stage.key.text() + stage.features) & 0x7FFFFFFF);
}

enum class Which { kAll, kDescribed };

Result<void> walk(Database& database, const MeasurementFilter& selection, Which which,
                  MeasurementStore::Visitor visitor) {
  IOS_TRY(Transaction::begin(database, Transaction::Kind::kRead));
  // A store that is only read may be older than the table.
  IOS_TRY(const auto there, database.query("SELECT count(*) FROM sqlite_master WHERE name = 'stage'").number(0));
  if (there == 0 && which == Which::kDescribed) return {};
  const char* const features = there == 0 ? "NULL, NULL"
                                          : "(SELECT features FROM stage WHERE stage.key = measurement.key), "
                                            "(SELECT stage.checksum FROM stage WHERE stage.key = measurement.key)";
  constexpr int kFeatures = 9;  // the columns before are kColumns
  Dictionary dictionary(database);
  Query query =
      database.query(fmt::format("SELECT {}, {} FROM measurement WHERE {} {} ORDER BY series, key", kColumns, features,
                                 which == Which::kDescribed ? "key IN (SELECT key FROM stage) AND" : "", kSelected));
  select(query, selection);
  while (true) {
    IOS_TRY(const auto row, query.step());
    if (!row) return {};
    IOS_TRY(const auto measurement, dictionary.measurement(query));
    if (!measurement) return tl::unexpected(unreadable_row(database));
    const DescribedStage stage{measurement->key, query.text(kFeatures)};
    if (!query.is_null(kFeatures) && query.integer(kFeatures + 1) != checksum_of(stage)) {
      return tl::unexpected(unreadable_row(database));
    }
    IOS_TRY(const auto set, dictionary.set(query.integer(0)));
    IOS_TRY(visitor(set->set, *measurement, stage.features));
  }
}

Result<void> write_stages(Database& database, std::span<const DescribedStage> stages) {
  Query query = database.query("INSERT OR REPLACE INTO stage VALUES(?, ?, ?)");
  for (const DescribedStage& stage : stages) {
    const auto key = key_bytes(stage.key);
    IOS_TRY(query.bind(Blob{{key.data(), key.size()}}, stage.features, checksum_of(stage)).run());
  }
  return {};
}

Result<Taken> write(Database& database, const MeasurementSet& set, std::span<const Measurement> measurements,
                    std::span<const DescribedStage> stages, RowWriter::Rule rule) {
  IOS_TRY(check(set));
  for (const Measurement& measurement : measurements) {
    IOS_TRY(check(measurement));
  }
  IOS_TRY(auto transaction, Transaction::begin(database, Transaction::Kind::kWrite));
  Taken taken;
  {
    IOS_TRY(auto writer, RowWriter::make(database, set, rule));
    for (const Measurement& measurement : measurements) {
      IOS_TRY(const auto written, writer.write(measurement));
      ++taken.seen;
      taken.taken += written ? 1 : 0;
    }
  }
  IOS_TRY(write_stages(database, stages));
  IOS_TRY(transaction.commit());
  return taken;
}

tl::unexpected<Error> newer(const fs::path& file) {
  return fail(message("was written by a newer version of this program"), file.string(), kAnotherFile);
}

}  // namespace

struct MeasurementStore::State {
  std::mutex mutex;
  fs::path file;
  Access access = Access::kReadWrite;
  std::optional<Database> database;
  std::vector<Message> notices;

  // Opens the file, or what takes its place if it is damaged.
  Result<void> connect() {
    std::optional<store::FolderLock> lock;
    if (access == Access::kReadWrite) {
      if (auto made = make_folder(); !made) return made;
      lock.emplace(file.parent_path());
    }
    auto connected = connect_once();
    if (!connected && access == Access::kReadWrite && is_damaged()) {
      connected = replace_damaged(message("{} {}", file.string(), connected.error().what));
    }
    if (!connected) database.reset();
    return connected;
  }

  // Runs the body with a database. It sets damage aside and runs the body again with the replacement, and also where
  // the file was moved meanwhile, because the written data went with it.
  template <typename T>
  Result<T> with(FunctionRef<Result<T>(Database&)> body) {
    const std::scoped_lock lock(mutex);
    // Other processes may meet the same damage, and set aside what this one is writing to.
    constexpr int kAttempts = 4;
    for (int attempt = 1;; ++attempt) {
      if (database && database->moved() && access == Access::kReadWrite) {
        notices.push_back(message("{} was moved away and is replaced by a new file", file.string()));
        database.reset();
      }
      if (!database) {
        IOS_TRY(connect());
      }
      auto result = body(*database);
      if (!result && access != Access::kReadWrite && database->damaged()) result.error().remedy = kSetAside;
      if (access != Access::kReadWrite || attempt == kAttempts) return result;
      if (!result && is_damaged()) {
        IOS_TRY(replace(result.error()));
      } else if (!database->moved()) {
        return result;
      }
    }
  }

  // It does not begin again after damage: what was visited stays visited.
  Result<void> visit(const MeasurementFilter& selection, Which which, Visitor visitor) {
    const std::scoped_lock lock(mutex);
    if (!database) {
      if (auto connected = connect(); !connected) return connected;
    }
    auto walked = walk(*database, selection, which, visitor);
    if (!walked && database->damaged()) walked.error().remedy = kSetAside;
    return walked;
  }

 private:
  Result<void> make_folder() {
    IOS_TRY(const auto kind, store::look_at(file));
    if (kind != Kind::kAbsent) return {};
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    if (!error) return {};
    return fail(message("its folder could not be created: {}", error.message()), file.string(),
                message("choose another file for the measurements"));
  }

  Result<void> connect_once() {
    database.reset();
    IOS_TRY(const auto kind, store::look_at(file));
    if (access == Access::kReadWrite) {
      if (kind != Kind::kDamaged) return connect_to_write();
      return replace_damaged(message("{} is damaged: {}", file.string(), Message(kBroken)));
    }
    switch (kind) {
      case Kind::kAbsent: return fail(message("there is no such file"), file.string(), message("check the path"));
      case Kind::kEmpty:
        return fail(message("is empty"), file.string(), message("choose another file for the measurements"));
      case Kind::kDamaged: return fail(message("is damaged: {}", Message(kBroken)), file.string(), kSetAside);
      case Kind::kStore: break;
    }
    return connect_to_read();
  }

  Result<void> connect_to_write() {
    IOS_TRY(auto opened, Database::open(file, Mode::kCreate));
    database = std::move(opened);
    IOS_TRY(auto state, store::state_of(*database));
    if (state == store::State::kEmpty || state == store::State::kLess) {
      IOS_TRY(store::make_tables(*database));
      IOS_TRY(state, store::state_of(*database));
    }
    if (state == store::State::kNewer) return newer(file);
    IOS_TRY(use_log(*database));
    return database->execute("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000");
  }

  Result<void> connect_to_read() {
    std::error_code none;
    const bool log = fs::exists(file.string() + "-wal", none);
    for (const Mode mode : {Mode::kReadOnly, Mode::kImmutable}) {
      if (mode == Mode::kReadOnly && access == Access::kSnapshot && !log) continue;
      IOS_TRY(auto opened, Database::open(file, mode));
      database = std::move(opened);
      const auto state = store::state_of(*database);
      // In a folder that may not be written the log cannot be opened; where there is none, nothing is missed.
      if (!state && mode == Mode::kReadOnly && !database->damaged() && !log) continue;
      if (!state) return tl::unexpected(state.error());
      if (*state == store::State::kNewer) return newer(file);
      if (*state == store::State::kEmpty) return tl::unexpected(database->damage(message("it has no tables")));
      return {};
    }
    return {};
  }

  bool is_damaged() {
    if (!database) return false;
    if (database->damaged() || !database->doubtful()) return database->damaged();
    if (!database->trusted()) return true;  // its schema alone was read; a check would run what stands there
    Query check = database->query("PRAGMA integrity_check(1)");
    const auto row = check.step();
    if (row && *row && check.text(0) != "ok") static_cast<void>(database->damage(verbatim(std::string(check.text(0)))));
    return database->damaged();
  }

  Result<void> replace(const Error& damage) {
    const store::FolderLock lock(file.parent_path());
    auto replaced = replace_damaged(message("{} {}", file.string(), damage.what));
    if (!replaced) database.reset();
    return replaced;
  }

  // The folder's lock is held.
  Result<void> replace_damaged(const Message& why) {
    if (database) database->leave_as_it_is();
    IOS_TRY(const auto target, store::set_aside(file, database ? &*database : nullptr));
    if (auto connected = connect_once(); !connected || target.empty()) return connected;
    notices.push_back(message("{}; it is kept as {} and replaced by a new file", why, target.string()));
    return {};
  }
};

MeasurementStore::MeasurementStore(std::unique_ptr<State> state) : state_(std::move(state)) {}
MeasurementStore::~MeasurementStore() = default;

Result<std::unique_ptr<MeasurementStore>> MeasurementStore::open(const fs::path& file, Access access) {
  if (file.empty()) return fail(message("an empty file name"), "the measurements", message("name a file"));
  auto state = std::make_unique<State>();
  std::error_code error;
  state->file = fs::weakly_canonical(fs::absolute(file, error), error);  // through links, which stay
  if (error) state->file = fs::absolute(file, error);
  state->access = access;
  IOS_TRY(state->connect());
  return std::unique_ptr<MeasurementStore>(new MeasurementStore(std::move(state)));
}

const fs::path& MeasurementStore::file() const { return state_->file; }

std::vector<Message> MeasurementStore::take_notices() {
  const std::scoped_lock lock(state_->mutex);
  return std::exchange(state_->notices, {});
}

Result<std::vector<std::optional<Measurement>>> MeasurementStore::find(const MeasurementSet& set,
                                                                       std::span<const StageKey> keys) {
  using Found = std::vector<std::optional<Measurement>>;
  // Looked up in key order, so that each page of the file is read once.
  std::vector<std::size_t> order(keys.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  return state_->with<Found>([&](Database& database) -> Result<Found> {
    IOS_TRY(Transaction::begin(database, Transaction::Kind::kRead));
    Found found(keys.size());
    Dictionary dictionary(database);
    IOS_TRY(const auto series, dictionary.find(set));
    if (series < 0) return found;
    Query query = database.query(fmt::format("SELECT {} FROM measurement WHERE series = ? AND key = ?", kColumns));
    for (const std::size_t i : order) {
      const auto key = key_bytes(keys[i]);
      IOS_TRY(const auto row, query.bind(series, Blob{{key.data(), key.size()}}).step());
      if (!row) continue;
      IOS_TRY(const auto measurement, dictionary.measurement(query));
      const auto stored = dictionary.set(series);
      const bool right = measurement && measurement->key == keys[i] && stored && same_set((*stored)->set, set);
      if (!right) return tl::unexpected(unreadable_row(database));
      found[i] = measurement;
      query.restart();
    }
    return found;
  });
}

Result<void> MeasurementStore::append(const MeasurementSet& set, std::span<const Measurement> measurements) {
  IOS_TRY(state_->with<Taken>(
      [&](Database& database) { return write(database, set, measurements, {}, RowWriter::Rule::kReplace); }));
  return {};
}

Result<void> MeasurementStore::note_search(const MeasurementSet& set, const StageKey& search, std::int64_t stages) {
  return state_->with<void>([&](Database& database) -> Result<void> {
    IOS_TRY(auto transaction, Transaction::begin(database, Transaction::Kind::kWrite));
    IOS_TRY(const auto series, Dictionary(database).find(set));
    if (series < 0) return {};  // nothing of it was measured
    Query query = database.query("INSERT OR REPLACE INTO search VALUES(?, ?, ?, ?)");
    const auto key = key_bytes(search);
    const auto now = date_now().time_since_epoch().count();
    IOS_TRY(query.bind(series, Blob{{key.data(), key.size()}}, stages, static_cast<std::int64_t>(now)).run());
    return transaction.commit();
  });
}

Result<std::optional<std::int64_t>> MeasurementStore::noted_search(const MeasurementSet& set, const StageKey& search) {
  using Noted = std::optional<std::int64_t>;
  return state_->with<Noted>([&](Database& database) -> Result<Noted> {
    IOS_TRY(Transaction::begin(database, Transaction::Kind::kRead));
    IOS_TRY(const auto series, Dictionary(database).find(set));
    if (series < 0) return Noted();
    Query query = database.query("SELECT stages FROM search WHERE series = ? AND key = ?");
    const auto key = key_bytes(search);
    IOS_TRY(const auto row, query.bind(series, Blob{{key.data(), key.size()}}).step());
    return row ? Noted(query.integer(0)) : Noted();
  });
}

Result<std::optional<std::string>> MeasurementStore::find_choice(const std::string& device,
                                                                 const std::string& problem) {
  using Found = std::optional<std::string>;
  return state_->with<Found>([&](Database& database) -> Result<Found> {
    Query query = database.query("SELECT choice FROM choice WHERE device = ? AND problem = ?");
    IOS_TRY(const auto row, query.bind(device, problem).step());
    return row ? Found(query.text(0)) : Found();
  });
}

Result<std::string> MeasurementStore::keep_choice(const std::string& device, const std::string& id,
                                                  const std::string& problem, const std::string& choice) {
  IOS_TRY(state_->with<void>([&](Database& database) {
    return database.query("INSERT OR IGNORE INTO choice VALUES(?, ?, ?, ?)").bind(device, id, problem, choice).run();
  }));
  IOS_TRY(auto kept, find_choice(device, problem));
  return kept ? *std::move(kept) : choice;
}

Result<Taken> MeasurementStore::take_over(const MeasurementSet& set, std::span<const Measurement> measurements,
                                          std::span<const DescribedStage> stages) {
  return state_->with<Taken>(
      [&](Database& database) { return write(database, set, measurements, stages, RowWriter::Rule::kNewer); });
}

Result<Taken> MeasurementStore::merge(const fs::path& other) {
  std::error_code error;
  if (fs::equivalent(other, file(), error)) {
    return fail(message("a store cannot be merged with itself"), other.string(), message("name another file"));
  }
  IOS_TRY(auto source, open(other, Access::kSnapshot));
  Taken total;
  // Visited measurements are appended in chunks of one set.
  MeasurementSet of;
  std::vector<Measurement> chunk;
  std::vector<DescribedStage> stages;  // of these
  const auto flush = [&]() -> Result<void> {
    if (chunk.empty()) return {};
    IOS_TRY(const auto taken, take_over(of, chunk, stages));
    total.seen += taken.seen;
    total.taken += taken.taken;
    chunk.clear();
    stages.clear();
    return {};
  };
  IOS_TRY(source->visit(
      {}, [&](const MeasurementSet& set, const Measurement& measurement, const std::string& features) -> Result<void> {
        if (chunk.size() == kChunk || !same_set(set, of)) {
          IOS_TRY(flush());
        }
        if (chunk.empty()) of = set;
        chunk.push_back(measurement);
        if (!features.empty()) stages.push_back({measurement.key, features});
        return {};
      }));
  IOS_TRY(flush());
  return total;
}

Result<void> MeasurementStore::describe(std::span<const DescribedStage> stages) {
  if (stages.empty()) return {};
  return state_->with<void>([&](Database& database) -> Result<void> {
    IOS_TRY(auto transaction, Transaction::begin(database, Transaction::Kind::kWrite));
    IOS_TRY(write_stages(database, stages));
    return transaction.commit();
  });
}

Result<StoreInfo> MeasurementStore::info() {
  return state_->with<StoreInfo>([&](Database& database) -> Result<StoreInfo> {
    IOS_TRY(Transaction::begin(database, Transaction::Kind::kRead));
    StoreInfo info;
    info.file = file();
    info.form = store::kForm;
    info.bytes = store::bytes_on_disk(file());
    IOS_TRY(const auto kept, database.query("SELECT count(*) FROM sqlite_master WHERE name = 'choice'").number(0));
    if (kept > 0) {
      IOS_TRY(info.methods, database.query("SELECT count(*) FROM choice").number(0));
    }
    Dictionary dictionary(database);
    Query query = database.query(
        "SELECT of_series, method, count, first, last FROM (SELECT series AS of_series, method, count(*) AS count, "
        "min(date) AS first, max(date) AS last FROM measurement GROUP BY series, method) JOIN series ON id = of_series "
        "ORDER BY device, batch, precision, of_series, method");
    std::int64_t last = -1;
    while (true) {
      IOS_TRY(const auto row, query.step());
      if (!row) break;
      IOS_TRY(const auto set, dictionary.set(query.integer(0)));
      IOS_TRY(const auto method, dictionary.method(query.integer(1)));
      if (set == nullptr || method == nullptr) return tl::unexpected(unreadable_row(database));
      const Date from{std::chrono::seconds{query.integer(3)}};
      const Date until{std::chrono::seconds{query.integer(4)}};
      if (query.integer(0) != std::exchange(last, query.integer(0))) {
        info.sets.push_back({.set = set->set, .measurements = 0, .first = from, .last = until, .programs = {}});
      }
      SetInfo& entry = info.sets.back();
      entry.measurements += query.integer(2);
      info.measurements += query.integer(2);
      entry.first = std::min(entry.first, from);
      entry.last = std::max(entry.last, until);
      const std::string& program = method->method.program;
      const auto place = std::ranges::lower_bound(entry.programs, program);
      if (place == entry.programs.end() || *place != program) entry.programs.insert(place, program);
    }
    return info;
  });
}

Result<void> MeasurementStore::visit(const MeasurementFilter& selection, Visitor visitor) {
  return state_->visit(selection, Which::kAll, visitor);
}

Result<void> MeasurementStore::visit_described(const MeasurementFilter& selection, Visitor visitor) {
  return state_->visit(selection, Which::kDescribed, visitor);
}

Result<std::int64_t> MeasurementStore::count(const MeasurementFilter& selection) {
  return state_->with<std::int64_t>([&](Database& database) {
    Query query = database.query(fmt::format("SELECT count(*) FROM measurement WHERE {}", kSelected));
    select(query, selection);
    return query.number(0);
  });
}

Result<std::int64_t> MeasurementStore::prune(const MeasurementFilter& selection) {
  return state_->with<std::int64_t>([&](Database& database) -> Result<std::int64_t> {
    std::int64_t removed = 0;
    {
      IOS_TRY(auto transaction, Transaction::begin(database, Transaction::Kind::kWrite));
      Query query = database.query(fmt::format("DELETE FROM measurement WHERE {}", kSelected));
      select(query, selection);
      IOS_TRY(query.run());
      removed = database.changes();
      IOS_TRY(
          database.execute("DELETE FROM search;"
                           "DELETE FROM series WHERE id NOT IN (SELECT DISTINCT series FROM measurement);"
                           "DELETE FROM device WHERE id NOT IN (SELECT device FROM series);"
                           "DELETE FROM method WHERE id NOT IN (SELECT DISTINCT method FROM measurement);"
                           "DELETE FROM stage WHERE key NOT IN (SELECT key FROM measurement)"));
      const bool whole_device =
          selection.batch == 0 && selection.precision.empty() && selection.program.empty() && !selection.before;
      if (whole_device) {
        Query choices = database.query("DELETE FROM choice WHERE ?1 = '' OR short_name = ?1");
        IOS_TRY(choices.bind(selection.device).run());
      }
      IOS_TRY(transaction.commit());
    }
    // The room matters less than the answer: where it cannot be given back (no room for the copy, a reader), it stays
    // and is used again.
    if (removed > 0) static_cast<void>(database.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)"));
    return removed;
  });
}

}  // namespace iosx
