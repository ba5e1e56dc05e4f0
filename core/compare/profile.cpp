#include "core/compare/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace iosx {

Result<void> profile(Comparison& comparison, Device& device, const ProfileOptions& options, const JobContext& job) {
  if (device.info().fingerprint != comparison.device.fingerprint) {
    return fail(fmt::format("the schedules were run on {} ({})", comparison.device.name, comparison.device.fingerprint),
                device.info().id, "run them on this device first");
  }
  const auto count = static_cast<std::int64_t>(comparison.results.size());
  // All of them first: what a device measures to prepare one must not happen under a profiler.
  std::vector<std::unique_ptr<LoadedPlan>> loaded;
  for (const ScheduleResult& result : comparison.results) {
    job.report("preparing " + result.schedule.name, static_cast<std::int64_t>(loaded.size()), count);
    auto plan = device.load(result.plan, {.tune = true}, job);
    if (!plan) return tl::unexpected(std::move(plan.error()));
    loaded.push_back(std::move(*plan));
  }
  std::vector<Profile> profiles;
  for (const ScheduleResult& result : comparison.results) {
    job.report("profiling " + result.schedule.name, static_cast<std::int64_t>(profiles.size()), count);
    auto profile = loaded[profiles.size()]->profile(options, job);
    if (!profile) return tl::unexpected(std::move(profile.error()));
    profiles.push_back(std::move(*profile));
  }
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    comparison.results[i].trace = std::move(profiles[i].trace);
    for (std::string& notice : profiles[i].notices) {
      if (std::ranges::find(comparison.notices, notice) == comparison.notices.end()) {
        comparison.notices.push_back(std::move(notice));
      }
    }
  }
  return {};
}

}  // namespace iosx
