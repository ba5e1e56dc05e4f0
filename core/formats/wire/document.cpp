#include "core/formats/wire/document.h"

#include <fmt/format.h>

#include "core/base/json/json_view.h"

namespace iosx::wire {

std::string document_head(std::string_view format) {
  return fmt::format(R"({{"format":"{}","version":{},"content":)", format, kVersion);
}

Result<nlohmann::json> open_document(std::string_view text, const std::string& origin, std::string_view format) {
  IOS_TRY(auto json, parse_json(text, origin));
  const auto has_format = json.is_object() && json.contains("format") && json["format"].is_string();
  if (!has_format || json["format"].get_ref<const std::string&>() != format) {
    return fail(message("is not of the form '{}'", format), origin, message("is it the right file?"));
  }
  const auto found = json.find("version");
  if (found == json.end() || !found->is_number_integer() || found->get<double>() < 1) {
    return fail(message("the version of its form is missing"), origin);
  }
  if (found->get<double>() != kVersion) {
    return fail(message("is written in version {} of its form, this program knows version {}", found->dump(), kVersion),
                origin, message("use the version of IOS Explorer that wrote it"));
  }
  return json;
}

tl::unexpected<Error> inside(Error error, const std::string& origin, std::string_view part) {
  std::string where = origin;
  if (!where.empty()) where += ": ";
  where += part;
  if (!error.where.empty()) where += (error.where.front() == '[' ? "" : ".") + error.where;
  return fail(std::move(error.what), std::move(where), std::move(error.remedy));
}

}  // namespace iosx::wire
