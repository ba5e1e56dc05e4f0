#include "views/canvas/weave/rows.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace iosx::canvas {
namespace {

struct Interval {
  Micros begin{0};
  Micros end{0};
};

// Returns the intervals that must each contain an instant, by their ends.
std::vector<Interval> wanted(const WeaveColumns& columns, std::size_t section, const UnitSpans& spans,
                             const std::vector<Overlap>& pairs) {
  std::vector<Interval> result;
  for (const UnitId unit : columns.sections[section].units) {
    const auto& list = spans.of_unit[unit.index()];
    if (list.empty()) continue;
    const auto longest = std::ranges::max_element(list, {}, &UnitSpan::time);
    result.push_back({longest->begin, longest->end});
  }
  for (const Overlap& pair : pairs) {
    const bool here = columns.section_of[pair.a.index()] == section && columns.section_of[pair.b.index()] == section;
    if (here) result.push_back({pair.begin, pair.end});
  }
  std::ranges::stable_sort(result, {}, &Interval::end);
  return result;
}

// Returns the fewest ranges such that each interval contains one: an instant anywhere in it hits the interval.
std::vector<Interval> hitting(const std::vector<Interval>& intervals) {
  std::vector<Interval> groups;
  for (const Interval& interval : intervals) {
    if (groups.empty() || interval.begin >= groups.back().end) {
      groups.push_back(interval);
    } else {
      groups.back().begin = std::max(groups.back().begin, interval.begin);
    }
  }
  return groups;
}

// Returns the beginning of a kernel in the range, or the range's, at which most are in flight; of equals the one
// nearest to the middle.
Micros busiest(const Interval& range, const std::vector<UnitSpan>& spans) {
  std::vector<Micros> candidates{range.begin};
  for (const UnitSpan& span : spans) {
    if (span.begin > range.begin && span.begin < range.end) candidates.push_back(span.begin);
  }
  const Micros middle = (range.begin + range.end) / 2;
  const auto value = [&](Micros at) {
    const auto flying =
        std::ranges::count_if(spans, [at](const UnitSpan& span) { return span.begin <= at && at < span.end; });
    return std::pair(flying, -std::abs((at - middle).count()));
  };
  return *std::ranges::max_element(candidates, {}, value);
}

// Returns the rows at whose instants one of the spans is in flight.
std::vector<std::size_t> rows_of(const std::vector<UnitSpan>& spans, const std::vector<Micros>& instants) {
  std::vector<std::size_t> rows;
  for (const UnitSpan& span : spans) {
    for (auto at = std::ranges::lower_bound(instants, span.begin); at != instants.end() && *at < span.end; ++at) {
      rows.push_back(static_cast<std::size_t>(at - instants.begin()));
    }
  }
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

// Puts every unit into its column: below the unit above it, where it has rows there.
void place_units(const Graph& graph, const WeaveColumns& columns, const WeaveSection& section, SectionRows& result) {
  std::map<double, std::size_t> ends;                          // per column: the row after its last unit
  std::vector<std::size_t> end_of(columns.part_of.size(), 0);  // per unit
  for (std::size_t i = 0; i < section.units.size(); ++i) {
    const UnitId unit = section.units[i];
    UnitRows& place = result.units[i];
    std::size_t& end = ends[columns.column_of[unit.index()]];
    const auto late = std::ranges::lower_bound(place.rows, end);
    place.early.assign(place.rows.begin(), late);
    place.rows.erase(place.rows.begin(), late);
    if (!place.rows.empty()) {
      place.first = place.rows.front();
      place.last = place.rows.back() + 1;
    } else {
      place.first = end;
      for (const UnitId from : graph.predecessors(unit)) {
        if (columns.section_of[from.index()] == columns.section_of[unit.index()]) {
          place.first = std::max(place.first, end_of[from.index()]);
        }
      }
      if (!place.early.empty()) place.first = end;  // it ran before: its kernel stands beside the unit above
      place.last = place.first;
    }
    end = std::max(end, place.last);
    end_of[unit.index()] = place.last;
  }
}

}  // namespace

SectionRows weave_rows(const Graph& graph, const WeaveColumns& columns, std::size_t section, const UnitSpans& spans,
                       const std::vector<Overlap>& pairs) {
  const WeaveSection& of = columns.sections[section];
  std::vector<UnitSpan> all;
  for (const UnitId unit : of.units) {
    all.insert(all.end(), spans.of_unit[unit.index()].begin(), spans.of_unit[unit.index()].end());
  }
  std::ranges::stable_sort(all, {}, &UnitSpan::begin);
  SectionRows result;
  for (const Interval& range : hitting(wanted(columns, section, spans, pairs))) {
    const auto after = std::ranges::lower_bound(all, range.end, {}, &UnitSpan::begin);
    result.instants.push_back(busiest(range, {all.begin(), after}));
  }
  result.own.resize(result.instants.size());
  result.guests.resize(result.instants.size());
  for (std::size_t u = 0; u < spans.size(); ++u) {
    const std::vector<std::size_t> rows = rows_of(spans.of_unit[u], result.instants);
    const bool own = columns.section_of[u] == section;
    for (const std::size_t row : rows) (own ? result.own : result.guests)[row].push_back(UnitId(u));
    if (own) result.units.push_back({.rows = rows, .early = {}});
  }
  place_units(graph, columns, of, result);
  return result;
}

}  // namespace iosx::canvas
