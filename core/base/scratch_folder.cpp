#include "core/base/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace iosx {

Result<ScratchFolder> ScratchFolder::make() {
  std::error_code wrong;
  std::string path = (std::filesystem::temp_directory_path(wrong) / "iosx-XXXXXX").string();
  if (wrong) return fail(verbatim(wrong.message()), "TMPDIR", message("name an existing folder"));
  if (::mkdtemp(path.data()) == nullptr) {
    return fail(message("cannot be created: {}", std::generic_category().message(errno)), path,
                message("name another folder with TMPDIR"));
  }
  return ScratchFolder(path);
}

ScratchFolder::~ScratchFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace iosx
