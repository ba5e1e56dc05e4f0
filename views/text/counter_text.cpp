#include "views/text/counter_text.h"

#include <algorithm>

#include "views/text/latency_text.h"

namespace iosx {
namespace {

constexpr double kMostCountable = 256;

}  // namespace

const Counter* main_counter(const Trace& trace) {
  const auto found = std::find_if(trace.counters.begin(), trace.counters.end(),
                                  [](const Counter& counter) { return !counter.times.empty(); });
  return found == trace.counters.end() ? nullptr : &*found;
}

const Counter* main_counter(const Comparison& comparison) {
  for (const ScheduleResult& result : comparison.results) {
    if (const Counter* counter = main_counter(result.trace)) return counter;
  }
  return nullptr;
}

bool same_quantity(const Counter& a, const Counter& b) {
  return a.name == b.name && a.unit == b.unit && a.peak == b.peak;
}

bool is_countable(double peak) { return peak <= kMostCountable; }

QString quantity_text(double value, double peak) {
  if (!is_countable(peak)) return count_text(value);
  const QString text = QString::number(value, 'f', 2);
  return text.endsWith(QStringLiteral(".00")) ? text.chopped(3) : text;
}

QString text_of(const std::string& name_or_unit) { return QString::fromStdString(name_or_unit); }

QString counter_title(const Counter& counter) {
  QString title = text_of(counter.name);
  if (!title.isEmpty()) title[0] = title[0].toUpper();
  return title;
}

QString counter_column(const Counter& counter) {
  return text_of(counter.name).replace(QLatin1Char(' '), QLatin1Char('_'));
}

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
