#include "tests/gpu/kernels/tensors.h"

#include <bit>
#include <new>

#include "core/model/layout/layout.h"
#include "tests/gpu/support/run_on_host.h"
#include "tests/support/element_functions.h"
#include "tests/support/prelude.h"

namespace iosx::gpu::test {
namespace {

using iosx::test::dims_of;
using iosx::test::element;

constexpr std::align_val_t kAlignment{256};

// Of types with 16 bits: how many of them are the exponent's and the fraction's.
struct Format {
  int exponent;
  int fraction;
  int bias() const { return (1 << (exponent - 1)) - 1; }
};
constexpr Format kHalf{5, 10};
constexpr Format kBfloat{8, 7};

std::uint16_t encoded(double value, const Format& format) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double size = std::abs(value);
  const int infinity = ((1 << format.exponent) - 1) << format.fraction;
  if (std::isnan(size)) return static_cast<std::uint16_t>(infinity | 1);
  if (std::isinf(size)) return static_cast<std::uint16_t>(sign | infinity);
  // Bits count up with the numbers: a fraction that rounds up to the next power of two carries into the exponent.
  const int exponent = size == 0 ? 0 : std::max(std::ilogb(size), 1 - format.bias());
  const double steps = std::nearbyint(std::ldexp(size, format.fraction - exponent));
  if (exponent > format.bias()) return static_cast<std::uint16_t>(sign | infinity);
  const int below = (exponent + format.bias() - 1) << format.fraction;
  const int bits = size == 0 ? 0 : below + static_cast<int>(steps);
  return static_cast<std::uint16_t>(sign | std::min(bits, infinity));
}

double decoded(std::uint16_t bits, const Format& format) {
  const int exponent = (bits & 0x7FFF) >> format.fraction;
  const int fraction = bits & ((1 << format.fraction) - 1);
  double size = 0;
  if (exponent == (1 << format.exponent) - 1) {
    size = fraction == 0 ? INFINITY : NAN;
  } else if (exponent == 0) {
    size = std::ldexp(fraction, 1 - format.bias() - format.fraction);
  } else {
    size = std::ldexp(fraction + (1 << format.fraction), exponent - format.bias() - format.fraction);
  }
  return (bits & 0x8000) != 0 ? -size : size;
}

const Format& format_of(DataType type) { return type == DataType::kFloat16 ? kHalf : kBfloat; }

void store(double value, DataType type, std::byte* to) {
  if (type == DataType::kFloat32) {
    const auto number = static_cast<float>(value);
    std::memcpy(to, &number, sizeof(number));
  } else {
    const std::uint16_t bits = encoded(value, format_of(type));
    std::memcpy(to, &bits, sizeof(bits));
  }
}

double load(DataType type, const std::byte* from) {
  if (type == DataType::kFloat32) {
    float number = 0;
    std::memcpy(&number, from, sizeof(number));
    return number;
  }
  std::uint16_t bits = 0;
  std::memcpy(&bits, from, sizeof(bits));
  return decoded(bits, format_of(type));
}

// Half of what the type's neighbours near x are apart.
double rounding(double x, DataType type) {
  if (type == DataType::kFloat32) return std::abs(x) * std::ldexp(1, -24) + std::ldexp(1, -149);
  const Format& format = format_of(type);
  return std::max(std::abs(x), std::ldexp(1, 1 - format.bias())) * std::ldexp(1, -format.fraction - 1);
}

TensorRef shuffled(const Dims& dims, Random& random, std::int64_t& elements, std::int64_t& offset) {
  TensorRef ref;
  std::vector<std::size_t> order(dims.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(i) - 1))]);
  }
  std::int64_t stride = random.rarely() ? 2 : 1;
  for (const std::size_t axis : order) {
    const bool backwards = random.rarely();
    ref.strides[axis] = backwards ? -stride : stride;
    if (backwards) offset += stride * (dims[axis] - 1);
    stride *= dims[axis] + (random.flip() ? random.between(1, 2) : 0);
  }
  elements = stride;
  return ref;
}

}  // namespace

Values each(const Dims& dims, const std::function<double(const Dims&)>& function) {
  Values values(dims);
  for_each_index(dims, [&](const Dims& index) { values.at(index) = function(index); });
  return values;
}

const char* name_of(DataType type) {
  return type == DataType::kFloat32 ? "float32" : (type == DataType::kFloat16 ? "float16" : "bfloat16");
}

double rounded(double value, DataType type) {
  std::byte bytes[4];
  store(value, type, bytes);
  return load(type, bytes);
}

Values random_values(const Dims& dims, DataType type, Random& random, double low, double high) {
  Values values(dims);
  for (double& x : values.elements) x = rounded(random.value(low, high), type);
  return values;
}

Layout random_layout(Random& random) { return kLayouts[random.between(0, 4)]; }

void Memory::Free::operator()(std::byte* bytes) const { ::operator delete[](bytes, kAlignment); }

