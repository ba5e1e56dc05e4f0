#include "tests/support/gzipped.h"

#include <zlib.h>

#include "tests/support/prelude.h"

namespace iosx::test {

namespace {

std::string packed(std::string_view text, int window) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, window, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

std::string gzipped(std::string_view text) { return packed(text, MAX_WBITS + 16); }
std::string deflated(std::string_view text) { return packed(text, MAX_WBITS); }

}  // namespace iosx::test
