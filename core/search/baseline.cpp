#include "core/search/baseline.h"

#include "core/base/check.h"
#include "core/model/graph/networks.h"
#include "core/search/prepare.h"

namespace iosx {

Schedule made_baseline(ScheduleKind kind, const Graph& graph, std::size_t max_streams, const JobContext& job) {
  const ScheduleKindRow& row = row_of(kind);
  IOS_CHECK(row.baseline());
  if (kind != ScheduleKind::kSequential || has_independent_networks(graph))
    return row.make_baseline(graph, max_streams);
  const auto parts = prepare(graph, {}, kDefaultMaxPartSize, kPartBudget, JobContext{job.stop, {}});
  return row.make_baseline(parts ? *parts : graph, max_streams);
}

}  // namespace iosx
