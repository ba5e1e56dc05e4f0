#include "core/devices/store/measurement.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace iosx {
namespace {

constexpr std::size_t kMaxText = 4096;                            // bytes; real fingerprints have some hundred
constexpr Date kLastDate{std::chrono::seconds{253'402'300'799}};  // of the year 9999, after which the text changes form

bool is_amount(double value) { return std::isfinite(value) && value >= 0; }

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<FreeSlices, const char*>, 3> kFreeSlices{
    {{FreeSlices::kNever, "never"}, {FreeSlices::kOneSample, "one sample"}, {FreeSlices::kAlways, "always"}}};

Json json_of(const InterStageOverhead::ByWidth& overhead) { return Json{overhead[0].count(), overhead[1].count()}; }

InterStageOverhead::ByWidth overhead_of(const Json& json) {
  return {Millis{json.at(0).get<double>()}, Millis{json.at(1).get<double>()}};
}

bool possible(const InterStageOverhead::ByWidth& overhead) {
  return std::isfinite(overhead[0].count()) && std::isfinite(overhead[1].count()) && overhead[0].count() >= 0 &&
         overhead[1].count() >= 0;
}

// Returns an integer where there is one, `absent` where there is nothing, and -1, which is never right, for all else.
std::int64_t integer_or(const Json& json, const char* name, std::int64_t absent) {
  const auto found = json.find(name);
  if (found == json.end()) return absent;
  return found->is_number_integer() ? found->get<std::int64_t>() : -1;
}

bool possible_multiple(std::int64_t channels) { return channels >= 1 && channels <= kMostInputChannelMultiple; }

}  // namespace

bool same_set(const MeasurementSet& a, const MeasurementSet& b) {
  return a.fingerprint == b.fingerprint && a.batch == b.batch && a.precision == b.precision;
}

Date date_now() { return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()); }

std::string date_text(Date date) {
  const auto day = std::chrono::floor<std::chrono::days>(date);
  const std::chrono::year_month_day calendar(day);
  const std::chrono::hh_mm_ss time(date - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(calendar.year()),
                     static_cast<unsigned>(calendar.month()), static_cast<unsigned>(calendar.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

std::optional<Date> parse_date(std::string_view text) {
  const std::string copy(text);
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  int hours = 0;
  int minutes = 0;
  int seconds = 0;
  // NOLINTNEXTLINE(cert-err34-c): what does not fit is found by writing it again
  std::sscanf(copy.c_str(), "%4d-%2u-%2uT%2d:%2d:%2dZ", &year, &month, &day, &hours, &minutes, &seconds);
  const std::chrono::year_month_day calendar{std::chrono::year{year}, std::chrono::month{month}, std::chrono::day{day}};
  if (!calendar.ok()) return std::nullopt;
  const Date date = std::chrono::sys_days{calendar} + std::chrono::hours{hours} + std::chrono::minutes{minutes} +
                    std::chrono::seconds{seconds};
  if (date_text(date) != text) return std::nullopt;
  return date;
}

Result<void> check(const MeasurementSet& set) {
  if (set.fingerprint.empty() || set.fingerprint.size() > kMaxText) {
    return fail(message("the device of a measurement has no fingerprint, or one of invalid length"), set.device_id);
  }
  if (set.batch < 1) return fail(message("a measurement has a batch size of {}", set.batch), set.device_id);
  if (set.precision.empty() || set.precision.size() > kMaxText || set.device_id.size() > kMaxText ||
      set.device_name.size() > kMaxText) {
    return fail(message("a measurement does not name its precision or device"), set.device_id);
  }
  if (set.origin == Origin::kPredicted) {
    return fail(message("a prediction is not a measurement"), set.device_id, message("store what the device measures"));
  }
  return {};
}

Result<void> check(const Measurement& measurement) {
  const Latency& latency = measurement.latency;
  const Method& method = measurement.method;
  const double value = latency.value.count();
  const bool times = is_amount(value) && (value == 0 || std::isnormal(value)) && is_amount(latency.spread.count());
  const bool asked = is_amount(method.min_time.count()) && is_amount(method.max_time.count()) &&
                     is_amount(method.precision) && method.program.size() <= kMaxText;
  const bool dated = measurement.date >= Date{} && measurement.date <= kLastDate;
  if (times && asked && dated && latency.samples >= 1 && is_amount(latency.clock_mhz)) return {};
  return fail(message("is not a valid measurement: {} ms ± {} ms of {} samples at {} MHz", latency.value.count(),
                      latency.spread.count(), latency.samples, latency.clock_mhz),
              "stage " + measurement.key.text());
}

}  // namespace iosx

namespace iosx::store {
Json terms_json(const DeviceTerms& terms) {
  Json json{{"fuse", terms.lowering.fuse}, {"concat_in_place", terms.lowering.concat_in_place}};
  for (const auto& [slices, word] : kFreeSlices) {
    if (slices == terms.lowering.free_slices) json["free_slices"] = word;
  }
  if (terms.lowering.free_columns) json["free_columns"] = true;
  if (terms.lowering.fuse_sums) json["fuse_sums"] = true;
  if (terms.lowering.fuse_before) json["fuse_before"] = true;
  if (terms.lowering.fuse_attention) json["fuse_attention"] = true;
  if (terms.lowering.fuse_excitation) json["fuse_excitation"] = true;
  if (terms.lowering.strided_products) json["strided_products"] = true;
  if (terms.lowering.input_channel_multiple > 1) json["input_channel_multiple"] = terms.lowering.input_channel_multiple;
  if (terms.lowering.cached_weights > 0) json["cached_weights"] = terms.lowering.cached_weights;
  json["overhead_ms"] =
      Json{json_of(terms.overhead.first), json_of(terms.overhead.between[0]), json_of(terms.overhead.between[1])};
  return json;
}

std::optional<DeviceTerms> parse_terms(const Json& json) {
  try {
    DeviceTerms terms;
    terms.lowering.fuse = json.at("fuse").get<bool>();
    terms.lowering.concat_in_place = json.at("concat_in_place").get<bool>();
    const auto slices = json.at("free_slices").get<std::string>();
    bool known = false;
    for (const auto& [value, word] : kFreeSlices) {
      if (slices != word) continue;
      terms.lowering.free_slices = value;
      known = true;
    }
    if (json.contains("fuse_sums")) terms.lowering.fuse_sums = json.at("fuse_sums").get<bool>();
    if (json.contains("fuse_before")) terms.lowering.fuse_before = json.at("fuse_before").get<bool>();
    if (json.contains("fuse_attention")) terms.lowering.fuse_attention = json.at("fuse_attention").get<bool>();
    if (json.contains("fuse_excitation")) terms.lowering.fuse_excitation = json.at("fuse_excitation").get<bool>();
    if (json.contains("strided_products")) {
      terms.lowering.strided_products = json.at("strided_products").get<bool>();
    }
    if (json.contains("free_columns")) terms.lowering.free_columns = json.at("free_columns").get<bool>();
    terms.lowering.input_channel_multiple = integer_or(json, "input_channel_multiple", 1);
    terms.lowering.cached_weights = integer_or(json, "cached_weights", 0);
    const Json& overhead = json.at("overhead_ms");
    terms.overhead = {.first = overhead_of(overhead.at(0)),
                      .between = {overhead_of(overhead.at(1)), overhead_of(overhead.at(2))}};
    const bool sound =
        possible(terms.overhead.first) && possible(terms.overhead.between[0]) && possible(terms.overhead.between[1]);
    if (known && sound && possible_multiple(terms.lowering.input_channel_multiple) &&
        terms.lowering.cached_weights >= 0) {
      return terms;
    }
  } catch (const nlohmann::json::exception&) {
    // They are of another program, and as good as none.
  }
  return std::nullopt;
}

std::optional<DeviceTerms> parse_terms_text(std::string_view text) {
  return parse_terms(Json::parse(text, nullptr, /*allow_exceptions=*/false));
}

}  // namespace iosx::store
