#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/check.h"
#include "core/formats/npy.h"

// libFuzzer's entry: any text as the header of a NumPy file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto header = iosx::parse_npy_header({reinterpret_cast<const char*>(data), size});
  if (!header) {
    IOS_CHECK(!header.error().what.empty());
    return 0;
  }
  IOS_CHECK(header->form.bytes == 1 || header->form.bytes == 2 || header->form.bytes == 4 || header->form.bytes == 8);
  for (const std::int64_t dim : header->shape) IOS_CHECK(dim >= 0);
  return 0;
}
