#pragma once

#include <string>

// GPUs as cuDNN describes them, from their data sheets.
namespace iosx::gpu::test {

std::string h200();
std::string a100();
std::string t4();

// What cuDNN proposes belongs to its version; tests of facts about one skip with others.
inline constexpr const char* kKnownVersion = "cuDNN 9.19.0";

}  // namespace iosx::gpu::test
