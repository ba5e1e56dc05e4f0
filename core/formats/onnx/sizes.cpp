#include "core/formats/onnx/sizes.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "core/formats/onnx/host_tensor.h"

namespace iosx::onnx_import {

Range slice_range(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size) {
  constexpr std::int64_t kFar = std::int64_t{1} << 61;  // steps of this size see one element
  step = std::clamp(step, -kFar, kFar);
  if (size < 1) return {0, step, 0};
  // Going down, it begins at an element, and may end before the first.
  const std::int64_t high = step > 0 ? size : size - 1;
  const auto clamped = [&](std::int64_t at, std::int64_t low) {
    return std::clamp(at < 0 ? at + size : at, low, high);
  };
  const std::int64_t first = clamped(start, 0);
  const std::int64_t last = clamped(end, step > 0 ? 0 : -1);
  const std::int64_t length = step > 0 ? last - first : first - last;
  return {first, step, length > 0 ? (length - 1) / std::abs(step) + 1 : 0};
}

Result<Dims> split_sizes(const std::optional<Dims>& given, std::int64_t parts, std::size_t outputs, std::int64_t opset,
                         std::int64_t size) {
  if (given) {
    std::int64_t sum = 0;
    for (const std::int64_t each : *given) {
      if (each < 0 || __builtin_add_overflow(sum, each, &sum)) return fail(message("has a negative or too large size"));
    }
    if (sum != size) return fail(message("splits an axis of {} into {}", size, sum));
    if (given->size() != outputs) return fail(message("has different numbers of outputs and sizes"));
    return *given;
  }
  if (parts < 1 || parts != static_cast<std::int64_t>(outputs))
    return fail(message("has {} outputs, but is split into {} parts", outputs, parts));
  const std::int64_t chunk = size / parts + (size % parts != 0 ? 1 : 0);
  if (size % parts != 0 && (opset < 18 || chunk * (parts - 1) > size))
    return fail(message("an axis of {} elements does not split into {}", size, parts));
  Dims sizes(outputs, chunk);
  sizes.back() = size - chunk * (parts - 1);
  return sizes;
}

Result<Dims> reshape_dims(Dims wanted, std::span<const std::int64_t> from, bool zero_is_zero) {
  const auto elements = element_count(from);
  std::int64_t* open = nullptr;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == -1 && open != nullptr) return fail(message("has two dims to infer"));
    if (wanted[i] == -1) open = &wanted[i];
    if (wanted[i] != 0 || zero_is_zero) continue;
    if (i >= from.size()) return fail(message("copies dim {}, which its input does not have", i));
    wanted[i] = from[i];
  }
  if (open != nullptr) {
    *open = 1;
    const auto others = element_count(wanted);
    if (!others || *others == 0) return fail(message("has a dim that cannot be inferred"));
    *open = elements.value_or(0) / *others;
  }
  if (!elements || element_count(wanted) != elements)
    return fail(message("its dims do not fit the number of elements"));
  return wanted;
}

namespace {

constexpr std::size_t kLongestSum = 200;

// Sums and products of names and numbers, as exporters write derived sizes.
class Sum {
 public:
  Sum(std::string_view text, const Sizes& sizes) : rest_(text), sizes_(sizes) {}

  std::optional<std::int64_t> value() {
    const auto result = sum();
    skip();
    return rest_.empty() ? result : std::nullopt;
  }

 private:
  using Number = std::optional<std::int64_t>;

  void skip() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }
  bool eat(std::string_view sign) {
    skip();
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(sign.size());
    return true;
  }
  Number sum() {
    Number left = product();
    while (left) {
      const bool plus = eat("+");
      if (!plus && !eat("-")) break;
      const Number right = product();
      std::int64_t made = 0;
      if (!right ||
          (plus ? __builtin_add_overflow(*left, *right, &made) : __builtin_sub_overflow(*left, *right, &made)))
        return std::nullopt;
      left = made;
    }
    return left;
  }
  Number product() {
    Number left = factor();
    while (left) {
      const bool times = eat("*");
      if (!times && !eat("//") && !eat("/")) break;
      const Number right = factor();
      std::int64_t made = 0;
      if (!right || (times ? __builtin_mul_overflow(*left, *right, &made) : *right < 1)) return std::nullopt;
      left = times ? made : *left / *right;
    }
    return left;
  }
  Number factor() {
    if (eat("(")) {
      const Number inner = sum();
      return eat(")") ? inner : std::nullopt;
    }
    std::size_t end = 0;
    while (end < rest_.size() &&
           (std::isalnum(static_cast<unsigned char>(rest_[end])) != 0 || rest_[end] == '_' || rest_[end] == '.')) {
      ++end;
    }
    const std::string word(rest_.substr(0, end));
    rest_.remove_prefix(end);
    const auto found = sizes_.symbols.find(word);
    if (found != sizes_.symbols.end()) return found->second;
    const bool number = !word.empty() && word.size() < 10 &&
                        std::ranges::all_of(word, [](unsigned char c) { return std::isdigit(c) != 0; });
    return number ? Number(std::stoll(word)) : std::nullopt;
  }

  std::string_view rest_;
  const Sizes& sizes_;
};

}  // namespace

bool is_computed(const std::string& symbol) { return symbol.find_first_of("+-*/(") != std::string::npos; }

std::optional<std::int64_t> Sizes::of(const std::string& symbol) const {
  if (const auto found = symbols.find(symbol); found != symbols.end()) return found->second;
  if (symbol.size() > kLongestSum || !is_computed(symbol)) return std::nullopt;
  const auto value = Sum(symbol, *this).value();
  return value && *value >= 1 ? value : std::nullopt;
}

}  // namespace iosx::onnx_import
