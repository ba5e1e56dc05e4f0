#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace iosx {

// A number of schedules. Schedules of a part are ordered partitions of at most 64 units, fewer than 2^331 (the 64th
// Fubini number, about 64! / (2 ln(2)^65) = 1.4e99), so 384 bits never overflow.
class BigCount {
 public:
  constexpr BigCount() = default;
  constexpr explicit BigCount(std::uint64_t value) : limbs_{value} {}

  BigCount& operator+=(const BigCount& other) {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < limbs_.size(); ++i) {
      const std::uint64_t sum = limbs_[i] + other.limbs_[i];
      const std::uint64_t with_carry = sum + carry;
      carry = static_cast<std::uint64_t>(sum < limbs_[i]) | static_cast<std::uint64_t>(with_carry < sum);
      limbs_[i] = with_carry;
    }
    return *this;
  }

  std::string decimal() const;

 private:
  std::array<std::uint64_t, 6> limbs_{};  // the lowest first
};

}  // namespace iosx
