#include "core/formats/wire/document.h"

#include <fmt/format.h>

#include "core/base/json/json_view.h"

namespace iosx::wire {

std::string document_head(std::string_view format, int version) {
  return fmt::format(R"({{"format":"{}","version":{},"content":)", format, version);
}

namespace {

// Looks for a text that no name or sentence is as long as, before a parser makes copies of it. Elements of tensors
// ("float32") may be as long as they are. What is no JSON is left to the parser.
bool has_endless_text(std::string_view text) {
  std::string_view last;  // the text before: a key, where a colon follows
  for (std::size_t at = text.find('"'); at != std::string_view::npos; at = text.find('"', at)) {
    const std::size_t begin = ++at;
    while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
    if (at >= text.size()) return false;
    const std::string_view found = text.substr(begin, at - begin);
    if (found.size() > kMaxTextBytes && last != "float32") return true;
    last = found;
    ++at;
  }
  return false;
}

}  // namespace

Result<nlohmann::json> open_document(std::string_view text, const std::string& origin, std::string_view format,
                                     int version) {
  if (has_endless_text(text)) {
    return fail(message("contains a text of more than {} MiB", kMaxTextBytes >> 20U), origin,
                message("check that it is the right file"));
  }
  IOS_TRY(auto json, parse_json(text, origin));
  const auto has_format = json.is_object() && json.contains("format") && json["format"].is_string();
  if (!has_format || json["format"].get_ref<const std::string&>() != format)
    return fail(message("is not of the form '{}'", format), origin, message("check that it is the right file"));
  const auto found = json.find("version");
  if (found == json.end() || !found->is_number_integer() || found->get<double>() < 1)
    return fail(message("the version of its format is missing"), origin);
  if (found->get<double>() != version) {
    return fail(
        message("is written in version {} of its format, but this program knows version {}", found->dump(), version),
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
