#include "views/explore/search/convergence.h"

#include <algorithm>

#include "views/text/format.h"
#include "views/text/latency_text.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

Millis last_bound(const std::vector<SearchMoment>& moments) {
  const auto last = std::find_if(moments.rbegin(), moments.rend(),
                                 [](const SearchMoment& moment) { return moment.bound > Millis(0); });
  return last == moments.rend() ? Millis(0) : last->bound;
}

// A search that chooses again restarts its count.
std::vector<SearchMoment> rising(const std::vector<SearchMoment>& history) {
  std::vector<SearchMoment> moments;
  SearchMoment last;
  for (SearchMoment moment : history) {
    moment.elapsed = std::max(moment.elapsed, last.elapsed);
    moment.needed = std::max(moment.needed, last.needed);
    last = moment;
    if (moment.best > Millis(0)) moments.push_back(moment);
  }
  return moments;
}

SearchCurve curve_of(const ScheduleResult& result) {
  const SearchResult& search = *result.search;
  SearchCurve curve{QString::fromStdString(result.id.text()), schedule_title(result), result.schedule_kind};
  if (search.lazy) {
    curve.moments = rising(search.lazy->history);
  } else if (search.stage_sum > Millis(0)) {
    curve.exhaustive = true;
    curve.moments = {{search.elapsed, search.tally.needed, search.stage_sum, Millis(0)}};
  }
  return curve;
}

SearchCurve curve_of(const LiveSearch& search, bool running) {
  const std::string_view id = row_of(search.schedule_kind).id;
  return {QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size())),
          schedule_kind_title(search.schedule_kind),
          search.schedule_kind,
          running,
          false,
          rising(search.history)};
}

bool same_job(const Comparison& comparison, const LiveSearches& live) {
  return comparison.graph && live.graph && comparison.graph->name() == live.graph->name() &&
         comparison.graph->units().size() == live.graph->units().size() && comparison.device.id == live.device.id &&
         comparison.batch == live.batch;
}

}  // namespace

double effort(const SearchMoment& moment, SearchEffortAxis axis) {
  return axis == SearchEffortAxis::kStages ? static_cast<double>(moment.needed) : moment.elapsed.count();
}

Millis SearchCurve::bound() const { return last_bound(moments); }

Convergence convergence_of(const Comparison* comparison, const LiveSearches* live) {
  Convergence all;
  const auto add = [&all](SearchCurve curve) {
    if (!curve.moments.empty()) all.curves.push_back(std::move(curve));
  };
  const auto runs = [&](ScheduleKind schedule_kind) {
    return live != nullptr && std::ranges::count(live->searches, schedule_kind, &LiveSearch::schedule_kind) > 0;
  };
  if (comparison != nullptr && (live == nullptr || same_job(*comparison, *live))) {
    all.context = context_text(*comparison);
    all.recorded = QString::fromStdString(comparison->recorded.text());
    all.origin = comparison->device.origin;
    for (const ScheduleResult& result : comparison->results) {
      if (result.search && !runs(result.schedule_kind)) add(curve_of(result));
    }
  }
  if (live == nullptr) return all;
  Comparison job;
  job.graph = live->graph;
  job.device = live->device;
  job.batch = live->batch;
  all.context = context_text(job);
  all.origin = live->device.origin;
  for (std::size_t i = 0; i < live->searches.size(); ++i) add(curve_of(live->searches[i], i == live->running));
  return all;
}

QString running_sentence(const LiveSearches& live) {
  const LiveSearch& search = live.searches[live.running];
  const SearchMoment& now = search.history.back();
  QString text = Text::tr("%1 is searching: %2 stages requested in %3")
                     .arg(schedule_kind_title(search.schedule_kind), count_text(static_cast<double>(now.needed)),
                          format::elapsed(now.elapsed));
  if (now.best > Millis(0)) text += Text::tr(", best so far %1").arg(duration_text(now.best));
  if (const Millis bound = last_bound(search.history); bound > Millis(0)) {
    text += Text::tr(", certified bound %1").arg(duration_text(bound));
  }
  return text + QStringLiteral(".");
}

}  // namespace iosx
