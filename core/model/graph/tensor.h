#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace iosx {

// Largest size of one dimension, kernel, stride, padding or dilation, and largest number of elements of one tensor:
// beyond any real network, small enough that no product of them overflows 64 bits.
inline constexpr std::int64_t kMaxExtent = 1 << 24;
inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 40;

// One sample's tensor; the batch is not part of a graph. A feature map is channels × height × width; other tensors
// have 0 to 8 axes, the first of which takes the channels' place. Row-major.
class Shape {
 public:
  static constexpr std::size_t kMaxRank = 8;

  constexpr Shape() = default;  // a scalar
  constexpr Shape(std::initializer_list<std::int64_t> dims) : Shape(std::span(dims.begin(), dims.size())) {}
  // At most kMaxRank of them; the caller has checked.
  constexpr explicit Shape(std::span<const std::int64_t> dims)
      : rank_(dims.size() < kMaxRank ? dims.size() : kMaxRank) {
    for (std::size_t axis = 0; axis < rank_; ++axis) dims_[axis] = dims[axis];
  }

  constexpr std::size_t rank() const { return rank_; }
  constexpr std::span<const std::int64_t> dims() const { return {dims_.data(), rank_}; }
  constexpr std::int64_t operator[](std::size_t axis) const { return dims_[axis]; }

  // Axes that a tensor does not have count as 1; the width is that of all axes from the third on together, so that the
  // three multiply to elements().
  constexpr std::int64_t channels() const { return rank_ > 0 ? dims_[0] : 1; }
  constexpr std::int64_t height() const { return rank_ > 1 ? dims_[1] : 1; }
  constexpr std::int64_t width() const { return elements_from(2); }
  constexpr std::int64_t elements() const { return elements_from(0); }
  // Returns the elements of the axes from this one on together.
  constexpr std::int64_t elements_from(std::size_t first) const {
    std::int64_t size = 1;
    for (std::size_t axis = first; axis < rank_; ++axis) size *= dims_[axis];
    return size;
  }

  bool is_feature_map() const { return rank_ == 3; }
  // The same tensor with another size along one axis.
  Shape with(std::size_t axis, std::int64_t size) const {
    Shape other = *this;
    other.dims_[axis] = size;
    return other;
  }

  friend bool operator==(const Shape&, const Shape&) = default;

 private:
  std::size_t rank_ = 0;
  std::array<std::int64_t, kMaxRank> dims_{};  // zero from rank_ on
};

// "64x56x56", with another sign for the x if wanted; "scalar" without axes.
std::string shape_text(const Shape& shape, std::string_view times = "x");

// A float32 tensor in host memory, row-major in the order of its dims. Copies share the elements, which never
// change.
class Tensor {
 public:
  Tensor() = default;  // none: empty() is true
  // The product of the dims must be the number of elements; no dims mean one element.
  Tensor(std::vector<std::int64_t> dims, std::vector<float> elements)
      : dims_(std::move(dims)), elements_(std::make_shared<const std::vector<float>>(std::move(elements))) {}
  // Takes shared elements; not null.
  Tensor(std::vector<std::int64_t> dims, std::shared_ptr<const std::vector<float>> elements)
      : dims_(std::move(dims)), elements_(std::move(elements)) {}

  bool empty() const { return elements_ == nullptr; }
  std::span<const std::int64_t> dims() const { return dims_; }
  std::span<const float> elements() const {
    return elements_ ? std::span<const float>(*elements_) : std::span<const float>();
  }

 private:
  std::vector<std::int64_t> dims_;
  std::shared_ptr<const std::vector<float>> elements_;
};

}  // namespace iosx