Memory::Memory(const Dims& dims, DataType type, Layout layout, Random& random) {
  std::int64_t offset = 0;
  std::int64_t elements = 0;
  if (layout == Layout::kShuffled) ref_ = shuffled(dims, random, elements, offset);
  ref_.type = type;
  ref_.rank = dims.size();
  std::copy(dims.begin(), dims.end(), ref_.dims.begin());
  if (layout != Layout::kShuffled) {
    TensorRef whole = ref_;
    std::int64_t first = 0;
    const bool slice = layout == Layout::kSlice || layout == Layout::kAlignedSlice;
    if (slice && dims.size() > 1) {
      const std::int64_t unit = layout == Layout::kAlignedSlice ? 8 : 1;
      first = unit * random.between(0, 3);
      whole.dims[1] = (first + dims[1] + unit * random.between(0, 2) + unit - 1) / unit * unit;
    }
    whole = dense_like(whole, nullptr);
    if (layout == Layout::kRowMajor) {
      std::int64_t stride = 1;
      for (std::size_t axis = dims.size(); axis-- > 0;) {
        whole.strides[axis] = stride;
        stride *= dims[axis];
      }
    }
    elements = whole.elements();
    ref_.strides = whole.strides;
    if (slice && dims.size() > 1) offset = first * whole.strides[1];
  }
  size_ = static_cast<std::size_t>((elements + 8) * bytes_of(type));
  bytes_.reset(static_cast<std::byte*>(::operator new[](size_, kAlignment)));
  ref_.data = bytes_.get() + offset * bytes_of(type);
  poison(std::byte{0});
}

Memory::Memory(const Values& values, DataType type, Layout layout, Random& random)
    : Memory(values.dims, type, layout, random) {
  set(values);
}

void Memory::set(const Values& values) {
  for_each_index(values.dims, [&](const Dims& index) { store(values.at(index), ref_.type, element(ref_, index)); });
}

Values Memory::values() const {
  return each(dims_of(ref_), [&](const Dims& index) { return load(ref_.type, element(ref_, index)); });
}

void Memory::poison(std::byte with) { std::fill_n(bytes_.get(), size_, with); }

std::vector<bool> Memory::owned() const { return iosx::test::owned_bytes(ref_, bytes_.get(), size_); }

bool Memory::holes_are(std::byte poison) const {
  const std::vector<bool> owned = this->owned();
  for (std::size_t i = 0; i < size_; ++i) {
    if (!owned[i] && bytes_[i] != poison) return false;
  }
  return true;
}

void expect_values(const Memory& out, const Values& want, const Tolerance& tolerance) {
  const Values got = out.values();
  ASSERT_EQ(got.dims, want.dims);
  const DataType type = out.ref().type;
  for (std::size_t i = 0; i < want.elements.size(); ++i) {
    const double wanted = want.elements[i];
    const double value = got.elements[i];
    if (value == wanted || (std::isnan(value) && std::isnan(wanted))) continue;
    const double allowed = std::abs(wanted) * tolerance.relative + tolerance.absolute + rounding(wanted, type) * 1.001;
    ASSERT_LE(std::abs(value - wanted), allowed)
        << name_of(type) << " element " << i << ": " << value << " instead of " << wanted;
  }
}

void expect_call(const KernelCall& call, Memory& out, const Values& want, const Tolerance& tolerance) {
  constexpr std::byte kPoison{0x5A};
  Values first({0});
  for (const kernels::Choice& choice :
       {kernels::Choice{}, kernels::Choice{.many = 1}, kernels::Choice{.vector_bytes = 4},
        kernels::Choice{.vector_bytes = 2}, kernels::Choice{.large = true}}) {
    SCOPED_TRACE(testing::Message() << "vectors of " << choice.vector_bytes << " bytes"
                                    << (choice.large ? ", large" : "")
                                    << (choice.many == 1 ? ", several together" : ""));
    out.poison(kPoison);
    run_on_host(call, choice);
    ASSERT_NO_FATAL_FAILURE(expect_values(out, want, tolerance));
    ASSERT_TRUE(out.holes_are(kPoison));
    const Values got = out.values();
    if (first.elements.empty()) first = got;
    if (!tolerance.exact) continue;
    for (std::size_t i = 0; i < got.elements.size(); ++i) {
      const double a = got.elements[i];
      const double b = first.elements[i];
      ASSERT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << "element " << i << ": " << a << " and " << b;
    }
  }
}

Dims random_dims(Random& random, std::size_t rank) {
  Dims dims(rank, 1);
  for (auto& size : dims) size = random.rarely() ? 1 : random.between(2, rank > 4 ? 4 : 7);
  if (rank > 1 && random.flip()) dims[1] = random.flip() ? 8 * random.between(1, 5) : random.between(1, 37);
  return dims;
}

const std::vector<Activation>& activations() {
  static const std::vector<Activation> all = [] {
    std::vector<Activation> some;
    for (const Activation& one : iosx::test::every_activation()) {
      const bool steep = one.kind == ActivationKind::kTan || one.kind == ActivationKind::kExp ||
                         one.kind == ActivationKind::kSinh || one.kind == ActivationKind::kCosh;
      if (iosx::test::tame(one.kind) && !iosx::test::jumps(one.kind) && !steep) some.push_back(one);
    }
    return some;
  }();
  return all;
}

}  // namespace iosx::gpu::test
