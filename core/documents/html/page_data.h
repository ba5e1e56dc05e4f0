#pragma once

#include <nlohmann/json.hpp>
#include <string>

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

}  // namespace iosx::html
