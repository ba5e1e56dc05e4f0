#include "core/search/big_count.h"

#include <algorithm>

namespace iosx {

std::string BigCount::decimal() const {
  // 32-bit digits, highest first, divided by ten until nothing is left.
  std::array<std::uint64_t, 12> digits{};
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    digits[digits.size() - 1 - 2 * i] = limbs_[i] & 0xFFFFFFFFU;
    digits[digits.size() - 2 - 2 * i] = limbs_[i] >> 32;
  }
  std::string text;
  do {
    std::uint64_t remainder = 0;
    for (std::uint64_t& digit : digits) {
      const std::uint64_t value = (remainder << 32) | digit;
      digit = value / 10;
      remainder = value % 10;
    }
    text.push_back(static_cast<char>('0' + remainder));
  } while (std::any_of(digits.begin(), digits.end(), [](std::uint64_t digit) { return digit != 0; }));
  std::reverse(text.begin(), text.end());
  return text;
}

}  // namespace iosx
