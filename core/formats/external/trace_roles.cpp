#include "core/formats/external/trace_roles.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_map>

#include "core/formats/external/csv_times.h"

namespace iosx::external {

Role role_of(std::string_view category) {
  const std::string word = lower_case(category);
  if (word == "cpu_op" || word == "operator") return Role::kOperator;
  if (word == "cuda_sync") return Role::kSync;
  if (word == "runtime" || word == "driver" || word.ends_with("_runtime") || word.ends_with("_driver"))
    return Role::kLaunch;
  if (word == "kernel" || word.starts_with("gpu_mem") || word == "memcpy" || word == "memset") return Role::kOnGpu;
  if (word == "user_annotation") return Role::kAnnotation;
  return word == "python_function" ? Role::kModule : Role::kOther;
}

std::vector<Role> roles_of(const TraceEvents& trace) {
  std::unordered_map<TextId, Role> known;
  std::vector<Role> roles;
  roles.reserve(trace.events.size());
  for (const TraceEvent& event : trace.events) {
    const auto [place, made] = known.emplace(event.category, Role::kOther);
    if (made) place->second = role_of(trace.text(event.category));
    roles.push_back(place->second);
  }
  return roles;
}

bool is_host_wait(std::string_view call) {
  return call.find("Synchronize") != std::string_view::npos || call == "cudaMemcpy" || call == "hipMemcpy" ||
         call.starts_with("cudaMemcpy_v");
}

Message clipped_notice(std::size_t kernels) {
  if (kernels == 1)
    return message("1 kernel ends after the next one of its stream does, so it counts until that begins");
  return message("{} kernels end after the next one of their stream, so they count until that begins", kernels);
}

void Causes::add(std::int64_t number, const TraceEvent& event, std::uint32_t index) {
  if (number < 0) return;
  of_process_.emplace_back(number, event.process, event.begin, index);
  of_any_.emplace_back(number, 0, event.begin, index);
}

void Causes::sort() {
  std::ranges::sort(of_process_);
  std::ranges::sort(of_any_);
}

std::uint32_t Causes::find(std::int64_t number, const TraceEvent& event) const {
  const std::uint32_t own = find(of_process_, {number, event.process, event.begin, kNone});
  return own != kNone ? own : find(of_any_, {number, 0, event.begin, kNone});
}

std::uint32_t Causes::find(const std::vector<Place>& places, const Place& place) {
  const auto is_it = [&](const Place& one) {
    return std::get<0>(one) == std::get<0>(place) && std::get<1>(one) == std::get<1>(place);
  };
  const auto after = std::ranges::upper_bound(places, place);
  if (after != places.begin() && is_it(*std::prev(after))) return std::get<3>(*std::prev(after));
  return after != places.end() && is_it(*after) ? std::get<3>(*after) : kNone;
}

}  // namespace iosx::external
