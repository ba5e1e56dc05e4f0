#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

// How text becomes part of a page without becoming markup.
namespace iosx::html {

// As text between tags or as an attribute's value in double quotes: printable, with & < > " ' written as references.
std::string escaped(std::string_view text);

// As the content of a script element of type application/json: the same document, in which nothing ends the element or
// begins a comment.
std::string script_json(const nlohmann::ordered_json& json);

// The page with every {{name}} replaced by its text, which is not looked at again. Each name that stands in the page is
// given.
std::string filled(std::string_view page, std::initializer_list<std::pair<std::string_view, std::string_view>> values);

}  // namespace iosx::html
