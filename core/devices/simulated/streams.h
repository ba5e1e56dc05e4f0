#pragma once

#include "core/devices/simulated/loads.h"

// Kernels that read and write all data once: copies, sums, activations.
namespace iosx::simulated {

// Returns the load of the library's kernel, with 1,024 elements per block. Bytes are of the whole kernel.
//
// Example: relu of 2²⁰ floats reads and writes 4 MiB each. With 900 GB/s, 0.92 of it reached, and a cache that
// keeps nothing, it takes 8,388,608 / 828,000 = 10.1 µs in 1,024 blocks.
KernelLoad stream(const DeviceDescription& device, double elements, double bytes_read, double bytes_written);

// Returns the load of the engine's own kernel, else of the library's.
KernelLoad elementwise(const DeviceDescription& device, double elements, double bytes_read, double bytes_written);

}  // namespace iosx::simulated
