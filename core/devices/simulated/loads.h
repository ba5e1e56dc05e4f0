#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <span>

#include "core/devices/simulated/contention_model.h"
#include "core/devices/simulated/description.h"

// A way to compute an operator is a list of kernels in order. The pure functions of products.h, implicit_gemm.h,
// winograd.h, streams.h and reductions.h make their loads from sizes.
namespace iosx::simulated {

// Receives the kernels of one way, which are valid during the call only.
using WaySink = std::function<void(std::span<const KernelLoad>)>;

inline double as_double(std::int64_t value) { return static_cast<double>(value); }
inline double ceil_div(double a, double b) { return std::ceil(a / b); }

// Returns how much of a kernel's data comes from memory: the second-level cache holds the older part of it, less
// where there is more data. With kept = cache_kept · (bytes of that cache): x² / (x² + kept²), so a half at x =
// kept, and a fifth at half of that.
double missed(const DeviceDescription& device, double bytes);

// Returns the load of an engine's own kernel without its work.
KernelLoad shaped(const ThreadKernel& kernel, double blocks);

// Returns the number of blocks, limited to the range of KernelLoad::blocks.
int block_count(double blocks);

// Returns the µs of the kernels one after another, with Machine::start_us before each.
double duration(const Machine& machine, std::span<const KernelLoad> way);

}  // namespace iosx::simulated
