#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
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
    std::string name;  // ConvWay::name()
    std::string plan;  // ConvPlan::serialised(), empty without a library plan
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

}  // namespace iosx::gpu
