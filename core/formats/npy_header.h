#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace iosx {

// Says how NumPy writes one element: "<f4" is a float of four bytes, the lowest first.
struct ElementForm {
  char kind = 'f';  // f, i, u or b(ool)
  std::size_t bytes = 4;
  bool swapped = false;
};

struct NpyHeader {
  ElementForm form = {};
  bool columns = false;  // Fortran's order: the first axis is the innermost
  std::vector<std::int64_t> shape = {};
};

// Reads the header of a .npy file, which is a literal of Python's: {'descr': '<f4', 'fortran_order': False, 'shape':
// (1, 3), }. Quotes, spaces, commas at ends and the order of keys are Python's matter. What NumPy refuses is an error,
// and so are elements that are no plain numbers. The error has no place.
Result<NpyHeader> parse_npy_header(std::string_view text);

}  // namespace iosx
