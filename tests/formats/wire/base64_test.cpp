#include "core/formats/wire/base64.h"
#include "tests/support/prelude.h"

namespace iosx::wire {
namespace {

TEST(Base64, IsThatOfTheStandard) {  // the examples of RFC 4648
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_EQ(to_base64("fo"), "Zm8=");
  EXPECT_EQ(to_base64("foo"), "Zm9v");
  EXPECT_EQ(to_base64("foob"), "Zm9vYg==");
  EXPECT_EQ(to_base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
}

TEST(Base64, ReadsBackAllBytes) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    EXPECT_EQ(from_base64(to_base64(bytes.substr(0, size))), bytes.substr(0, size));
  }
}

TEST(Base64, RefusesEverythingElse) {
  for (const char* text :
       {"Z", "Zg", "Zg=", "=g==", "Zg=g", "Zh==", "Zm9=", "Zm9v ", "Zm9v\n", "Z===", "====", "Zm-v"}) {
    EXPECT_FALSE(from_base64(text)) << text;
  }
}

}  // namespace
}  // namespace iosx::wire
