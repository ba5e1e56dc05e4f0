#pragma once

#include "core/model/layout/tensor_ref.h"
#include "tests/support/prelude.h"

// Tensors in odd memory layouts, and slow, simple code to compare kernels with.
namespace iosx::cpu::testing {

using Dims = std::vector<std::int64_t>;

// The same numbers on every computer.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool flip() { return between(0, 1) == 1; }
  float value(float low, float high) {
    return low + (high - low) * static_cast<float>(engine_()) / static_cast<float>(std::mt19937::max());
  }

 private:
  std::mt19937 engine_;
};

// Elements in row-major order of the dims.
struct Values {
  Dims dims;
  std::vector<float> elements;

  explicit Values(Dims sizes);
  float& at(const Dims& index);
  float at(const Dims& index) const;
};
Values random_values(const Dims& dims, Random& random, float low = -2, float high = 2);
void for_each_index(const Dims& dims, const std::function<void(const Dims&)>& visit);
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

// Random dims: mostly small with some axes of size 1, sometimes enough for several threads.
Dims random_dims(Random& random, std::size_t rank, bool large);

}  // namespace iosx::cpu::testing
