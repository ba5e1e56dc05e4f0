#include "tests/gpu/support/host_races.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace iosx::gpu::test {
namespace {

using Clock = std::vector<std::uint64_t>;

void merge(Clock& into, const Clock& other) {
  if (into.size() < other.size()) into.resize(other.size(), 0);
  for (std::size_t i = 0; i < other.size(); ++i) into[i] = std::max(into[i], other[i]);
}

std::uint64_t at(const Clock& clock, std::size_t index) { return index < clock.size() ? clock[index] : 0; }

std::string shared(const std::vector<Access>& mine, const std::vector<Access>& others) {
  for (const Access& a : mine) {
    for (const Access& b : others) {
      if ((a.writes || b.writes) && overlap(a, b)) return fmt::format("{} and {}", a.operand, b.operand);
    }
  }
  return {};
}

}  // namespace

HostRaces::Stream& HostRaces::stream(StreamId id) {
  if (streams_.size() <= id.index()) streams_.resize(id.index() + 1);
  return streams_[id.index()];
}

std::uint64_t HostRaces::next(StreamId id) {
  Stream& own = stream(id);
  merge(own.clock, host_);
  if (own.clock.size() <= id.index()) own.clock.resize(id.index() + 1, 0);
  return own.clock[id.index()] = ++own.count;
}

std::string HostRaces::conflict(StreamId id, const std::string& name, const std::vector<Access>& accesses) {
  Clock clock = stream(id).clock;
  merge(clock, host_);
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    if (s == id.index()) continue;
    const auto& launches = streams_[s].launches;
    for (auto other = launches.rbegin(); other != launches.rend() && other->number > at(clock, s); ++other) {
      const std::string operands = shared(accesses, *other->accesses);
      if (operands.empty()) continue;
      return fmt::format("{} on stream {} and {} on stream {} may overlap and share memory ({})", name, id.index(),
                         other->name, s, operands);
    }
  }
  return {};
}

void HostRaces::launch(StreamId id, const std::string& name, std::shared_ptr<const std::vector<Access>> accesses) {
  stream(id).launches.push_back({next(id), name, std::move(accesses)});
}

void HostRaces::record(EventId event, StreamId id) {
  next(id);
  events_[event.index()] = stream(id).clock;
}

void HostRaces::wait(StreamId id, EventId event) {
  next(id);
  const auto found = events_.find(event.index());
  if (found != events_.end()) merge(stream(id).clock, found->second);
}

void HostRaces::host_waited(StreamId id) {
  merge(host_, stream(id).clock);
  forget_waited();
}

void HostRaces::host_waited_for_all() {
  for (const Stream& each : streams_) merge(host_, each.clock);
  forget_waited();
}

void HostRaces::forget_waited() {
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    auto& launches = streams_[s].launches;
    while (!launches.empty() && launches.front().number <= at(host_, s)) launches.pop_front();
  }
}

bool HostRaces::all_before(StreamId id) const {
  static const Clock kNothing;
  const Clock& clock = id.index() < streams_.size() ? streams_[id.index()].clock : kNothing;
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    if (at(clock, s) < streams_[s].count) return false;
  }
  return true;
}

}  // namespace iosx::gpu::test
