#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace iosx::gpu {

// What is tried for the first time is written down before, because some plans end the process (an illegal access, an
// endless loop, a compiler that aborts): the next process that reads this does not try it again. There is one file a
// process, beside the plan store's, under a lock that the system lifts when the process ends, however it ends: what is
// in a file without a lock ended its writer, or was cut off with it. Where the file system has no locks or may not be
// written, nothing is kept and everything is tried. It is not thread-safe.
class TrialLog {
 public:
  // `key` is as PlanStore's. Without a folder nothing is kept.
  TrialLog(std::optional<std::filesystem::path> folder, const std::string& key);
  ~TrialLog();
  TrialLog(const TrialLog&) = delete;
  TrialLog& operator=(const TrialLog&) = delete;

  // Says whether a process ended while it tried this.
  bool ended(const std::string& trial) const { return ended_.contains(trial); }
  // These say how many such trials are known, and which file to delete to have them tried again. A process that was
  // killed from outside in the middle of one leaves it there too.
  std::size_t known() const { return ended_.size(); }
  std::filesystem::path file() const;

  // A trial is written down from begin() until end().
  void begin(const std::string& trial);
  void end();

 private:
  void open();
  void write(const std::string& trial) const;
  void read_ended();
  void keep_ended() const;

  std::optional<std::filesystem::path> stem_;  // of the files' names
  std::string key_;
  int file_ = -1;  // ours, once something was tried
  std::filesystem::path path_;
  bool trying_ = false;
  std::set<std::string> ended_;
};

// A Trial is one trial, while it lives. An exception that passes it leaves it written down: what is caught further out
// is that the GPU is lost.
class Trial {
 public:
  Trial(TrialLog* log, const std::string& what);  // null: nothing is written down
  ~Trial();
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  bool ended_a_process() const { return ended_; }  // then it must not be tried, and is not written down

 private:
  TrialLog* log_;
  bool ended_ = false;
  int exceptions_;
};

}  // namespace iosx::gpu
