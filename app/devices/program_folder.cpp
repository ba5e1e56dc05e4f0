#include "app/devices/program_folder.h"

#include <dlfcn.h>
#include <link.h>

#include <system_error>

namespace iosx {
namespace {

// Returns the library with this code; empty where that is the program itself, which has no name in its map.
std::filesystem::path own_library() {
  Dl_info found{};
  void* map = nullptr;
  if (dladdr1(reinterpret_cast<const void*>(&own_library), &found, &map, RTLD_DL_LINKMAP) == 0) return {};
  return static_cast<const link_map*>(map)->l_name;
}

}  // namespace

std::filesystem::path program_folder() {
  std::error_code error;
  const std::filesystem::path library = own_library();
  if (library.empty()) return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  const std::filesystem::path folder = std::filesystem::canonical(library, error).parent_path();
  // In a wheel, in a build folder, and where Debian installs modules.
  for (const char* const place : {"bin", "../../bin", "../../../../bin"}) {
    if (std::filesystem::exists(folder / place / "iosx", error)) return (folder / place).lexically_normal();
  }
  return folder;
}

}  // namespace iosx
