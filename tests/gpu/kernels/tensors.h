#pragma once

#include "gpu/ops/kernels/calls.h"
#include "tests/support/element_functions.h"
#include "tests/support/indexed.h"
#include "tests/support/prelude.h"

// Tensors in host memory with the layouts of plans on the GPU, and numbers to compare them with. The
// conversions of element types are implemented separately, so that the kernels' are tested too.
namespace iosx::gpu::test {

using iosx::test::Dims;
using iosx::test::for_each_index;
using Random = iosx::test::RandomOf<double>;
using Values = iosx::test::ValuesOf<double>;

constexpr int kTurns = 60 / iosx::test::every(4);  // of random tensors

// Computes the function for every index.
Values each(const Dims& dims, const std::function<double(const Dims&)>& function);

constexpr DataType kTypes[] = {DataType::kFloat32, DataType::kFloat16, DataType::kBfloat16};

// Checks for each of the types kTurns times, with random numbers that begin with the seed.
template <typename Check>
void in_turns(std::uint32_t seed, const Check& check) {
  Random random(seed);
  for (const DataType type : kTypes) {
    for (int turn = 0; turn < kTurns && !testing::Test::HasFatalFailure(); ++turn) {
      SCOPED_TRACE(turn);
      check(random, type, turn);
    }
  }
}
const char* name_of(DataType type);
// Returns the nearest number of the type, ties to even.
double rounded(double value, DataType type);
// Numbers that the type holds exactly.
Values random_values(const Dims& dims, DataType type, Random& random, double low = -2, double high = 2);

// kSlice: channels of a larger buffer, from any channel on; kAlignedSlice: from a multiple of eight on, in a buffer of
// such a multiple; kShuffled: axes in any order, backwards, with gaps.
enum class Layout { kDense, kRowMajor, kAlignedSlice, kSlice, kShuffled };
constexpr Layout kLayouts[] = {Layout::kDense, Layout::kRowMajor, Layout::kAlignedSlice, Layout::kSlice,
                               Layout::kShuffled};
Layout random_layout(Random& random);

// Memory with a tensor in it, and other bytes that must not be written.
class Memory {
 public:
  Memory(const Dims& dims, DataType type, Layout layout, Random& random);
  Memory(const Values& values, DataType type, Layout layout, Random& random);

  const TensorRef& ref() const { return ref_; }
  std::byte* begin() const { return bytes_.get(); }
  std::size_t size() const { return size_; }
  Values values() const;
  void set(const Values& values);
  void poison(std::byte with);
  // Returns by byte whether it is the tensor's.
  std::vector<bool> owned() const;
  // Returns whether every byte outside the tensor is unchanged since poison().
  bool holes_are(std::byte poison) const;

 private:
  struct Free {
    void operator()(std::byte* bytes) const;
  };
  std::size_t size_ = 0;
  std::unique_ptr<std::byte[], Free> bytes_;  // aligned like device memory
  TensorRef ref_;
};

struct Tolerance {
  double relative = 2e-6;  // in addition to the type's rounding
  double absolute = 2e-6;
  bool exact = true;  // all instances of the kernel give the same bits
};
// Runs the call with every width of vectors and of numbers, and expects these values each time.
void expect_call(const KernelCall& call, Memory& out, const Values& want, const Tolerance& tolerance = {});
// Expects the present values of `out`.
void expect_values(const Memory& out, const Values& want, const Tolerance& tolerance = {});

// Mostly small, with some axes of size 1; sometimes the channels (axis 1) are a multiple of eight.
Dims random_dims(Random& random, std::size_t rank);

const std::vector<Activation>& activations();
using iosx::test::activated;

}  // namespace iosx::gpu::test
