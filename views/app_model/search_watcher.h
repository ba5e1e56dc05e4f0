#pragma once

#include <QObject>
#include <chrono>
#include <memory>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "views/app_model/postbox.h"

namespace iosx {

// Describes a search while it runs, or one that has ended while others of its job run.
struct LiveSearch {
  ScheduleKind schedule_kind = ScheduleKind::kIosBoth;
  std::vector<SearchMoment> history;          // as LazyReport::history; its last moment is how far it is
  std::vector<SearchTask> tasks;              // empty until they were worked out first
  std::shared_ptr<const Schedule> best = {};  // so far; null: none was told yet
};

// Holds what the searches of the running job have told so far.
struct LiveSearches {
  std::shared_ptr<const Graph> graph;  // in the parts that the tasks speak of
  DeviceInfo device;
  std::int64_t batch = 1;
  std::vector<LiveSearch> searches;  // in the order in which they began
  std::size_t running = 0;           // index of the one that told something last
};

// Brings what the searches of a job tell on its thread to the thread that the watcher lives on (the GUI thread), at
// most ten times a second. What was told last always comes while the job runs.
class SearchWatcher final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  void begin();  // a job's thread is about to start
  void end();    // it has ended
  // Hears what a comparison with this batch tells; it is called between the two, on the job's thread.
  void attach(CompareListener& listener, std::int64_t batch);

  // Returns null where no search runs or none has told anything yet.
  const std::shared_ptr<const LiveSearches>& current() const { return current_; }

 signals:
  void changed();

 private:
  class Mailbox;

  void deliver(const std::shared_ptr<Mailbox>& mailbox);

  Postbox postbox_;
  std::shared_ptr<Mailbox> mailbox_;
  std::shared_ptr<const LiveSearches> current_;
  std::chrono::steady_clock::time_point last_;  // when something was delivered
};

}  // namespace iosx
