#include "tests/gpu/kernels/tensors.h"
#include "tests/gpu/support/run_on_host.h"
#include "tests/support/prelude.h"

namespace iosx::gpu::test {
namespace {

using iosx::test::applied;

Dims index_in(const Dims& dims, Dims index) {
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (dims[axis] == 1) index[axis] = 0;
  }
  return index;
}

// Inputs broadcast along any axes; 1 to 4 of them; every operation with every activation.
TEST(GpuCombine, BroadcastsAndActivates) {
  in_turns(1, [](Random& random, DataType type, int turn) {
    const Dims dims = random_dims(random, static_cast<std::size_t>(turn % 5) + 1);
    CombineCall call{.op = static_cast<BinaryFunction>(turn % 4),
                     .count = static_cast<std::size_t>(random.between(1, 4)),
                     .in = {},
                     .out = {},
                     .activation = activations()[static_cast<std::size_t>(turn) % activations().size()]};
    std::vector<Values> inputs;
    std::vector<Memory> memory;
    for (std::size_t i = 0; i < call.count; ++i) {
      Dims own = dims;
      for (auto& size : own) size = random.rarely() ? 1 : size;
      inputs.push_back(random_values(own, type, random, i == 0 ? -2 : 0.5, 2));
      memory.emplace_back(inputs.back(), type, random_layout(random), random);
      call.in[i] = broadcast(memory.back().ref(), dims);
    }
    Memory out(dims, type, random_layout(random), random);
    call.out = out.ref();
    const Values want = each(dims, [&](const Dims& index) {
      double value = inputs[0].at(index_in(inputs[0].dims, index));
      for (std::size_t i = 1; i < call.count; ++i) {
        value = applied(call.op, value, inputs[i].at(index_in(inputs[i].dims, index)));
      }
      return activated(call.activation, value);
    });
    ASSERT_NO_FATAL_FAILURE(expect_call(call, out, want));
  });
}

// Every kind of memory layout for both sides, with all channel offsets.
TEST(GpuCombine, EveryLayout) {
  Random random(2);
  for (const DataType type : kTypes) {
    for (const Layout from : kLayouts) {
      for (const Layout to : kLayouts) {
        const Dims dims{2, random.flip() ? 24 : 13, 3, 5};
        const Values a = random_values(dims, type, random);
        const Values b = random_values(dims, type, random);
        const Memory left(a, type, from, random);
        const Memory right(b, type, to, random);
        Memory out(dims, type, to, random);
        const CombineCall call{.op = BinaryFunction::kAdd,
                               .count = 2,
                               .in = {left.ref(), right.ref()},
                               .out = out.ref(),
                               .activation = Activation::kRelu};
        ASSERT_NO_FATAL_FAILURE(expect_call(
            call, out, each(dims, [&](const Dims& index) { return std::max(a.at(index) + b.at(index), 0.0); })));
      }
    }
  }
}

TEST(GpuCombine, InPlace) {
  Random random(3);
  for (const DataType type : kTypes) {
    for (const Layout layout : kLayouts) {
      const Dims dims{2, 16, 3, 5};
      const Values a = random_values(dims, type, random);
      const Values b = random_values(dims, type, random);
      Memory sum(a, type, layout, random);
      const Memory more(b, type, random_layout(random), random);
      run_on_host(CombineCall{.op = BinaryFunction::kSub,
                              .count = 3,
                              .in = {more.ref(), sum.ref(), sum.ref()},
                              .out = sum.ref(),
                              .activation = Activation::kTanh});
      ASSERT_NO_FATAL_FAILURE(
          expect_values(sum, each(dims, [&](const Dims& index) { return std::tanh(b.at(index) - 2 * a.at(index)); })));
    }
  }
}

// Not a number stays one through the activations that are bounds, as on the CPU.
TEST(GpuCombine, KeepsWhatIsNoNumber) {
  Random random(4);
  for (const DataType type : kTypes) {
    Values values({1, 8, 1, 1});
    values.elements = {NAN, INFINITY, -INFINITY, 1e30, -1e30, 0, -0.0, 1};
    for (double& x : values.elements) x = rounded(x, type);
    const Memory in(values, type, Layout::kDense, random);
    Memory out(values.dims, type, Layout::kDense, random);
    for (const Activation& activation : {Activation::kIdentity, Activation::kRelu}) {
      const CombineCall call{
          .op = BinaryFunction::kAdd, .count = 1, .in = {in.ref()}, .out = out.ref(), .activation = activation};
      ASSERT_NO_FATAL_FAILURE(expect_call(call, out, each(values.dims, [&](const Dims& index) {
                                            const double x = values.at(index);
                                            return std::isnan(x) ? x : activated(activation, x);
                                          })));
    }
  }
}

// Scale and shift per channel: with and without scale, pointers that are not aligned, in place.
TEST(GpuAffine, ScalesChannels) {
  in_turns(5, [](Random& random, DataType type, int turn) {
    const Dims dims = random_dims(random, static_cast<std::size_t>(turn % 4) + 2);
    const Values values = random_values(dims, type, random);
    const Values scale = random_values({dims[1]}, DataType::kFloat32, random);
    const Values shift = random_values({dims[1]}, DataType::kFloat32, random);
    const bool scaled = random.flip();
    const std::size_t odd = random.flip() ? 1 : 0;
    std::vector<float> parameters(odd, 0.0F);
    parameters.insert(parameters.end(), scale.elements.begin(), scale.elements.end());
    parameters.insert(parameters.end(), shift.elements.begin(), shift.elements.end());
    Memory out(dims, type, random_layout(random), random);
    const Memory in(values, type, random_layout(random), random);
    AffineCall call{.in = in.ref(),
                    .scale = scaled ? parameters.data() + odd : nullptr,
                    .shift = parameters.data() + odd + dims[1],
                    .out = out.ref(),
                    .activation = activations()[static_cast<std::size_t>(turn) % activations().size()]};
    const Values want = each(dims, [&](const Dims& index) {
      return activated(call.activation, values.at(index) * (scaled ? scale.at({index[1]}) : 1) + shift.at({index[1]}));
    });
    ASSERT_NO_FATAL_FAILURE(expect_call(call, out, want));
    out.set(values);
    call.in = out.ref();
    run_on_host(call);
    ASSERT_NO_FATAL_FAILURE(expect_values(out, want));
  });
}

// The numbers depend on the seed and the place in the tensor, not on its layout or, but for rounding, its type.
TEST(GpuFill, UniformWhateverTheLayout) {
  Random random(6);
  const Dims dims{2, 24, 9, 11};
  Memory first(dims, DataType::kFloat32, Layout::kRowMajor, random);
  run_on_host(FillCall{.out = first.ref(), .seed = 7});
  const Values numbers = first.values();
  double sum = 0;
  double squares = 0;
  for (const double x : numbers.elements) {
    sum += x;
    squares += x * x;
  }
  const auto count = static_cast<double>(numbers.elements.size());
  EXPECT_NEAR(sum / count, 0, 0.05);
  EXPECT_NEAR(squares / count, 1.0 / 3, 0.05);
  for (const DataType type : kTypes) {
    for (const Layout layout : kLayouts) {
      Memory out(dims, type, layout, random);
      ASSERT_NO_FATAL_FAILURE(
          expect_call(FillCall{.out = out.ref(), .seed = 7}, out, numbers, {.relative = 0, .absolute = 0}));
      for (const double x : out.values().elements) ASSERT_TRUE(x >= -1 && x < 1) << x;
    }
  }
  run_on_host(FillCall{.out = first.ref(), .seed = 8});
  std::size_t equal = 0;
  const Values other = first.values();
  for (std::size_t i = 0; i < other.elements.size(); ++i) equal += other.elements[i] == numbers.elements[i] ? 1 : 0;
  EXPECT_LT(equal, other.elements.size() / 100);
}

// The functions that jump, of few numbers that every type keeps.
TEST(GpuCombine, EveryFunctionOfTwo) {
  Random random(21);
  for (const DataType type : kTypes) {
    for (const BinaryRow& row : binary_rows()) {
      SCOPED_TRACE(row.name);
      const Dims dims{2, 24, 5};
      Values a(dims);
      Values b(dims);
      for (double& x : a.elements) x = static_cast<double>(random.between(-4, 4)) / 2;
      for (double& x : b.elements) x = static_cast<double>(random.between(1, 4)) * (random.flip() ? 0.5 : -0.5);
      const Memory left(a, type, random_layout(random), random);
      const Memory right(b, type, random_layout(random), random);
      Memory out(dims, type, random_layout(random), random);
      const CombineCall call{.op = row.function, .count = 2, .in = {left.ref(), right.ref()}, .out = out.ref()};
      const Values want = each(dims, [&](const Dims& at) { return applied(row.function, a.at(at), b.at(at)); });
      ASSERT_NO_FATAL_FAILURE(expect_call(call, out, want, {.relative = 1e-5, .absolute = 1e-6, .exact = false}));
    }
  }
}

TEST(GpuWhere, Broadcasts) {
  Random random(22);
  for (const DataType type : kTypes) {
    for (int turn = 0; turn < kTurns; ++turn) {
      const Dims dims = random_dims(random, static_cast<std::size_t>(turn % 4) + 1);
      std::vector<Values> inputs;
      std::vector<Memory> memory;
      for (int i = 0; i < 3; ++i) {
        Dims own = dims;
        for (auto& size : own) size = random.rarely() ? 1 : size;
        inputs.push_back(random_values(own, type, random, -2, 2));
        for (double& x : inputs.back().elements) x = i == 0 ? static_cast<double>(random.between(0, 1)) : x;
        memory.emplace_back(inputs.back(), type, random_layout(random), random);
      }
      Memory out(dims, type, random_layout(random), random);
      const auto ref = [&](std::size_t i) { return broadcast(memory[i].ref(), dims); };
      const WhereCall call{ref(0), ref(1), ref(2), out.ref()};
      const Values want = each(dims, [&](const Dims& at) {
        const auto value = [&](std::size_t i) { return inputs[i].at(index_in(inputs[i].dims, at)); };
        return value(0) != 0 ? value(1) : value(2);
      });
      ASSERT_NO_FATAL_FAILURE(expect_call(call, out, want, {.exact = true}));
    }
  }
}

// Indices outside of the axis read its nearest end.
TEST(GpuGather, SlicesAndElements) {
  in_turns(23, [](Random& random, DataType type, int) {
    const Dims dims{2, random.between(1, 5), random.between(1, 9), 8 * random.between(1, 2)};
    const auto axis = static_cast<std::size_t>(random.between(0, 2));
    const bool slices = random.flip();
    Dims index_dims = dims;
    index_dims[axis + 1] = random.between(1, 6);
    if (slices) index_dims = {2, random.between(1, 4)};
    const std::int64_t size = dims[axis + 1];
    const Values data = random_values(dims, type, random, -2, 2);
    Values indices(index_dims);
    for (double& x : indices.elements) x = static_cast<double>(random.between(-size - 1, size));
    Dims out_dims = dims;
    out_dims[axis + 1] = slices ? index_dims[1] : index_dims[axis + 1];
    const Memory data_memory(data, type, random_layout(random), random);
    const Memory index_memory(indices, type, random_layout(random), random);
    Memory out(out_dims, type, random_layout(random), random);
    const Gather gather{slices ? GatherKind::kSlices : GatherKind::kElements, axis};
    const GatherCall call{gather_views(gather, data_memory.ref(), index_memory.ref(), out.ref()), out.ref()};
    const Values want = each(out_dims, [&](const Dims& at) {
      const Dims where = slices ? Dims{at[0], at[axis + 1]} : at;
      const auto index = static_cast<std::int64_t>(indices.at(where));
      Dims from = at;
      from[axis + 1] = std::clamp<std::int64_t>(index < 0 ? index + size : index, 0, size - 1);
      return data.at(from);
    });
    ASSERT_NO_FATAL_FAILURE(expect_call(call, out, want, {.exact = true}));
  });
}

}  // namespace
}  // namespace iosx::gpu::test
