#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace iosx {

// Bytes of a storage, from `begin` to before `end`.
struct StorageRange {
  std::int64_t storage = 0;
  std::int64_t begin = 0;
  std::int64_t end = kAllBytes;
  static constexpr std::int64_t kAllBytes = std::int64_t{1} << 60U;
};

// One operator of PyTorch's execution trace, with the tensors that it reads and writes.
struct ExecutionNode {
  std::int64_t id = 0;
  std::int64_t parent = -1;
  std::string name;
  std::int32_t record_function = -1;
  std::int64_t thread = 0;
  bool known = false;  // its schema says what it reads and writes
  std::vector<StorageRange> reads = {};
  std::vector<StorageRange> writes = {};
  std::vector<std::int64_t> fresh = {};  // storages of outputs that no input aliases
  bool has_tensors() const { return !reads.empty() || !writes.empty() || !fresh.empty(); }
};

// PyTorch's ExecutionTraceObserver wrote it: the operators of a run in the order of their ids.
struct ExecutionTrace {
  std::vector<ExecutionNode> nodes;
};

// A CUDA graph, as cudaGraphDebugDotPrint() draws it: nodes that are kernels, copies or memsets in the order of the
// capture, and which of them comes before which.
struct GraphDump {
  std::vector<std::string> nodes;  // their functions; may be empty
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
};

}  // namespace iosx
