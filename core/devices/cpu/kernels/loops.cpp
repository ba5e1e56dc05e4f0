#include <algorithm>
#include <cstdlib>

#include "core/base/check.h"
#include "core/devices/cpu/kernels/loops.h"
#include "core/devices/cpu/team.h"

namespace iosx::cpu {
namespace {

// Returns whether axis a belongs outside axis b.
bool outer(std::span<const TensorRef> operands, std::size_t a, std::size_t b) {
  for (const TensorRef& ref : operands) {
    const auto left = std::abs(ref.strides[a]);
    const auto right = std::abs(ref.strides[b]);
    if (left != right) return left > right;
  }
  return false;
}

// The least elements per thread: its start takes about a microsecond.
constexpr std::int64_t kLeastWork = 16384;

}  // namespace

std::int64_t Nest::elements() const {
  std::int64_t count = 1;
  for (std::size_t loop = 0; loop < rank; ++loop) count *= dims[loop];
  return count;
}

Nest make_nest(std::span<const TensorRef> operands) {
  IOS_CHECK(!operands.empty() && operands.size() <= kMaxOperands);
  const TensorRef& first = operands.front();
  std::array<std::size_t, TensorRef::kMaxRank> axes{};
  std::size_t count = 0;
  for (std::size_t axis = 0; axis < first.rank; ++axis) {
    for (const TensorRef& ref : operands) IOS_CHECK(ref.rank == first.rank && ref.dims[axis] == first.dims[axis]);
    if (first.dims[axis] != 1) axes[count++] = axis;
  }
  // Insertion sort, which is stable; there are few axes.
  for (std::size_t i = 1; i < count; ++i) {
    for (std::size_t j = i; j > 0 && outer(operands, axes[j], axes[j - 1]); --j) std::swap(axes[j], axes[j - 1]);
  }

  Nest nest;
  nest.operands = operands.size();
  for (std::size_t i = 0; i < operands.size(); ++i) {
    nest.data[i] = static_cast<std::byte*>(operands[i].data);
    nest.types[i] = operands[i].type;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t axis = axes[i];
    const std::size_t last = nest.rank - 1;
    const bool merged = nest.rank > 0 && [&] {
      for (std::size_t op = 0; op < operands.size(); ++op) {
        if (nest.strides[op][last] != operands[op].strides[axis] * first.dims[axis]) return false;
      }
      return true;
    }();
    const std::size_t loop = merged ? last : nest.rank++;
    nest.dims[loop] = first.dims[axis] * (merged ? nest.dims[loop] : 1);
    for (std::size_t op = 0; op < operands.size(); ++op) nest.strides[op][loop] = operands[op].strides[axis];
  }
  if (nest.rank == 0) {
    nest.rank = 1;
    nest.dims[0] = 1;
    for (std::size_t op = 0; op < operands.size(); ++op) nest.strides[op][0] = 1;
  }
  return nest;
}

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
