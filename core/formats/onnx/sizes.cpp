#include "core/formats/onnx/sizes.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace iosx::onnx_import {
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
