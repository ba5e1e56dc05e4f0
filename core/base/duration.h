#pragma once

#include <chrono>

namespace iosx {

// Durations, and points on the time axis of a trace, in double precision. They convert to one another implicitly.
using Micros = std::chrono::duration<double, std::micro>;
using Millis = std::chrono::duration<double, std::milli>;
using Seconds = std::chrono::duration<double>;

}  // namespace iosx
