#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace iosx {

// An id is an index into a vector of one kind of thing. Ids of different kinds do not mix: Id<struct UnitTag> is not
// Id<struct OperatorTag>. A default-constructed id is invalid.
template <typename Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::size_t index) : value_(static_cast<std::uint32_t>(index)) {}

  constexpr std::size_t index() const { return value_; }
  constexpr bool valid() const { return value_ != kInvalid; }
  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  static constexpr std::uint32_t kInvalid = 0xFFFFFFFFU;
  std::uint32_t value_ = kInvalid;
};

}  // namespace iosx

template <typename Tag>
struct std::hash<iosx::Id<Tag>> {
  std::size_t operator()(iosx::Id<Tag> id) const noexcept { return id.index(); }
};
