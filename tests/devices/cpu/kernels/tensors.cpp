#include "tests/devices/cpu/kernels/tensors.h"

#include <bit>

#include "core/devices/cpu/team.h"
#include "tests/support/prelude.h"

namespace iosx::cpu::testing {
namespace {

using iosx::test::dims_of;
using iosx::test::element;

constexpr std::byte kHole{0x5A};

std::uint16_t to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t low = bits & 0xFFFFU;
  std::uint32_t high = bits >> 16U;
  if (low > 0x8000U || (low == 0x8000U && (high & 1U) == 1)) ++high;
  return static_cast<std::uint16_t>(high);
}

float from_bfloat16(std::uint16_t value) { return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16U); }

}  // namespace

Values random_values(const Dims& dims, Random& random, float low, float high) {
  Values values(dims);
  for (float& x : values.elements) x = random.value(low, high);
  return values;
}

Values rounded(Values values, DataType type) {
  if (type == DataType::kFloat32) return values;
  for (float& x : values.elements) x = from_bfloat16(to_bfloat16(x));
  return values;
}

Layout random_layout(Random& random) {
  constexpr std::array kAll{Layout::kRowMajor, Layout::kChannelsLast, Layout::kGaps, Layout::kBackwards};
  return kAll[static_cast<std::size_t>(random.between(0, 3))];
}
DataType random_type(Random& random) { return random.flip() ? DataType::kFloat32 : DataType::kBfloat16; }

Memory::Memory(const Dims& dims, DataType type, Layout layout, Random& random) {
  const std::size_t rank = dims.size();
  ref_.type = type;
  ref_.rank = rank;
  std::copy(dims.begin(), dims.end(), ref_.dims.begin());
  std::vector<std::size_t> order(rank);  // outermost first
  for (std::size_t i = 0; i < rank; ++i) order[i] = i;
  const bool odd = layout == Layout::kGaps || layout == Layout::kBackwards;
  if (layout == Layout::kChannelsLast && rank > 2) std::rotate(order.begin() + 1, order.begin() + 2, order.end());
  if (odd) {
    for (std::size_t i = rank; i > 1; --i) {
      std::swap(order[i - 1], order[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(i) - 1))]);
    }
  }
  std::int64_t stride = odd && random.between(0, 3) == 0 ? 2 : 1;
  std::int64_t offset = 0;
  for (std::size_t i = rank; i-- > 0;) {
    const std::size_t axis = order[i];
    const bool backwards = layout == Layout::kBackwards && random.flip();
    ref_.strides[axis] = backwards ? -stride : stride;
    if (backwards) offset += stride * (dims[axis] - 1);
    stride *= dims[axis] + (odd && random.flip() ? random.between(1, 2) : 0);
  }
  bytes_.assign(static_cast<std::size_t>(stride * bytes_of(type)), kHole);
  ref_.data = bytes_.data() + offset * bytes_of(type);
}

Memory::Memory(const Values& values, DataType type, Layout layout, Random& random)
    : Memory(values.dims, type, layout, random) {
  set(values);
}

void Memory::set(const Values& values) {
  for_each_index(values.dims, [&](const Dims& index) {
    const float value = values.at(index);
    if (ref_.type == DataType::kFloat32) {
      std::memcpy(element(ref_, index), &value, sizeof(value));
    } else {
      const std::uint16_t half = to_bfloat16(value);
      std::memcpy(element(ref_, index), &half, sizeof(half));
    }
  });
}

Values Memory::values() const {
  Values values(dims_of(ref_));
  for_each_index(values.dims, [&](const Dims& index) {
    if (ref_.type == DataType::kFloat32) {
      std::memcpy(&values.at(index), element(ref_, index), sizeof(float));
    } else {
      std::uint16_t half = 0;
      std::memcpy(&half, element(ref_, index), sizeof(half));
      values.at(index) = from_bfloat16(half);
    }
  });
  return values;
}

bool Memory::holes_untouched() const {
  const std::vector<bool> owned = iosx::test::owned_bytes(ref_, bytes_.data(), bytes_.size());
  for (std::size_t i = 0; i < bytes_.size(); ++i) {
    if (!owned[i] && bytes_[i] != kHole) return false;
  }
  return true;
}

void on_team(int threads, const std::function<void()>& body) {
  auto pool = must(TeamPool::create(threads));
  const std::array sizes{threads};
  pool->run(sizes, [&](int) { body(); });
}

void expect_values(const Memory& got, const Values& want, float relative, float absolute) {
  const Values values = got.values();
  ASSERT_EQ(values.dims, want.dims);
  if (got.ref().type == DataType::kBfloat16) relative += 1.0F / 256;
  for (std::size_t i = 0; i < want.elements.size(); ++i) {
    const float wanted = want.elements[i];
    const float value = values.elements[i];
    if (value == wanted || (std::isnan(value) && std::isnan(wanted))) continue;
    ASSERT_LE(std::abs(value - wanted), std::abs(wanted) * relative + absolute)
        << "element " << i << ": " << value << " instead of " << wanted;
  }
  EXPECT_TRUE(got.holes_untouched());
}

Dims random_dims(Random& random, std::size_t rank, bool large) {
  Dims dims(rank, 1);
  for (auto& size : dims) size = random.between(0, 3) == 0 ? 1 : random.between(2, rank > 5 ? 3 : 6);
  if (large && rank > 0) {
    // About 60,000 elements, with an odd long axis.
    std::int64_t others = 1;
    const auto axis = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(rank) - 1));
    for (std::size_t i = 0; i < rank; ++i) others *= i == axis ? 1 : dims[i];
    dims[axis] = 60001 / others + 1;
  }
  return dims;
}

}  // namespace iosx::cpu::testing
