#include "core/devices/store/transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/devices/store/measurement.h"

namespace iosx {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "iosx-measurements";
constexpr int kVersion = 1;
constexpr std::size_t kMaxLine = std::size_t{4} << 20U;  // bytes; what a stage is may be long
constexpr std::size_t kWrittenAtOnce = 5000;             // measurements written at once

std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json definition(const MeasurementSet& set, std::size_t number) {
  Json json{{"define_set", number},       {"fingerprint", set.fingerprint},    {"batch", set.batch},
            {"precision", set.precision}, {"origin", origin_name(set.origin)}, {"device", set.device_id},
            {"name", set.device_name}};
  if (set.terms) json["terms"] = store::terms_json(*set.terms);
  return json;
}

Json definition(const Method& method, std::size_t number) {
  return Json{{"define_method", number},           {"program", method.program},
              {"warmup", method.warmup},           {"repeats", method.repeats},
              {"max_repeats", method.max_repeats}, {"min_time_ms", method.min_time.count()},
              {"precision", method.precision},     {"max_time_ms", method.max_time.count()}};
}

// Numbers definitions from 1; the last one used is the most likely next.
template <typename T, typename Same>
class Numbers {
 public:
  explicit Numbers(Same same) : same_(same) {}
  std::pair<std::size_t, bool> number(const T& value) {  // and whether it is new
    for (std::size_t i = known_.size(); i > 0; --i) {
      if (same_(known_[i - 1], value)) return {i, false};
    }
    known_.push_back(value);
    return {known_.size(), true};
  }

 private:
  Same same_;
  std::vector<T> known_;
};

// Reads lines into sets with their measurements.
class Reader {
 public:
  explicit Reader(const std::string& origin) : origin_(origin) {}

  Result<std::vector<MeasuredSet>> read(std::string_view text) && {
    while (!text.empty()) {
      ++line_;
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.empty()) continue;
      IOS_TRY(read_line(line));
    }
    if (!headed_) {
      return tl::unexpected(
          refuse(message("contains no measurements"), message("choose a file that iosx store export wrote")).error());
    }
    return std::move(sets_);
  }

 private:
  Result<void> refuse(Message what, Message remedy = message("export it again")) const {
    return fail(std::move(what), fmt::format("{}: line {}", origin_, line_), std::move(remedy));
  }

