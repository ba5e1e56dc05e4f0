#include "gpu/runtime/driver_version.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>

namespace iosx::gpu {
namespace {

bool is_version(std::string_view word) {
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  const auto is_part = [&](char c) { return c == '.' || is_digit(static_cast<unsigned char>(c)); };
  return word.size() >= 5 && is_digit(static_cast<unsigned char>(word.front())) &&
         is_digit(static_cast<unsigned char>(word.back())) && word.find('.') != std::string_view::npos &&
         std::all_of(word.begin(), word.end(), is_part);
}

// Uses NVML without its header, which is not part of every toolkit. It reads one string and changes nothing.
std::string version_from_nvml() {
  const auto close = [](void* library) { dlclose(library); };
  const std::unique_ptr<void, decltype(close)> library(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL), close);
  if (!library) return "";
  const auto init = reinterpret_cast<int (*)()>(dlsym(library.get(), "nvmlInit_v2"));
  const auto shutdown = reinterpret_cast<int (*)()>(dlsym(library.get(), "nvmlShutdown"));
  const auto read = reinterpret_cast<int (*)(char*, unsigned)>(dlsym(library.get(), "nvmlSystemGetDriverVersion"));
  if (init == nullptr || shutdown == nullptr || read == nullptr || init() != 0) return "";
  std::array<char, 96> text{};
  const bool known = read(text.data(), static_cast<unsigned>(text.size()) - 1) == 0;
  shutdown();
  return known ? text.data() : "";
}

}  // namespace

std::string version_in(std::string_view text) {
  // The first line is the driver's, the next one the compiler's.
  std::istringstream words{std::string(text.substr(0, text.find('\n')))};
  for (std::string word; words >> word;) {
    if (is_version(word)) return word;
  }
  return "";
}

std::string driver_version() {
  std::ifstream stream("/proc/driver/nvidia/version");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  std::string version = version_in(text);
  return version.empty() ? version_from_nvml() : version;
}

}  // namespace iosx::gpu
