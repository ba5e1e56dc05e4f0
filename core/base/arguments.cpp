#include "core/base/arguments.h"

namespace iosx {

Result<void> check_no_empty_values(std::span<const char* const> arguments) {
  constexpr Sentence kRemedy{"give it a value, or leave it out"};
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    const std::size_t equals = argument.find('=');
    if (argument.starts_with("--") && equals == argument.size() - 1) {
      return fail(message("is empty"), std::string(argument.substr(0, equals)), kRemedy);
    }
    if (!argument.empty()) continue;
    const std::string_view before = i > 1 ? arguments[i - 1] : "";
    if (before.starts_with('-')) return fail(message("is empty"), std::string(before), kRemedy);
    return fail(message("is empty"), fmt::format("argument {}", i), kRemedy);
  }
  return {};
}

}  // namespace iosx
