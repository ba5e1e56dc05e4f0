#include "core/devices/store/measurement.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <ctime>

namespace iosx {
namespace {

constexpr std::size_t kMaxText = 4096;                            // bytes; real fingerprints have some hundred
constexpr Date kLastDate{std::chrono::seconds{253'402'300'799}};  // of the year 9999, after which the text changes form

bool is_amount(double value) { return std::isfinite(value) && value >= 0; }

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
    return fail("a measurement's device has no fingerprint, or none of a sensible length", set.device_id);
  }
  if (set.batch < 1) return fail(fmt::format("a measurement has a batch size of {}", set.batch), set.device_id);
  if (set.precision.empty() || set.precision.size() > kMaxText || set.device_id.size() > kMaxText ||
      set.device_name.size() > kMaxText) {
    return fail("a measurement's precision or device is not named", set.device_id);
  }
  if (set.origin == Origin::kRecorded) {
    return fail("what was recorded is no measurement of its own", set.device_id, "store what the device measures");
  }
  return {};
}

Result<void> check(const Measurement& measurement) {
  const Latency& latency = measurement.latency;
  const Method& method = measurement.method;
  const bool times = is_amount(latency.value.count()) && is_amount(latency.spread.count());
  const bool asked = is_amount(method.min_time.count()) && is_amount(method.max_time.count()) &&
                     is_amount(method.precision) && method.program.size() <= kMaxText;
  const bool dated = measurement.date >= Date{} && measurement.date <= kLastDate;
  if (times && asked && dated && latency.samples >= 1 && is_amount(latency.clock_mhz)) return {};
  return fail(fmt::format("no measurement: {} ms ± {} ms of {} samples at {} MHz", latency.value.count(),
                          latency.spread.count(), latency.samples, latency.clock_mhz),
              "stage " + measurement.key.text());
}

}  // namespace iosx
