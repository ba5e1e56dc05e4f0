#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

// Put text into a page without making it markup; between tags printable_markup() does that.
namespace iosx::html {

// Returns the content of a script element of type application/json: the same document, in a form that cannot end the
// element or begin a comment.
std::string script_json(const nlohmann::ordered_json& json);

// Returns the page with every {{name}} replaced by its text, which is not expanded again. Every name in the page is
// given.
std::string filled(std::string_view page, std::initializer_list<std::pair<std::string_view, std::string_view>> values);

}  // namespace iosx::html
