#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/base/duration.h"
#include "core/base/progress.h"

namespace iosx {

// Tells how long the running phase of a job will still take, judged by its reports. It is silent where nobody can know:
// the phase does not say how much there is to do, has just begun, or has done nothing yet. The answer runs down with
// the clock and drifts towards what newer reports say; it never leaps. One thread at a time uses it.
//
// All times are given, counted from one fixed moment (the job's start, say) and never going back.
class TimeLeft {
 public:
  void report(const Progress& progress, Seconds now);
  std::optional<Seconds> left(Seconds now);

 private:
  struct Phase {
    std::int64_t total = 0;
    std::int64_t first_done = 0;
    std::int64_t done = 0;
    Seconds begun{0};
    Seconds reported{0};  // when done last grew
    // These hold what was done, and in how much time; the older it is, the less it counts.
    double recent_done = 0;
    Seconds recent_time{0};
    Seconds usual_gap{0};  // between two reports

    void advance(std::int64_t now_done, Seconds now);
    std::optional<Seconds> estimate(Seconds now) const;
  };

  // The keys are the phases' words without numbers, for "part 2 of 9" and "part 3 of 9" are one phase. Phases may
  // alternate: a job says now and then what its device does.
  std::map<std::string, Phase> phases_;
  std::string running_;  // a key of phases_, which may be empty

  std::optional<Seconds> answer_;  // the last one about the running phase, given at answered_
  Seconds answered_{0};
};

// Returns "about 20 s", "about 3 min", "about 1 h 20 min": as exact as an estimate deserves.
std::string rough_time_text(Seconds time);
// Holds the same as numbers: hours and minutes, or one of the three; all are zero for a few seconds.
struct RoughTime {
  std::int64_t hours = 0;
  std::int64_t minutes = 0;
  std::int64_t seconds = 0;
};
RoughTime rough_time(Seconds time);
// Returns "8 s", "1 min 05 s", "2 h 03 min".
std::string elapsed_text(Seconds time);

}  // namespace iosx
