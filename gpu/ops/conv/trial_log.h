#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace iosx::gpu {

// Records each first trial before it runs, because some plans end the process (an illegal access, an endless loop, a
// compiler that aborts): later processes read the record and skip the trial. Each process has its own file beside the
// plan store's, with a lock that ends with the process, however it ends: a trial in a file without a lock ended its
// writer, or was cut off with it. Where the file system has no locks or is not writable, nothing is kept and
// everything is tried. It is not thread-safe.
class TrialLog {
 public:
  // `key` is as in PlanStore. Without a folder nothing is kept.
  TrialLog(std::optional<std::filesystem::path> folder, const std::string& key);
  ~TrialLog();
  TrialLog(const TrialLog&) = delete;
  TrialLog& operator=(const TrialLog&) = delete;

  // Returns whether a process ended during this trial.
  bool ended(const std::string& trial) const { return ended_.contains(trial); }
  // Return how many such trials are known, and the file to delete to try them again. A process killed from outside
  // during a trial records it too.
  std::size_t known() const { return ended_.size(); }
  std::filesystem::path file() const;

  // A trial is recorded from begin() to end().
  void begin(const std::string& trial);
  void end();

 private:
  void open();
  void write(const std::string& trial) const;
  void read_ended();
  void keep_ended() const;

  std::optional<std::filesystem::path> stem_;  // of the files' names
  std::string key_;
  int file_ = -1;  // of this process, once something was tried
  std::filesystem::path path_;
  bool trying_ = false;
  std::set<std::string> ended_;
};

// A trial during its lifetime. An exception that passes it leaves the record, because outer code then treats the GPU
// as lost.
class Trial {
 public:
  Trial(TrialLog* log, const std::string& what);  // null: no record
  ~Trial();
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  bool ended_a_process() const { return ended_; }  // skip the trial; it is not recorded

 private:
  TrialLog* log_;
  bool ended_ = false;
  int exceptions_;
};

}  // namespace iosx::gpu
