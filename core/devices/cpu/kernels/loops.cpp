#include <algorithm>

#include "core/devices/cpu/kernels/loops.h"
#include "core/devices/cpu/team.h"

namespace iosx::cpu {
namespace {

// The least elements per thread: its start takes about a microsecond.
constexpr std::int64_t kLeastWork = 16384;

}  // namespace

void remove_loop(Nest& nest, std::size_t loop) {
  for (std::size_t next = loop + 1; next < nest.rank; ++next) {
    nest.dims[next - 1] = nest.dims[next];
    for (std::size_t op = 0; op < nest.operands; ++op) nest.strides[op][next - 1] = nest.strides[op][next];
  }
  if (nest.rank > 1) {
    --nest.rank;
  } else {
    nest.dims[0] = 1;
  }
}

NestCursor::NestCursor(const Nest& nest, std::size_t loops, std::int64_t index)
    : nest_(nest), loops_(loops), at_(nest.data) {
  for (std::size_t loop = loops; loop-- > 0;) {
    place_[loop] = index % nest.dims[loop];
    index /= nest.dims[loop];
    for (std::size_t op = 0; op < nest.operands; ++op) {
      at_[op] += place_[loop] * nest.strides[op][loop] * bytes_of(nest.types[op]);
    }
  }
}

void NestCursor::next() {
  for (std::size_t loop = loops_; loop-- > 0;) {
    const bool carry = ++place_[loop] == nest_.dims[loop];
    const std::int64_t steps = carry ? 1 - nest_.dims[loop] : 1;
    for (std::size_t op = 0; op < nest_.operands; ++op) {
      at_[op] += steps * nest_.strides[op][loop] * bytes_of(nest_.types[op]);
    }
    if (!carry) return;
    place_[loop] = 0;
  }
}

void for_rows(const Nest& nest, std::int64_t longest, std::int64_t work, FunctionRef<void(const NestRow&)> row) {
  const std::int64_t inner = nest.dims[nest.rank - 1];
  if (nest.elements() == 0) return;
  const std::int64_t rows = nest.elements() / inner;
  // The pieces are even, and enough for every thread.
  const std::int64_t wanted = (threads_for(work) + rows - 1) / rows;
  const std::int64_t pieces = std::clamp<std::int64_t>(wanted, (inner + longest - 1) / longest, inner);
  split(rows * pieces, work, [&](std::int64_t begin, std::int64_t end) {
    NestCursor cursor(nest, nest.rank - 1, begin / pieces);
    std::int64_t piece = begin % pieces;
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t from = inner * piece / pieces;
      NestRow part;
      part.size = inner * (piece + 1) / pieces - from;
      for (std::size_t op = 0; op < nest.operands; ++op) {
        part.at[op] = cursor.at(op) + from * nest.inner_bytes(op);
      }
      row(part);
      if (++piece == pieces) {
        piece = 0;
        cursor.next();
      }
    }
  });
}

int threads_for(std::int64_t work) {
  const Seat& seat = Team::seat();
  if (seat.forked) return 1;
  return static_cast<int>(std::clamp<std::int64_t>(work / kLeastWork, 1, Team::current().size()));
}

void split(std::int64_t count, std::int64_t work, FunctionRef<void(std::int64_t, std::int64_t)> body) {
  if (count <= 0) return;
  const int threads = static_cast<int>(std::min<std::int64_t>(count, threads_for(work)));
  if (threads == 1) {
    body(0, count);
    return;
  }
  Team::current().parallel(threads, [&](int index) {
    const std::int64_t parts = Team::seat().threads;
    body(count * index / parts, count * (index + 1) / parts);
  });
}

}  // namespace iosx::cpu
