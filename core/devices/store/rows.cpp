#include "core/devices/store/rows.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <bit>
#include <nlohmann/json.hpp>

namespace iosx::store {
namespace {

using sqlite::Blob;
using sqlite::Query;

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

}  // namespace

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
    stored->set.terms = parse_terms_text(terms);
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
  const std::string terms = terms_json(*set.terms).dump();
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

}  // namespace iosx::store
