#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/exec/step.h"

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

}  // namespace iosx::gpu::test
