#pragma once

#include "tests/support/indexed.h"

// Tensors in odd memory layouts, and slow, simple code to compare kernels with.
namespace iosx::cpu::testing {

using iosx::test::Dims;
using iosx::test::for_each_index;
using Random = iosx::test::RandomOf<float>;
using Values = iosx::test::ValuesOf<float>;

Values random_values(const Dims& dims, Random& random, float low = -2, float high = 2);
// Rounds each element to the type.
Values rounded(Values values, DataType type);

enum class Layout { kRowMajor, kChannelsLast, kGaps, kBackwards };
Layout random_layout(Random& random);
DataType random_type(Random& random);

// Memory with a tensor in it. Gaps and Backwards order the axes arbitrarily and leave holes, which must not be written.
class Memory {
 public:
  Memory(const Dims& dims, DataType type, Layout layout, Random& random);
  Memory(const Values& values, DataType type, Layout layout, Random& random);
  Memory(Memory&&) = default;

  const TensorRef& ref() const { return ref_; }
  Values values() const;
  void set(const Values& values);
  // Returns whether every byte outside the tensor is unchanged.
  bool holes_untouched() const;

 private:
  std::vector<std::byte> bytes_;
  TensorRef ref_;
};

// Runs the body on a team of that many threads.
void on_team(int threads, const std::function<void()>& body);

// Expects the tensor's values, within |want| * relative + absolute and the precision of its type.
void expect_values(const Memory& got, const Values& want, float relative = 1e-5F, float absolute = 1e-5F);

// Return how many threads a case of many has, and whether its tensors are large.
inline int threads_of(int turn) { return turn % 3 + 1; }
inline bool large(int turn) { return turn % 4 == 0; }

// Random dims: mostly small with some axes of size 1, sometimes enough for several threads.
Dims random_dims(Random& random, std::size_t rank, bool large);

}  // namespace iosx::cpu::testing
