#pragma once

#include "core/base/result.h"
#include "core/model/plan/execution_plan.h"

namespace iosx {

// The places of a plan's buffers in one block of memory, in bytes from its start. Two buffers share bytes only if
// every access to one comes before every access to the other in any order that the plan allows (LaneClocks).
struct MemoryPlan {
  static constexpr std::int64_t kNone = -1;
  std::vector<std::int64_t> offsets;  // by buffer; kNone for constants and unused buffers
  std::int64_t peak_bytes = 0;        // of the block
  std::int64_t constant_bytes = 0;    // of the constants, which are outside the block
};

// External buffers keep their contents during the whole run, so that a plan can run again without filling them; the
// plan's outputs, and buffers without readers, keep theirs to the end. A buffer takes batch × elements ×
// element_bytes; offsets are multiples of the alignment.
MemoryPlan plan_memory(const ExecutionPlan& plan, std::int64_t element_bytes, std::int64_t alignment = 64);

// Checks that buffers with shared bytes are in use one after the other, access by access, in any order that the
// plan allows. plan_memory() checks its result with it. The error's place is a buffer ("buffers[3]").
Result<void> check_memory(const ExecutionPlan& plan, const MemoryPlan& memory, std::int64_t element_bytes);

}  // namespace iosx
