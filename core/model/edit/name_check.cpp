#include "core/model/edit/name_check.h"

#include <fmt/format.h>

#include "core/base/json/json_view.h"

namespace iosx {

Result<void> check_name(const std::string& name) {
  if (name.empty()) return fail("a name cannot be empty");
  if (name.size() > kMaxNameBytes) return fail(fmt::format("a name has at most {} bytes", kMaxNameBytes));
  return {};
}

}  // namespace iosx
