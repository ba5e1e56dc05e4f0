#include "core/documents/html/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/documents/html/page.h"

namespace iosx {
namespace {

// Writes the latencies for a page without its script.
std::string plain_table(const html::PageData& page) {
  std::string rows = "<table><tr><th>schedule</th><th>latency</th><th>spread</th><th>origin</th></tr>\n";
  for (const Subject& subject : page.subjects) {
    const Latency& latency = subject.schedule().latency;
    const auto text = [&](Millis time) {
      return subject.comparison->knows_latencies() ? fmt::format("{:.3f} ms", time.count()) : std::string("unknown");
    };
    rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", printable_markup(subject.label),
                        text(latency.value), text(latency.spread), printable_markup(origin_words(subject)));
  }
  return rows + "</table>";
}

std::string plain_beside(const Report& report) {
  std::string text;
  for (const ExternalRun& run : report.beside) {
    text += fmt::format("<p>{}: {:.3f} ms, {}</p>\n", printable_markup(run.label), run.latency.value.count(),
                        printable_markup(recorded_by(run)));
  }
  return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> options_text(const CompareOptions& options) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const OptionChange& each : changed_options(options)) {
    texts.emplace_back(each.info->title.pattern, value_text(*each.info, each.is).text());
  }
  return texts;
}

ReportRun report_run(const Run& run) {
  return {.comparison = std::make_shared<const Comparison>(run.comparison),
          .place = run.place,
          .source = run.network.source,
          .options = options_text(run.options)};
}

Result<std::string> html_report(const Report& report) {
  IOS_TRY(const auto page, html::page_data(report));
  const std::string data = html::script_json(page.json);
  // The data decides it, so that no data can contain it.
  const Hash128 hash = hash128(data);
  const std::string nonce = fmt::format("{:016x}{:016x}", hash.high, hash.low);
  const std::string& program = report.runs.front().place.program;
  const std::string generator = program.empty() ? "IOS Explorer" : "IOS Explorer " + program;
  const std::string title = printable_markup(page.place);
  return html::filled(
      html::kPage,
      {{"nonce", nonce},
       {"generator", printable_markup(generator)},
       {"title", title},
       {"eyebrow", title},
       {"style", html::kStyle},
       {"sentence", printable_markup(page.sentence)},
       {"table", plain_table(page) + plain_beside(report)},
       {"footer", printable_markup("Made by " + generator + ". This page has everything in it and loads nothing.")},
       {"data", data},
       {"script", html::kScript}});
}

}  // namespace iosx

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
