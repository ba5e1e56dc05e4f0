#include "core/devices/cpu/kernels/kernels.h"
#include "core/model/layout/views.h"
#include "tests/devices/cpu/kernels/tensors.h"
#include "tests/support/prelude.h"

namespace iosx::cpu::testing {
namespace {

TEST(ReduceMeanKernel, AnyAxes) {
  Random random(41);
  for (int turn = 0; turn < 160 / iosx::test::every(4); ++turn) {
    const Dims dims = random_dims(random, static_cast<std::size_t>(turn % 9) + 1, large(turn));
    Reduce by{.kind = ReduceKind::kMean, .axes = {}, .keep_dims = random.flip()};
    Dims kept = dims;
    Dims out_dims = {dims[0]};
    double count = 1;
    for (std::size_t axis = 1; axis < dims.size(); ++axis) {
      const bool reduced = random.flip();
      if (reduced) {
        by.axes.push_back(axis - 1);
        count *= static_cast<double>(dims[axis]);
        kept[axis] = 1;
      }
      if (!reduced || by.keep_dims) out_dims.push_back(kept[axis]);
    }
    const Memory in(random_values(dims, random), random_type(random), random_layout(random), random);
    const Memory out(out_dims, random_type(random), random_layout(random), random);
    on_team(threads_of(turn), [&] { reduce(in.ref(), out.ref(), by); });
    const Values values = in.values();
    Values sums(kept);
    std::vector<double> exact(sums.elements.size());
    for_each_index(dims, [&](const Dims& index) {
      Dims at = index;
      for (const std::size_t axis : by.axes) at[axis + 1] = 0;
      exact[static_cast<std::size_t>(&sums.at(at) - sums.elements.data())] += static_cast<double>(values.at(index));
    });
    Values want(out_dims);
    for (std::size_t i = 0; i < exact.size(); ++i) want.elements[i] = static_cast<float>(exact[i] / count);
    SCOPED_TRACE(turn);
    expect_values(out, want);
  }
}

TEST(SoftmaxKernel, AnyAxis) {
  Random random(42);
  for (int turn = 0; turn < 160 / iosx::test::every(4); ++turn) {
    const std::size_t rank = static_cast<std::size_t>(turn % 8) + 2;
    const Dims dims = random_dims(random, rank, large(turn));
    const auto axis = static_cast<std::size_t>(random.between(1, static_cast<std::int64_t>(rank) - 1));
    // Far from zero: exponentials would overflow without subtracting the largest.
    const Memory in(random_values(dims, random, 95, 105), random_type(random), random_layout(random), random);
    const Memory out(dims, random_type(random), random_layout(random), random);
    on_team(threads_of(turn), [&] { softmax(in.ref(), out.ref(), {.axis = axis - 1}); });
    const Values values = in.values();
    Values want(dims);
    for_each_index(dims, [&](const Dims& index) {
      if (index[axis] != 0) return;
      double sum = 0;
      const auto power = [&](std::int64_t i) {
        Dims at = index;
        at[axis] = i;
        return std::exp(static_cast<double>(values.at(at)) - 100);
      };
      for (std::int64_t i = 0; i < dims[axis]; ++i) sum += power(i);
      for (std::int64_t i = 0; i < dims[axis]; ++i) {
        Dims at = index;
        at[axis] = i;
        want.at(at) = static_cast<float>(power(i) / sum);
      }
    });
    SCOPED_TRACE(turn);
    expect_values(out, want, 1e-5F, 1e-9F);
  }
}

TEST(SoftmaxKernel, OfMaskedElements) {
  Random random(43);
  Values values({1, 4});
  values.elements = {-std::numeric_limits<float>::infinity(), 3, -1e30F, 3};
  const Memory in(values, DataType::kFloat32, Layout::kRowMajor, random);
  const Memory out({1, 4}, DataType::kFloat32, Layout::kRowMajor, random);
  softmax(in.ref(), out.ref(), {.axis = 0});
  Values want({1, 4});
  want.elements = {0, 0.5F, 0, 0.5F};
  expect_values(out, want, 1e-6F, 0);
}

TEST(MatmulKernel, AnyLayoutWithBroadcasting) {
  Random random(44);
  for (int turn = 0; turn < 80; ++turn) {
    const std::size_t rank = static_cast<std::size_t>(turn % 4) + 2;
    Dims dims = random_dims(random, rank, false);
    const bool big = large(turn);
    const std::int64_t m = random.between(1, big ? 150 : 9);
    const std::int64_t n = random.between(1, big ? 100 : 40);
    const std::int64_t k = random.between(1, big ? 300 : 20);
    dims[rank - 2] = m;
    dims[rank - 1] = n;
    Dims a_dims = dims;
    Dims b_dims = dims;
    a_dims[rank - 1] = k;
    b_dims[rank - 2] = k;
    Dims a_wide = a_dims;
    Dims b_wide = b_dims;
    for (std::size_t axis = 0; axis + 2 < rank; ++axis) {
      if (random.between(0, 2) == 0) (random.flip() ? a_dims : b_dims)[axis] = 1;
    }
    const Memory a(random_values(a_dims, random), random_type(random), random_layout(random), random);
    const Memory b(random_values(b_dims, random), random_type(random), random_layout(random), random);
    const Memory out(dims, random_type(random), random_layout(random), random);
    on_team(threads_of(turn), [&] { matmul(broadcast(a.ref(), a_wide), broadcast(b.ref(), b_wide), out.ref()); });
    const Values left = a.values();
    const Values right = b.values();
    Values want(dims);
    for_each_index(dims, [&](const Dims& index) {
      double sum = 0;
      Dims i = index;
      Dims j = index;
      for (std::size_t axis = 0; axis + 2 < rank; ++axis) {
        if (a_dims[axis] == 1) i[axis] = 0;
        if (b_dims[axis] == 1) j[axis] = 0;
      }
      for (std::int64_t d = 0; d < k; ++d) {
        i[rank - 1] = d;
        j[rank - 2] = d;
        sum += static_cast<double>(left.at(i)) * right.at(j);
      }
      want.at(index) = static_cast<float>(sum);
    });
    SCOPED_TRACE(turn);
    expect_values(out, want, 1e-5F, 1e-4F);
  }
}

}  // namespace
}  // namespace iosx::cpu::testing
