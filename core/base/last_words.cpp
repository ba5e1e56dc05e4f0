#include "core/base/last_words.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>

#include "core/base/printable.h"

namespace iosx {
namespace {

constexpr std::size_t kMostRead = 2000;  // bytes of a file
constexpr std::size_t kMostSaid = 300;   // and quoted

}  // namespace

std::string last_lines(const std::string& text) {
  const std::size_t last = text.find_last_not_of(" \r\n\t");
  if (last == std::string::npos) return {};
  const std::string_view all = std::string_view(text).substr(0, last + 1);
  std::size_t begin = all.rfind('\n') + 1;
  while (begin > 1 && all.size() - (all.rfind('\n', begin - 2) + 1) <= kMostSaid)
    begin = all.rfind('\n', begin - 2) + 1;
  const std::string_view end = all.substr(begin);
  return end.size() <= kMostSaid ? printable(end) : printable(end.substr(0, kMostSaid)) + "...";
}

std::string last_words(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  if (!stream) return {};
  const auto size = static_cast<std::streamoff>(stream.tellg());
  stream.seekg(std::max<std::streamoff>(0, size - static_cast<std::streamoff>(kMostRead)));
  return last_lines(std::string(std::istreambuf_iterator<char>(stream), {}));
}

}  // namespace iosx
