#include <algorithm>
#include <array>
#include <functional>

#include "core/import/onnx/fold_operator.h"

// Comparisons and logic: what gives bool.
namespace iosx::onnx_import::folding {
namespace {

template <typename T, typename Predicate>
HostTensor compared(const Call& call, Dims dims, Predicate holds) {
  const View views[] = {{broadcast_strides(call[0].dims(), dims), 0}, {broadcast_strides(call[1].dims(), dims), 0}};
  const auto a = values_of<T>(call[0]);
  const auto b = values_of<T>(call[1]);
  std::vector<std::int64_t> values(static_cast<std::size_t>(*element_count(dims)));
  walk(dims, views, [&](std::size_t k, const std::int64_t(&at)[2]) {
    values[k] = holds(a[static_cast<std::size_t>(at[0])], b[static_cast<std::size_t>(at[1])]) ? 1 : 0;
  });
  return make_tensor(std::move(dims), std::move(values), ElementType::kBool);
}

template <typename Predicate>
Result<Outputs> compare(const Call& call) {
  if (auto same = same_types(call); !same) return tl::unexpected(std::move(same.error()));
  const std::array shapes{dims_of(call[0]), dims_of(call[1])};
  auto dims = broadcast_dims(call, shapes);
  if (!dims) return tl::unexpected(std::move(dims.error()));
  return Outputs{call[0].holds_floats() ? compared<float>(call, std::move(*dims), Predicate())
                                        : compared<std::int64_t>(call, std::move(*dims), Predicate())};
}

// The predicate sees 0 and 1.
template <typename Predicate>
Result<Outputs> logic(const Call& call) {
  if (call[0].type() != ElementType::kBool) return call.error("its inputs are not of type bool");
  return compare<Predicate>(call);
}

Result<Outputs> negation(const Call& call) {
  if (call[0].type() != ElementType::kBool) return call.error("its input is not of type bool");
  const auto from = call[0].integers();
  std::vector<std::int64_t> to(from.size());
  std::transform(from.begin(), from.end(), to.begin(), [](std::int64_t value) { return 1 - value; });
  return Outputs{make_tensor(dims_of(call[0]), std::move(to), ElementType::kBool)};
}

}  // namespace

std::span<const Operator> compare_operators() {
  static constexpr std::array kOperators{
      Operator{"And", 2, 2, false, logic<std::logical_and<>>},
      Operator{"Equal", 2, 2, false, compare<std::equal_to<>>},
      Operator{"Greater", 2, 2, false, compare<std::greater<>>},
      Operator{"GreaterOrEqual", 2, 2, false, compare<std::greater_equal<>>},
      Operator{"Less", 2, 2, false, compare<std::less<>>},
      Operator{"LessOrEqual", 2, 2, false, compare<std::less_equal<>>},
      Operator{"Not", 1, 1, false, negation},
      Operator{"Or", 2, 2, false, logic<std::logical_or<>>},
      Operator{"Xor", 2, 2, false, logic<std::not_equal_to<>>},
  };
  return kOperators;
}

}  // namespace iosx::onnx_import::folding
