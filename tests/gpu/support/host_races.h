#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gpu/runtime/runtime.h"
#include "tests/gpu/support/host_access.h"

namespace iosx::gpu::test {

// Which launches streams and events order, and whether others touch the same memory. Every stream has a vector clock.
class HostRaces {
 public:
  // With what a new launch may overlap and must not; empty if all is well.
  std::string conflict(StreamId stream, const std::string& name, const std::vector<Access>& accesses);
  void launch(StreamId stream, const std::string& name, std::shared_ptr<const std::vector<Access>> accesses);
  void record(EventId event, StreamId stream);
  void wait(StreamId stream, EventId event);
  // The host has waited for the stream: what it gives to any stream from now on comes later.
  void host_waited(StreamId stream);
  void host_waited_for_all();
  // Whether everything on all streams comes before what the stream gets next.
  bool all_before(StreamId stream) const;

 private:
  using Clock = std::vector<std::uint64_t>;  // by stream: how many of its operations come before
  struct Launch {
    std::uint64_t number = 0;
    std::string name;
    std::shared_ptr<const std::vector<Access>> accesses;
  };
  struct Stream {
    Clock clock;
    std::uint64_t count = 0;  // of operations
    std::deque<Launch> launches;
  };

  Stream& stream(StreamId id);
  std::uint64_t next(StreamId id);  // the number of a new operation
  void forget_waited();

  std::vector<Stream> streams_;
  std::map<std::size_t, Clock> events_;
  Clock host_;
};

}  // namespace iosx::gpu::test
