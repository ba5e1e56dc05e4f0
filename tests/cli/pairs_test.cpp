// Two features together. For each pair of rows one comparison is made, with all files that it can write. Table, JSON,
// CSV, run file and page have to say the same; what was written has to open again and run as it said; and the same
// command has to find the same again.
#include "tests/cli/process.h"
#include "tests/support/prelude.h"

namespace iosx::test {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

// A feature is a network, or an option with its value: a row of pairs.json, which tests/python/test_pairs.py reads too.
// Two rows with the same first argument are not paired.
struct Feature {
  std::string name;
  Words arguments;  // those in capitals are files of FeaturePairs
  bool of_search;   // without effect where nothing is searched
};

const Json* schedule_of(const Json& comparison, const std::string& id) {
  for (const Json& each : comparison.at("schedules")) {
    if (each.at("id") == id) return &each;
  }
  return nullptr;
}

bool on_lanes(const Json& schedule) { return !schedule.value("launches", Json::array()).empty(); }

// Expects a value of every schedule that has it, and that some do.
std::function<void(const Json&)> all_have(const std::string& key, const Json& value) {
  return [=](const Json& comparison) {
    int found = 0;
    for (const Json& each : comparison.at("schedules")) {
      if (!each.contains(key)) continue;
      EXPECT_EQ(each.at(key), value) << each.at("id") << ' ' << key;
      ++found;
    }
    EXPECT_GT(found, 0) << key;
  };
}

// Says what has to be in the comparison with a feature, by its name.
const std::map<std::string, std::function<void(const Json&)>>& facts() {
  static const std::map<std::string, std::function<void(const Json&)>> rows{
      {"lanes in a file",
       [](const Json& json) {
         const Json* const own = schedule_of(json, "file");
         EXPECT_TRUE(own == nullptr || on_lanes(*own));
       }},
      {"several networks", [](const Json& json) { EXPECT_EQ(json.at("networks").size(), 2U); }},
      {"batch", [](const Json& json) { EXPECT_EQ(json.at("batch"), 4); }},
      {"device", [](const Json& json) { EXPECT_EQ(json.at("device"), "h200"); }},
      {"lanes alone", [](const Json& json) { EXPECT_EQ(json.at("schedules").size(), 2U); }},
      {"merge", [](const Json& json) { EXPECT_EQ(schedule_of(json, "ios-parallel"), nullptr); }},
      {"loose limit", [](const Json& json) { EXPECT_FALSE(json.at("best").is_null()); }},
      {"nothing fits",
       [](const Json& json) {
         EXPECT_TRUE(json.at("best").is_null() && json.at("best_id").is_null());
         for (const Json& each : json.at("schedules")) EXPECT_TRUE(each.contains("over_limit"));
       }},
      {"sensitivity",
       [](const Json& json) {
         for (const Json& each : json.at("schedules")) EXPECT_TRUE(each.contains("doubt"));
       }},
      {"exhaustive", all_have("method", "exhaustive")},
      {"lazy", all_have("method", "lazy")},
      {"budget", all_have("out_of_budget", false)},
      {"epsilon",
       [](const Json& json) {
         for (const Json& each : json.at("schedules")) EXPECT_LE(each.value("certified_gap", 0.0), 0.05);
       }},
      {"external run", [](const Json& json) { EXPECT_EQ(json.at("beside").size(), 1U); }}};
  return rows;
}

const Json& table() {
  static const Json read_once = Json::parse(read(IOS_PAIRS));
  return read_once;
}

const std::vector<Feature>& features() {
  static const auto rows = mapped<Feature>(table().at("features"), [](const Json& row) {
    return Feature{row.at("name"), row.at("arguments").get<Words>(), row.value("of_search", false)};
  });
  return rows;
}

// Leaves out what is of one run alone: files, times, what a store knew, and sums whose last digit varies.
Json lasting(Json comparison) {
  for (const char* const key : {"files", "recorded"}) comparison.erase(key);
  for (Json& each : comparison.at("schedules")) {
    for (const char* const key :
         {"search_seconds", "measured", "reused", "history", "tasks", "prediction", "estimated_gap"})
      each.erase(key);
  }
  return comparison;
}

// Returns the rows of a table without quoted fields, by column.
std::vector<std::map<std::string, std::string>> csv_rows(const std::string& text) {
  std::istringstream lines(text);
  std::vector<std::map<std::string, std::string>> rows;
  Words head;
  for (std::string line; std::getline(lines, line);) {
    Words fields;
    std::istringstream of_line(line + ',');
    for (std::string field; std::getline(of_line, field, ',');) fields.push_back(field);
    if (head.empty()) {
      head = fields;
      continue;
    }
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < head.size() && i < fields.size(); ++i) row[head[i]] = fields[i];
  }
  return rows;
}

