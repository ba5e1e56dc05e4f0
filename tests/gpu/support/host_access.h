#pragma once

#include <deque>

#include "gpu/exec/way.h"
#include "gpu/runtime/runtime.h"
#include "tests/support/prelude.h"

// The bytes that a launch reads and writes.
namespace iosx::gpu::test {

// Bytes [begin, end), of which runs of `width` every `pitch` bytes from `begin` on are accessed; all of them where
// pitch is 0.
struct Access {
  const char* operand = "";
  bool writes = false;
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::uintptr_t pitch = 0;
  std::uintptr_t width = 0;
  std::uintptr_t alignment = 1;  // required by the launch
};

std::vector<Access> accesses_of(const Step& step);
// Returns whether both may access a common byte; exact for channels of channels-last tensors of one pitch.
bool overlap(const Access& a, const Access& b);
bool same_bytes(const Access& a, const Access& b);
// Checks that a step does not read what it writes, unless it is our kernel that works in place. Returns
// the fault, or an empty text.
std::string aliasing_in(const Step& step, const std::vector<Access>& accesses);
std::string name_of(const Step& step);

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
