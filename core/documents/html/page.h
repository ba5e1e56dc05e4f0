#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "core/analysis/difference/subject.h"
#include "core/documents/html/html_report.h"

// The data of the page's script.
namespace iosx::html {

struct PageData {
  std::string sentence;  // the result
  std::string place;     // network, device, batch
  std::vector<Subject> subjects;
  std::size_t baseline = 0;  // index of subjects
  // page_data.cpp explains the fields where it writes them; resources/report/report.js reads them.
  nlohmann::ordered_json json;
};
Result<PageData> page_data(const Report& report);

// Put text into a page without making it markup; between tags printable_markup() does that.

// Returns the content of a script element of type application/json: the same document, in a form that cannot end the
// element or begin a comment.
std::string script_json(const nlohmann::ordered_json& json);

// Returns the page with every {{name}} replaced by its text, which is not expanded again. Every name in the page is
// given.
std::string filled(std::string_view page, std::initializer_list<std::pair<std::string_view, std::string_view>> values);

// The files of resources/report, compiled in.
extern const std::string_view kPage;  // with {{names}} as placeholders
extern const std::string_view kStyle;
extern const std::string_view kScript;

}  // namespace iosx::html
