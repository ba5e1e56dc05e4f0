#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <span>

#include "core/devices/simulated/contention_model.h"
#include "core/devices/simulated/description.h"

// A way to compute an operator is a list of kernels, one after the other; their loads are made from sizes by the pure
// functions of products.h, implicit_gemm.h, winograd.h, streams.h and reductions.h.
namespace iosx::simulated {

// Is called with the kernels of one way, which are only there during the call.
using WaySink = std::function<void(std::span<const KernelLoad>)>;

inline double as_double(std::int64_t value) { return static_cast<double>(value); }
inline double ceil_div(double a, double b) { return std::ceil(a / b); }

// Returns the part of a kernel's data of so many bytes that comes from memory: the second-level cache holds what was
// there before, the less of it the more there is. With kept = cache_kept · (bytes of that cache): x² / (x² + kept²),
// so a half of x = kept, and a fifth of half of that.
double missed(const DeviceDescription& device, double bytes);

// Returns the load of an engine's own kernel, without its work.
KernelLoad shaped(const ThreadKernel& kernel, double blocks);

// Returns a number of blocks that fits KernelLoad::blocks.
int block_count(double blocks);

// Returns the µs that the kernels take one after another, Machine::start_us before each.
double duration(const Machine& machine, std::span<const KernelLoad> way);

}  // namespace iosx::simulated
