#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/graph/tensor.h"

namespace iosx {

// NumPy's form of an element: "<f4" is a float of four bytes in little endian.
struct ElementForm {
  char kind = 'f';  // f, i, u or b(ool)
  std::size_t bytes = 4;
  bool swapped = false;
};

struct NpyHeader {
  ElementForm form = {};
  bool columns = false;  // Fortran order: the first axis is the innermost
  std::vector<std::int64_t> shape = {};
};

// Reads the header of a .npy file, a Python literal: {'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }.
// Quotes, spaces, trailing commas and the order of keys follow Python. Errors, without a place: headers that NumPy
// refuses, and elements that are not plain numbers.
Result<NpyHeader> parse_npy_header(std::string_view text);

// Returns a tensor as the bytes of a NumPy file (.npy, version 1.0), row-major, with these dims, whose product is the
// number of its elements. `type` is ONNX's name; types that NumPy lacks are written as float32.
std::string npy_bytes(const Tensor& tensor, std::span<const std::int64_t> dims, std::string_view type);

// Reads such a file, of any version and numeric type. The tensor must have `dims`, except for leading axes of 1;
// otherwise the error names the file's dims.
Result<Tensor> read_npy(const std::filesystem::path& path, std::span<const std::int64_t> dims);
// Reads the same from a stream; `where` is the place of errors.
Result<Tensor> read_npy(std::istream& file, std::span<const std::int64_t> dims, const std::string& where);

// Returns "(1, 3, 224, 224)", a shape in NumPy's form.
std::string tuple_text(std::span<const std::int64_t> dims);

// The most bytes of such a file's header.
inline constexpr std::size_t kMostNpyHeader = std::size_t{1} << 17;

}  // namespace iosx
