#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"

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

}  // namespace iosx
