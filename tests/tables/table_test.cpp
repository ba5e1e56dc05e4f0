#include "core/tables/render.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

struct Stage {
  std::string name;
  std::optional<double> ms;
  double delta = 0;
  std::string mark = {};
};

const std::vector<Column<Stage>>& columns() {
  static const std::vector<Column<Stage>> table{
      {{.id = "stage", .title = verbatim("stage")}, [](const Stage& row) { return Cell{verbatim(row.name)}; }},
      {{.id = "latency_ms", .title = verbatim("latency"), .kind = ColumnKind::kMillis},
       [](const Stage& row) { return row.ms ? Cell{*row.ms} : Cell{}; }},
      {{.id = "delta_ms", .title = verbatim("Δ"), .kind = ColumnKind::kMillis, .difference = true},
       [](const Stage& row) { return Cell{.value = row.delta, .mark = verbatim(row.mark)}; }},
      {{.id = "share", .title = verbatim("share"), .kind = ColumnKind::kShare},
       [](const Stage& row) { return row.ms ? Cell{*row.ms / 10} : Cell{}; }},
      {{.id = "peak_bytes", .title = verbatim("peak"), .kind = ColumnKind::kBytes, .shown_if = ShownIf::kKnown},
       [](const Stage& /*row*/) { return Cell{}; }},
      {{.id = "speedup_interval",
        .title = verbatim("interval"),
        .kind = ColumnKind::kFactor,
        .interval = true,
        .places = place::kDocuments},
       [](const Stage& row) {
         return row.ms ? Cell{ValueInterval{0.5, 1.5}} : Cell{};
       }},
  };
  return table;
}

Table stages() {
  return table_of<Stage>(columns(), {{"a", 1.25, -0.5, "~"}, {"b,c", 0.1, 0.00001}, {"=d", std::nullopt}},
                         {{"sum", 1.35, -0.49999}});
}

TEST(Table, IsAlignedTextWithUnitsInTheHead) {
  EXPECT_EQ(table_text(stages()),
            "stage  latency [ms]    Δ [ms]  share [%]\n"
            "a             1.250  -0.500 ~       12.5\n"
            "b,c           0.100         0        1.0\n"
            "=d                –         0          –\n"
            "sum           1.350    -0.500       13.5\n");
}

TEST(Table, HasOneLineARowWhateverNamesAre) {
  Table table = stages();
  table.columns[0].title = verbatim(std::string("s\nt"));
  table.rows[0][0].value = verbatim(std::string("a\nb\x1b"));
  const std::string text = table_text(table);
  EXPECT_EQ(std::ranges::count(text, '\n'), 5);
  EXPECT_THAT(text, AllOf(HasSubstr("s\\nt"), HasSubstr("a\\nb\\x1B")));
}

TEST(Table, ShowsAColumnOfKnownValuesWhereThereAreSome) {
  Table table = stages();
  EXPECT_THAT(table_text(table), Not(HasSubstr("peak")));
  table.rows[0][4].value = std::int64_t{2'500'000};
  EXPECT_THAT(table_text(table), AllOf(HasSubstr("peak [MB]"), HasSubstr("2.50")));
}

TEST(Table, IsCsvInOneDialect) {
  EXPECT_EQ(table_csv(stages()),
            "stage,latency_ms,delta_ms,share,peak_bytes,speedup_interval_low,speedup_interval_high\n"
            "a,1.25,-0.5,0.125,,0.5,1.5\n"
            "\"b,c\",0.1,1e-05,0.01,,0.5,1.5\n"
            "'=d,,0,,,,\n"
            "sum,1.35,-0.49999,0.135,,0.5,1.5\n");
}

TEST(Table, CsvNumbersReadBackAsTheSame) {
  for (const double value : {0.1, 1.0 / 3, 1e-300, 123456789.123456789, std::numeric_limits<double>::max()}) {
    EXPECT_EQ(std::stod(shortest_digits(value)), value);
  }
  EXPECT_EQ(shortest_digits(0.1), "0.1");
  EXPECT_EQ(shortest_digits(2), "2");
}

TEST(Table, SaysPerSampleInEveryHeadOfMilliseconds) {
  Table table = stages();
  table.per_sample = true;
  EXPECT_THAT(table_text(table), StartsWith("stage  latency [ms/sample]  Δ [ms/sample]  share [%]\n"));
  EXPECT_THAT(table_csv(table), StartsWith("stage,latency_ms_per_sample,delta_ms_per_sample,share,"));
  EXPECT_EQ(page_table(table)["columns"][1]["unit"], "ms/sample");
  EXPECT_TRUE(table_json(table, place::kData)[0].contains("latency_ms_per_sample"));
}

TEST(Table, IsAListOfObjects) {
  EXPECT_EQ(
      table_json(stages()).dump(),
      R"([{"stage":"a","latency_ms":1.25,"delta_ms":-0.5,"share":0.125,"peak_bytes":null,"speedup_interval":[0.5,1.5]},)"
      R"({"stage":"b,c","latency_ms":0.1,"delta_ms":1e-05,"share":0.01,"peak_bytes":null,"speedup_interval":[0.5,1.5]},)"
      R"({"stage":"=d","latency_ms":null,"delta_ms":0.0,"share":null,"peak_bytes":null,"speedup_interval":null}])");
}

TEST(Table, IsThePagesData) {
  const auto page = page_table(stages());
  EXPECT_EQ(page["columns"].size(), 4U);
  EXPECT_EQ(page["columns"][1].dump(), R"({"id":"latency_ms","title":"latency","unit":"ms","help":"","number":true})");
  EXPECT_EQ(page["rows"][0].dump(), R"(["a",["1.250",1.25],["-0.500 ~",-0.5],["12.5",0.125]])");
  EXPECT_EQ(page["rows"][2][1].dump(), R"(["–",null])");
  EXPECT_EQ(page["totals"].size(), 1U);
}

TEST(Table, LongTimesHaveFewerDecimals) {
  const ColumnInfo column{.id = "x_ms", .kind = ColumnKind::kMillis};
  EXPECT_EQ(value_text(column, 12.3456), "12.346");
  EXPECT_EQ(value_text(column, 123.456), "123.46");
  EXPECT_EQ(value_text(column, 1234.56), "1234.6");
  EXPECT_EQ(value_text(column, -0.0001), "0.000");
}

}  // namespace
}  // namespace iosx