  Result<void> read_line(std::string_view line) {
    if (line.size() > kMaxLine) return refuse(message("has more than {} bytes", kMaxLine));
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_discarded() || !json.is_object()) return refuse(message("is not a JSON object"));
    try {
      if (!headed_) return read_header(json);
      if (json.contains("define_set")) return read_set(json);
      if (json.contains("define_method")) return read_method(json);
      return read_measurement(json);
    } catch (const nlohmann::json::exception&) {
      return refuse(message("lacks a value, or has one of the wrong kind: {}", line.substr(0, 80)));
    }
  }

  Result<void> read_header(const Json& json) {
    if (json.value("format", "") != kFormat) {
      return refuse(message("does not start like exported measurements"),
                    message("choose a file that iosx store export wrote"));
    }
    const auto version = json.at("version").get<std::int64_t>();
    if (version != kVersion) {
      return refuse(message("has version {}, but this program reads {}", version, kVersion),
                    message("update this program"));
    }
    headed_ = true;
    return {};
  }

  Result<void> read_set(const Json& json) {
    const auto origin = json.at("origin").get<std::string>();
    constexpr std::array kOrigins{Origin::kMeasured, Origin::kSimulated, Origin::kRecorded};
    const auto* const found = std::ranges::find(kOrigins, origin, origin_name);
    if (found == kOrigins.end()) return refuse(message("the origin is neither measured, simulated nor recorded"));
    const MeasurementSet set{.fingerprint = json.at("fingerprint").get<std::string>(),
                             .batch = json.at("batch").get<std::int64_t>(),
                             .precision = json.at("precision").get<std::string>(),
                             .origin = *found,
                             .device_id = json.at("device").get<std::string>(),
                             .device_name = json.at("name").get<std::string>(),
                             .terms = json.contains("terms") ? store::parse_terms(json.at("terms")) : std::nullopt};
    if (auto possible = check(set); !possible) return refuse(possible.error().what);
    set_numbers_[json.at("define_set").get<std::int64_t>()] = sets_.size();
    sets_.push_back({set, {}, {}});
    return {};
  }

  Result<void> read_method(const Json& json) {
    methods_[json.at("define_method").get<std::int64_t>()] =
        Method{.program = json.at("program").get<std::string>(),
               .warmup = json.at("warmup").get<std::int64_t>(),
               .repeats = json.at("repeats").get<std::int64_t>(),
               .max_repeats = json.at("max_repeats").get<std::int64_t>(),
               .min_time = Millis{json.at("min_time_ms").get<double>()},
               .precision = json.at("precision").get<double>(),
               .max_time = Millis{json.at("max_time_ms").get<double>()}};
    return {};
  }

  Result<void> read_measurement(const Json& json) {
    const auto set = set_numbers_.find(json.at("set").get<std::int64_t>());
    const auto method = methods_.find(json.at("method").get<std::int64_t>());
    if (set == set_numbers_.end() || method == methods_.end())
      return refuse(message("refers to something that no earlier line defines"));
    const auto key = StageKey::parse(json.at("key").get<std::string>());
    const auto date = parse_date(json.at("date").get<std::string>());
    if (!key) return refuse(message("the key is not 32 hexadecimal digits"));
    if (!date) return refuse(message("the date does not have the form 2026-03-01T12:00:00Z"));
    MeasuredSet& group = sets_[set->second];
    group.measurements.push_back({.key = *key,
                                  .latency = {.value = Millis{json.at("median_ms").get<double>()},
                                              .spread = Millis{json.at("spread_ms").get<double>()},
                                              .samples = json.at("samples").get<std::int64_t>(),
                                              .origin = group.set.origin,
                                              .clock_mhz = json.at("clock_mhz").get<double>()},
                                  .date = *date,
                                  .method = method->second});
    if (auto possible = check(group.measurements.back()); !possible) return refuse(possible.error().what);
    if (json.contains("features")) group.stages.push_back({*key, json.at("features").get<std::string>()});
    return {};
  }

  const std::string& origin_;
  std::size_t line_ = 0;
  bool headed_ = false;
  std::map<std::int64_t, std::size_t> set_numbers_;  // which of the sets has the number
  std::map<std::int64_t, Method> methods_;
  std::vector<MeasuredSet> sets_;
};

}  // namespace

Result<std::int64_t> export_measurements(MeasurementStore& store, const MeasurementFilter& selection, LineSink sink) {
  IOS_TRY(sink(line_of(Json{{"format", kFormat}, {"version", kVersion}})));
  Numbers<MeasurementSet, decltype(&same_set)> sets(&same_set);
  Numbers<Method, std::equal_to<>> methods(std::equal_to<>{});
  std::int64_t count = 0;
  const auto visited = store.visit(
      selection,
      [&](const MeasurementSet& set, const Measurement& measurement, const std::string& features) -> Result<void> {
        std::string lines;
        const auto [set_number, new_set] = sets.number(set);
        if (new_set) lines += line_of(definition(set, set_number));
        const auto [method_number, new_method] = methods.number(measurement.method);
        if (new_method) lines += line_of(definition(measurement.method, method_number));
        Json line{{"set", set_number},
                  {"method", method_number},
                  {"key", measurement.key.text()},
                  {"median_ms", measurement.latency.value.count()},
                  {"spread_ms", measurement.latency.spread.count()},
                  {"samples", measurement.latency.samples},
                  {"clock_mhz", measurement.latency.clock_mhz},
                  {"date", date_text(measurement.date)}};
        if (!features.empty()) line["features"] = features;
        lines += line_of(line);
        ++count;
        return sink(lines);
      });
  if (!visited) return tl::unexpected(visited.error());
  return count;
}

Result<std::vector<MeasuredSet>> parse_measurements(std::string_view text, const std::string& origin) {
  return Reader(origin).read(text);
}

Result<Taken> import_measurements(MeasurementStore& store, std::span<const MeasuredSet> sets) {
  Taken total;
  for (const auto& [set, measurements, stages] : sets) {
    const std::span<const Measurement> all(measurements);
    for (std::size_t begin = 0; begin < all.size(); begin += kWrittenAtOnce) {
      IOS_TRY(const auto taken, store.take_over(set, all.subspan(begin, std::min(kWrittenAtOnce, all.size() - begin))));
      total.seen += taken.seen;
      total.taken += taken.taken;
    }
    IOS_TRY(store.describe(stages));
  }
  return total;
}

}  // namespace iosx
