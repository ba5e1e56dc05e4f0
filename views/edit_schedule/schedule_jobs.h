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

// Starts the jobs of schedules that are changed by hand: stages are measured, a search starts from a schedule, a
// schedule is run end to end. They go to the device of the shown run, or else to the chosen one, and take what they
// need of the session when they are asked for. GUI thread only; what `done` is given is handed over there.
class ScheduleJobs {
 public:
  // Both must outlive the object.
  ScheduleJobs(Session& session, Jobs& jobs) : session_(session), jobs_(jobs) {}

  const DeviceInfo* device() const;  // null: there is none
  std::int64_t batch() const;

  // Measures one latency a stage, with all the care that the settings ask for. There must be a device.
  void measure(std::vector<Stage> stages, const std::function<void(const std::vector<Latency>&)>& done);

  // Locked stages stay and the rest is searched, or the search is offered every stage. One runs at a time for a
  // network.
  enum class Improving { kNot, kFill, kSearch };
  void improve(const ScheduleDraft& from, Improving how, const std::function<void(const Improvement&)>& done);
  Improving improving() const;  // of the shown network

  // Makes the schedule one of the shown run's; with `verify` its outputs are compared too. It stands beside the others
  // of the run where these are exact; what was measured is only compared with what is measured in turn with it, which
  // makes another run.
  void run(const GivenSchedule& mine, bool verify);
  QString runDisabledReason() const;     // empty: it can be run
  QString verifyDisabledReason() const;  // empty: it can be verified

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
