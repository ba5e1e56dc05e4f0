#include "core/documents/html/html_report.h"
#include "core/base/text.h"

#include "core/analysis/compare/compare.h"
#include "core/analysis/compare/comparison.h"
#include "core/documents/html/page.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using nlohmann::json;

std::shared_ptr<const Comparison> compared(const Graph& graph) {
  test::FakeDevice device;
  CompareOptions options{.schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kGreedy, ScheduleKind::kIosBoth}};
  auto comparison = must(compare(graph, device, options, {}));
  return std::make_shared<const Comparison>(std::move(comparison));
}

Report report_of(const Graph& graph) {
  Report report;
  report.runs.push_back({.comparison = compared(graph),
                         .place = {.host = "server", .system = "Linux", .program = "1.2.3", .when = {}},
                         .source = "network.onnx",
                         .options = options_text({})});
  return report;
}

std::string page_of(const Report& report) {
  const auto page = html_report(report);
  EXPECT_TRUE(page) << page.error().text();
  return page ? *page : std::string();
}

// What the page's script reads.
json data_of(const std::string& page) {
  const std::string open = "id=\"data\">";
  const std::size_t begin = page.find(open) + open.size();
  return json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

// A cell of a table of the page's data: its text, or [text, number to sort by].
json cell_of_page(const json& table, std::size_t row, std::string_view id) {
  std::size_t column = 0;
  while (table["columns"][column]["id"] != id) ++column;
  return table["rows"][row][column];
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

// With an option that nobody thought of here, too.
TEST(HtmlReport, ListsEveryOptionThatDiffersFromItsDefault) {
  CompareOptions options;
  for (const BoundOption& option : options_of(options, use::kCompare)) {
    switch (option.kind) {
      case OptionKind::kFlag: option.set(true); break;
      case OptionKind::kWhole: option.set(option.info->id == "seed" ? 7 : option.info->whole_bounds().least + 1); break;
      case OptionKind::kNumber: option.set(option.info->bounds.most / 2); break;
      case OptionKind::kChoice: option.set(option.info->words.back()); break;
      default: break;  // no text is one of compare's own
    }
  }
  options.memory_limit = 2'500'000;
  options.search.effort.budget = Seconds(9);
  Report report = report_of(test::fork_join(3));
  report.runs[0].options = options_text(options);
  const json listed = data_of(page_of(report))["runs"][0]["options"];
  const std::vector<OptionChange> changed = changed_options(options);
  EXPECT_GE(changed.size(), 15U);
  for (const OptionChange& each : changed) {
    const json row{each.info->title.pattern, value_text(*each.info, each.is).text()};
    EXPECT_NE(std::ranges::find(listed, row), listed.end()) << row;
  }
  for (const json& row : {json{"Memory limit", "2.5 MB"}, json{"Time budget", "9 s"}, json{"Certified gap", "5"},
                          json{"Seed", "7"}, json{"Verify outputs", "on"}}) {
    EXPECT_NE(std::ranges::find(listed, row), listed.end()) << row;
  }
}

TEST(HtmlReport, HasWhatWasCompared) {
  const Report report = report_of(test::fork_join(3));
  const Comparison& comparison = *report.runs[0].comparison;
  const std::string page = page_of(report);
  const json data = data_of(page);
  ASSERT_EQ(data["schedules"].size(), 3U);
  EXPECT_EQ(data["units"].size(), comparison.graph->units().size());
  for (std::size_t i = 0; i < 3; ++i) {
    const ScheduleResult& result = comparison.results[i];
    const json& shown = data["schedules"][i];
    EXPECT_EQ(shown["id"], result.id.text());
    EXPECT_NEAR(shown["ms"].get<double>(), result.latency.value.count(), 1e-6);
    EXPECT_NEAR(cell_of_page(data["table"], i, "speedup")[1].get<double>(), comparison.speedup(result).value, 1e-3);
    ASSERT_GT(result.planned_bytes, 0);
    EXPECT_EQ(cell_of_page(data["table"], i, "planned_peak_bytes")[0],
              fmt::format("{:.2f}", megabytes(result.planned_bytes)));
    ASSERT_EQ(shown["stages"].size(), result.schedule.stages.size());
    EXPECT_EQ(shown["trace"]["k"].size(), result.trace.kernels.size());
    std::set<std::size_t> units;
    for (const json& stage : shown["stages"]) {
      for (const json& group : stage["g"]) {
        for (const json& step : group) units.insert(step.begin(), step.end());
      }
    }
    EXPECT_EQ(units.size(), comparison.graph->units().size());
  }
  EXPECT_EQ(data["matrix"]["baseline"], 0);
  // Stage against stage: a table for each schedule but the baseline, whose rows know their units.
  EXPECT_TRUE(data["comparisons"][0].is_null());
  for (std::size_t i = 1; i < 3; ++i) {
    const json& compared = data["comparisons"][i];
    ASSERT_EQ(compared["units"].size(), compared["table"]["rows"].size());
    EXPECT_EQ(compared["table"]["totals"].size(), 3U);
    double sum = 0;
    for (std::size_t row = 0; row < compared["units"].size(); ++row) {
      sum += cell_of_page(compared["table"], row, "b_ms")[1].get<double>();
    }
    double stages = 0;
    for (const Latency& latency : comparison.results[i].stage_latencies) stages += latency.value.count();
    EXPECT_NEAR(sum, stages, 1e-5);
  }
  EXPECT_EQ(data["runs"][0]["host"], "server");
  EXPECT_EQ(data["runs"][0]["source"], "network.onnx");
  EXPECT_THAT(page, HasSubstr("IOS Explorer 1.2.3"));
}

// A 1 × 1 and a 3 × 3 convolution run as a 3 × 3 one.
TEST(HtmlReport, KernelsHaveTheirOwnClass) {
  auto [builder, in] = test::sketch("siblings", {8, 4, 4});
  Conv conv{.out_channels = 8, .kernel = {1, 1}};
  builder.add("small", conv, {in});
  conv.kernel = {3, 3};
  conv.padding = {1, 1};
  builder.add("large", conv, {in});
  const Graph graph = std::move(builder).build().value();
  Schedule schedule = sequential_schedule(graph);
  schedule.stages = {Stage{{Group{{Step{{UnitId(0), UnitId(1)}}}}}}};
  test::FakeDevice device;
  CompareOptions options{.schedule_kinds = {ScheduleKind::kSequential}};
  options.given.emplace_back(schedule);
  auto comparison = must(compare(graph, device, options, {}));
  Report report;
  report.runs.push_back({.comparison = std::make_shared<const Comparison>(std::move(comparison))});
  const json data = data_of(page_of(report));
  std::size_t merged = 0;
  for (std::size_t i = 0; i < data["schedules"].size(); ++i) {
    const ScheduleResult& result = report.runs[0].comparison->results[i];
    for (std::size_t k = 0; k < result.trace.kernels.size(); ++k) {
      const Kernel& kernel = result.plan.kernel(result.trace.kernels[k].kernel);
      const json& shown = data["schedules"][i]["trace"]["k"][k];
      const bool both = kernel.operators.size() > 1;
      const bool large = both || kernel.units.front() == UnitId(1);
      EXPECT_EQ(shown[6], static_cast<int>(large ? OperatorClass::kConv3x3 : OperatorClass::kConv1x1));
      EXPECT_EQ(shown[7], both ? 1 : 0);
      merged += both ? 1 : 0;
    }
  }
  EXPECT_GT(merged, 0U);
}

// Rows, what lies between stages and the rest are the whole, as on every other view.
TEST(HtmlReport, PartsAddUp) {
  const json data = data_of(page_of(report_of(test::two_parts())));
  const json& matrix = data["matrix"];
  for (std::size_t i = 0; i < data["schedules"].size(); ++i) {
    double sum = matrix["between"][i].get<double>() + matrix["rest"][i].get<double>();
    for (const json& row : matrix["rows"]) sum += row["cells"][i][0].get<double>();
    EXPECT_NEAR(sum, data["schedules"][i]["ms"].get<double>(), 1e-5);
  }
}

TEST(HtmlReport, LoadsNothing) {
  const std::string page = page_of(report_of(test::fork_join(2)));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  for (const char* way : {"src=", "@import", "url(", "fetch(", "XMLHttpRequest", "import(", "<link", "<iframe"}) {
    EXPECT_THAT(page, Not(HasSubstr(way))) << way;
  }
  // The namespace of SVG is a name, no place.
  EXPECT_EQ(count(page, "http"), count(page, "http://www.w3.org/2000/svg") + count(page, "http-equiv"));
}

TEST(HtmlReport, IsTheSameForTheSameReport) {
  const Report report = report_of(test::fork_join(2));
  EXPECT_EQ(page_of(report), page_of(report));
}

TEST(HtmlReport, NamesCannotBecomeMarkup) {
  const std::vector<std::string> hostile{"</script><script>alert(1)</script>",
                                         "<!--<script>",
                                         "<img src=x onerror=alert(1)>",
                                         "\"><svg onload=alert(1)>",
                                         "'-alert(1)-'",
                                         "]]>{{data}}{{script}}",
                                         "&lt;b&gt;",
                                         "a\u202Eb\u2028c\033[2J"};
  auto [builder, last] = test::sketch("</title><script>alert('network')</script>", {8, 4, 4});
  Conv conv{.out_channels = 8};
  for (const std::string& name : hostile) {
    builder.begin_part(name);
    last = builder.add(name, conv, {last});
  }
  const auto graph = must(std::move(builder).build());
  Report report = report_of(graph);
  report.runs[0].place.host = "</script>host";
  report.runs[0].options.emplace_back("<b>", "<i>");
  ExternalRun external{.label = "</script><b>",
                       .file = "<file>",
                       .latency = {},
                       .samples = {},
                       .entries = {},
                       .trace = {},
                       .of_kernel = {}};
  external.latency = {.value = Millis(1), .spread = Millis(0), .samples = 1, .origin = Origin::kRecorded};
  external.entries.push_back({.name = hostile[0], .type = hostile[1], .duration = Millis(1)});
  external.notices = {verbatim("</script>")};
  report.beside.push_back(external);

  const std::string page = page_of(report);
  EXPECT_EQ(count(page, "<script"), 2U);
  EXPECT_EQ(count(page, "</script"), 2U);
  EXPECT_EQ(count(page, "<svg"), 0U);
  EXPECT_EQ(count(page, "<img"), 0U);
  EXPECT_EQ(count(page, "<!--"), 0U);
  EXPECT_EQ(count(page, "<b>"), 0U);
  EXPECT_EQ(count(page, "</title>"), 1U);
  EXPECT_EQ(page.find('\033'), std::string::npos);
  EXPECT_EQ(page.find("\u202E"), std::string::npos);
  const json data = data_of(page);
  for (std::size_t i = 0; i + 1 < hostile.size(); ++i) EXPECT_EQ(data["units"][i][0], hostile[i]);
  EXPECT_EQ(data["beside"][0]["entries"][0][0], hostile[0]);
  EXPECT_EQ(data["beside"][0]["entries"][0][3], "name");
}

TEST(HtmlReport, ShowsWhatOthersRecorded) {
  const Graph graph = test::sample();
  Report report = report_of(graph);
  ExternalRun external{.label = "ORT",
                       .tool = ExternalTool::kOnnxRuntime,
                       .file = "p.json",
                       .latency = {},
                       .samples = {},
                       .entries = {},
                       .trace = {},
                       .of_kernel = {}};
  external.latency = {.value = Millis(2), .spread = Millis(0.1), .samples = 9, .origin = Origin::kRecorded};
  external.entries.push_back({.name = "a_kernel_time", .timed = true, .duration = Millis(1.5)});
  external.entries.push_back({.name = "Reorder", .duration = Millis(0.5)});
  external.trace.lanes = 1;
  external.trace.duration = Micros(2000);
  external.trace.kernels.push_back(
      {.name = "a_kernel_time", .kernel = {}, .lane = 0, .stage = 0, .begin = Micros(0), .end = Micros(1500)});
  external.of_kernel = {0};
  report.beside.push_back(external);
  const std::string page = page_of(report);
  const json shown = data_of(page)["beside"][0];
  EXPECT_EQ(shown["by"], "recorded by ONNX Runtime");
  EXPECT_EQ(shown["share"], 0.75);
  EXPECT_EQ(shown["entries"][0][3], "alike");
  EXPECT_EQ(shown["entries"][0][4], json::array({graph.find_unit("a")->index()}));
  EXPECT_EQ(shown["entries"][1][4], json::array());
  EXPECT_EQ(shown["k"], json::parse("[[0,0,0.0,1500.0]]"));
  double in_parts = 0;
  for (const json& part : shown["parts"]) in_parts += part.get<double>();
  EXPECT_DOUBLE_EQ(in_parts, 1.5);
  EXPECT_THAT(page, HasSubstr("ORT: 2.000 ms, recorded by ONNX Runtime."));
}

TEST(HtmlReport, ShowsHowRunsAreDistributed) {
  Report report = report_of(test::sample());
  EXPECT_TRUE(data_of(page_of(report))["distribution"].is_null()) << "simulated: one run without noise";
  ExternalRun external{.label = "trtexec",
                       .tool = ExternalTool::kTensorRt,
                       .file = "times.json",
                       .latency = {},
                       .samples = {},
                       .entries = {},
                       .trace = {},
                       .of_kernel = {}};
  for (int i = 1; i <= 50; ++i) external.samples.emplace_back(i);
  external.latency = {.value = Millis(25.5), .spread = Millis(24), .samples = 50, .origin = Origin::kRecorded};
  report.beside.push_back(external);
  const json shown = data_of(page_of(report))["distribution"];
  ASSERT_EQ(shown["rows"].size(), 1U);
  const json& row = shown["rows"][0];
  EXPECT_TRUE(row["of"].is_null());
  EXPECT_EQ(row["beside"], 0);
  EXPECT_EQ(row["n"], 50);
  EXPECT_EQ(row["p50"], 25.5);
  EXPECT_EQ(row["p95"], 48.0);
  EXPECT_TRUE(row["p99"].is_null()) << "50 runs are too few";
  int runs = row["beyond"].get<int>();
  for (std::size_t i = 1; i < row["counts"].size(); i += 2) runs += row["counts"][i].get<int>();
  EXPECT_EQ(runs, 50);
}

TEST(HtmlReport, OfSeveralRunsNumbersUnitsOnce) {
  Report report = report_of(test::fork_join(3));
  report.runs.push_back(report_of(test::fork_join(4)).runs[0]);
  const json data = data_of(page_of(report));
  EXPECT_EQ(data["runs"].size(), 2U);
  EXPECT_EQ(data["schedules"].size(), 6U);
  EXPECT_EQ(data["schedules"][5]["run"], 1);
  EXPECT_EQ(data["units"].size(), 6U);  // the second graph has one more branch
  std::set<std::string> labels;
  for (const json& schedule : data["schedules"]) labels.insert(schedule["label"].get<std::string>());
  EXPECT_EQ(labels.size(), 6U);
}

TEST(HtmlReport, OfNothingIsAnError) {
  Comparison empty{.graph = std::make_shared<const Graph>(test::chain(2))};
  EXPECT_FALSE(html_report({.runs = {{.comparison = std::make_shared<const Comparison>(empty)}}}));
  EXPECT_FALSE(html_report({}));
}

TEST(PageText, IsEscaped) {
  EXPECT_EQ(printable_markup("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
  EXPECT_EQ(html::script_json({{"</script>", "<!-- & \u2028"}}),
            "{\"\\u003c/script\\u003e\":\"\\u003c!-- \\u0026 \\u2028\"}");
  EXPECT_EQ(html::script_json("\xFF"), "\"\\ufffd\"");
  EXPECT_EQ(html::filled("{{a}}-{{b}}", {{"a", "{{b}}"}, {"b", "x"}}), "{{b}}-x");
}

TEST(PageFiles, EndNothingThatTheyStandIn) {
  EXPECT_EQ(html::kScript.find("</script"), std::string_view::npos);
  EXPECT_EQ(html::kScript.find("<!--"), std::string_view::npos);
  EXPECT_EQ(html::kScript.find("innerHTML"), std::string_view::npos);
  EXPECT_EQ(html::kScript.find("insertAdjacent"), std::string_view::npos);
  EXPECT_EQ(html::kScript.find("eval("), std::string_view::npos);
  EXPECT_EQ(html::kStyle.find("</style"), std::string_view::npos);
}

}  // namespace
}  // namespace iosx
