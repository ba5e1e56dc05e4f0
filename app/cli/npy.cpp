#include "app/cli/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <fstream>
#include <functional>
#include <numeric>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/file_type.h"

namespace iosx::cli {
namespace {

static_assert(std::endian::native == std::endian::little, "NumPy's <f4 is little-endian");

constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);
constexpr std::size_t kPreamble = kMagic.size() + 2;  // and the header's length
constexpr std::size_t kAlignment = 64;

std::string tuple_text(std::span<const std::int64_t> dims) {
  return dims.size() == 1 ? fmt::format("({},)", dims.front()) : fmt::format("({})", fmt::join(dims, ", "));
}

// The header is a literal of Python's: {'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }.
std::optional<std::vector<std::int64_t>> shape_in(std::string_view header) {
  const std::size_t key = header.find("'shape'");
  const std::size_t open = header.find('(', key);
  const std::size_t close = header.find(')', open);
  if (key == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
  std::vector<std::int64_t> dims;
  const char* at = header.data() + open + 1;
  const char* const end = header.data() + close;
  while (at != end) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    std::int64_t size = 0;
    const auto [next, error] = std::from_chars(at, end, size);
    if (error != std::errc{} || size < 0) return std::nullopt;
    dims.push_back(size);
    at = next;
  }
  return dims;
}

// Without the axes of 1 in front.
std::span<const std::int64_t> core(std::span<const std::int64_t> dims) {
  while (!dims.empty() && dims.front() == 1) dims = dims.subspan(1);
  return dims;
}

}  // namespace

std::string npy_bytes(const Tensor& tensor) {
  std::string header =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': {}, }}", tuple_text(tensor.dims()));
  const std::size_t filled = kPreamble + header.size() + 1;
  header.append((kAlignment - filled % kAlignment) % kAlignment, ' ');
  header += '\n';
  std::string bytes(kMagic);
  bytes += static_cast<char>(header.size() & 0xFF);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(tensor.elements().data()), tensor.elements().size_bytes());
  return bytes;
}

Result<Tensor> read_npy(const std::filesystem::path& path, std::span<const std::int64_t> dims) {
  const std::string remedy =
      fmt::format("save it with numpy.save('FILE.npy', x.astype('float32')), of shape {}", tuple_text(dims));
  if (auto regular = check_regular_file(path); !regular) return tl::unexpected(std::move(regular.error()));
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail("cannot be opened", path.string(), "check the path");
  std::array<char, kPreamble> start{};
  file.read(start.data(), start.size());
  if (!file || std::string_view(start.data(), kMagic.size()) != kMagic) {
    return fail("is not a NumPy file of version 1.0", path.string(), remedy);
  }
  const auto low = static_cast<unsigned char>(start[kMagic.size()]);
  const auto high = static_cast<unsigned char>(start[kMagic.size() + 1]);
  std::string header(static_cast<std::size_t>(high) << 8 | low, '\0');
  file.read(header.data(), static_cast<std::streamsize>(header.size()));
  const auto shape = file ? shape_in(header) : std::nullopt;
  if (!shape) return fail("has a damaged header", path.string(), remedy);
  if (header.find("'<f4'") == std::string::npos || header.find("'fortran_order': False") == std::string::npos) {
    return fail("does not hold float32 numbers in C order", path.string(), remedy);
  }
  if (!std::ranges::equal(core(*shape), core(dims))) {
    return fail(fmt::format("has the shape {} instead of {}", tuple_text(*shape), tuple_text(dims)), path.string(),
                remedy);
  }
  const auto count = std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
  std::vector<float> elements(static_cast<std::size_t>(count));
  const auto bytes = static_cast<std::streamsize>(elements.size() * sizeof(float));
  file.read(reinterpret_cast<char*>(elements.data()), bytes);
  if (file.gcount() != bytes) return fail("ends too early", path.string(), remedy);
  return Tensor({dims.begin(), dims.end()}, std::move(elements));
}

}  // namespace iosx::cli
