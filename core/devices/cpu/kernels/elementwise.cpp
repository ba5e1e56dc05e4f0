#include <algorithm>
#include <array>

#include "core/base/check.h"
#include "core/devices/cpu/kernels/loops.h"
#include "core/devices/cpu/kernels/rows.h"

namespace iosx::cpu {
namespace {

// Reads the rows of one step through a nest whose operand 0 is the output.
struct RowReader {
  const Nest& nest;
  const NestRow& row;

  const float* input(std::size_t operand, float* buffer) const {
    return row_at(row.at[operand], nest.types[operand], nest.inner_stride(operand), buffer, row.size);
  }
  float* target(float* buffer) const {
    return target_row(row.at[kOut], nest.types[kOut], nest.inner_stride(kOut), buffer);
  }
  void finish(const float* result) const {
    finish_row(result, row.at[kOut], nest.types[kOut], nest.inner_stride(kOut), row.size);
  }
};

// Applies what the last loop over a row cannot do itself.
void activate_rest(const Activation& after, float* row, std::int64_t size) {
  if (after.kind != ActivationKind::kIdentity && after.kind != ActivationKind::kRelu) {
    activate_row(after, row, row, size);
  }
}

// Returns how many plain elements take as long as one with this activation: those with a loop of their own count more.
std::int64_t weight(const Activation& after) {
  return after.kind == ActivationKind::kIdentity || after.kind == ActivationKind::kRelu ? 1 : 2;
}

// Combines at most kMaxOperands - 1 inputs.
void combine_some(BinaryFunction op, std::span<const TensorRef> inputs, const TensorRef& out, const Activation& after) {
  std::array<TensorRef, kMaxOperands> operands;
  operands[kOut] = out;
  std::copy(inputs.begin(), inputs.end(), operands.begin() + 1);
  const Nest nest = make_nest(std::span(operands).first(inputs.size() + 1));
  const std::int64_t work = nest.elements() * static_cast<std::int64_t>(inputs.size()) * weight(after) / 2 + 1;
  for_rows(nest, kRow, work, [&](const NestRow& row) {
    const RowReader rows{nest, row};
    float left[kRow];
    float right[kRow];
    float result[kRow];
    float* const target = rows.target(result);
    const float* sum = rows.input(1, left);
    for (std::size_t i = 2; i < nest.operands; ++i) {
      const bool relu = i + 1 == nest.operands && after.kind == ActivationKind::kRelu;
      binary_row(op, relu, sum, rows.input(i, right), target, row.size);
      sum = target;
    }
    activate_rest(after, target, row.size);
    rows.finish(target);
  });
}

}  // namespace

void binary(BinaryFunction op, const TensorRef& a, const TensorRef& b, const TensorRef& out, const Activation& after) {
  combine_some(op, std::array{a, b}, out, after);
}

void combine(BinaryFunction op, std::span<const TensorRef> inputs, const TensorRef& out, const Activation& after) {
  IOS_CHECK(!inputs.empty());
  if (inputs.size() == 1) return activate(inputs.front(), out, after);
  constexpr std::size_t kMost = kMaxOperands - 1;
  if (inputs.size() <= kMost) return combine_some(op, inputs, out, after);
  combine_some(op, inputs.first(kMost), out, Activation::kIdentity);
  for (std::size_t done = kMost; done < inputs.size();) {
    const std::size_t more = std::min(kMost - 1, inputs.size() - done);
    std::array<TensorRef, kMost> next;
    next[0] = out;
    std::copy_n(inputs.begin() + static_cast<std::ptrdiff_t>(done), more, next.begin() + 1);
    done += more;
    combine_some(op, std::span(next).first(more + 1), out, done == inputs.size() ? after : Activation::kIdentity);
  }
}

void affine(const TensorRef& in, std::span<const float> scale, std::span<const float> shift, const TensorRef& out,
            const Affine& affine) {
  const Activation& after = affine.activation;
  const std::size_t channels = in.rank > 1 ? static_cast<std::size_t>(in.dims[1]) : 0;
  IOS_CHECK(channels == scale.size() && channels == shift.size());
  const auto spread = [&](std::span<const float> values) {
    TensorRef ref = in;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): only read
    ref.data = const_cast<float*>(values.data());
    ref.type = DataType::kFloat32;
    ref.strides = {};
    ref.strides[1] = 1;
    return ref;
  };
  const Nest nest = make_nest(std::array{out, in, spread(scale), spread(shift)});
  const bool relu = after.kind == ActivationKind::kRelu;
  for_rows(nest, kRow, nest.elements() * weight(after), [&](const NestRow& row) {
    const RowReader rows{nest, row};
    float value[kRow];
    float factor[kRow];
    float addend[kRow];
    float result[kRow];
    float* const target = rows.target(result);
    const auto compute = affine.shift_first ? shifted_first_row : affine_row;
    compute(relu, rows.input(1, value), rows.input(2, factor), rows.input(3, addend), target, row.size);
    activate_rest(after, target, row.size);
    rows.finish(target);
  });
}

void activate(const TensorRef& in, const TensorRef& out, const Activation& function) {
  const Nest nest = make_nest(std::array{out, in});
  for_rows(nest, kRow, nest.elements() * weight(function), [&](const NestRow& row) {
    const RowReader rows{nest, row};
    float value[kRow];
    float result[kRow];
    float* const target = rows.target(result);
    activate_row(function, rows.input(1, value), target, row.size);
    rows.finish(target);
  });
}

void select(const TensorRef& condition, const TensorRef& yes, const TensorRef& no, const TensorRef& out) {
  const Nest nest = make_nest(std::array{out, condition, yes, no});
  for_rows(nest, kRow, nest.elements() * 2, [&](const NestRow& row) {
    const RowReader rows{nest, row};
    float conditions[kRow];
    float first[kRow];
    float second[kRow];
    float result[kRow];
    float* const target = rows.target(result);
    select_row(rows.input(1, conditions), rows.input(2, first), rows.input(3, second), target, row.size);
    rows.finish(target);
  });
}

}  // namespace iosx::cpu
