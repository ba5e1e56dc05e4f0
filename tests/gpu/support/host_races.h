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

// Which launches streams and events order, and whether unordered ones access the same memory. Every stream has a
// vector clock.
class HostRaces {
 public:
  // Returns the launch with which a new one may overlap and must not; empty if there is none.
  std::string conflict(StreamId stream, const std::string& name, const std::vector<Access>& accesses);
  void launch(StreamId stream, const std::string& name, std::shared_ptr<const std::vector<Access>> accesses);
  void record(EventId event, StreamId stream);
  void wait(StreamId stream, EventId event);
  // The host has waited for the stream: later work of any stream comes after it.
  void host_waited(StreamId stream);
  void host_waited_for_all();
  // Returns whether everything on all streams comes before the stream's next work.
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
  std::uint64_t next(StreamId id);  // number of a new operation
  void forget_waited();

  std::vector<Stream> streams_;
  std::map<std::size_t, Clock> events_;
  Clock host_;
};

}  // namespace iosx::gpu::test
