#include "gpu/ops/kernels/reduce_parts.h"

#include <algorithm>

#include "core/base/check.h"
#include "gpu/ops/kernels/reduce.h"

namespace iosx::gpu {
namespace {

// Returns one part's sums: dense, with the kept axes in the order in which the first call reads the input.
TensorRef sums_of(const ReduceCall& call, void* data) {
  TensorRef sums = call.in;
  sums.data = data;
  sums.type = DataType::kFloat32;
  sums.dims = call.out.dims;
  const auto order = axes_by_stride(std::span(&sums, 1));
  std::int64_t stride = 1;
  for (std::size_t i = sums.rank; i-- > 0;) {
    sums.strides[order[i]] = stride;
    stride *= sums.dims[order[i]];
  }
  return sums;
}

ReduceCall first_call(const ReduceCall& call, std::int64_t parts, void* partials) {
  return {.reduction = call.reduction, .in = call.in, .out = sums_of(call, partials), .parts = parts};
}

}  // namespace

// A lane of a block has four loads of 16 bytes under way, so a block 16 KB, and they take about 0.7 µs. A
// multiprocessor needs some 18 KB under way for its share of an H100's memory (3.35 TB/s / 132 · 0.7 µs), less on other
// GPUs, so two blocks keep it busy, and more than one wave of blocks gains nothing.
//
// The second call costs 2 to 3 µs, with its launch. That is what a lane takes for 16 loads, four at a time, so as many
// are to be saved. A part of less than eight loads a lane, two rounds, is mostly the beginning and end of its block.
//
// Example: 32 maps of 256 × 256 float32 pixels are one block, whose 32 lanes have 2,048 loads each for all channels. In
// 256 parts of 8 loads it is 256 blocks, two a multiprocessor, and the second call's lanes have 8 loads, too.
//
// gpu_launch_bench times one launch and several numbers of parts. On an H100 and an H200 the example took 267 µs in one
// part and 11.6 in those chosen here, the fewest of all that were tried; in float16, where 128 are chosen, 14.7,
// and 15.3 in 256.
std::int64_t reduce_parts(const ReduceCall& call, int multiprocessors) {
  constexpr std::int64_t kBlocksEach = 2;   // on a multiprocessor
  constexpr std::int64_t kFewestLoads = 8;  // of a lane
  constexpr std::int64_t kSecondCall = 16;  // loads
  if (call.out.elements() == 0 || call.in.elements() == 0) return 1;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): any aligned address; nothing is read there
  const ReduceCall first = first_call(call, 1, reinterpret_cast<void*>(std::uintptr_t{256}));
  const kernels::ReducePlan plan(first);
  const int width = plan.width(first, {});
  const kernels::RowsShape shape = plan.shape(call.in.type, width, 1);
  const std::int64_t loads = (plan.steps(width) + shape.lanes - 1) / shape.lanes;
  const std::int64_t blocks = shape.blocks();
  if (blocks >= multiprocessors) return 1;
  const std::int64_t parts = std::min(kBlocksEach * multiprocessors / blocks, loads / kFewestLoads);
  if (parts < 2 || loads - (loads + parts - 1) / parts < kSecondCall) return 1;
  return parts;
}

std::int64_t partial_bytes(const ReduceCall& call, std::int64_t parts) {
  return parts * call.out.elements() * bytes_of(DataType::kFloat32);
}

std::array<ReduceCall, 2> in_parts(const ReduceCall& call, std::int64_t parts, void* partials) {
  IOS_CHECK(parts > 1);
  const ReduceCall first = first_call(call, parts, partials);
  ReduceCall second{.reduction = call.reduction, .in = first.out, .out = call.out};
  second.joined = call.in.elements() / call.out.elements();
  // The parts lie along an axis that is reduced anyway.
  std::size_t axis = 0;
  while (axis < call.in.rank && call.in.dims[axis] == call.out.dims[axis]) ++axis;
  IOS_CHECK(axis < call.in.rank);
  second.in.dims[axis] = parts;
  second.in.strides[axis] = call.out.elements();
  return {first, second};
}

}  // namespace iosx::gpu
