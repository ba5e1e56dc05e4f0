#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

// These functions make text part of a page without making it markup; printable_markup() does between its tags.
namespace iosx::html {

// Writes the content of a script element of type application/json: it is the same document, in which nothing ends the
// element or begins a comment.
std::string script_json(const nlohmann::ordered_json& json);

// Returns the page with every {{name}} replaced by its text, which is not looked at again. Each name that stands in the
// page is given.
std::string filled(std::string_view page, std::initializer_list<std::pair<std::string_view, std::string_view>> values);

}  // namespace iosx::html
