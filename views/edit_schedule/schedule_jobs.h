#pragma once

#include <QString>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "core/model/schedule/schedule_draft.h"
#include "core/search/improve.h"
#include "views/app_model/jobs.h"

namespace iosx {

class Session;

// Starts the jobs of hand-edited schedules: measuring stages, searching from a schedule, running a schedule end to
// end. They use the device of the shown run, or else the chosen one, and read the session on request. GUI thread
// only; `done` is called there.
class ScheduleJobs {
 public:
  // Both must outlive the object.
  ScheduleJobs(Session& session, Jobs& jobs) : session_(session), jobs_(jobs) {}

  const DeviceInfo* device() const;  // null: none
  std::int64_t batch() const;

  // Measures one latency per stage, refined by the settings. There must be a device.
  void measure(std::vector<Stage> stages, const std::function<void(const std::vector<Latency>&)>& done);

  // Locked stages stay and the rest is searched, or the search has every stage as a candidate. One runs at a
  // time per network.
  enum class Improving { kNot, kFill, kSearch };
  void improve(const ScheduleDraft& from, Improving how, const std::function<void(const Improvement&)>& done);
  Improving improving() const;  // of the shown network

  // Runs the schedule and adds it to the shown run; with `verify` it also compares its outputs. It joins the others of
  // the run if these are exact; measured schedules are only compared with ones measured in turn with them, which makes
  // another run.
  void run(const GivenSchedule& mine, bool verify);
  QString runDisabledReason() const;     // empty: possible
  QString verifyDisabledReason() const;  // empty: possible

 private:
  Session& session_;
  Jobs& jobs_;
  struct Improver {
    Jobs::JobId job = 0;
    Improving how = Improving::kNot;
  };
  std::map<NetworkId, Improver> improvers_;
};

}  // namespace iosx
