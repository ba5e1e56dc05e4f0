#pragma once

#include <QObject>
#include <chrono>
#include <memory>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "views/app_model/job_runner.h"

namespace iosx {

// A running search, or a finished one of a running job.
struct LiveSearch {
  ScheduleKind schedule_kind = ScheduleKind::kIosBoth;
  std::vector<SearchMoment> history;          // as LazyReport::history; ends with the current state
  std::vector<SearchTask> tasks;              // empty until first computed
  std::shared_ptr<const Schedule> best = {};  // so far; null: none reported yet
};

// The reports of the running job's searches so far.
struct LiveSearches {
  std::shared_ptr<const Graph> graph;  // in the parts of the tasks
  DeviceInfo device;
  std::int64_t batch = 1;
  std::vector<LiveSearch> searches;  // in the order of their beginning
  std::size_t running = 0;           // index of the last one to report
};

// Delivers the reports of a job's searches from its thread to the watcher's own (the GUI thread), at most ten times
// a second. The last report always arrives while the job runs.
class SearchWatcher final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  void begin();  // before a job's thread starts
  void end();    // after it ended
  // Receives a comparison's reports with this batch; called between the two, on the job's thread.
  void attach(CompareListener& listener, std::int64_t batch);

  // Returns null without a running search, and before the first report.
  const std::shared_ptr<const LiveSearches>& current() const { return current_; }

 signals:
  void changed();

 private:
  class Mailbox;

  void deliver(const std::shared_ptr<Mailbox>& mailbox);

  Postbox postbox_;
  std::shared_ptr<Mailbox> mailbox_;
  std::shared_ptr<const LiveSearches> current_;
  Throttle delivery_{std::chrono::milliseconds(100)};
};

}  // namespace iosx
