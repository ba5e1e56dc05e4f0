#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/exec/way.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// A problem with its own operands for trying ways: random numbers (zeros use less power and may take short cuts),
// with the pitches and alignments of the problem.
class WayTrial {
 public:
  // The numbers lie in (-1, 1); those of attention's values are multiplied by `values`. Throws OutOfMemory.
  WayTrial(Runtime& runtime, const Problem& problem, float values = 1);

  const Task& task() const { return task_; }
  // Allocates scratch memory for the largest of the ways, which run one after another. Skips ways that lack
  // memory, and returns the indices of the others.
  std::vector<std::size_t> make_room(std::span<const Way> ways);
  // Enqueues that many copies on stream 0. The way must have room.
  void enqueue(const Way& way, int copies);
  // Runs the way and returns the largest error of some 500 of its outputs, relative to the largest of these, against
  // sums in double precision. The way must have room. Only for problems that are neither transposed nor depthwise.
  double error(const Way& way);

 private:
  struct Output {
    std::int64_t place = 0;  // in y's elements
    double value = 0;
  };

  ConvTask task_of(const ConvProblem& problem);
  MatMulTask task_of(const MatMulProblem& problem);
  AttentionTask task_of(const AttentionProblem& problem);
  const DeviceMemory& random(std::int64_t elements, DataType type);
  // Returns random elements at an address that is aligned as badly as the problem's.
  std::byte* random(std::int64_t elements, DataType type, std::int64_t alignment);
  TensorRef pixels(const ConvProblem& problem, const PixelLayout& layout, std::int64_t channels, const Extent& extent);
  TensorRef matrices(const MatMulProblem& problem, const MatrixLayout& layout, std::int64_t rows, std::int64_t columns);
  void multiply(const TensorRef& tensor, float factor);  // in place
  std::vector<float> download(const void* data, DataType type, std::int64_t elements);
  std::vector<Output> expected(const ConvTask& task);
  std::vector<Output> expected(const MatMulTask& task);
  std::vector<Output> expected(const AttentionTask& task);

  Runtime& runtime_;
  std::vector<DeviceMemory> operands_;
  std::vector<DeviceMemory> scratch_;  // one, or none
  Task task_;
  std::vector<Output> expected_;  // once it was needed
};

}  // namespace iosx::gpu
