#include "core/analysis/compare/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace iosx {

namespace {

void add_notices(Comparison& comparison, std::vector<std::string>& notices) {
  for (std::string& notice : notices) {
    if (std::ranges::find(comparison.notices, notice) == comparison.notices.end()) {
      comparison.notices.push_back(std::move(notice));
    }
  }
  notices.clear();
}

using LoadedPlans = std::vector<std::unique_ptr<LoadedPlan>>;

// All of them first: what a device measures to prepare one must not happen under a profiler.
Result<LoadedPlans> load_all(const Comparison& comparison, Device& device, const JobContext& job) {
  LoadedPlans loaded;
  for (const ScheduleResult& result : comparison.results) {
    job.report("preparing " + result.schedule.name, static_cast<std::int64_t>(loaded.size()),
               static_cast<std::int64_t>(comparison.results.size()));
    IOS_TRY(auto plan, device.load(result.plan, {.tune = true}, job));
    loaded.push_back(std::move(plan));
  }
  return loaded;
}

}  // namespace

Result<void> profile(Comparison& comparison, Device& device, const ProfileOptions& options, const JobContext& job,
                     const std::function<Result<void>(const Comparison&)>& halfway) {
  if (device.info().fingerprint != comparison.device.fingerprint) {
    return fail(fmt::format("the schedules were run on {} ({})", comparison.device.name, comparison.device.fingerprint),
                device.info().id, "run them on this device first");
  }
  IOS_TRY(const auto loaded, load_all(comparison, device, job));
  const auto count = static_cast<std::int64_t>(2 * loaded.size());
  std::vector<Profile> profiles;
  for (std::size_t i = 0; i < loaded.size(); ++i) {
    job.report("profiling " + comparison.results[i].schedule.name, static_cast<std::int64_t>(i), count);
    IOS_TRY(auto seen, loaded[i]->timeline(options, job));
    profiles.push_back(std::move(seen));
  }
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    comparison.results[i].trace = profiles[i].trace;
    add_notices(comparison, profiles[i].notices);
  }
  if (halfway) {
    if (auto done = halfway(comparison); !done) return done;
  }
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    job.report("counting " + comparison.results[i].schedule.name, static_cast<std::int64_t>(profiles.size() + i),
               count);
    IOS_TRY(auto counted, loaded[i]->counters(std::move(profiles[i]), options, job));
    comparison.results[i].trace = std::move(counted.trace);
    add_notices(comparison, counted.notices);
  }
  return {};
}

}  // namespace iosx
