#pragma once

#include <chrono>

namespace iosx {

// These are durations and points on a trace's axis, in double precision; they convert into one another implicitly.
using Micros = std::chrono::duration<double, std::micro>;
using Millis = std::chrono::duration<double, std::milli>;
using Seconds = std::chrono::duration<double>;

}  // namespace iosx
