#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/formats/external/trace_events.h"

namespace iosx::external {

// An event of a trace of PyTorch has a role, by its category. Before PyTorch 1.12 categories had capitals.
enum class Role : std::uint8_t { kOther, kOperator, kLaunch, kOnGpu, kAnnotation, kModule, kSync };
Role role_of(std::string_view category);
std::vector<Role> roles_of(const TraceEvents& trace);  // of each event

// Returns whether the host waits for the device in this call: a synchronisation, or a copy that is one.
bool is_host_wait(std::string_view call);

// Returns whether a kernel, or another span, contains the next one of its stream, which none can. One that ends while
// the next one runs is left as it is: such a launch does not wait for the kernel before it (programmatic launch).
template <typename Span>
bool runs_over(const Span& span, const Span& next) {
  return span.begin != next.begin && span.end > next.end;
}

// Says that kernels end after the next one of their stream does.
Message clipped_notice(std::size_t kernels);

// Finds events by a number with which others refer to them. Each recorded process counts separately.
class Causes {
 public:
  void add(std::int64_t number, const TraceEvent& event, std::uint32_t index);
  void sort();  // once, before find()

  // Returns that of the event's own process, if there is one, else of any: the last that began before the event, else
  // the first after it; kNone if there is none.
  std::uint32_t find(std::int64_t number, const TraceEvent& event) const;

 private:
  using Place = std::tuple<std::int64_t, TextId, double, std::uint32_t>;  // number, process, begin, index
  static std::uint32_t find(const std::vector<Place>& places, const Place& place);

  std::vector<Place> of_process_;
  std::vector<Place> of_any_;
};

}  // namespace iosx::external
