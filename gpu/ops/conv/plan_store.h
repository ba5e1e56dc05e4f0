#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/duration.h"

namespace iosx::gpu {

// Keeps the results of measurements on disk between runs: which ways of a convolution are fast, and which of them a
// stage uses side by side. Each device and library version has its own file, because a choice made for another can be
// several times slower. A damaged file, or one with another key, is ignored and replaced. It is not thread-safe; two
// processes may use one folder: files are replaced as a whole, and the last one wins.
class PlanStore {
 public:
  struct Way {
    std::string name;  // Way::name()
    std::string plan;  // LibraryPlan::serialised(), empty without a library plan
    Millis latency{0};
  };

  // `key` names device and versions. Without a folder nothing is stored.
  PlanStore(std::optional<std::filesystem::path> folder, std::string key);
  ~PlanStore();  // saves
  PlanStore(const PlanStore&) = delete;
  PlanStore& operator=(const PlanStore&) = delete;

  const std::vector<Way>* ways(const std::string& problem) const;  // the fastest first; null if unknown
  void set_ways(const std::string& problem, std::vector<Way> ways);
  const std::vector<std::size_t>* ranks(const std::string& stage) const;
  void set_ranks(const std::string& stage, std::vector<std::size_t> ranks);
  // Ignores errors (no space, no permission): a cache may fail.
  void save() noexcept;

 private:
  std::optional<std::filesystem::path> file_;
  std::string key_;
  bool changed_ = false;
  std::map<std::string, std::vector<Way>> ways_;
  std::map<std::string, std::vector<std::size_t>> ranks_;
};

// Returns $XDG_CACHE_HOME or ~/.cache, with ios-explorer/gpu; none where neither is known.
std::optional<std::filesystem::path> default_plan_folder();

// Seals for texts that come back from disk: cuDNN and others receive only texts that they wrote themselves.

// Returns the FNV-1a hash, the same on every machine. Any change of one byte changes it.
std::uint64_t hash_of(std::string_view text);
std::string hex(std::uint64_t number);  // 16 digits

// Returns `text` with a seal of its integrity and its purpose.
std::string sealed(std::string_view purpose, std::string_view text);
// Returns the text, a part of `sealed_text`; none if it is damaged or has another purpose.
std::optional<std::string_view> unsealed(std::string_view purpose, std::string_view sealed_text);

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
