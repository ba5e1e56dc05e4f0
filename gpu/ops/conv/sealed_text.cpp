#include "gpu/ops/conv/sealed_text.h"

#include <fmt/format.h>

namespace iosx::gpu {
namespace {

std::string seal_of(std::string_view purpose, std::string_view text) {
  return hex(hash_of(fmt::format("{}\n{}\n{}", purpose.size(), purpose, text)));
}

}  // namespace

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return hash;
}

std::string hex(std::uint64_t number) { return fmt::format("{:016x}", number); }

std::string sealed(std::string_view purpose, std::string_view text) {
  return fmt::format("{}\n{}", seal_of(purpose, text), text);
}

std::optional<std::string_view> unsealed(std::string_view purpose, std::string_view sealed_text) {
  const std::size_t end = sealed_text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view text = sealed_text.substr(end + 1);
  if (sealed_text.substr(0, end) != seal_of(purpose, text)) return std::nullopt;
  return text;
}

}  // namespace iosx::gpu