// Returns the document inside a page.
Json page_data(const std::string& page) {
  constexpr std::string_view kBegin = R"(id="data">)";
  const std::size_t begin = page.find(kBegin) + kBegin.size();
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

class FeaturePairs : public ::testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    iosx_done({"compare", "sample", "-o", folder_.file("given")});
    iosx_done({"convert", "sample", files_.at("ORIGINAL"), "--format", "ios"});
    iosx_done({"export", "scheduled-onnx", "sample", "--schedule", "greedy", "-o", files_.at("ONNX")});
  }

  // Returns a command with both features; `files` are those that it writes.
  Words command(const Words& begin, const Feature& one, const Feature& other, const Words& files) const {
    std::string graph = "sample";
    Words options;
    for (const Feature* const feature : {&one, &other}) {
      Words words = feature->arguments;
      for (std::string& word : words) {
        if (const auto file = files_.find(word); file != files_.end()) word = file->second;
      }
      if (words.front() == "GRAPH") {
        graph = words.back();
      } else {
        options = with(options, words);
      }
    }
    return with(with(with(begin, {graph}), options), files);
  }

  void check(const Feature& one, const Feature& other);
  void check_files(const Json& json);
  void check_best_again(const Feature& one, const Feature& other, const Json& json);

  TemporaryFolder folder_;
  const std::string out_ = folder_.file("out");
  const std::string run_ = folder_.file("x.iosrun");
  const std::string page_ = folder_.file("x.html");
  const std::map<std::string, std::string> files_{
      {"LANES", folder_.file("given/ios-flow.schedule.json")},
      {"WARM", folder_.file("given/ios-parallel.schedule.json")},
      {"ORIGINAL", folder_.file("original.json")},
      {"ONNX", folder_.file("scheduled.onnx")},
      {"EXTERNAL", folder_.write("layers.csv", "operator,latency_us\nconcat,400\nsomething else,100\n")},
      {"STORE", folder_.file("store.db")}};
};

void FeaturePairs::check_files(const Json& json) {
  EXPECT_EQ(lasting(Json::parse(read(out_ + "/comparison.json"))), lasting(json));
  EXPECT_EQ(lasting(json_of({"show", run_, "--json"})), lasting(json));
  const std::string table = '\n' + read(out_ + "/comparison.txt");
  const auto rows = csv_rows(read(out_ + "/schedules.csv"));
  const Json page = page_data(read(page_));
  const Json& schedules = json.at("schedules");
  ASSERT_EQ(rows.size(), schedules.size());
  ASSERT_EQ(page.at("schedules").size(), schedules.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Json& each = schedules[i];
    const std::string id = each.at("id");
    const double latency = each.at("latency_ms");
    const bool over = each.contains("over_limit");
    const std::size_t line = table.find('\n' + id + ' ');
    ASSERT_NE(line, std::string::npos) << id;
    EXPECT_THAT(table.substr(line, table.find('\n', line + 1) - line), HasSubstr(fmt::format(" {:.3f} ", latency)));
    EXPECT_EQ(rows[i].at("schedule"), id);
    EXPECT_DOUBLE_EQ(std::stod(rows[i].at("latency_ms")), latency);
    EXPECT_DOUBLE_EQ(std::stod(rows[i].at("speedup")), each.at("speedup").get<double>());
    EXPECT_EQ(rows[i].at("over_limit") == "true", over);
    EXPECT_EQ(rows[i].at("stages") == "0", on_lanes(each));
    const Json& shown = page.at("schedules")[i];
    EXPECT_EQ(shown.at("id"), id);
    EXPECT_NEAR(shown.at("ms").get<double>(), latency, 1e-4);
    EXPECT_EQ(shown.at("over"), over);
  }
  const Json& best = json.at("best_id");
  EXPECT_EQ(json.at("best"), best) << "one name everywhere";
  EXPECT_THAT(table, HasSubstr(best.is_null() ? "nothing of this fits" : ": " + best.get<std::string>() + ", "));
  EXPECT_EQ(page.at("beside").size(), json.value("beside", Json::array()).size());
  EXPECT_EQ(table.find("recorded elsewhere") != std::string::npos, json.contains("beside"));
}

