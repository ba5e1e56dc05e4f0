#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>

#include "core/base/duration.h"
#include "core/base/message.h"

namespace iosx {

// The progress of a long job. total = 0 means unknown.
struct Progress {
  Message phase;
  std::int64_t done = 0;
  std::int64_t total = 0;
};

// A job calls the sink on its own thread, at most a few hundred times a second. The sink must return quickly.
using ProgressSink = std::function<void(const Progress&)>;

// The stop token and progress sink of a long job. A job honours a stop within 100 ms unless its
// function says otherwise.
struct JobContext {
  std::stop_token stop;
  ProgressSink progress;  // may be empty

  bool stopped() const { return stop.stop_requested(); }
  void report(Message phase, std::int64_t done, std::int64_t total) const {
    if (progress) progress(Progress{std::move(phase), done, total});
  }
};

// Returns the context for a part of a job; its progress messages begin with `name`.
inline JobContext named(const JobContext& job, std::string name) {
  JobContext inner{job.stop, {}};
  if (job.progress) {
    inner.progress = [sink = job.progress, name = std::move(name)](const Progress& progress) {
      sink(Progress{message("{}: {}", name, progress.phase), progress.done, progress.total});
    };
  }
  return inner;
}

// Estimates the remaining time of the running phase of a job from its progress reports. It returns nothing where the
// total is unknown, or the phase has just begun or done nothing yet. The estimate counts down with the clock and moves
// gradually towards newer reports; it never jumps. One thread at a time uses it.
//
// All times count from one fixed moment (such as the job's start) and never go back.
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
    Seconds reported{0};  // when `done` last grew
    // Work and its time; older work counts less.
    double recent_done = 0;
    Seconds recent_time{0};
    Seconds usual_gap{0};  // between two reports

    void advance(std::int64_t now_done, Seconds now);
    std::optional<Seconds> estimate(Seconds now) const;
  };

  // Keys are the phase texts without numbers, because "part 2 of 9" and "part 3 of 9" are one phase. Phases may
  // alternate: a job sometimes reports what its device does.
  std::map<std::string, Phase> phases_;
  std::string running_;  // a key of phases_, which may be empty

  std::optional<Seconds> answer_;  // for the running phase, made at answered_
  Seconds answered_{0};
};

// Returns "about 20 s", "about 3 min", "about 1 h 20 min", rounded to an estimate's precision.
std::string rough_time_text(Seconds time);
// The same as numbers: hours and minutes, or one of the three. All are zero for a few seconds.
struct RoughTime {
  std::int64_t hours = 0;
  std::int64_t minutes = 0;
  std::int64_t seconds = 0;
};
RoughTime rough_time(Seconds time);
// Returns "8 s", "1 min 05 s", "2 h 03 min".
std::string elapsed_text(Seconds time);

}  // namespace iosx
