#pragma once

#include <cstdint>
#include <string>

namespace iosx::cli {

// Write numbers for display, with three significant digits and an SI prefix: "5.71 GFLOP", "23.8 M", "95.3 MB".
std::string flops_text(double flops);
std::string count_text(std::int64_t count);
std::string bytes_text(std::int64_t bytes);

}  // namespace iosx::cli
