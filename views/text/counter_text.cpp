#include "views/text/counter_text.h"

#include <algorithm>

#include "views/text/latency_text.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

constexpr double kMostCountable = 256;

}  // namespace

const Counter* main_counter(const Comparison& comparison) {
  for (const ScheduleResult& result : comparison.results) {
    if (const Counter* counter = main_counter(result.trace)) return counter;
  }
  return nullptr;
}

const Counter* find_counter(const Trace& trace, const std::string& name) {
  if (name.empty()) return main_counter(trace);
  const auto found = std::ranges::find_if(
      trace.counters, [&](const Counter& counter) { return counter.name == name && !counter.times.empty(); });
  return found == trace.counters.end() ? nullptr : &*found;
}

QString short_source(const std::string& source) { return text_of(source.substr(0, source.find(','))); }

bool same_quantity(const Counter& a, const Counter& b) {
  return a.name == b.name && a.unit == b.unit && a.peak == b.peak;
}

bool is_countable(double peak) { return peak <= kMostCountable; }

QString quantity_text(double value, double peak) {
  if (!is_countable(peak)) return count_text(value);
  const QString text = QString::number(value, 'f', 2);
  return text.endsWith(QStringLiteral(".00")) ? text.chopped(3) : text;
}

QString quantity_text(double value, double error, double peak) {
  const QString text = quantity_text(value, peak);
  return error > 0 ? QStringLiteral("%1 \u00B1 %2").arg(text, quantity_text(error, peak)) : text;
}

QString text_of(const std::string& name_or_unit) { return shown_name(name_or_unit); }

QString counter_title(QString name) {
  if (!name.isEmpty()) name[0] = name[0].toUpper();
  return name;
}

QString counter_column(QString name) { return name.replace(QLatin1Char(' '), QLatin1Char('_')); }

std::optional<double> mean_in_stage(const Trace& trace, std::size_t stage) {
  const Counter* counter = main_counter(trace);
  if (counter == nullptr || stage >= trace.stages.size()) return std::nullopt;
  const StageSpan& span = trace.stages[stage];
  if (span.end <= span.begin) return std::nullopt;
  return counter->mean(span.begin, span.end);
}

std::optional<double> mean_utilization(const Trace& trace, std::size_t stage) {
  const auto mean = mean_in_stage(trace, stage);
  const double peak = mean ? main_counter(trace)->peak : 0;
  if (peak <= 0) return std::nullopt;
  return *mean / peak;
}

}  // namespace iosx
