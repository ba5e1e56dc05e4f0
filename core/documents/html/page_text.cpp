#include "core/documents/html/page_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/check.h"

namespace iosx::html {

std::string script_json(const nlohmann::ordered_json& json) {
  const std::string text = json.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '<': out += "\\u003c"; break;
      case '>': out += "\\u003e"; break;
      case '&': out += "\\u0026"; break;
      default: out += c;
    }
  }
  return out;
}

std::string filled(std::string_view page, std::initializer_list<std::pair<std::string_view, std::string_view>> values) {
  std::string out;
  while (true) {
    const std::size_t open = page.find("{{");
    out += page.substr(0, open);
    if (open == std::string_view::npos) return out;
    const std::size_t close = page.find("}}", open);
    IOS_CHECK(close != std::string_view::npos);
    const std::string_view name = page.substr(open + 2, close - open - 2);
    const auto value = std::ranges::find(values, name, &std::pair<std::string_view, std::string_view>::first);
    IOS_CHECK(value != values.end());
    out += value->second;
    page.remove_prefix(close + 2);
  }
}

}  // namespace iosx::html