// The file of the best schedule runs as it was said to.
void FeaturePairs::check_best_again(const Feature& one, const Feature& other, const Json& json) {
  const Json* const best = json.at("best").is_null() ? nullptr : schedule_of(json, json.at("best_id"));
  if (best == nullptr) return;  // or it was not requested
  const auto opens = [](Feature feature) {
    const std::set<std::string> options{"GRAPH", "--batch", "--device", "--finer-units"};
    if (!options.contains(feature.arguments.front())) feature.arguments = {"GRAPH", "sample"};
    return feature;
  };
  Feature first = opens(one);
  Feature second = opens(other);
  if (second.arguments.front() == "GRAPH") std::swap(first, second);  // the last network counts
  if (second.arguments == Words{"GRAPH", "sample"}) std::swap(first, second);
  const std::string file = out_ + "/" + best->at("id").get<std::string>() + ".schedule.json";
  const Json again = iosx_done(command({"run"}, first, second, {"--schedule", file, "--json"})).json();
  EXPECT_NEAR(again.at("schedule").at("latency_ms").get<double>(), best->at("latency_ms").get<double>(), 1e-9);
  EXPECT_EQ(on_lanes(again.at("schedule")), on_lanes(*best));
}

void FeaturePairs::check(const Feature& one, const Feature& other) {
  std::filesystem::remove_all(out_);
  const Finished run =
      iosx(command({"compare"}, one, other, {"-o", out_, "--save", run_, "--report", page_, "--json"}));
  for (const Json& refusal : table().at("refused")) {
    if (refusal.at("pair") != Json{one.name, other.name}) continue;
    EXPECT_NE(run.exit_code, 0);
    EXPECT_EQ(run.error_lines(), 1U) << run.err;
    EXPECT_THAT(run.err, HasSubstr(refusal.at("said").get<std::string>()));
    return;
  }
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json json = run.json();
  const bool searches = one.name != "lanes alone" && other.name != "lanes alone";
  for (const Feature* const feature : {&one, &other}) {
    const auto known = facts().find(feature->name);
    if (known != facts().end() && (searches || !feature->of_search)) known->second(json);
  }
  if (!searches && (one.of_search || other.of_search)) {
    EXPECT_THAT(run.err, HasSubstr("have no effect"));
  }
  if (one.name == "exhaustive" && other.name == "seed") {
    EXPECT_THAT(run.err, HasSubstr("has no effect"));
  }
  check_files(json);
  check_best_again(one, other, json);
  Json again = lasting(iosx_done(command({"compare"}, one, other, {"--json"})).json());
  Json before = lasting(json);
  if (one.name == "store" || other.name == "store") {  // a lazy search proves more with what it knows
    for (Json* const each : {&again, &before}) {
      for (Json& schedule : each->at("schedules")) {
        for (const char* const key : {"certified_gap", "bound_ms", "audit", "needed"}) schedule.erase(key);
      }
    }
  }
  EXPECT_EQ(again, before) << "the same input gives the same output";
}

TEST_P(FeaturePairs, AgreeWhereverTheyAreTold) {
  const Feature& one = features()[GetParam()];
  const int step = every(10);
  for (std::size_t i = GetParam() + 1; i < features().size(); i += static_cast<std::size_t>(step)) {
    const Feature& other = features()[i];
    if (one.arguments.front() == other.arguments.front()) continue;
    SCOPED_TRACE(one.name + " and " + other.name);
    check(one, other);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Features, FeaturePairs, ::testing::Range<std::size_t>(0, features().size() - 1),
                         [](const auto& info) {
                           std::string name = features()[info.param].name;
                           std::ranges::replace(name, ' ', '_');
                           return name;
                         });

}  // namespace
}  // namespace iosx::test
